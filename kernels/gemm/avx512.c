/* avx512.c - what a step does, and the tiles that follow from it. */
#include "kernels/gemm/pack512.h"
#include "kernels/gemm/tile512.h"

INLINE __m512 as_it_is(__m512 c)
{
    return c;
}

INLINE __m512 fma_step512(__m512 a, __m512 b, __m512 acc)
{
    return _mm512_fmadd_ps(a, b, acc);
}

/* The first way of range.h ... */
INLINE __m512 round_fma(__m512 x)
{
    return _mm512_fmsub_ps(x, _mm512_set1_ps(65536), _mm512_mul_ps(x, _mm512_set1_ps(65535)));
}

/* ... and the second. */
INLINE __m512 round_adds(__m512 x)
{
    __m512 c = _mm512_mul_ps(x, _mm512_set1_ps(65537));

    return _mm512_sub_ps(c, _mm512_sub_ps(c, x));
}

/* Any number. A NaN stays as it is if it is quiet and its lower half is 0, so that nothing is carried into the sign:
 * all NaN in a tile are like that, as rounded operands and operations make no others. */
INLINE __m512 round_words(__m512 x)
{
    __m512i bits = _mm512_castps_si512(x), odd = _mm512_and_si512(_mm512_srli_epi32(bits, 16), _mm512_set1_epi32(1));
    __m512i up = _mm512_add_epi32(_mm512_add_epi32(bits, _mm512_set1_epi32(0x7fff)), odd);

    return _mm512_castsi512_ps(_mm512_and_si512(up, _mm512_set1_epi32((int)0xffff0000)));
}

INLINE __m512 bf16_step_fma(__m512 a, __m512 b, __m512 acc)
{
    return round_fma(_mm512_fmadd_ps(a, b, acc));
}

INLINE __m512 bf16_step_adds(__m512 a, __m512 b, __m512 acc)
{
    return round_adds(_mm512_fmadd_ps(a, b, acc));
}

INLINE __m512 bf16_step_words(__m512 a, __m512 b, __m512 acc)
{
    return round_words(_mm512_fmadd_ps(a, b, acc));
}

static void tile_fp32(float *c, size_t ldc, const float *a, const float *b, size_t steps, bool from_c,
                      const struct gemm_ahead *ahead)
{
    tile_12x32(c, ldc, a, b, steps, from_c, ahead, as_it_is, fma_step512);
}

static void tile_bf16_fma(float *c, size_t ldc, const float *a, const float *b, size_t steps, bool from_c,
                          const struct gemm_ahead *ahead)
{
    tile_12x32(c, ldc, a, b, steps, from_c, ahead, vec_bf16, bf16_step_fma);
}

static void tile_bf16_adds(float *c, size_t ldc, const float *a, const float *b, size_t steps, bool from_c,
                           const struct gemm_ahead *ahead)
{
    tile_12x32(c, ldc, a, b, steps, from_c, ahead, vec_bf16, bf16_step_adds);
}

static void tile_bf16_words(float *c, size_t ldc, const float *a, const float *b, size_t steps, bool from_c,
                            const struct gemm_ahead *ahead)
{
    tile_12x32(c, ldc, a, b, steps, from_c, ahead, vec_bf16, bf16_step_words);
}

static void range512(struct gemm_range *r, const float *x, size_t ld, size_t rows, size_t columns)
{
    __m512i most = _mm512_set1_epi32((int)r->most), least = _mm512_set1_epi32((int)r->least);
    const __m512i sign = _mm512_set1_epi32((int)0x80000000), one = _mm512_set1_epi32(1);
    __mmask16 minus_zero = 0;

    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < columns; j += 16) {
            __mmask16 here = columns - j >= 16 ? 0xffff : (__mmask16)((1u << (columns - j)) - 1);
            __m512i bits = _mm512_maskz_loadu_epi32(here, x + i * ld + j), size = _mm512_andnot_si512(sign, bits);

            most = _mm512_max_epu32(most, size);
            least = _mm512_min_epu32(least, _mm512_sub_epi32(size, one));
            minus_zero |= _mm512_cmpeq_epi32_mask(bits, sign);
        }
    r->most = _mm512_reduce_max_epu32(most);
    r->least = _mm512_reduce_min_epu32(least);
    r->minus_zero |= minus_zero != 0;
}

const struct gemm_tiles gemm_tiles_avx512 = {
    12, 32, pack512, range512, { tile_fp32, tile_fp32, tile_bf16_fma, NULL }, tile_bf16_words,
};
const struct gemm_tiles gemm_tiles_avx512_adds = {
    12, 32, pack512, range512, { NULL, NULL, tile_bf16_adds, NULL }, tile_bf16_words,
};

void gemm_round_avx512(float *dst, const float *src, size_t n)
{
    for (size_t i = 0; i < n; i += 16)
        _mm512_storeu_ps(dst + i, round_fma(_mm512_loadu_ps(src + i)));
}

void gemm_round_avx512_adds(float *dst, const float *src, size_t n)
{
    for (size_t i = 0; i < n; i += 16)
        _mm512_storeu_ps(dst + i, round_adds(_mm512_loadu_ps(src + i)));
}

void gemm_careful_avx512(float *dst, const float *src, size_t n)
{
    for (size_t i = 0; i < n; i += 16)
        _mm512_storeu_ps(dst + i, round_words(_mm512_loadu_ps(src + i)));
}
