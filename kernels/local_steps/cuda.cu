/* cuda.cu - every block reads how far the round is; the count moves on in a launch of its own, when all have read it. A
 * leaf: kernels and their launchers, on the default stream. */
#include "kernels/local_steps/local_steps.h"

#include "kernels/shared/receive.cuh"

namespace
{
/* The first step of a round copies and the last one adds into the payload. */
struct step {
    struct Taken {
        float4 sum, v;
    };
    float *payload, *sums;
    const float *values;
    const uint64_t *count;
    uint64_t k;
    bool wide;

    __device__ bool idle() const
    {
        return false;
    }

    __device__ float *to() const
    {
        return *count + 1 >= k ? payload : sums;
    }

    __device__ Taken take(size_t q) const
    {
        return { *count ? quads_load(sums, q, true) : make_float4(0, 0, 0, 0), quads_load(values, q, wide) };
    }

    __device__ uint32_t give(size_t q, Taken t) const
    {
        if (*count)
            t.v = make_float4(sum_lane(t.sum.x, t.v.x), sum_lane(t.sum.y, t.v.y), sum_lane(t.sum.z, t.v.z),
                              sum_lane(t.sum.w, t.v.w));
        quads_store(to(), q, t.v, true);
        return 0;
    }

    __device__ uint32_t one(size_t i) const
    {
        to()[i] = *count ? sum_lane(sums[i], values[i]) : values[i];
        return 0;
    }

    __device__ void last() const
    {
    }
};

/* An empty payload stands for zeros. */
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
        return { to.before(q), payload ? quads_load(payload, q, true) : make_float4(0, 0, 0, 0) };
    }

    __device__ uint32_t give(size_t q, Taken t) const
    {
        to.put(q, t.old, t.sent);
        return 0;
    }

    __device__ uint32_t one(size_t i) const
    {
        to.put_one(i, payload ? payload[i] : 0);
        return 0;
    }

    __device__ void last() const
    {
    }
};
} // namespace

__global__ static void move_on(uint64_t *count, uint64_t *nbytes, uint64_t k, uint64_t size)
{
    bool sent = *count + 1 >= k;

    *count = sent ? 0 : *count + 1;
    *nbytes = sent ? size : 0;
}

void local_steps_compress_cuda(const struct impl *im, uint8_t *payload, uint64_t *nbytes, const float *values, size_t n,
                               const struct codec_params *p, void *state, void *)
{
    cudaStream_t on = stream_of(im);
    uint8_t *bytes = static_cast<uint8_t *>(state);
    uint64_t *count = reinterpret_cast<uint64_t *>(bytes + local_steps_sums(n)), k = static_cast<uint64_t>(p->value[0]);
    float *sums = static_cast<float *>(state);
    step pass = { reinterpret_cast<float *>(payload), sums, values, count, k, quads_wide(values) };

    quads_run(on, pass, n);
    NW_LAUNCH(move_on, 1, 1, 0, on, count, nbytes, k, 4 * n);
}

void local_steps_decompress_cuda(const struct impl *im, float *values, size_t n, enum codec_into into,
                                 const uint8_t *payload, size_t nbytes, const struct codec_params *, void *, int *error)
{
    cudaStream_t on = stream_of(im);
    bool valid = nbytes == 0 || nbytes == 4 * n;
    receive pass = { receiver_of(values, into == CODEC_ADD, error),
                     nbytes ? reinterpret_cast<const float *>(payload) : NULL };

    error_begin(on, error, valid ? CODEC_OK : nbytes < 4 * n ? CODEC_SHORT : CODEC_LONG);
    if (valid && (nbytes || into == CODEC_STORE))
        quads_run(on, pass, n);
}
