/* avx512.c - 128 bytes at a time: the sums of all five partitions are kept in registers as floats (small whole numbers,
 * exact), so that adding a signed weight is one masked addition. */
#include "kernels/shared/x86.h"
#include "kernels/stochastic3/host.h"
#include "kernels/threefry/rounds.h"

#define ADD(a, b) _mm512_add_epi32(a, b)
#define XOR(a, b) _mm512_xor_si512(a, b)
#define ROTATE(a, n) _mm512_rol_epi32(a, n)
#define SET(k) _mm512_set1_epi32((int)(k))

/* Bytes ahead in each of five walks, far apart as they are. */
enum { AHEAD_OF_FIVE = 2048 };

/* Counters 'block' .. block + 15, of which the upper half is the same: blocks come in sixteens. */
INLINE void words16(__m512i x[4], const struct threefry_key *key, uint64_t block, int partition)
{
    const uint32_t *k = key->word;

    x[0] = _mm512_add_epi32(_mm512_set1_epi32((int)(uint32_t)block),
                            _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
    x[1] = _mm512_set1_epi32((int)(uint32_t)(block >> 32));
    x[2] = _mm512_set1_epi32(partition);
    x[3] = _mm512_setzero_si512();
    THREEFRY_13(x, k);
}

/* Add to 'sum' the weight, with the sign of the value, where it is drawn. */
INLINE __m512 draw16(__m512 sum, const float *src, __m512i drawn, __m512 factor, __m512 weight)
{
    const __m512i sign = _mm512_set1_epi32((int)0x80000000u);
    __m512 value = _mm512_loadu_ps(src);
    __m512i threshold = _mm512_cvttps_epu32(_mm512_mul_ps(_mm512_abs_ps(value), factor));
    __mmask16 sent = _mm512_cmplt_epu32_mask(drawn, threshold);
    /* (value & sign) | weight */
    __m512i with_sign = _mm512_ternarylogic_epi32(_mm512_castps_si512(value), sign, _mm512_castps_si512(weight), 0xea);

    return _mm512_mask_add_ps(sum, sent, sum, _mm512_castsi512_ps(with_sign));
}

/* 64 sums to bytes; both packs stay within 128-bit lanes, the permute puts the words back in order. */
INLINE __m512i pack64(const __m512 *sum)
{
    const __m512i order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    __m512i low = _mm512_packus_epi32(_mm512_cvtps_epi32(sum[0]), _mm512_cvtps_epi32(sum[1]));
    __m512i high = _mm512_packus_epi32(_mm512_cvtps_epi32(sum[2]), _mm512_cvtps_epi32(sum[3]));

    return _mm512_permutexvar_epi32(order, _mm512_packus_epi16(low, high));
}

INLINE void put(uint8_t *dst, __m512i v, bool nt)
{
    if (nt)
        _mm512_stream_si512((void *)dst, v);
    else
        _mm512_storeu_si512((void *)dst, v);
}

INLINE size_t encode_groups(const struct stochastic3_job *j, size_t from, size_t to, bool nt)
{
    const __m512 factor = _mm512_set1_ps(j->scale.factor);
    size_t groups = stochastic3_groups(j, from, to), end = from + groups * STOCHASTIC3_GROUP;

    for (size_t at = from; at < end; at += STOCHASTIC3_GROUP) {
        __m512 sum[8];

        for (size_t r = 0; r < 8; r++)
            sum[r] = _mm512_set1_ps(121.0f); /* five trits of 1 */
        for (int partition = 0; partition < 5; partition++) {
            const float *src = j->values + (size_t)partition * j->each + at;
            __m512 weight = _mm512_set1_ps((float)stochastic3_weight(partition));
            __m512i word[4];

            ask_ahead(src, AHEAD_OF_FIVE, 4 * STOCHASTIC3_GROUP);
            words16(word, &j->key, at / STOCHASTIC3_GROUP * STOCHASTIC3_LANES, partition);
            for (size_t w = 0; w < 4; w++) {
                sum[2 * w] = draw16(sum[2 * w], src + 32 * w, word[w], factor, weight);
                sum[2 * w + 1] = draw16(sum[2 * w + 1], src + 32 * w + 16, ROTATE(word[w], 16), factor, weight);
            }
        }
        put(j->bytes + at, pack64(sum), nt);
        put(j->bytes + at + 64, pack64(sum + 4), nt);
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

/* Of 32 bytes the trits of a partition. The factor is 65536 / weight rounded up, which divides all bytes exactly. */
INLINE __m512i digits32(const uint8_t *bytes, __m512i factor, bool whole)
{
    __m512i b = _mm512_cvtepu8_epi16(_mm256_loadu_si256((const __m256i *)(const void *)bytes));
    __m512i q = whole ? b : _mm512_mulhi_epu16(b, factor);
    __m512i third = _mm512_mulhi_epu16(q, _mm512_set1_epi16(21846));

    return _mm512_sub_epi16(q, _mm512_add_epi16(third, _mm512_add_epi16(third, third)));
}

INLINE __m512 value16(__m256i digits, __m512 m)
{
    __m512i q = _mm512_sub_epi32(_mm512_cvtepi16_epi32(digits), _mm512_set1_epi32(1));

    return _mm512_mul_ps(_mm512_cvtepi32_ps(q), m);
}

INLINE size_t decode_groups(float *dst, const uint8_t *bytes, size_t n, int partition, float m, bool nt)
{
    const __m512 by = _mm512_set1_ps(m);
    int weight = stochastic3_weight(partition);
    const __m512i factor = _mm512_set1_epi16((short)(65535 / weight + 1));
    size_t i = 0;

    for (; i + 32 <= n; i += 32) {
        __m512i digits = weight == 1 ? digits32(bytes + i, factor, 1) : digits32(bytes + i, factor, 0);
        __m512 low = value16(_mm512_castsi512_si256(digits), by);
        __m512 high = value16(_mm512_extracti64x4_epi64(digits, 1), by);

        if (nt) {
            _mm512_stream_ps(dst + i, low);
            _mm512_stream_ps(dst + i + 16, high);
        } else {
            _mm512_storeu_ps(dst + i, low);
            _mm512_storeu_ps(dst + i + 16, high);
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

static bool check(const uint8_t *bytes, size_t n)
{
    const __m512i most = _mm512_set1_epi8((char)242);
    __mmask64 found = 0;
    size_t i = 0;

    for (; i + 64 <= n; i += 64)
        found |= _mm512_cmpgt_epu8_mask(_mm512_loadu_si512((const void *)(bytes + i)), most);
    return found || stochastic3_check_scalar(bytes + i, n - i);
}

const struct stochastic3_spans stochastic3_avx512 = { &plain_avx512, magnitude_avx512, encode, decode, check };
