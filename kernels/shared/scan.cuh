/* scan.cuh - the prefixes of a block of threads, for the cuda.cu of the codecs. */
#ifndef NARROWS_KERNELS_SHARED_SCAN_CUH
#define NARROWS_KERNELS_SHARED_SCAN_CUH

#include "kernels/shared/launch.cuh"

struct scan_sum {
    template <class T> static __device__ T of(T a, T b)
    {
        return a + b;
    }
};

struct scan_most {
    template <class T> static __device__ T of(T a, T b)
    {
        return a < b ? b : a;
    }
};

/* What the threads before this one have together, 'none' for the first; *all becomes what all of them have. For blocks
 * of 1024 threads, all of which come. */
template <class Op, class T> __device__ static inline T scan_block(T mine, T none, T *all)
{
    __shared__ T of_warp[33];
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    T sum = mine;

    for (unsigned by = 1; by < 32; by *= 2) {
        T other = __shfl_up_sync(0xffffffffu, sum, by);

        if (lane >= by)
            sum = Op::of(other, sum);
    }
    __syncthreads(); /* the last call's results have been read */
    if (lane == 31)
        of_warp[warp] = sum;
    __syncthreads();
    if (warp == 0) {
        T total = of_warp[lane];

        for (unsigned by = 1; by < 32; by *= 2) {
            T other = __shfl_up_sync(0xffffffffu, total, by);

            if (lane >= by)
                total = Op::of(other, total);
        }
        of_warp[lane] = total;
    }
    __syncthreads();
    *all = of_warp[31];
    sum = __shfl_up_sync(0xffffffffu, sum, 1);
    if (lane == 0)
        sum = none;
    return warp ? Op::of(of_warp[warp - 1], sum) : sum;
}

#endif
