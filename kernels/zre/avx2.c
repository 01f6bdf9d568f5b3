/* avx2.c - masks as in avx512.c; without a byte compress, 8 bytes at a time go through the bit extract of BMI2. The
 * decoder writes every byte and every run whole, and counts on most of a register's stores being overwritten. */
#include <string.h>

#include "kernels/zre/runs.h"
#include "kernels/zre/zre.h"
#include "kernels/zre/zre_lane.h"

#define EACH 0x0101010101010101u /* times a byte: that byte eight times */

INLINE uint64_t equal_mask(const uint8_t *src, __m256i what)
{
    __m256i low = _mm256_loadu_si256((const __m256i *)src), high = _mm256_loadu_si256((const __m256i *)(src + 32));

    return (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(low, what)) |
           (uint64_t)(uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(high, what)) << 32;
}

/* The bytes at 8 * group: where one ends a piece it is written, as the piece's length says. Places count from 16, so
 * that the end before the block, up to 14 places ahead of it, is a positive number too and no byte borrows from the
 * next. */
INLINE uint8_t *write_group(uint8_t *to, const uint8_t *src, int group, uint64_t ends, unsigned open)
{
    uint64_t bytes, ends_before = _bzhi_u64(ends, (unsigned)(8 * group));
    uint64_t chosen = _pdep_u64(ends >> (8 * group), EACH) * 0xff;
    uint64_t place = _pext_u64(0x0706050403020100u + EACH * (uint64_t)(16 + 8 * group), chosen);
    uint64_t before = 79 - (uint64_t)_lzcnt_u64(ends_before) - (ends_before ? 0 : open);
    uint64_t more, is_run;

    memcpy(&bytes, src + 8 * group, 8);
    more = place - (place << 8 | before) - EACH; /* the piece's length - 1; nonsense behind the last piece */
    more &= _bzhi_u64(~(uint64_t)0, 8 * (unsigned)_mm_popcnt_u32((uint32_t)(ends >> (8 * group)) & 0xff));
    is_run = (more + 0x7f * EACH) >> 7 & EACH;
    bytes = _pext_u64(bytes, chosen) + more + is_run * (ZRE_TWO - 1 - ZRE_ZERO);
    memcpy(to, &bytes, 8);
    return to + _mm_popcnt_u32((uint32_t)(ends >> (8 * group)) & 0xff);
}

size_t zre_encode_avx2(uint8_t *dst, const uint8_t *src, size_t n)
{
    const __m256i zero = _mm256_set1_epi8(ZRE_ZERO);
    struct runs r = { 0, 0 };
    uint8_t *to = dst, last[64] = { 0 };

    for (size_t i = 0; i < n; i += 64) {
        uint64_t valid = n - i >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << (n - i)) - 1, ends;
        const uint8_t *from = src + i;
        unsigned open = r.open;

        if (n - i < 64) /* zeros behind the end are literals, which end what is before */
            from = memcpy(last, from, n - i);
        ends = runs_ends(&r, equal_mask(from, zero), n - i > 64 && from[64] == ZRE_ZERO) & valid;
        for (int group = 0; group < 8; group++)
            to = write_group(to, from, group, ends, open);
    }
    return (size_t)(to - dst);
}

/* A register of it, whatever its length: what is too much is overwritten, at the end it is slack. */
INLINE uint8_t *write_byte(uint8_t *to, uint8_t byte)
{
    _mm_storeu_si128((__m128i *)to, _mm_set1_epi8((char)zre_byte_lane(byte)));
    return to + zre_length_lane(byte);
}

/* Literals up to the first run byte are stored at once, then that one. */
INLINE uint8_t *expand_32(uint8_t *to, const uint8_t *src)
{
    const __m256i two = _mm256_set1_epi8((char)ZRE_TWO);
    __m256i bytes = _mm256_loadu_si256((const __m256i *)src);
    uint32_t runs = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(_mm256_max_epu8(bytes, two), bytes));
    int done = 0;

    while (runs) {
        int at = (int)_tzcnt_u32(runs);

        _mm256_storeu_si256((__m256i *)to, _mm256_loadu_si256((const __m256i *)(src + done)));
        to = write_byte(to + (at - done), src[at]);
        done = at + 1;
        runs &= runs - 1;
    }
    _mm256_storeu_si256((__m256i *)to, _mm256_loadu_si256((const __m256i *)(src + done)));
    return to + (32 - done);
}

size_t zre_decode_avx2(uint8_t *dst, const uint8_t *src, size_t n)
{
    uint8_t *to = dst;
    size_t i = 0;

    for (; i + 64 <= n; i += 32) /* which reads up to 32 bytes further */
        to = expand_32(to, src + i);
    for (; i < n; i++)
        to = write_byte(to, src[i]);
    return (size_t)(to - dst);
}

size_t zre_expanded_avx2(const uint8_t *src, size_t n)
{
    const __m256i base = _mm256_set1_epi8((char)(ZRE_TWO - 2));
    __m256i sum = _mm256_setzero_si256();
    size_t i = 0;

    /* b - 241, at least 0; 0, 1 and what is below count 1: 241 and 242 give 0 and 1. */
    for (; i + 32 <= n; i += 32) {
        __m256i more = _mm256_subs_epu8(_mm256_loadu_si256((const __m256i *)(src + i)), base);

        more = _mm256_max_epu8(more, _mm256_set1_epi8(1));
        sum = _mm256_add_epi64(sum, _mm256_sad_epu8(more, _mm256_setzero_si256()));
    }
    return (size_t)(_mm256_extract_epi64(sum, 0) + _mm256_extract_epi64(sum, 1) + _mm256_extract_epi64(sum, 2) +
                    _mm256_extract_epi64(sum, 3)) +
           zre_expanded_scalar(src + i, n - i);
}
