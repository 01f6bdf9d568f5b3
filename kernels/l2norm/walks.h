/* walks.h - eight whole blocks side by side, for the x86 files: 64 weights of each in turn, and the next 64 of the walk
 * are asked for meanwhile. The addition is a constant where this is inlined. */
#ifndef NARROWS_KERNELS_L2NORM_WALKS_H
#define NARROWS_KERNELS_L2NORM_WALKS_H

#include <immintrin.h>

#include "kernels/l2norm/host.h"
#include "kernels/l2norm/l2norm_lane.h"
#include "kernels/shared/inline.h"

typedef void l2norm_lanes(double *lane, const void *weights, size_t n);

INLINE void l2norm_walk(double *sums, const float *weights, l2norm_lanes *lanes)
{
    enum { STEP = 64 };
    double lane[L2NORM_WALKS][L2NORM_LANES] = { { 0 } };

    for (size_t g = 0; g < L2NORM_WALKS * L2NORM_BLOCK / STEP; g++) {
        size_t b = g % L2NORM_WALKS;
        const float *from = weights + b * L2NORM_BLOCK + g / L2NORM_WALKS * STEP;

        for (size_t i = STEP; i < 2 * STEP; i += 16)
            _mm_prefetch((const char *)(from + i), _MM_HINT_T0);
        lanes(lane[b], from, STEP);
    }
    for (size_t b = 0; b < L2NORM_WALKS; b++)
        sums[b] = l2norm_fold(lane[b]);
}

#endif
