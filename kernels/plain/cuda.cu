/* cuda.cu - a copy or a sum, 16 bytes at a time. A leaf: kernels and their launchers, on the default stream. */
#include "kernels/plain/plain.h"

#include "kernels/shared/quads.cuh"
#include "kernels/shared/receive.cuh"

namespace
{
/* A payload is as aligned as an access can want. */
struct send {
    typedef float4 Taken;
    float *payload;
    const float *values;
    uint64_t *nbytes, size;
    bool wide;

    __device__ bool idle() const
    {
        return false;
    }

    __device__ float4 take(size_t q) const
    {
        return quads_load(values, q, wide);
    }

    __device__ uint32_t give(size_t q, float4 v) const
    {
        quads_store(payload, q, v, true);
        return 0;
    }

    __device__ uint32_t one(size_t i) const
    {
        payload[i] = values[i];
        return 0;
    }

    __device__ void last() const
    {
        *nbytes = size;
    }
};

struct receive {
    struct Taken {
        float4 old, sent;
    };
    receiver to;
    const float *payload;

    __device__ bool idle() const
    {
        return to.idle();
    }

    __device__ Taken take(size_t q) const
    {
        return { to.before(q), quads_load(payload, q, true) };
    }

    __device__ uint32_t give(size_t q, Taken t) const
    {
        to.put(q, t.old, t.sent);
        return 0;
    }

    __device__ uint32_t one(size_t i) const
    {
        to.put_one(i, payload[i]);
        return 0;
    }

    __device__ void last() const
    {
    }
};
} // namespace

void plain_compress_cuda(const struct impl *im, uint8_t *payload, uint64_t *nbytes, const float *values, size_t n,
                         const struct codec_params *, void *, void *)
{
    cudaStream_t on = stream_of(im);
    send pass = { reinterpret_cast<float *>(payload), values, nbytes, 4 * n, quads_wide(values) };

    quads_run(on, pass, n);
}

void plain_decompress_cuda(const struct impl *im, float *values, size_t n, enum codec_into into, const uint8_t *payload,
                           size_t nbytes, const struct codec_params *, void *, int *error)
{
    cudaStream_t on = stream_of(im);
    receive pass = { receiver_of(values, into == CODEC_ADD, error), reinterpret_cast<const float *>(payload) };

    error_begin(on, error, codec_size_error(nbytes, 4 * n));
    if (nbytes == 4 * n)
        quads_run(on, pass, n);
}
