/* avx2_paper.c - Bitpack as the paper has it (Figure 2, Algorithm 4): eight weights at a time, load, shuffle bytes
 * within each 128-bit lane, permute words across the lanes, masked store. The paper unpacks on the GPU; the unpacking
 * here is the same recipe backwards. */
#include <immintrin.h>
#include <string.h>

#include "kernels/adt/host.h"

#define Z (char)0x80 /* shuffle_epi8: a zero byte */

/* The kept bytes of four weights to the front of the lane, for 1, 2, 3 bytes per weight. */
static const char pack_bytes[3][16] = {
    { 3, 7, 11, 15, Z, Z, Z, Z, Z, Z, Z, Z, Z, Z, Z, Z },
    { 2, 3, 6, 7, 10, 11, 14, 15, Z, Z, Z, Z, Z, Z, Z, Z },
    { 1, 2, 3, 5, 6, 7, 9, 10, 11, 13, 14, 15, Z, Z, Z, Z },
};
/* The 'bytes_per_weight' words of the upper lane right behind those of the lower one. */
static const int pack_words[3][8] = {
    { 0, 4, 1, 2, 3, 5, 6, 7 },
    { 0, 1, 4, 5, 2, 3, 6, 7 },
    { 0, 1, 2, 4, 5, 6, 3, 7 },
};
static const char unpack_bytes[3][16] = {
    { Z, Z, Z, 0, Z, Z, Z, 1, Z, Z, Z, 2, Z, Z, Z, 3 },
    { Z, Z, 0, 1, Z, Z, 2, 3, Z, Z, 4, 5, Z, Z, 6, 7 },
    { Z, 0, 1, 2, Z, 3, 4, 5, Z, 6, 7, 8, Z, 9, 10, 11 },
};
static const int unpack_words[3][8] = {
    { 0, 0, 0, 0, 1, 1, 1, 1 },
    { 0, 1, 0, 0, 2, 3, 2, 2 },
    { 0, 1, 2, 0, 3, 4, 5, 3 },
};
/* Eight packed weights are 2 * bytes_per_weight words. */
static const int word_mask[3][8] = {
    { -1, -1, 0, 0, 0, 0, 0, 0 },
    { -1, -1, -1, -1, 0, 0, 0, 0 },
    { -1, -1, -1, -1, -1, -1, 0, 0 },
};

static __m256i both_lanes(const char *bytes)
{
    return _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)bytes));
}

static __m256i words(const int *w)
{
    return _mm256_loadu_si256((const __m256i *)w);
}

void adt_pack_span_avx2_paper(uint8_t *dst, const void *src, size_t n, int bytes_per_weight, bool stream)
{
    const uint8_t *from = src;
    size_t i = 0;

    if (bytes_per_weight == 4) {
        memcpy(dst, src, 4 * n);
        return;
    }
    const __m256i bytes = both_lanes(pack_bytes[bytes_per_weight - 1]), order = words(pack_words[bytes_per_weight - 1]);
    const __m256i mask = words(word_mask[bytes_per_weight - 1]);

    for (; i + 8 <= n; i += 8) {
        __m256i w = _mm256_loadu_si256((const __m256i *)(from + 4 * i));

        w = _mm256_permutevar8x32_epi32(_mm256_shuffle_epi8(w, bytes), order);
        _mm256_maskstore_epi32((int *)(dst + (size_t)bytes_per_weight * i), mask, w);
    }
    adt_pack_span_scalar(dst + (size_t)bytes_per_weight * i, from + 4 * i, n - i, bytes_per_weight, stream);
}

void adt_unpack_span_avx2_paper(void *dst, const uint8_t *src, size_t n, int bytes_per_weight, bool stream)
{
    uint8_t *to = dst;
    size_t i = 0;

    if (bytes_per_weight == 4) {
        memcpy(dst, src, 4 * n);
        return;
    }
    const __m256i bytes = both_lanes(unpack_bytes[bytes_per_weight - 1]),
                  order = words(unpack_words[bytes_per_weight - 1]);
    const __m256i mask = words(word_mask[bytes_per_weight - 1]);

    for (; i + 8 <= n; i += 8) {
        __m256i w = _mm256_maskload_epi32((const int *)(src + (size_t)bytes_per_weight * i), mask);

        w = _mm256_shuffle_epi8(_mm256_permutevar8x32_epi32(w, order), bytes);
        _mm256_storeu_si256((__m256i *)(to + 4 * i), w);
    }
    adt_unpack_span_scalar(to + 4 * i, src + (size_t)bytes_per_weight * i, n - i, bytes_per_weight, stream);
}
