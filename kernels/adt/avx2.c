/* avx2.c - 32 bytes of result at a time, put together in registers, so that every store is whole and, past the peeled
 * head, aligned: no masked and no overlapping store. Weights before the first aligned byte and behind the last whole
 * store go to the reference. */
#include <immintrin.h>

#include "kernels/adt/norm_span.h"
#include "kernels/l2norm/lanes_avx2.h"

#define Z (char)0x80 /* shuffle_epi8: a zero byte */

INLINE __m256i get(const uint8_t *src)
{
    return _mm256_loadu_si256((const __m256i *)src);
}

/* 'nt' is constant where this is inlined. */
INLINE void put(uint8_t *dst, __m256i v, bool nt)
{
    if (nt)
        _mm256_stream_si256((__m256i *)dst, v);
    else
        _mm256_storeu_si256((__m256i *)dst, v);
}

/* The three upper bytes of eight weights as six words, placed by 'order'. */
INLINE __m256i six_words(const uint8_t *src, __m256i order)
{
    const __m256i bytes = _mm256_setr_epi8(1, 2, 3, 5, 6, 7, 9, 10, 11, 13, 14, 15, Z, Z, Z, Z, 1, 2, 3, 5, 6, 7, 9, 10,
                                           11, 13, 14, 15, Z, Z, Z, Z);

    return _mm256_permutevar8x32_epi32(_mm256_shuffle_epi8(get(src), bytes), order);
}

/* 32 weights: 4 times 6 words fill 3 times 8. Each group of six is turned so that its words already stand where the two
 * results that share it need them; a blend then joins neighbours. 7 marks an unused word. */
INLINE void pack3_32(uint8_t *dst, const uint8_t *src, bool nt)
{
    const __m256i turn0 = _mm256_setr_epi32(0, 1, 2, 4, 5, 6, 7, 7), turn1 = _mm256_setr_epi32(2, 4, 5, 6, 7, 7, 0, 1);
    const __m256i turn2 = _mm256_setr_epi32(5, 6, 7, 7, 0, 1, 2, 4), turn3 = _mm256_setr_epi32(7, 7, 0, 1, 2, 4, 5, 6);
    __m256i w0 = six_words(src, turn0), w1 = six_words(src + 32, turn1);
    __m256i w2 = six_words(src + 64, turn2), w3 = six_words(src + 96, turn3);

    put(dst, _mm256_blend_epi32(w0, w1, 0xc0), nt);
    put(dst + 32, _mm256_blend_epi32(w1, w2, 0xf0), nt);
    put(dst + 64, _mm256_blend_epi32(w2, w3, 0xfc), nt);
}

/* Upper halves of 16 weights. packus interleaves the two 128-bit lanes; 0xd8 puts them back in order. */
INLINE __m256i pack2_16(const uint8_t *src)
{
    __m256i halves = _mm256_packus_epi32(_mm256_srli_epi32(get(src), 16), _mm256_srli_epi32(get(src + 32), 16));

    return _mm256_permute4x64_epi64(halves, 0xd8);
}

/* Upper bytes of 32 weights. Both packs stay within a 128-bit lane: words come out as 0 2 4 6 1 3 5 7 of the order. */
INLINE __m256i pack1_32(const uint8_t *src)
{
    __m256i low = _mm256_packus_epi32(_mm256_srli_epi32(get(src), 24), _mm256_srli_epi32(get(src + 32), 24));
    __m256i high = _mm256_packus_epi32(_mm256_srli_epi32(get(src + 64), 24), _mm256_srli_epi32(get(src + 96), 24));

    return _mm256_permutevar8x32_epi32(_mm256_packus_epi16(low, high), _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
}

INLINE void pack_64(uint8_t *dst, const uint8_t *src, int bytes_per_weight, bool nt)
{
    if (bytes_per_weight == 3) {
        pack3_32(dst, src, nt);
        pack3_32(dst + 96, src + 128, nt);
    } else if (bytes_per_weight == 2) {
        put(dst, pack2_16(src), nt);
        put(dst + 32, pack2_16(src + 64), nt);
        put(dst + 64, pack2_16(src + 128), nt);
        put(dst + 96, pack2_16(src + 192), nt);
    } else {
        put(dst, pack1_32(src), nt);
        put(dst + 32, pack1_32(src + 128), nt);
    }
}

/* 8 weights from 24 bytes. The upper load starts at byte 8 and not at 12, so that it ends with byte 24. */
INLINE __m256i unpack3_8(const uint8_t *src)
{
    const __m256i bytes = _mm256_setr_epi8(Z, 0, 1, 2, Z, 3, 4, 5, Z, 6, 7, 8, Z, 9, 10, 11, Z, 4, 5, 6, Z, 7, 8, 9, Z,
                                           10, 11, 12, Z, 13, 14, 15);
    __m128i low = _mm_loadu_si128((const __m128i *)src), high = _mm_loadu_si128((const __m128i *)(src + 8));

    return _mm256_shuffle_epi8(_mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1), bytes);
}

INLINE __m256i unpack2_8(const uint8_t *src)
{
    return _mm256_slli_epi32(_mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)src)), 16);
}

INLINE __m256i unpack1_8(const uint8_t *src)
{
    return _mm256_slli_epi32(_mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)src)), 24);
}

INLINE __m256i unpack_8(const uint8_t *src, int bytes_per_weight)
{
    return bytes_per_weight == 3 ? unpack3_8(src) : bytes_per_weight == 2 ? unpack2_8(src) : unpack1_8(src);
}

INLINE void unpack_64(uint8_t *dst, const uint8_t *src, int bytes_per_weight, bool nt)
{
    for (size_t j = 0; j < 64; j += 8)
        put(dst + 4 * j, unpack_8(src + (size_t)bytes_per_weight * j, bytes_per_weight), nt);
}

void adt_pack_span_avx2(uint8_t *dst, const void *src, size_t n, int bytes_per_weight, bool stream)
{
    pack_span(dst, src, n, bytes_per_weight, stream, pack_64, copy_nt_avx2);
}

void adt_unpack_span_avx2(void *dst, const uint8_t *src, size_t n, int bytes_per_weight, bool stream)
{
    unpack_span(dst, src, n, bytes_per_weight, stream, unpack_64, copy_nt_avx2);
}

void adt_pack_norm_span_avx2(uint8_t *dst, double *sums, const float *weights, size_t n, int bytes_per_weight,
                             bool stream)
{
    pack_norm_span(dst, sums, weights, n, bytes_per_weight, stream, pack_64, l2norm_lanes_avx2, adt_pack_span_avx2,
                   l2norm_add_avx2);
}
