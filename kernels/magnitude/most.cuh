/* most.cuh - the largest finite magnitude of a tensor on the device, as a pass of kernels/shared/quads.cuh. */
#ifndef NARROWS_KERNELS_MAGNITUDE_MOST_CUH
#define NARROWS_KERNELS_MAGNITUDE_MOST_CUH

#include "kernels/magnitude/magnitude_lane.h"
#include "kernels/shared/quads.cuh"

__device__ static inline uint32_t magnitude_of_quad(float4 v)
{
    return max(max(magnitude_lane(__float_as_uint(v.x)), magnitude_lane(__float_as_uint(v.y))),
               max(magnitude_lane(__float_as_uint(v.z)), magnitude_lane(__float_as_uint(v.w))));
}

struct magnitude_pass {
    typedef float4 Taken;
    const float *values;
    bool wide;

    __device__ float4 take(size_t q) const
    {
        return quads_load(values, q, wide);
    }

    __device__ uint32_t give(size_t, float4 v) const
    {
        return magnitude_of_quad(v);
    }

    __device__ uint32_t one(size_t i) const
    {
        return magnitude_lane(__float_as_uint(values[i]));
    }
};

/* The bits of the largest finite magnitude in the word at *most, which is on an eight-byte boundary. */
static inline void magnitude_most(cudaStream_t on, uint64_t *most, const float *values, size_t n)
{
    magnitude_pass pass = { values, quads_wide(values) };

    cudaMemsetAsync(most, 0, sizeof(*most), on);
    quads_most(on, pass, n, reinterpret_cast<uint32_t *>(most));
}

#endif
