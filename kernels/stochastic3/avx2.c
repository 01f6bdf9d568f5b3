/* avx2.c - 128 bytes at a time, with the sums in the first-level cache: 16 registers are too few for them. Rotations
 * are two shifts; thresholds and draws are compared as signed numbers, both less 2^31. */
#include "kernels/shared/x86.h"
#include "kernels/stochastic3/host.h"
#include "kernels/threefry/rounds.h"

#define ADD(a, b) _mm256_add_epi32(a, b)
#define XOR(a, b) _mm256_xor_si256(a, b)
#define ROTATE(a, n) _mm256_or_si256(_mm256_slli_epi32(a, n), _mm256_srli_epi32(a, 32 - (n)))
#define SET(k) _mm256_set1_epi32((int)(k))

/* Bytes ahead in each of five walks, far apart as they are. */
enum { AHEAD_OF_FIVE = 2048 };

/* Counters 'block' .. block + 7, of which the upper half is the same: blocks come in sixteens. */
INLINE void words8(__m256i x[4], const struct threefry_key *key, uint64_t block, int partition)
{
    const uint32_t *k = key->word;

    x[0] = _mm256_add_epi32(_mm256_set1_epi32((int)(uint32_t)block), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
    x[1] = _mm256_set1_epi32((int)(uint32_t)(block >> 32));
    x[2] = _mm256_set1_epi32(partition);
    x[3] = _mm256_setzero_si256();
    THREEFRY_13(x, k);
}

/* Of numbers from 0 to 2^32, less 2^31: where they are below, the conversion is turned instead of the number. */
INLINE __m256i threshold8(__m256 t)
{
    const __m256 half = _mm256_set1_ps(0x1p31f);
    __m256 large = _mm256_cmp_ps(t, half, _CMP_GE_OQ);
    __m256i whole = _mm256_cvttps_epi32(_mm256_sub_ps(t, _mm256_and_ps(large, half)));
    __m256i turn = _mm256_andnot_si256(_mm256_castps_si256(large), _mm256_set1_epi32((int)0x80000000u));

    return _mm256_xor_si256(whole, turn);
}

/* Add to 'sum' the weight, with the sign of the value, where it is drawn. */
INLINE __m256 draw8(__m256 sum, const float *src, __m256i drawn, __m256 factor, __m256 weight)
{
    const __m256 sign = _mm256_castsi256_ps(_mm256_set1_epi32((int)0x80000000u));
    __m256 value = _mm256_loadu_ps(src);
    __m256i threshold = threshold8(_mm256_mul_ps(_mm256_andnot_ps(sign, value), factor));
    __m256i sent = _mm256_cmpgt_epi32(threshold, _mm256_xor_si256(drawn, _mm256_castps_si256(sign)));
    __m256 with_sign = _mm256_or_ps(_mm256_and_ps(value, sign), weight);

    return _mm256_add_ps(sum, _mm256_and_ps(with_sign, _mm256_castsi256_ps(sent)));
}

INLINE void put(uint8_t *dst, __m256i v, bool nt)
{
    if (nt)
        _mm256_stream_si256((__m256i *)(void *)dst, v);
    else
        _mm256_storeu_si256((__m256i *)(void *)dst, v);
}

/* 32 sums to bytes; both packs stay within 128-bit lanes, the permute puts the words back in order. */
INLINE __m256i pack32(const __m256 *sum)
{
    __m256i low = _mm256_packus_epi32(_mm256_cvtps_epi32(sum[0]), _mm256_cvtps_epi32(sum[1]));
    __m256i high = _mm256_packus_epi32(_mm256_cvtps_epi32(sum[2]), _mm256_cvtps_epi32(sum[3]));

    return _mm256_permutevar8x32_epi32(_mm256_packus_epi16(low, high), _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
}

/* What a partition counts in 128 sums: lanes 8 half .. 8 half + 7 of all sixteens. */
INLINE void draw_half(__m256 *sum, const struct stochastic3_job *j, size_t at, int partition, size_t half)
{
    const float *src = j->values + (size_t)partition * j->each + at + 8 * half;
    const __m256 factor = _mm256_set1_ps(j->scale.factor);
    __m256 weight = _mm256_set1_ps((float)stochastic3_weight(partition));
    __m256i word[4];

    words8(word, &j->key, at / STOCHASTIC3_GROUP * STOCHASTIC3_LANES + 8 * half, partition);
    for (size_t w = 0; w < 4; w++) {
        __m256 *to = sum + 4 * w + half;

        to[0] = draw8(to[0], src + 32 * w, word[w], factor, weight);
        to[2] = draw8(to[2], src + 32 * w + 16, ROTATE(word[w], 16), factor, weight);
    }
}

INLINE size_t encode_groups(const struct stochastic3_job *j, size_t from, size_t to, bool nt)
{
    size_t groups = stochastic3_groups(j, from, to), end = from + groups * STOCHASTIC3_GROUP;

    for (size_t at = from; at < end; at += STOCHASTIC3_GROUP) {
        __m256 sum[16];

        for (size_t r = 0; r < 16; r++)
            sum[r] = _mm256_set1_ps(121.0f); /* five trits of 1 */
        for (int partition = 0; partition < 5; partition++) {
            ask_ahead(j->values + (size_t)partition * j->each + at, AHEAD_OF_FIVE, 4 * STOCHASTIC3_GROUP);
            draw_half(sum, j, at, partition, 0);
            draw_half(sum, j, at, partition, 1);
        }
        for (size_t i = 0; i < 4; i++)
            put(j->bytes + at + 32 * i, pack32(sum + 4 * i), nt);
    }
    return end;
}

static void encode(const struct stochastic3_job *j, size_t from, size_t to)
{
    size_t done = j->stream ? encode_groups(j, from, to, 1) : encode_groups(j, from, to, 0);

    stochastic3_encode_scalar(j, done, to);
    if (j->stream)
        _mm_sfence();
}

/* Of 16 bytes the trits of a partition. The factor is 65536 / weight rounded up, which divides all bytes exactly. */
INLINE __m256i digits16(const uint8_t *bytes, __m256i factor, bool whole)
{
    __m256i b = _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)(const void *)bytes));
    __m256i q = whole ? b : _mm256_mulhi_epu16(b, factor);
    __m256i third = _mm256_mulhi_epu16(q, _mm256_set1_epi16(21846));

    return _mm256_sub_epi16(q, _mm256_add_epi16(third, _mm256_add_epi16(third, third)));
}

