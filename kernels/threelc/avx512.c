/* avx512.c - 16 values at a time. Quantising walks the five parts side by side and adds up their digits as floats, one
 * quartic byte to a lane. Going back is in avx512_spread.c. The four last quartic bytes, which may have padding, and
 * what does not fill a register go to the reference. */
#include <immintrin.h>

#include "kernels/copy/order.h"
#include "kernels/shared/inline.h"
#include "kernels/threelc/host.h"

INLINE __m512 magnitude(__m512 v)
{
    return _mm512_castsi512_ps(_mm512_and_epi32(_mm512_castps_si512(v), _mm512_set1_epi32(0x7fffffff)));
}

INLINE __m512 finite_only(__m512 t)
{
    return _mm512_maskz_mov_ps(_mm512_cmp_ps_mask(magnitude(t), _mm512_set1_ps(FLT_MAX), _CMP_LE_OQ), t);
}

/* One vector of the first pass: the sum, kept, or the distance, only looked at. */
INLINE __m512 first_pass_16(float *e, const float *from, size_t i, bool keep)
{
    __m512 old = _mm512_loadu_ps(e + i), in = _mm512_loadu_ps(from + i);
    __m512 t = finite_only(keep ? _mm512_add_ps(old, in) : _mm512_sub_ps(in, old));

    if (keep)
        _mm512_storeu_ps(e + i, t);
    return magnitude(t);
}

/* Groups of 64 values, in an order that suits memory where there are many. Returns the largest magnitude, and in
 * *done how many values that were. */
INLINE float first_pass(float *e, const float *from, size_t n, size_t *done, bool keep)
{
    size_t groups = n / 64;
    bool walks = n >= THREELC_STREAM_MIN;
    __m512 max[4] = { _mm512_setzero_ps(), _mm512_setzero_ps(), _mm512_setzero_ps(), _mm512_setzero_ps() };

    for (size_t g = 0; g < groups; g++) {
        size_t i = 64 * (walks ? stream_order(g, groups) : g);

        for (size_t v = 0; v < 4; v++)
            max[v] = _mm512_max_ps(max[v], first_pass_16(e, from, i + 16 * v, keep));
    }
    *done = 64 * groups;
    return _mm512_reduce_max_ps(_mm512_max_ps(_mm512_max_ps(max[0], max[1]), _mm512_max_ps(max[2], max[3])));
}

static float accumulate(float *e, const float *g, size_t n)
{
    size_t done;
    float max = first_pass(e, g, n, &done, 1), rest = threelc_accumulate_scalar(e + done, g + done, n - done);

    return max > rest ? max : rest;
}

static float distance(const float *model, const float *pulled, size_t n)
{
    size_t done;
    float max = first_pass((float *)pulled, model, n, &done, 0);
    float rest = threelc_distance_scalar(model + done, pulled + done, n - done);

    return max > rest ? max : rest;
}

/* Quartic digits are added up here; 121 is five zeros. */
struct quantiser {
    __m512 scale, half;
    __m512i sign;
};

/* |what| with the sign of t, and +0 where the digit is 0. */
INLINE __m512 signed_16(__mmask16 k, __m512 what, __m512 t, __m512i sign)
{
    return _mm512_castsi512_ps(
        _mm512_maskz_ternarylogic_epi32(k, _mm512_castps_si512(what), _mm512_castps_si512(t), sign, 0xf8));
}

/* 16 values of one part. A push subtracts M q. A pull adds it, as the subtraction of -M q: that leaves +0 to subtract
 * where q = 0, which changes nothing, not even a -0. */
INLINE __m512 quantise_16(__m512 sum, float *state, const float *model, float weight, const struct quantiser *q)
{
    __m512 old = _mm512_loadu_ps(state), t = model ? finite_only(_mm512_sub_ps(_mm512_loadu_ps(model), old)) : old;
    __mmask16 k = _mm512_cmp_ps_mask(magnitude(t), q->half, _CMP_GT_OQ);
    __m512 opposite = model ? _mm512_castsi512_ps(_mm512_xor_epi32(_mm512_castps_si512(t), q->sign)) : t;

    _mm512_storeu_ps(state, _mm512_sub_ps(old, signed_16(k, q->scale, opposite, q->sign)));
    return _mm512_add_ps(sum, signed_16(k, _mm512_set1_ps(weight), t, q->sign));
}

INLINE __m128i quantise_bytes(float *state, const float *model, size_t bytes, const struct quantiser *q)
{
    static const float weight[5] = { 81, 27, 9, 3, 1 };
    __m512 sum = _mm512_set1_ps(121);

    for (size_t p = 0; p < 5; p++)
        sum = quantise_16(sum, state + p * bytes, model ? model + p * bytes : NULL, weight[p], q);
    return _mm512_cvtepi32_epi8(_mm512_cvtps_epi32(sum));
}

static void quantise(uint8_t *quartic, float *state, const float *model, const struct threelc_part *part,
                     const struct threelc_level *level)
{
    const struct quantiser q = { _mm512_set1_ps(level->scale), _mm512_set1_ps(level->half),
                                 _mm512_set1_epi32((int)0x80000000) };
    size_t done = threelc_full(part) / 16 * 16, bytes = part->shape->bytes;
    struct threelc_part rest = threelc_rest(part, done);
    float *at = state + part->from;

    if (model)
        for (size_t b = 0; b < done; b += 16)
            _mm_storeu_si128((__m128i *)(quartic + b), quantise_bytes(at + b, model + part->from + b, bytes, &q));
    else
        for (size_t b = 0; b < done; b += 16)
            _mm_storeu_si128((__m128i *)(quartic + b), quantise_bytes(at + b, NULL, bytes, &q));
    threelc_quantise_scalar(quartic + done, state, model, &rest, level);
}

const struct threelc_ops threelc_avx512 = {
    "avx512",          accumulate,          distance, quantise, threelc_spread_avx512, zre_encode_avx512,
    zre_decode_avx512, zre_expanded_avx512,
};
