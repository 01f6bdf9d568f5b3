/* avx2.c - eight columns at a time. */
#include "kernels/topk_rows/row.h"

INLINE unsigned mask_of(__m256i lanes)
{
    return (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(lanes));
}

/* Lanes 0 .. left - 1. */
INLINE __m256i some_of(size_t left)
{
    return _mm256_cmpgt_epi32(_mm256_set1_epi32(left < 8 ? (int)left : 8), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}

INLINE __m256i load(const void *words, size_t left)
{
    return left < 8 ? _mm256_maskload_epi32(words, some_of(left)) : _mm256_loadu_si256((const __m256i *)words);
}

INLINE __m256i magnitudes(__m256i words)
{
    return _mm256_and_si256(words, _mm256_set1_epi32(0x7fffffff));
}

INLINE unsigned kept_of(__m256i m, uint32_t least, size_t left)
{
    unsigned some = left < 8 ? (1u << left) - 1 : 0xff;

    return some & mask_of(_mm256_cmpgt_epi32(m, _mm256_set1_epi32((int)(least - 1))));
}

/* The lanes of 'kept' to the front; see kernels/sparse/avx2.c. */
INLINE unsigned compress(uint32_t *to, __m256i v, unsigned kept)
{
    uint64_t bytes = _pdep_u64(kept, 0x0101010101010101u) * 0xff;
    __m256i order = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128((long long)_pext_u64(0x0706050403020100u, bytes)));

    _mm256_storeu_si256((__m256i *)to, _mm256_permutevar8x32_epi32(v, order));
    return (unsigned)_mm_popcnt_u32(kept);
}

INLINE size_t list_row(uint32_t *list, uint32_t *most, const float *x, size_t n, uint32_t least)
{
    __m256i high = _mm256_setzero_si256();
    uint32_t lane[8];
    size_t count = 0;

    for (size_t j = 0; j < n; j += 8) {
        __m256i m = magnitudes(load(x + j, n - j));

        high = _mm256_max_epi32(high, m);
        count += compress(list + count, m, kept_of(m, least, n - j));
    }
    _mm256_storeu_si256((__m256i *)lane, high);
    *most = 0;
    for (int i = 0; i < 8; i++)
        *most = lane[i] > *most ? lane[i] : *most;
    return count;
}

INLINE size_t reach(const uint32_t *list, size_t n, uint32_t least)
{
    size_t count = 0;

    for (size_t j = 0; j < n; j += 8)
        count += (size_t)_mm_popcnt_u32(
            kept_of(_mm256_loadu_si256((const __m256i *)(const void *)(list + j)), least, n - j));
    return count;
}

INLINE void mask_row(uint64_t *mask, uint32_t *values, const float *x, size_t n, uint32_t least)
{
    for (size_t j = 0; j < n; j += 64) {
        uint64_t bits = 0;

        for (size_t i = j; i < n && i < j + 64; i += 8) {
            __m256i v = load(x + i, n - i);
            unsigned kept = kept_of(magnitudes(v), least, n - i);

            values += compress(values, v, kept);
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

    for (size_t j = 0; j < columns; j += 8)
        next += compress(next, load(x + j, columns - j), mask[j / 64] >> j % 64 & 0xff);
    return (size_t)(next - to);
}

const struct topk_isa topk_avx2 = { &sparse_avx2, row, pick };