INLINE __m256 value8(__m128i digits, __m256 m)
{
    __m256i q = _mm256_sub_epi32(_mm256_cvtepi16_epi32(digits), _mm256_set1_epi32(1));

    return _mm256_mul_ps(_mm256_cvtepi32_ps(q), m);
}

INLINE size_t decode_groups(float *dst, const uint8_t *bytes, size_t n, int partition, float m, bool nt)
{
    const __m256 by = _mm256_set1_ps(m);
    int weight = stochastic3_weight(partition);
    const __m256i factor = _mm256_set1_epi16((short)(65535 / weight + 1));
    size_t i = 0;

    for (; i + 16 <= n; i += 16) {
        __m256i digits = weight == 1 ? digits16(bytes + i, factor, 1) : digits16(bytes + i, factor, 0);
        __m256 low = value8(_mm256_castsi256_si128(digits), by);
        __m256 high = value8(_mm256_extracti128_si256(digits, 1), by);

        if (nt) {
            _mm256_stream_ps(dst + i, low);
            _mm256_stream_ps(dst + i + 8, high);
        } else {
            _mm256_storeu_ps(dst + i, low);
            _mm256_storeu_ps(dst + i + 8, high);
        }
    }
    return i;
}

static void decode(float *dst, const uint8_t *bytes, size_t n, int partition, float m, bool stream)
{
    size_t head = stream ? peel(dst, sizeof(*dst), n) : 0, done;

    stochastic3_decode_scalar(dst, bytes, head, partition, m, 0);
    done = head + (stream ? decode_groups(dst + head, bytes + head, n - head, partition, m, 1)
                          : decode_groups(dst + head, bytes + head, n - head, partition, m, 0));
    stochastic3_decode_scalar(dst + done, bytes + done, n - done, partition, m, 0);
    if (stream)
        _mm_sfence();
}

/* The largest byte of each lane is above 242 if 242 is not the greater of both. */
static bool check(const uint8_t *bytes, size_t n)
{
    const __m256i most = _mm256_set1_epi8((char)242);
    __m256i found = _mm256_setzero_si256();
    size_t i = 0;

    for (; i + 32 <= n; i += 32)
        found = _mm256_max_epu8(found, _mm256_loadu_si256((const __m256i *)(const void *)(bytes + i)));
    found = _mm256_cmpeq_epi8(_mm256_max_epu8(found, most), most);
    return _mm256_movemask_epi8(found) != -1 || stochastic3_check_scalar(bytes + i, n - i);
}

const struct stochastic3_spans stochastic3_avx2 = { &plain_avx2, magnitude_avx2, encode, decode, check };
