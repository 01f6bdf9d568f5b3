/* avx2.c - 8 values at a time, quantised as in avx512.c with 8 quartic bytes to a register. Going back, the digits of
 * 8 bytes in eight lanes come out one by one, the most significant first, as the whole part of three times a fraction.
 * The five parts are written side by side: past the cache that would be five half-filled lines, so the stores are
 * ordinary ones. */
#include <immintrin.h>

#include "kernels/copy/order.h"
#include "kernels/shared/inline.h"
#include "kernels/threelc/host.h"

INLINE __m256 magnitude(__m256 v)
{
    return _mm256_andnot_ps(_mm256_set1_ps(-0.0f), v);
}

INLINE __m256 finite_only(__m256 t)
{
    return _mm256_and_ps(t, _mm256_cmp_ps(magnitude(t), _mm256_set1_ps(FLT_MAX), _CMP_LE_OQ));
}

/* One vector of the first pass: the sum, kept, or the distance, only looked at. */
INLINE __m256 first_pass_8(float *e, const float *from, size_t i, bool keep)
{
    __m256 old = _mm256_loadu_ps(e + i), in = _mm256_loadu_ps(from + i);
    __m256 t = finite_only(keep ? _mm256_add_ps(old, in) : _mm256_sub_ps(in, old));

    if (keep)
        _mm256_storeu_ps(e + i, t);
    return magnitude(t);
}

INLINE float largest(const __m256 *max)
{
    __m256 m = _mm256_max_ps(_mm256_max_ps(max[0], max[1]), _mm256_max_ps(max[2], max[3]));
    float lane[8], most = 0;

    _mm256_storeu_ps(lane, m);
    for (int i = 0; i < 8; i++)
        most = lane[i] > most ? lane[i] : most;
    return most;
}

/* Groups of 64 values, in an order that suits memory where there are many. Returns the largest magnitude, and in
 * *done how many values that were. */
