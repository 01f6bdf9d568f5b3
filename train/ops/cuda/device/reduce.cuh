/* reduce.cuh - a block of threads, or a warp, adds up in one order, whatever order they run in. */
#ifndef NARROWS_TRAIN_OPS_CUDA_REDUCE_CUH
#define NARROWS_TRAIN_OPS_CUDA_REDUCE_CUH

#include "train/ops/cuda/device/grid.cuh"

/* Sums of two things at once, as doubles: n floats lose nothing to how they are grouped that a float would show. */
struct pair {
    double a, b;
};

struct reduce_sum {
    template <class T> static __device__ T of(T x, T y)
    {
        return x + y;
    }
    static __device__ pair of(pair x, pair y)
    {
        x.a += y.a;
        x.b += y.b;
        return x;
    }
};

struct reduce_most {
    template <class T> static __device__ T of(T x, T y)
    {
        return y > x ? y : x;
    }
};

/* What all GRID_THREADS threads of the block have together; each of them gets it. */
template <class Op, class T> __device__ static inline T reduce_block(T mine)
{
    __shared__ T of_thread[GRID_THREADS];
    unsigned t = threadIdx.x;
    T all;

    of_thread[t] = mine;
    __syncthreads();
    for (unsigned half = GRID_THREADS / 2; half; half /= 2) {
        if (t < half)
            of_thread[t] = Op::of(of_thread[t], of_thread[t + half]);
        __syncthreads();
    }
    all = of_thread[0];
    __syncthreads(); /* the next call writes over it */
    return all;
}

/* Rows that a block of GRID_THREADS threads works on at a time, a warp on each; and my row and my place in its warp. */
enum { WARP_THREADS = 32, WARP_ROWS = GRID_THREADS / WARP_THREADS };

static __device__ inline int64_t warp_row()
{
    return (int64_t)blockIdx.x * WARP_ROWS + threadIdx.x / WARP_THREADS;
}

static __device__ inline unsigned warp_lane()
{
    return threadIdx.x % WARP_THREADS;
}

static inline unsigned warp_blocks(int64_t rows)
{
    return static_cast<unsigned>((rows + WARP_ROWS - 1) / WARP_ROWS);
}

template <class T> __device__ static inline T warp_other(T mine, unsigned lanes)
{
    return __shfl_xor_sync(0xffffffffu, mine, lanes);
}

static __device__ inline pair warp_other(pair mine, unsigned lanes)
{
    mine.a = __shfl_xor_sync(0xffffffffu, mine.a, lanes);
    mine.b = __shfl_xor_sync(0xffffffffu, mine.b, lanes);
    return mine;
}

/* What all threads of the warp have together; each of them gets it. */
template <class Op, class T> __device__ static inline T reduce_warp(T mine)
{
    for (unsigned lanes = WARP_THREADS / 2; lanes; lanes /= 2)
        mine = Op::of(mine, warp_other(mine, lanes));
    return mine;
}

#endif
