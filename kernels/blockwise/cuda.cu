/* cuda.cu - a warp for each block: its largest magnitude, then its codes. What a block's values are is read or summed
 * twice, the second time from the caches, so that no sum goes to memory. A leaf: kernels and their launchers, on the
 * default stream. */
#include "kernels/blockwise/blockwise.h"

#include "kernels/blockwise/blockwise_lane.h"
#include "kernels/magnitude/most.cuh"
#include "kernels/shared/check.cuh"
#include "kernels/shared/receive.cuh"

namespace
{
enum { THREADS = 128, WARPS = THREADS / 32 };

/* Where the values of a quad come from; those behind the last value are 0. */
struct from_values {
    const float *values;
    size_t n;
    bool wide;

    __device__ float4 quad(size_t q) const
    {
        if (4 * q + 4 <= n)
            return quads_load(values, q, wide);
        float v[4] = { 0, 0, 0, 0 };

        for (size_t i = 4 * q; i < n; i++)
            v[i - 4 * q] = values[i];
        return make_float4(v[0], v[1], v[2], v[3]);
    }
};

/* Padding is checked to be 0, and so are its values. */
struct from_terms {
    codec_terms sent;
    blockwise_form form;
    size_t scales_at;

    __device__ void add(float4 &sum, const uint8_t *payload, size_t q) const
    {
        float scale = reinterpret_cast<const float *>(payload + scales_at)[4 * q / form.block];
        int8_t c[4];

        if (form.bits == 4) {
            uint32_t pairs = reinterpret_cast<const uint16_t *>(payload)[q];

            for (int j = 0; j < 4; j++)
                c[j] = blockwise_half(pairs >> 4 * j);
        } else {
            char4 codes = reinterpret_cast<const char4 *>(payload)[q];

            c[0] = codes.x, c[1] = codes.y, c[2] = codes.z, c[3] = codes.w;
        }
        sum.x += int8_widen_lane(c[0], scale);
        sum.y += int8_widen_lane(c[1], scale);
        sum.z += int8_widen_lane(c[2], scale);
        sum.w += int8_widen_lane(c[3], scale);
    }

    __device__ float4 quad(size_t q) const
    {
        float4 sum = make_float4(0, 0, 0, 0);

        if (4 * q < form.n)
            for (size_t k = 0; k < sent.count; k++)
                add(sum, sent.payloads + k * sent.stride, q);
        return sum;
    }
};

struct receive {
    struct Taken {
        float4 old, sent;
    };
    receiver to;
    from_terms from;

    __device__ bool idle() const
    {
        return to.idle();
    }

    __device__ Taken take(size_t q) const
    {
        return { to.before(q), from.quad(q) };
    }

    __device__ uint32_t give(size_t q, Taken t) const
    {
        to.put(q, t.old, t.sent);
        return 0;
    }

    __device__ uint32_t one(size_t i) const
    {
        float4 v = from.quad(i / 4);

        to.put_one(i, i % 4 == 0 ? v.x : i % 4 == 1 ? v.y : v.z);
        return 0;
    }

    __device__ void last() const
    {
    }
};

/* Has a word a code that none is? */
struct half_is_8 {
    static __device__ bool in(uint32_t word)
    {
        return blockwise_has_8(word);
    }
};
} // namespace

__device__ static void put_quad(uint8_t *payload, int bits, size_t q, float4 v, int8_scale s)
{
    int8_t c[4] = { int8_narrow_lane(v.x, s), int8_narrow_lane(v.y, s), int8_narrow_lane(v.z, s),
                    int8_narrow_lane(v.w, s) };

    if (bits == 4)
        reinterpret_cast<uint16_t *>(payload)[q] =
            static_cast<uint16_t>((c[0] & 15) | (c[1] & 15) << 4 | (c[2] & 15) << 8 | (c[3] & 15) << 12);
    else
        reinterpret_cast<char4 *>(payload)[q] = make_char4(c[0], c[1], c[2], c[3]);
}

