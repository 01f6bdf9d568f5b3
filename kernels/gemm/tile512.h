/* tile512.h - a tile of 12 by 32 on AVX-512, for any kind of step: 24 accumulators, so that both multipliers stay busy
 * through a step of up to three dependent operations, 2 registers of B, one of A, and 5 for constants and temporaries.
 * The accumulators are named one by one, because an array would only stay in registers if the compiler unrolled. */
#ifndef NARROWS_KERNELS_GEMM_TILE512_H
#define NARROWS_KERNELS_GEMM_TILE512_H

#include <immintrin.h>

#include "kernels/gemm/host.h"
#include "kernels/shared/inline.h"

/* How many steps ahead a panel's words are prefetched. After a panel comes the next one, or the end of the work, where
 * a prefetch does no harm. */
enum { AHEAD = 48 };

#define ROWS(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) DO(8) DO(9) DO(10) DO(11)

typedef __m512 tile_start_fn(__m512 c);
typedef __m512 tile_step_fn(__m512 a, __m512 b, __m512 acc);

INLINE __m512 tile_result(__m512 acc)
{
    return _mm512_mask_mov_ps(acc, _mm512_cmp_ps_mask(acc, acc, _CMP_UNORD_Q),
                              _mm512_castsi512_ps(_mm512_set1_epi32(0x7fc00000)));
}

#define TILE_DECLARE(i) __m512 l##i = _mm512_setzero_ps(), h##i = _mm512_setzero_ps();
#define TILE_LOAD(i)                            \
    l##i = start(_mm512_loadu_ps(c + i * ldc)); \
    h##i = start(_mm512_loadu_ps(c + i * ldc + 16));
#define TILE_STEP(i)           \
    x = _mm512_set1_ps(a[i]);  \
    l##i = step(x, low, l##i); \
    h##i = step(x, high, h##i);
#define TILE_STORE(i)                                 \
    _mm512_storeu_ps(c + i * ldc, tile_result(l##i)); \
    _mm512_storeu_ps(c + i * ldc + 16, tile_result(h##i));

/* 'start' and 'step' are constants where this is inlined. */
INLINE void tile_12x32(float *c, size_t ldc, const float *a, const float *b, size_t steps, bool from_c,
                       const struct gemm_ahead *ahead, tile_start_fn *start, tile_step_fn *step)
{
    ROWS(TILE_DECLARE)
    if (from_c) {
        ROWS(TILE_LOAD)
    }
    for (size_t s = 0; s < steps; s++, a += 12, b += 32) {
        __m512 low = _mm512_loadu_ps(b), high = _mm512_loadu_ps(b + 16), x;

        _mm_prefetch((const char *)(a + 12 * AHEAD), _MM_HINT_T0);
        _mm_prefetch((const char *)(b + 32 * AHEAD), _MM_HINT_T0);
        _mm_prefetch((const char *)(b + 32 * AHEAD + 16), _MM_HINT_T0);
        if (s % 4 == 0 && s / 4 < ahead->n)
            __builtin_prefetch(ahead->line[s / 4], 1);
        ROWS(TILE_STEP)
    }
    ROWS(TILE_STORE)
}

#endif
