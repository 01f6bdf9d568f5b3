/* topk_lane.h - the definition: a row's choice, found by counting. */
#ifndef NARROWS_KERNELS_TOPK_ROWS_LANE_H
#define NARROWS_KERNELS_TOPK_ROWS_LANE_H

#include "kernels/sparse/sparse_lane.h"

/* The kept-th largest magnitude of a row (1 <= kept <= columns): bit by bit the largest number that so many reach. */
NW_LANE uint32_t topk_threshold(const float *x, uint64_t columns, uint64_t kept)
{
    uint32_t threshold = 0;

    for (int bit = 30; bit >= 0; bit--) {
        uint32_t more = threshold | (uint32_t)1 << bit;
        uint64_t reach = 0;

        for (uint64_t j = 0; j < columns; j++)
            reach += sparse_magnitude(sparse_word(x[j])) >= more;
        threshold = reach >= kept ? more : threshold;
    }
    return threshold;
}

#endif
