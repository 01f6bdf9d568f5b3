/* avx512_bf16.c - BF16DOT with the instruction itself. */
#include "kernels/gemm/pack512.h"
#include "kernels/gemm/tile512.h"

INLINE __m512 as_it_is(__m512 c)
{
    return c;
}

INLINE __m512 pair_step(__m512 a, __m512 b, __m512 acc)
{
    return _mm512_dpbf16_ps(acc, (__m512bh)_mm512_castps_si512(a), (__m512bh)_mm512_castps_si512(b));
}

static void tile_pairs(float *c, size_t ldc, const float *a, const float *b, size_t steps, bool from_c,
                       const struct gemm_ahead *ahead)
{
    tile_12x32(c, ldc, a, b, steps, from_c, ahead, as_it_is, pair_step);
}

const struct gemm_tiles gemm_tiles_avx512_bf16 = { 12, 32, pack512, NULL, { NULL, NULL, NULL, tile_pairs }, NULL };
