/* rows.cuh - a warp's, or a block's, way along a row. */
#ifndef NARROWS_KERNELS_TOPK_ROWS_ROWS_CUH
#define NARROWS_KERNELS_TOPK_ROWS_ROWS_CUH

#include "kernels/select/pick.cuh"
#include "kernels/topk_rows/topk_rows.h"

/* A row that a warp holds in registers: 32 times so many values. Longer ones go to a block. */
enum { TOPK_HELD = 32, TOPK_SHORT = 32 * TOPK_HELD, TOPK_BLOCKS = 4096 };

struct topk_rows {
    uint32_t *mask; /* halves of its words */
    uint32_t *values;
    const uint32_t *x;
    uint64_t rows, columns, kept;
};

__device__ static inline uint64_t mask_halves(uint64_t columns)
{
    return 2 * (columns / 64 + (columns % 64 != 0));
}

__device__ static inline unsigned warp_sum(unsigned mine)
{
    for (int half = 16; half; half /= 2)
        mine += __shfl_xor_sync(EVERY_LANE, mine, half);
    return mine;
}

/* One row, 1 <= kept <= columns <= TOPK_SHORT: bit by bit the largest number that so many values reach; done early
 * where exactly so many do. Column 32 v + lane is in a lane's v-th register; what is not there reaches nothing. */
__device__ static inline void choose_short(const struct topk_rows &t, uint64_t row)
{
    const uint32_t *x = t.x + row * t.columns;
    uint32_t *mask = t.mask + row * mask_halves(t.columns), *values = t.values + row * t.kept;
    unsigned lane = threadIdx.x % 32, before = (1u << lane) - 1, reach = 0, ties, mine = 0;
    uint32_t held[TOPK_HELD], threshold = 0;

#pragma unroll
    for (int v = 0; v < TOPK_HELD; v++)
        held[v] = 32 * v + lane < t.columns ? x[32 * v + lane] : 0;
    for (int bit = 30; bit >= 0 && reach != t.kept; bit--) {
        uint32_t more = threshold | 1u << bit;
        unsigned here = 0;

#pragma unroll
        for (int v = 0; v < TOPK_HELD; v++)
            here += sparse_magnitude(held[v]) >= more;
        here = warp_sum(here);
        if (here >= t.kept) {
            threshold = more;
            reach = here;
        }
    }
    /* With exactly so many at or above it, all that equal it are chosen. */
    mine = 0;
#pragma unroll
    for (int v = 0; v < TOPK_HELD; v++)
        mine += sparse_magnitude(held[v]) > threshold;
    ties = (unsigned)t.kept - warp_sum(mine);
    mine = 0;
#pragma unroll
    for (int v = 0; v < TOPK_HELD; v++) {
        bool real = 32 * v + lane < t.columns;
        uint32_t magnitude = sparse_magnitude(held[v]);
        unsigned equal = __ballot_sync(EVERY_LANE, real && magnitude == threshold);
        bool chosen =
            real && (magnitude > threshold || (magnitude == threshold && (unsigned)__popc(equal & before) < ties));
        unsigned vote = __ballot_sync(EVERY_LANE, chosen), taken = (unsigned)__popc(equal);

        if (chosen)
            values[__popc(vote & before)] = held[v];
        values += __popc(vote);
        ties -= taken < ties ? taken : ties;
        mine = lane == (unsigned)v ? vote : mine;
    }
    if (lane < mask_halves(t.columns))
        mask[lane] = mine;
}

/* One row of any length, by a block of SAMPLERS. */
__device__ static inline void choose_long(const struct topk_rows &t, uint64_t row)
{
    __shared__ unsigned long long sums[32];
    const uint32_t *x = t.x + row * t.columns;
    uint32_t *mask = t.mask + row * mask_halves(t.columns), *values = t.values + row * t.kept;
    unsigned long long ties = t.kept;
    uint32_t threshold = kth_in_block(x, t.columns, &ties);

    for (uint64_t from = 0; from < 32 * mask_halves(t.columns); from += SAMPLERS) {
        uint64_t j = from + threadIdx.x;
        uint32_t word = j < t.columns ? x[j] : 0, magnitude = sparse_magnitude(word);
        bool equal = j < t.columns && magnitude == threshold;
        unsigned long long equals_before = sum_before(equal, sums, SAMPLERS);
        bool chosen = j < t.columns && (magnitude > threshold || (equal && equals_before < ties));
        unsigned long long chosen_before = sum_before(chosen, sums, SAMPLERS);
        unsigned vote = __ballot_sync(EVERY_LANE, chosen), equals = (unsigned)__syncthreads_count(equal);

        if (chosen)
            values[chosen_before] = word;
        if (threadIdx.x % 32 == 0 && j / 32 < mask_halves(t.columns))
            mask[j / 32] = vote;
        values += __syncthreads_count(chosen);
        ties -= equals < ties ? equals : ties;
    }
}

/* Calls each(column, rank) for the columns of a row's mask, by one warp; 'rank' counts those before. 'other' gets the
 * columns that are not in it. */
template <class Each, class Other>
__device__ static inline void walk_mask(const uint32_t *mask, uint64_t columns, Each each, Other other)
{
    unsigned lane = threadIdx.x % 32, before = (1u << lane) - 1;
    uint64_t rank = 0;

    for (uint64_t from = 0; from < columns; from += 32 * 32) {
        uint32_t mine = from / 32 + lane < mask_halves(columns) ? mask[from / 32 + lane] : 0;

#pragma unroll
        for (int v = 0; v < 32; v++) {
            uint32_t vote = __shfl_sync(EVERY_LANE, mine, v);
            uint64_t j = from + 32 * v + lane;

            if (vote >> lane & 1)
                each(j, rank + __popc(vote & before));
            else if (j < columns)
                other(j);
            rank += __popc(vote);
        }
    }
}

#endif
