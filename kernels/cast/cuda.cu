/* cuda.cu - fp32 to 16 bits and back on the device. A leaf: kernels and their launchers, on the default stream. */
#include "kernels/cast/cast.h"

#include "kernels/cast/bf16_lane.h"
#include "kernels/cast/fp16_lane.h"
#include "kernels/shared/quads.cuh"
#include "kernels/shared/receive.cuh"

namespace
{
struct bf16 {
    static __device__ uint16_t narrow(float v)
    {
        return bf16_from_f32_bits(__float_as_uint(v));
    }
    static __device__ float widen(uint16_t half)
    {
        return __uint_as_float(bf16_to_f32_bits(half));
    }
};

struct fp16 {
    static __device__ uint16_t narrow(float v)
    {
        return fp16_from_f32_bits(__float_as_uint(v));
    }
    static __device__ float widen(uint16_t half)
    {
        return __uint_as_float(fp16_to_f32_bits(half));
    }
};

/* Four halves: one access where dst is on eight bytes. */
template <class Format> struct narrow {
    typedef float4 Taken;
    uint16_t *dst;
    const float *src;
    bool dst_wide, src_wide;
    uint64_t *nbytes, size; /* NULL, or where to write the size of a payload */

    __device__ bool idle() const
    {
        return false;
    }

    __device__ float4 take(size_t q) const
    {
        return quads_load(src, q, src_wide);
    }

    __device__ uint32_t give(size_t q, float4 v) const
    {
        ushort4 h = make_ushort4(Format::narrow(v.x), Format::narrow(v.y), Format::narrow(v.z), Format::narrow(v.w));
        uint16_t *to = dst + 4 * q;

        if (dst_wide)
            *reinterpret_cast<ushort4 *>(to) = h;
        else
            to[0] = h.x, to[1] = h.y, to[2] = h.z, to[3] = h.w;
        return 0;
    }

    __device__ uint32_t one(size_t i) const
    {
        dst[i] = Format::narrow(src[i]);
        return 0;
    }

    __device__ void last() const
    {
        if (nbytes)
            *nbytes = size;
    }
};

__device__ ushort4 load_halves(const uint16_t *src, size_t q, bool wide)
{
    const uint16_t *from = src + 4 * q;

    return wide ? *reinterpret_cast<const ushort4 *>(from) : make_ushort4(from[0], from[1], from[2], from[3]);
}

template <class Format> struct widen {
    struct Taken {
        float4 old;
        ushort4 half;
    };
    receiver to;
    const uint16_t *src;
    bool src_wide, careful; /* 'careful': look at *error */

    __device__ bool idle() const
    {
        return careful && to.idle();
    }

    __device__ Taken take(size_t q) const
    {
        return { to.before(q), load_halves(src, q, src_wide) };
    }

    __device__ uint32_t give(size_t q, Taken t) const
    {
        to.put(q, t.old,
               make_float4(Format::widen(t.half.x), Format::widen(t.half.y), Format::widen(t.half.z),
                           Format::widen(t.half.w)));
        return 0;
    }

    __device__ uint32_t one(size_t i) const
    {
        to.put_one(i, Format::widen(src[i]));
        return 0;
    }

    __device__ void last() const
    {
    }
};

struct round_bf16 {
    typedef float4 Taken;
    float *dst;
    const float *src;
    bool dst_wide, src_wide;

    __device__ bool idle() const
    {
        return false;
    }

    __device__ float4 take(size_t q) const
    {
        return quads_load(src, q, src_wide);
    }

    static __device__ float round(float v)
    {
        return __uint_as_float(bf16_round_f32_bits(__float_as_uint(v)));
    }

    __device__ uint32_t give(size_t q, float4 v) const
    {
        quads_store(dst, q, make_float4(round(v.x), round(v.y), round(v.z), round(v.w)), dst_wide);
        return 0;
    }

    __device__ uint32_t one(size_t i) const
    {
        dst[i] = round(src[i]);
        return 0;
    }

    __device__ void last() const
    {
    }
};

bool on_eight(const void *address)
{
    return reinterpret_cast<uintptr_t>(address) % 8 == 0;
}

template <class Format> void run_narrow(cudaStream_t on, uint16_t *dst, const float *src, size_t n, uint64_t *nbytes)
{
    narrow<Format> pass = { dst, src, on_eight(dst), quads_wide(src), nbytes, 2 * n };

    quads_run(on, pass, n);
}

template <class Format> void run_widen(cudaStream_t on, float *dst, const uint16_t *src, size_t n)
{
    widen<Format> pass = { receiver_of(dst, 0, NULL), src, on_eight(src), false };

    quads_run(on, pass, n);
}

template <class Format>
void receive(cudaStream_t on, float *values, size_t n, enum codec_into into, const uint8_t *payload, size_t nbytes,
             int *error)
{
    widen<Format> pass = { receiver_of(values, into == CODEC_ADD, error), reinterpret_cast<const uint16_t *>(payload),
                           true, true };

    error_begin(on, error, codec_size_error(nbytes, 2 * n));
    if (nbytes == 2 * n)
        quads_run(on, pass, n);
}
} // namespace

void bf16_narrow_cuda(const struct impl *im, uint16_t *dst, const float *src, size_t n)
{
    run_narrow<bf16>(stream_of(im), dst, src, n, NULL);
}

void bf16_widen_cuda(const struct impl *im, float *dst, const uint16_t *src, size_t n)
{
    run_widen<bf16>(stream_of(im), dst, src, n);
}

void bf16_round_cuda(const struct impl *im, float *dst, const float *src, size_t n)
{
    cudaStream_t on = stream_of(im);
    round_bf16 pass = { dst, src, quads_wide(dst), quads_wide(src) };

    quads_run(on, pass, n);
}

void fp16_narrow_cuda(const struct impl *im, uint16_t *dst, const float *src, size_t n)
{
    run_narrow<fp16>(stream_of(im), dst, src, n, NULL);
}

void fp16_widen_cuda(const struct impl *im, float *dst, const uint16_t *src, size_t n)
{
    run_widen<fp16>(stream_of(im), dst, src, n);
}

void bf16_compress_cuda(const struct impl *im, uint8_t *payload, uint64_t *nbytes, const float *values, size_t n,
                        const struct codec_params *, void *, void *)
{
    run_narrow<bf16>(stream_of(im), reinterpret_cast<uint16_t *>(payload), values, n, nbytes);
}

void bf16_decompress_cuda(const struct impl *im, float *values, size_t n, enum codec_into into, const uint8_t *payload,
                          size_t nbytes, const struct codec_params *, void *, int *error)
{
    receive<bf16>(stream_of(im), values, n, into, payload, nbytes, error);
}

void fp16_compress_cuda(const struct impl *im, uint8_t *payload, uint64_t *nbytes, const float *values, size_t n,
                        const struct codec_params *, void *, void *)
{
    run_narrow<fp16>(stream_of(im), reinterpret_cast<uint16_t *>(payload), values, n, nbytes);
}

void fp16_decompress_cuda(const struct impl *im, float *values, size_t n, enum codec_into into, const uint8_t *payload,
                          size_t nbytes, const struct codec_params *, void *, int *error)
{
    receive<fp16>(stream_of(im), values, n, into, payload, nbytes, error);
}
