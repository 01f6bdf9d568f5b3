/* receive.cuh - what the decompression of every codec does with a decoded value on the device: store it, or add it. */
#ifndef NARROWS_KERNELS_SHARED_RECEIVE_CUH
#define NARROWS_KERNELS_SHARED_RECEIVE_CUH

#include "kernels/shared/quads.cuh"
#include "kernels/shared/sum_lane.h"

/* Where the values go. A row that finds an error writes no value: *error is read before. */
struct receiver {
    float *values;
    int *error;
    bool wide, add;

    __device__ bool idle() const
    {
        return *static_cast<volatile int *>(error) != 0;
    }

    /* What was there before, where it matters. */
    __device__ float4 before(size_t q) const
    {
        return add ? quads_load(values, q, wide) : make_float4(0, 0, 0, 0);
    }

    __device__ void put(size_t q, float4 old, float4 v) const
    {
        if (add)
            v = make_float4(sum_lane(old.x, v.x), sum_lane(old.y, v.y), sum_lane(old.z, v.z), sum_lane(old.w, v.w));
        quads_store(values, q, v, wide);
    }

    __device__ void put_one(size_t i, float v) const
    {
        values[i] = add ? sum_lane(values[i], v) : v;
    }
};

static inline receiver receiver_of(float *values, int add, int *error)
{
    return { values, error, quads_wide(values), add != 0 };
}

__global__ static void error_kernel(int *error, int value)
{
    *error = value;
}

/* Before anything else: CODEC_OK, or what the host already knows to be wrong. */
static inline void error_begin(cudaStream_t on, int *error, int value)
{
    NW_LAUNCH(error_kernel, 1, 1, 0, on, error, value);
}

#endif
