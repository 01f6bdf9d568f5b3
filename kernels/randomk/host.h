/* host.h - how the host rows fit together; for kernels/randomk. */
#ifndef NARROWS_KERNELS_RANDOMK_HOST_H
#define NARROWS_KERNELS_RANDOMK_HOST_H

#include "kernels/randomk/randomk.h"
#include "kernels/randomk/randomk_lane.h"
#include "kernels/shared/receive.h"

/* The words of a group of 64 runs. */
typedef void randomk_draw_span(uint32_t word[DRAWN_GROUP], const struct threefry_key *key, uint64_t group);

struct randomk_spans {
    const struct plain_spans *plain;
    randomk_draw_span *draw;
};
extern const struct randomk_spans randomk_scalar, randomk_avx2, randomk_avx512;

#endif
