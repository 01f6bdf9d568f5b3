/* avx512.c - the steps of a selection, sixteen words at a time. */
#include <immintrin.h>

#include "kernels/select/host.h"
#include "kernels/shared/inline.h"

static __m512i magnitudes(const void *words, __mmask16 some)
{
    return _mm512_and_si512(_mm512_maskz_loadu_epi32(some, words), _mm512_set1_epi32(0x7fffffff));
}

static uint64_t ones(uint64_t bits)
{
    return (uint64_t)_mm_popcnt_u64(bits);
}

/* The usual case: what is not above is listed. */
static void sift_all(struct select_counts *c, uint32_t *inside, const uint32_t *words, size_t n, uint32_t hi)
{
    const __m512i most = _mm512_set1_epi32((int)hi);
    uint64_t found = 0;

    for (size_t i = 0; i < n; i += 16) {
        __mmask16 some = n - i < 16 ? (__mmask16)((1u << (n - i)) - 1) : 0xffff;
        __m512i m = magnitudes(words + i, some);
        __mmask16 listed = _mm512_mask_cmple_epu32_mask(some, m, most);

        _mm512_storeu_si512(inside + found, _mm512_mask_compress_epi32(m, listed, m));
        found += ones(listed);
    }
    c->above += n - found;
    c->inside += found;
}

static void sift(struct select_counts *c, uint32_t *inside, const uint32_t *words, size_t n, uint32_t lo, uint32_t hi,
                 bool ends)
{
    const __m512i least = _mm512_set1_epi32((int)lo), most = _mm512_set1_epi32((int)hi);
    uint64_t found = 0;

    if (!ends) {
        sift_all(c, inside, words, n, hi);
        return;
    }
    for (size_t i = 0; i < n; i += 16) {
        __mmask16 some = n - i < 16 ? (__mmask16)((1u << (n - i)) - 1) : 0xffff;
        __m512i m = magnitudes(words + i, some);
        __mmask16 below = _mm512_mask_cmplt_epu32_mask(some, m, most);
        __mmask16 listed = _mm512_mask_cmpgt_epu32_mask(below, m, least);

        c->above += ones(_mm512_mask_cmpgt_epu32_mask(some, m, most));
        c->at_hi += ones(_mm512_mask_cmpeq_epi32_mask(some, m, most));
        c->at_lo += ones(below ^ listed);
        _mm512_storeu_si512(inside + found, _mm512_mask_compress_epi32(m, listed, m));
        found += ones(listed);
    }
    c->inside += found;
}

/* Sixteen words of which those of 'some' count; returns those kept. */
INLINE __mmask16 refine16(uint32_t **next, const uint32_t *words, uint64_t some, __m512i least)
{
    __m512i v = _mm512_loadu_si512((const void *)words);
    __m512i m = _mm512_and_si512(v, _mm512_set1_epi32(0x7fffffff));
    __mmask16 kept = _mm512_mask_cmpge_epu32_mask((__mmask16)some, m, least);

    _mm512_storeu_si512(*next, _mm512_mask_compress_epi32(v, kept, v));
    *next += ones(kept);
    return kept;
}

/* Words that nearly always are in the first one or two registers take no branch. */
static uint64_t refine(uint32_t *to, uint64_t *bitmap, const uint32_t *words, size_t nwords, uint32_t threshold,
                       bool dense)
{
    const __m512i least = _mm512_set1_epi32((int)threshold);
    unsigned usual = dense ? 32 : 16;
    uint32_t *next = to;

    for (size_t i = 0; i < nwords; i++) {
        unsigned count = (unsigned)ones(bitmap[i]);
        uint64_t some = _bzhi_u64(~(uint64_t)0, count), kept = refine16(&next, words, some, least);

        if (dense)
            kept |= (uint64_t)refine16(&next, words + 16, some >> 16, least) << 16;
        for (unsigned j = usual; __builtin_expect(j < count, 0); j += 16)
            kept |= (uint64_t)refine16(&next, words + j, some >> j, least) << j;
        words += count;
        _mm_prefetch((const char *)(words + 1024), _MM_HINT_T0); /* 4 KiB ahead; beyond the end it does nothing */
        bitmap[i] = _pdep_u64(kept, bitmap[i]);
    }
    return (uint64_t)(next - to);
}

static size_t find(const void *words, uint32_t magnitude, uint64_t count)
{
    const __m512i wanted = _mm512_set1_epi32((int)magnitude);
    const uint32_t *x = words;
    size_t i = 0;

    /* There are 'count' of them ahead: with more than 16 missing, 16 words can be read. */
    while (count > 16) {
        uint64_t here = ones(_mm512_cmpeq_epi32_mask(magnitudes(x + i, 0xffff), wanted));

        count -= here;
        i += 16;
    }
    return i + select_scalar.find(x + i, magnitude, count);
}

const struct select_isa select_avx512 = { &sparse_avx512, sift, refine, find };