INLINE float first_pass(float *e, const float *from, size_t n, size_t *done, bool keep)
{
    size_t groups = n / 64;
    bool walks = n >= THREELC_STREAM_MIN;
    __m256 max[4] = { _mm256_setzero_ps(), _mm256_setzero_ps(), _mm256_setzero_ps(), _mm256_setzero_ps() };

    for (size_t g = 0; g < groups; g++) {
        size_t i = 64 * (walks ? stream_order(g, groups) : g);

        for (size_t v = 0; v < 8; v++)
            max[v % 4] = _mm256_max_ps(max[v % 4], first_pass_8(e, from, i + 8 * v, keep));
    }
    *done = 64 * groups;
    return largest(max);
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

struct quantiser {
    __m256 scale, half, sign;
};

/* |what| with the sign of t, and +0 where the digit is 0. */
INLINE __m256 signed_8(__m256 k, __m256 what, __m256 t, __m256 sign)
{
    return _mm256_and_ps(k, _mm256_or_ps(what, _mm256_and_ps(t, sign)));
}

/* 8 values of one part; a pull adds M q as the subtraction of -M q, which leaves +0 to subtract where q = 0. */
INLINE __m256 quantise_8(__m256 sum, float *state, const float *model, float weight, const struct quantiser *q)
{
    __m256 old = _mm256_loadu_ps(state), t = model ? finite_only(_mm256_sub_ps(_mm256_loadu_ps(model), old)) : old;
    __m256 k = _mm256_cmp_ps(magnitude(t), q->half, _CMP_GT_OQ), opposite = model ? _mm256_xor_ps(t, q->sign) : t;

    _mm256_storeu_ps(state, _mm256_sub_ps(old, signed_8(k, q->scale, opposite, q->sign)));
    return _mm256_add_ps(sum, signed_8(k, _mm256_set1_ps(weight), t, q->sign));
}

INLINE uint64_t quantise_bytes(float *state, const float *model, size_t bytes, const struct quantiser *q)
{
    static const float weight[5] = { 81, 27, 9, 3, 1 };
    __m256 sum = _mm256_set1_ps(121);
    __m256i words;
    __m128i halves;

    for (size_t p = 0; p < 5; p++)
        sum = quantise_8(sum, state + p * bytes, model ? model + p * bytes : NULL, weight[p], q);
    words = _mm256_cvtps_epi32(sum);
    halves = _mm_packus_epi32(_mm256_castsi256_si128(words), _mm256_extracti128_si256(words, 1));
    return (uint64_t)_mm_cvtsi128_si64(_mm_packus_epi16(halves, halves));
}

INLINE void quantise_all(uint8_t *quartic, float *state, const float *model, size_t count, size_t bytes,
                         const struct quantiser *q)
{
    for (size_t b = 0; b < count; b += 8) {
        uint64_t eight = quantise_bytes(state + b, model ? model + b : NULL, bytes, q);

        memcpy(quartic + b, &eight, 8);
    }
}

static void quantise(uint8_t *quartic, float *state, const float *model, const struct threelc_part *part,
                     const struct threelc_level *level)
{
    const struct quantiser q = { _mm256_set1_ps(level->scale), _mm256_set1_ps(level->half), _mm256_set1_ps(-0.0f) };
    size_t done = threelc_full(part) / 8 * 8, bytes = part->shape->bytes;
    struct threelc_part rest = threelc_rest(part, done);

    if (model)
        quantise_all(quartic, state + part->from, model + part->from, done, bytes, &q);
    else
        quantise_all(quartic, state + part->from, NULL, done, bytes, &q);
    threelc_quantise_scalar(quartic + done, state, model, &rest, level);
}

/* 8 bytes to five times 8 values. 270 b / 65536 is b / 243 and less than 1/243 too much after five times three: the
 * whole part is the digit. */
INLINE void spread_8(float *at, size_t bytes, const uint8_t *quartic, __m256 table, bool add)
{
    const __m256i part_mask = _mm256_set1_epi32(0xffff), start = _mm256_set1_epi32(270);
    __m256i b = _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)quartic)), x = _mm256_mullo_epi16(b, start);

    for (size_t p = 0; p < 5; p++, at += bytes) {
        __m256i three = _mm256_add_epi32(x, _mm256_slli_epi32(x, 1));
        __m256 v = _mm256_permutevar8x32_ps(table, _mm256_srli_epi32(three, 16));

        x = _mm256_and_si256(three, part_mask);
        _mm256_storeu_ps(at, add ? _mm256_add_ps(_mm256_loadu_ps(at), v) : v);
    }
}

static void spread_bytes(float *values, const struct threelc_part *part, const uint8_t *quartic, float scale,
                         enum codec_into into)
{
    float zero = into == CODEC_ADD ? -0.0f : 0.0f;
    const __m256 table = _mm256_setr_ps(-scale, zero, scale, zero, zero, zero, zero, zero);
    size_t done = threelc_full(part) / 8 * 8;
    struct threelc_part rest = threelc_rest(part, done);

    if (into == CODEC_ADD)
        for (size_t b = 0; b < done; b += 8)
            spread_8(values + part->from + b, part->shape->bytes, quartic + b, table, 1);
    else
        for (size_t b = 0; b < done; b += 8)
            spread_8(values + part->from + b, part->shape->bytes, quartic + b, table, 0);
    threelc_spread_bytes_scalar(values, &rest, quartic + done, scale, into);
}

static void spread(float *values, const struct threelc_part *part, const struct threelc_coded *coded, float scale,
                   enum codec_into into, bool stream)
{
    uint8_t quartic[THREELC_PLACE];

    (void)stream;
    if (coded->runs)
        zre_decode_avx2(quartic, coded->from, coded->nbytes);
    spread_bytes(values, part, coded->runs ? quartic : coded->from, scale, into);
}

const struct threelc_ops threelc_avx2 = {
    "avx2", accumulate, distance, quantise, spread, zre_encode_avx2, zre_decode_avx2, zre_expanded_avx2,
};
