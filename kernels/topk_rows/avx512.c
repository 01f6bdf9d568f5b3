/* avx512.c - sixteen columns at a time. */
#include "kernels/topk_rows/row.h"

INLINE __mmask16 some_of(size_t left)
{
    return left < 16 ? (__mmask16)((1u << left) - 1) : 0xffff;
}

INLINE __m512i magnitudes(__m512i words)
{
    return _mm512_and_si512(words, _mm512_set1_epi32(0x7fffffff));
}

INLINE size_t list_row(uint32_t *list, uint32_t *most, const float *x, size_t n, uint32_t least)
{
    const __m512i low = _mm512_set1_epi32((int)least);
    __m512i high = _mm512_setzero_si512();
    size_t count = 0;

    for (size_t j = 0; j < n; j += 16) {
        __mmask16 some = some_of(n - j);
        __m512i m = magnitudes(_mm512_maskz_loadu_epi32(some, x + j));
        __mmask16 listed = _mm512_mask_cmpge_epu32_mask(some, m, low);

        high = _mm512_max_epu32(high, m);
        _mm512_storeu_si512(list + count, _mm512_mask_compress_epi32(m, listed, m));
        count += (size_t)_mm_popcnt_u32(listed);
    }
    *most = _mm512_reduce_max_epu32(high);
    return count;
}

INLINE size_t reach(const uint32_t *list, size_t n, uint32_t least)
{
    const __m512i low = _mm512_set1_epi32((int)least);
    size_t count = 0;

    for (size_t j = 0; j < n; j += 16) {
        __mmask16 some = some_of(n - j);

        count += (size_t)_mm_popcnt_u32(
            _mm512_mask_cmpge_epu32_mask(some, _mm512_loadu_si512((const void *)(list + j)), low));
    }
    return count;
}

INLINE void mask_row(uint64_t *mask, uint32_t *values, const float *x, size_t n, uint32_t least)
{
    const __m512i low = _mm512_set1_epi32((int)least);

    for (size_t j = 0; j < n; j += 64) {
        uint64_t bits = 0;

        for (size_t i = j; i < n && i < j + 64; i += 16) {
            __mmask16 some = some_of(n - i);
            __m512i v = _mm512_maskz_loadu_epi32(some, x + i);
            __mmask16 kept = _mm512_mask_cmpge_epu32_mask(some, magnitudes(v), low);

            _mm512_storeu_si512(values, _mm512_mask_compress_epi32(v, kept, v));
            values += _mm_popcnt_u32(kept);
            bits |= (uint64_t)kept << (i - j);
        }
        mask[j / 64] = bits;
    }
}

static void row(uint64_t *mask, uint32_t *values, const float *x, size_t columns, size_t kept, uint32_t *list,
                struct topk_guess *guess)
{
    choose_row(mask, values, x, columns, kept, list, guess, list_row, reach, mask_row);
}

static size_t pick(uint32_t *to, const uint64_t *mask, const float *x, size_t columns)
{
    uint32_t *next = to;

    for (size_t j = 0; j < columns; j += 16) {
        __mmask16 kept = (__mmask16)(mask[j / 64] >> j % 64);
        __m512i v = _mm512_maskz_loadu_epi32(kept, x + j);

        _mm512_storeu_si512(next, _mm512_mask_compress_epi32(v, kept, v));
        next += _mm_popcnt_u32(kept);
    }
    return (size_t)(next - to);
}

const struct topk_isa topk_avx512 = { &sparse_avx512, row, pick };
