/* tile.cuh - a tile of values and the block of threads that works on it. A warp has a row of the tile, 16 times 32
 * values: each of its 16 votes is 32 bits of the bitmap. */
#ifndef NARROWS_KERNELS_SPARSE_TILE_CUH
#define NARROWS_KERNELS_SPARSE_TILE_CUH

#include "kernels/shared/launch.cuh"
#include "kernels/sparse/device.h"

#define EVERY_LANE 0xffffffffu

enum {
    THREADS = 256,
    WARPS = THREADS / 32,
    VOTES = 16,
    ROW = 32 * VOTES,
    TILE = WARPS * ROW,
    MAX_BLOCKS = 4096, /* of kernels that walk over what they are given; they fill any device */
};

static inline size_t tiles_of(size_t n)
{
    return n / TILE + (n % TILE != 0);
}

static inline unsigned blocks_for(size_t items)
{
    size_t blocks = items / THREADS + (items % THREADS != 0);

    return blocks < MAX_BLOCKS ? (unsigned)blocks : (unsigned)MAX_BLOCKS;
}

/* More values than this are never sent as indices; 0 if none are. */
static inline uint64_t most_indices(uint64_t n, enum sparse_form form)
{
    return form == SPARSE_SMALLER && n && n <= (uint64_t)1 << 32 ? (sparse_bitmap_bytes(n) - 1) / 4 : 0;
}

__device__ static inline unsigned lane_of(void)
{
    return threadIdx.x % 32;
}

/* The lanes before this one. */
__device__ static inline unsigned lanes_before(void)
{
    return (1u << lane_of()) - 1;
}

__device__ static inline size_t first_of(void)
{
    return (size_t)blockIdx.x * blockDim.x + threadIdx.x;
}

__device__ static inline size_t step_of(void)
{
    return (size_t)gridDim.x * blockDim.x;
}

#endif
