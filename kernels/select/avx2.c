/* avx2.c - the steps of a selection, eight words at a time. */
#include <immintrin.h>

#include "kernels/select/host.h"

static __m256i load(const void *words)
{
    return _mm256_loadu_si256((const __m256i *)words);
}

static __m256i magnitudes(__m256i words)
{
    return _mm256_and_si256(words, _mm256_set1_epi32(0x7fffffff));
}

static unsigned mask_of(__m256i lanes)
{
    return (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(lanes));
}

/* The lanes of 'kept' to the front; see kernels/sparse/avx2.c. */
static void compress(uint32_t *to, __m256i v, unsigned kept)
{
    uint64_t bytes = _pdep_u64(kept, 0x0101010101010101u) * 0xff;
    __m256i order = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128((long long)_pext_u64(0x0706050403020100u, bytes)));

    _mm256_storeu_si256((__m256i *)to, _mm256_permutevar8x32_epi32(v, order));
}

static void sift(struct select_counts *c, uint32_t *inside, const uint32_t *words, size_t n, uint32_t lo, uint32_t hi,
                 bool ends)
{
    const __m256i least = _mm256_set1_epi32((int)lo), most = _mm256_set1_epi32((int)hi);
    uint64_t found = 0;
    size_t i = 0;

    for (; i + 8 <= n; i += 8) {
        __m256i m = magnitudes(load(words + i));
        unsigned above = mask_of(_mm256_cmpgt_epi32(m, most)), listed = above ^ 0xff;

        c->above += (uint64_t)_mm_popcnt_u32(above);
        if (ends) {
            unsigned at_hi = mask_of(_mm256_cmpeq_epi32(m, most)), at_lo = mask_of(_mm256_cmpeq_epi32(m, least));

            c->at_hi += (uint64_t)_mm_popcnt_u32(at_hi);
            c->at_lo += (uint64_t)_mm_popcnt_u32(at_lo & ~at_hi);
            listed &= ~(at_hi | at_lo);
        }
        compress(inside + found, m, listed);
        found += (uint64_t)_mm_popcnt_u32(listed);
    }
    c->inside += found;
    select_scalar.sift(c, inside + found, words + i, n - i, lo, hi, ends);
}

static uint64_t refine(uint32_t *to, uint64_t *bitmap, const uint32_t *words, size_t nwords, uint32_t threshold,
                       bool dense)
{
    const __m256i below = _mm256_set1_epi32((int)(threshold - 1));
    uint32_t *next = to;

    (void)dense;
    for (size_t i = 0; i < nwords; i++) {
        uint64_t bits = bitmap[i], kept = 0;
        unsigned count = (unsigned)_mm_popcnt_u64(bits);

        for (unsigned j = 0; j < count; j += 8) {
            __m256i v = load(words + j);
            unsigned some = count - j < 8 ? (1u << (count - j)) - 1 : 0xff;
            unsigned m = some & mask_of(_mm256_cmpgt_epi32(magnitudes(v), below));

            compress(next, v, m);
            next += _mm_popcnt_u32(m);
            kept |= (uint64_t)m << j;
        }
        words += count;
        bitmap[i] = _pdep_u64(kept, bits);
    }
    return (uint64_t)(next - to);
}

static size_t find(const void *words, uint32_t magnitude, uint64_t count)
{
    const __m256i wanted = _mm256_set1_epi32((int)magnitude);
    const uint32_t *x = words;
    size_t i = 0;

    /* There are 'count' of them ahead: with more than 8 missing, 8 words can be read. */
    while (count > 8) {
        count -= (uint64_t)_mm_popcnt_u32(mask_of(_mm256_cmpeq_epi32(magnitudes(load(x + i)), wanted)));
        i += 8;
    }
    return i + select_scalar.find(x + i, magnitude, count);
}

const struct select_isa select_avx2 = { &sparse_avx2, sift, refine, find };
