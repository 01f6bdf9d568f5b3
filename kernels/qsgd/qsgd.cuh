/* qsgd.cuh - what a code is, on the device; for kernels/qsgd and kernels/terngrad. */
#ifndef NARROWS_KERNELS_QSGD_QSGD_CUH
#define NARROWS_KERNELS_QSGD_QSGD_CUH

#include "kernels/drawn/drawn.cuh"
#include "kernels/qsgd/qsgd_lane.h"

/* 'Norm' is a struct with __device__ float norm() const. */
template <class Norm> struct qsgd_sent {
    Norm of;
    int levels;

    __device__ drawn_scale scale() const
    {
        return qsgd_scale_of(of.norm(), levels);
    }

    __device__ uint32_t code(float value, uint32_t drawn, drawn_scale s) const
    {
        return qsgd_code(value, drawn, s);
    }

    __device__ float sent(drawn_scale s) const
    {
        return s.step;
    }
};

struct qsgd_received {
    const uint8_t *step;
    int levels;

    __device__ float sent() const
    {
        return __uint_as_float(quads_get_word(step));
    }

    __device__ drawn_scale scale() const
    {
        return { 1.0f, 0.0f, sent(), levels, qsgd_bits(levels) };
    }

    __device__ drawn_form form() const
    {
        return qsgd_form(levels);
    }

    __device__ bool valid() const
    {
        return qsgd_step_is_valid(sent(), levels);
    }

    __device__ float value(uint32_t code, drawn_scale s) const
    {
        return qsgd_value(code, s);
    }
};

static inline void qsgd_take_device(cudaStream_t on, float *values, size_t n, enum codec_into into,
                                    const uint8_t *payload, size_t nbytes, int levels, int *error)
{
    qsgd_received c = { payload + drawn_bytes(n, qsgd_bits(levels)), levels };

    drawn_receive_device(on, c, qsgd_bits(levels), values, n, into, payload, nbytes, error);
}

#endif
