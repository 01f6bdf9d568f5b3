/* avx2.c - tiles of 6 by 16 with AVX2 and FMA: 12 accumulators, 2 registers of B, one of A, one to round with. Rounding
 * adds, as processors of this age have a third port for it. */
#include <immintrin.h>

#include "kernels/gemm/fma_lane.h"
#include "kernels/gemm/host.h"
#include "kernels/shared/inline.h"

#define ROWS(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5)

enum { MR = 6, NR = 16 };

typedef __m256 step_fn(__m256 a, __m256 b, __m256 acc);
typedef __m256 start_fn(__m256 c);

INLINE __m256 as_it_is(__m256 c)
{
    return c;
}

INLINE __m256 words(uint32_t word)
{
    return _mm256_castsi256_ps(_mm256_set1_epi32((int)word));
}

/* Veltkamp's way of range.h. */
INLINE __m256 round_adds(__m256 x)
{
    __m256 c = _mm256_mul_ps(x, _mm256_set1_ps(65537));

    return _mm256_sub_ps(c, _mm256_sub_ps(c, x));
}

/* Any number, and the NaN that a tile meets; see avx512.c. */
INLINE __m256 round_words(__m256 x)
{
    __m256i bits = _mm256_castps_si256(x), odd = _mm256_and_si256(_mm256_srli_epi32(bits, 16), _mm256_set1_epi32(1));
    __m256i up = _mm256_add_epi32(_mm256_add_epi32(bits, _mm256_set1_epi32(0x7fff)), odd);

    return _mm256_and_ps(_mm256_castsi256_ps(up), words(0xffff0000));
}

INLINE __m256 start_bf16(__m256 c)
{
    __m256 quiet = _mm256_and_ps(_mm256_or_ps(c, words(0x400000)), words(0xffff0000));

    return _mm256_blendv_ps(round_words(c), quiet, _mm256_cmp_ps(c, c, _CMP_UNORD_Q));
}

INLINE __m256 step_fp32(__m256 a, __m256 b, __m256 acc)
{
    return _mm256_fmadd_ps(a, b, acc);
}

INLINE __m256 step_adds(__m256 a, __m256 b, __m256 acc)
{
    return round_adds(_mm256_fmadd_ps(a, b, acc));
}

INLINE __m256 step_words(__m256 a, __m256 b, __m256 acc)
{
    return round_words(_mm256_fmadd_ps(a, b, acc));
}

INLINE __m256 result(__m256 acc)
{
    return _mm256_blendv_ps(acc, words(0x7fc00000), _mm256_cmp_ps(acc, acc, _CMP_UNORD_Q));
}

#define DECLARE(i) __m256 l##i = _mm256_setzero_ps(), h##i = _mm256_setzero_ps();
#define LOAD(i)                                 \
    l##i = start(_mm256_loadu_ps(c + i * ldc)); \
    h##i = start(_mm256_loadu_ps(c + i * ldc + 8));
#define STEP(i)                     \
    x = _mm256_broadcast_ss(a + i); \
    l##i = step(x, low, l##i);      \
    h##i = step(x, high, h##i);
#define STORE(i)                                 \
    _mm256_storeu_ps(c + i * ldc, result(l##i)); \
    _mm256_storeu_ps(c + i * ldc + 8, result(h##i));

INLINE void tile(float *c, size_t ldc, const float *a, const float *b, size_t steps, bool from_c,
                 const struct gemm_ahead *ahead, start_fn *start, step_fn *step)
{
    ROWS(DECLARE)
    if (from_c) {
        ROWS(LOAD)
    }
    for (size_t s = 0; s < steps; s++, a += MR, b += NR) {
        __m256 low = _mm256_loadu_ps(b), high = _mm256_loadu_ps(b + 8), x;

        if (s % 4 == 0 && s / 4 < ahead->n)
            __builtin_prefetch(ahead->line[s / 4], 1);
        ROWS(STEP)
    }
    ROWS(STORE)
}

static void tile_fp32(float *c, size_t ldc, const float *a, const float *b, size_t steps, bool from_c,
                      const struct gemm_ahead *ahead)
{
    tile(c, ldc, a, b, steps, from_c, ahead, as_it_is, step_fp32);
}

static void tile_bf16(float *c, size_t ldc, const float *a, const float *b, size_t steps, bool from_c,
                      const struct gemm_ahead *ahead)
{
    tile(c, ldc, a, b, steps, from_c, ahead, start_bf16, step_adds);
}

static void tile_careful(float *c, size_t ldc, const float *a, const float *b, size_t steps, bool from_c,
                         const struct gemm_ahead *ahead)
{
    tile(c, ldc, a, b, steps, from_c, ahead, start_bf16, step_words);
}

/* 16 steps of a vector at a time, so that the lines of the panel stay near. */
static void pack(float *panel, size_t width, const float *src, size_t across, size_t along, size_t count, size_t steps,
                 bool round)
{
    enum fma_mode mode = round ? FMA_MP : FMA_FP32;
    size_t stretch = across == 1 ? 1 : 16;

    for (size_t s = 0; s < steps; s += stretch)
        for (size_t v = 0; v < width; v++)
            for (size_t at = s; at < steps && at < s + stretch; at++)
                panel[at * width + v] = v < count ? fma_input(mode, src[v * across + at * along]) : 0;
}

static void range(struct gemm_range *r, const float *x, size_t ld, size_t rows, size_t columns)
{
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < columns; j++) {
            uint32_t bits = fma_bits(x[i * ld + j]), size = bits & 0x7fffffff;

            r->most = size > r->most ? size : r->most;
            r->least = size - 1 < r->least ? size - 1 : r->least;
            r->minus_zero |= bits == 0x80000000;
        }
}

const struct gemm_tiles gemm_tiles_avx2 = {
    MR, NR, pack, range, { tile_fp32, tile_fp32, tile_bf16, NULL }, tile_careful,
};

void gemm_round_avx2(float *dst, const float *src, size_t n)
{
    for (size_t i = 0; i < n; i += 8)
        _mm256_storeu_ps(dst + i, round_adds(_mm256_loadu_ps(src + i)));
}

void gemm_careful_avx2(float *dst, const float *src, size_t n)
{
    for (size_t i = 0; i < n; i += 8)
        _mm256_storeu_ps(dst + i, round_words(_mm256_loadu_ps(src + i)));
}