/* The padding is quads of zeros, which belong to the last block. *error may be NULL. */
template <class From>
__global__ static void __launch_bounds__(THREADS)
    encode_kernel(From from, blockwise_form f, uint8_t *payload, uint64_t *nbytes, const int *error)
{
    size_t number = static_cast<size_t>(blockIdx.x) * WARPS + threadIdx.x / 32, blocks = blockwise_blocks(f);
    size_t scales_at = blockwise_scales_at(f), first = number * f.block / 4 + threadIdx.x % 32;
    size_t quads = f.bits == 4 ? scales_at / 2 : scales_at / 4,
           end = number + 1 < blocks ? (number + 1) * f.block / 4 : quads;
    uint32_t most = 0;

    if (error && *error)
        return;
    if (blockIdx.x == 0 && threadIdx.x == 0)
        *nbytes = blockwise_bytes(f);
    if (number >= blocks)
        return;
    for (size_t q = first; q < end; q += 32)
        most = max(most, magnitude_of_quad(from.quad(q)));
    for (int half = 16; half; half /= 2)
        most = max(most, __shfl_xor_sync(0xffffffffu, most, half));

    int8_scale s = int8_scale_of(most, blockwise_levels(f.bits));

    for (size_t q = first; q < end; q += 32)
        put_quad(payload, f.bits, q, from.quad(q), s);
    if (threadIdx.x % 32 == 0)
        reinterpret_cast<float *>(payload + scales_at)[number] = s.step;
}

__global__ static void __launch_bounds__(QUADS_THREADS)
    check_scales(const uint8_t *payload, blockwise_form f, int *error)
{
    size_t i = static_cast<size_t>(blockIdx.x) * QUADS_THREADS + threadIdx.x;
    size_t codes = blockwise_codes(f.n, f.bits), scales_at = blockwise_scales_at(f);
    bool bad = i < blockwise_blocks(f) &&
               !int8_step_is_valid(reinterpret_cast<const float *>(payload + scales_at)[i], blockwise_levels(f.bits));

    if (i == 0) {
        bad |= f.bits == 4 && f.n % 2 && payload[codes - 1] >> 4;
        for (size_t at = codes; at < scales_at; at++)
            bad |= payload[at] != 0;
    }
    if (bad)
        *error = CODEC_CONTENT;
}

static blockwise_form form_of(size_t n, const codec_params *p)
{
    return { n, static_cast<size_t>(p->value[1]), static_cast<int>(p->value[0]) };
}

template <class From>
static void encode(cudaStream_t on, const From &from, blockwise_form f, uint8_t *payload, uint64_t *nbytes,
                   const int *error)
{
    NW_LAUNCH(encode_kernel<From>, static_cast<unsigned>(blockwise_blocks(f) / WARPS + 1), THREADS, 0, on, from, f,
              payload, nbytes, error);
}

/* False where the host knows already that nothing will be done. */
static bool check(cudaStream_t on, const codec_terms &sent, blockwise_form f, int *error)
{
    error_begin(on, error, codec_size_error(sent.nbytes, blockwise_bytes(f)));
    if (sent.nbytes != blockwise_bytes(f))
        return false;
    for (size_t k = 0; k < sent.count; k++) {
        const uint8_t *payload = sent.payloads + k * sent.stride;

        if (f.bits == 4)
            check_bytes<half_is_8>(on, payload, blockwise_codes(f.n, 4), error);
        else
            check_bytes<byte_is_128>(on, payload, f.n, error);
        NW_LAUNCH(check_scales, static_cast<unsigned>(blockwise_blocks(f) / QUADS_THREADS + 1), QUADS_THREADS, 0, on,
                  payload, f, error);
    }
    return true;
}

void blockwise_compress_cuda(const struct impl *im, uint8_t *payload, uint64_t *nbytes, const float *values, size_t n,
                             const struct codec_params *p, void *, void *)
{
    cudaStream_t on = stream_of(im);
    from_values from = { values, n, quads_wide(values) };

    encode(on, from, form_of(n, p), payload, nbytes, nullptr);
}

void blockwise_decompress_cuda(const struct impl *im, float *values, size_t n, enum codec_into into,
                               const uint8_t *payload, size_t nbytes, const struct codec_params *p, void *, int *error)
{
    cudaStream_t on = stream_of(im);
    blockwise_form f = form_of(n, p);
    codec_terms one = { payload, 0, nbytes, 1 };
    receive pass = { receiver_of(values, into == CODEC_ADD, error), { one, f, blockwise_scales_at(f) } };

    if (check(on, one, f, error))
        quads_run(on, pass, n);
}

void blockwise_reduce_cuda(const struct impl *im, uint8_t *payload, uint64_t *nbytes, const struct codec_terms *terms,
                           size_t n, const struct codec_params *p, void *, int *error)
{
    cudaStream_t on = stream_of(im);
    blockwise_form f = form_of(n, p);
    from_terms from = { *terms, f, blockwise_scales_at(f) };

    if (check(on, *terms, f, error))
        encode(on, from, f, payload, nbytes, error);
}
