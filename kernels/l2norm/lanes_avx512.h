/* lanes_avx512.h - step 2 of l2norm.h with the 32 lanes in four registers of eight doubles. */
#ifndef NARROWS_KERNELS_L2NORM_LANES_AVX512_H
#define NARROWS_KERNELS_L2NORM_LANES_AVX512_H

#include <immintrin.h>
#include <stddef.h>

#include "kernels/shared/inline.h"

/* Add the squares of n weights, a multiple of 32, on any address. */
INLINE void l2norm_lanes_avx512(double *lane, const void *weights, size_t n)
{
    const float *from = weights;
    __m512d sum[4];

    for (int r = 0; r < 4; r++)
        sum[r] = _mm512_loadu_pd(lane + 8 * r);
    for (size_t i = 0; i < n; i += 32)
        for (int r = 0; r < 4; r++) {
            __m512d x = _mm512_cvtps_pd(_mm256_loadu_ps(from + i + 8 * r));

            sum[r] = _mm512_fmadd_pd(x, x, sum[r]);
        }
    for (int r = 0; r < 4; r++)
        _mm512_storeu_pd(lane + 8 * r, sum[r]);
}

#endif
