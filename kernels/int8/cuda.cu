/* cuda.cu - the largest magnitude, then the bytes. While a compression runs, *nbytes holds the bits of the largest
 * magnitude. A leaf: kernels and their launchers, on the default stream. */
#include "kernels/int8/int8.h"

#include "kernels/int8/int8_lane.h"
#include "kernels/magnitude/most.cuh"
#include "kernels/shared/check.cuh"
#include "kernels/shared/receive.cuh"

namespace
{
struct narrow {
    typedef float4 Taken;
    uint8_t *payload;
    const float *values;
    const uint32_t *most;
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
        int8_scale s = int8_scale_of(*most, INT8_LEVELS);

        reinterpret_cast<char4 *>(payload)[q] = make_char4(int8_narrow_lane(v.x, s), int8_narrow_lane(v.y, s),
                                                           int8_narrow_lane(v.z, s), int8_narrow_lane(v.w, s));
        return 0;
    }

    __device__ uint32_t one(size_t i) const
    {
        payload[i] = static_cast<uint8_t>(int8_narrow_lane(values[i], int8_scale_of(*most, INT8_LEVELS)));
        return 0;
    }

    __device__ void last() const
    {
    }
};

struct widen {
    struct Taken {
        float4 old;
        char4 sent;
    };
    receiver to;
    const uint8_t *payload, *step;

    __device__ bool idle() const
    {
        return to.idle();
    }

    __device__ Taken take(size_t q) const
    {
        return { to.before(q), reinterpret_cast<const char4 *>(payload)[q] };
    }

    __device__ uint32_t give(size_t q, Taken t) const
    {
        float s = __uint_as_float(quads_get_word(step));

        to.put(q, t.old,
               make_float4(int8_widen_lane(t.sent.x, s), int8_widen_lane(t.sent.y, s), int8_widen_lane(t.sent.z, s),
                           int8_widen_lane(t.sent.w, s)));
        return 0;
    }

    __device__ uint32_t one(size_t i) const
    {
        to.put_one(i, int8_widen_lane(static_cast<int8_t>(payload[i]), __uint_as_float(quads_get_word(step))));
        return 0;
    }

    __device__ void last() const
    {
    }
};
} // namespace

__global__ static void send_step(uint8_t *payload, uint64_t *nbytes, size_t n)
{
    quads_put_word(payload + n, __float_as_uint(int8_scale_of(static_cast<uint32_t>(*nbytes), INT8_LEVELS).step));
    *nbytes = n + 4;
}

/* The bytes have their own check. */
__global__ static void check_step(const uint8_t *step, int *error)
{
    if (!int8_step_is_valid(__uint_as_float(quads_get_word(step)), INT8_LEVELS))
        *error = CODEC_CONTENT;
}

void int8_compress_cuda(const struct impl *im, uint8_t *payload, uint64_t *nbytes, const float *values, size_t n,
                        const struct codec_params *, void *, void *)
{
    cudaStream_t on = stream_of(im);
    narrow pass = { payload, values, reinterpret_cast<const uint32_t *>(nbytes), quads_wide(values) };

    magnitude_most(on, nbytes, values, n);
    quads_run(on, pass, n);
    NW_LAUNCH(send_step, 1, 1, 0, on, payload, nbytes, n);
}

void int8_decompress_cuda(const struct impl *im, float *values, size_t n, enum codec_into into, const uint8_t *payload,
                          size_t nbytes, const struct codec_params *, void *, int *error)
{
    cudaStream_t on = stream_of(im);
    widen pass = { receiver_of(values, into == CODEC_ADD, error), payload, payload + n };

    error_begin(on, error, codec_size_error(nbytes, n + 4));
    if (nbytes != n + 4)
        return;
    check_bytes<byte_is_128>(on, payload, n, error);
    NW_LAUNCH(check_step, 1, 1, 0, on, payload + n, error);
    quads_run(on, pass, n);
}
