/* drawn.cuh - the device's ways there and back of a codec that rounds at random. 'Code' is a struct of what the codec
 * needs, copied to the device with the launch:
 *      scale()                  of the tensor, as its members say
 *      form()                   what a code may be
 *      code(value, drawn, s)    the code of a value
 *      value(code, s)           and back
 *      sent(s), valid()         the scale as it is sent, and whether the one that came is one
 * There      A warp encodes 128 values: lane l draws once for the four values l % 16 + 16 w of group l / 16. */
#ifndef NARROWS_KERNELS_DRAWN_DRAWN_CUH
#define NARROWS_KERNELS_DRAWN_DRAWN_CUH

#include "kernels/drawn/drawn.h"
#include "kernels/shared/receive.cuh"

/* The planes of a group's two blocks, by the first two lanes of its half of a warp. */
__device__ static inline void drawn_put_plane(uint8_t *payload, size_t n, size_t group, int bits, int plane,
                                              const unsigned vote[4])
{
    unsigned lane = threadIdx.x % 32, shift = lane / DRAWN_LANES * DRAWN_LANES, half = lane % DRAWN_LANES;
    size_t first = group * DRAWN_GROUP + half * DRAWN_BLOCK;
    unsigned low = half ? vote[2] : vote[0], high = half ? vote[3] : vote[1];

    if (half < 2 && first < n)
        drawn_put(payload + static_cast<size_t>(bits) * (first / 8), plane, drawn_width(n, first),
                  (low >> shift & 0xffffu) | (high >> shift & 0xffffu) << 16);
}

template <class Code>
__global__ static void __launch_bounds__(QUADS_THREADS)
    drawn_encode_kernel(Code c, uint8_t *payload, const float *values, size_t n, uint64_t seed, const uint64_t *steps)
{
    unsigned lane = threadIdx.x % DRAWN_LANES;
    size_t group = static_cast<size_t>(blockIdx.x) * (QUADS_THREADS / DRAWN_LANES) + threadIdx.x / DRAWN_LANES;
    struct threefry_key key = drawn_key(seed, *steps);
    drawn_scale s = c.scale();
    uint32_t word[4], code[4];

    drawn_words(word, &key, group * DRAWN_LANES + lane);
#pragma unroll
    for (int w = 0; w < 4; w++) {
        size_t i = group * DRAWN_GROUP + DRAWN_LANES * w + lane;

        code[w] = i < n ? c.code(values[i], word[w], s) : 0;
    }
    for (int plane = 0; plane < s.bits; plane++) {
        unsigned vote[4];

#pragma unroll
        for (int w = 0; w < 4; w++)
            vote[w] = __ballot_sync(0xffffffffu, code[w] >> plane & 1);
        drawn_put_plane(payload, n, group, s.bits, plane, vote);
    }
}

template <class Code>
__global__ static void drawn_finish_kernel(Code c, uint8_t *tail, uint64_t *nbytes, uint64_t size, uint64_t *steps)
{
    quads_put_word(tail, __float_as_uint(c.sent(c.scale())));
    *nbytes = size;
    ++*steps;
}

/* What scale() reads is there; *nbytes may be part of it, and is the size behind. */
template <class Code>
static inline void drawn_send_device(cudaStream_t on, const Code &c, int bits, uint8_t *payload, uint64_t *nbytes,
                                     const float *values, size_t n, uint64_t seed, uint64_t *steps)
{
    size_t planes = drawn_bytes(n, bits), each = QUADS_THREADS / DRAWN_LANES * DRAWN_GROUP;

    if (n)
        NW_LAUNCH(drawn_encode_kernel<Code>, static_cast<unsigned>((n + each - 1) / each), QUADS_THREADS, 0, on, c,
                  payload, values, n, seed, steps);
    NW_LAUNCH(drawn_finish_kernel<Code>, 1, 1, 0, on, c, payload + planes, nbytes, planes + 4, steps);
}

template <class Code>
__global__ static void __launch_bounds__(QUADS_THREADS)
    drawn_check_kernel(Code c, const uint8_t *payload, size_t n, int *error)
{
    size_t first = (static_cast<size_t>(blockIdx.x) * QUADS_THREADS + threadIdx.x) * DRAWN_BLOCK;
    drawn_form f = c.form();

    if (first < n && !drawn_block_is_valid(payload + static_cast<size_t>(f.bits) * (first / 8), n, first, f))
        *error = CODEC_CONTENT;
    if (first == 0 && !c.valid())
        *error = CODEC_CONTENT;
}

template <class Code>
__global__ static void __launch_bounds__(QUADS_THREADS)
    drawn_decode_kernel(Code c, receiver to, const uint8_t *payload, size_t n)
{
    size_t i = static_cast<size_t>(blockIdx.x) * QUADS_THREADS + threadIdx.x, in = i % DRAWN_BLOCK;
    drawn_scale s = c.scale();
    uint32_t code = 0;

    if (to.idle() || i >= n)
        return;
    int width = drawn_width(n, i - in);
    const uint8_t *bytes = payload + static_cast<size_t>(s.bits) * ((i - in) / 8) + in / 8;

    for (int plane = 0; plane < s.bits; plane++)
        code |= static_cast<uint32_t>(bytes[plane * width] >> in % 8 & 1) << plane;
    to.put_one(i, c.value(code, s));
}

template <class Code>
static inline void drawn_receive_device(cudaStream_t on, const Code &c, int bits, float *values, size_t n,
                                        enum codec_into into, const uint8_t *payload, size_t nbytes, int *error)
{
    size_t want = drawn_bytes(n, bits) + 4, blocks = n / DRAWN_BLOCK / QUADS_THREADS + 1;

    error_begin(on, error, codec_size_error(nbytes, want));
    if (nbytes != want)
        return;
    NW_LAUNCH(drawn_check_kernel<Code>, static_cast<unsigned>(blocks), QUADS_THREADS, 0, on, c, payload, n, error);
    NW_LAUNCH(drawn_decode_kernel<Code>, static_cast<unsigned>(n / QUADS_THREADS + 1), QUADS_THREADS, 0, on, c,
              receiver_of(values, into == CODEC_ADD, error), payload, n);
}

#endif
