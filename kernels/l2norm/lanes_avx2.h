/* lanes_avx2.h - step 2 of l2norm.h with the 32 lanes in eight registers of four doubles. */
#ifndef NARROWS_KERNELS_L2NORM_LANES_AVX2_H
#define NARROWS_KERNELS_L2NORM_LANES_AVX2_H

#include <immintrin.h>
#include <stddef.h>

#include "kernels/shared/inline.h"

/* Add the squares of n weights, a multiple of 32, on any address. */
INLINE void l2norm_lanes_avx2(double *lane, const void *weights, size_t n)
{
    const float *from = weights;
    __m256d sum[8];

    for (int r = 0; r < 8; r++)
        sum[r] = _mm256_loadu_pd(lane + 4 * r);
    for (size_t i = 0; i < n; i += 32)
        for (int r = 0; r < 8; r++) {
            __m256d x = _mm256_cvtps_pd(_mm_loadu_ps(from + i + 4 * r));

            sum[r] = _mm256_add_pd(sum[r], _mm256_mul_pd(x, x));
        }
    for (int r = 0; r < 8; r++)
        _mm256_storeu_pd(lane + 4 * r, sum[r]);
}

#endif
