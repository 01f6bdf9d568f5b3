/* avx2.c - the 32 lanes in eight registers of four doubles. */
#include <immintrin.h>

#include "kernels/l2norm/host.h"

void l2norm_add_avx2(double *lane, const float *weights, size_t n)
{
    __m256d sum[8];
    size_t i = 0;

    for (int r = 0; r < 8; r++)
        sum[r] = _mm256_loadu_pd(lane + 4 * r);
    for (; i + L2NORM_LANES <= n; i += L2NORM_LANES)
        for (int r = 0; r < 8; r++) {
            __m256d x = _mm256_cvtps_pd(_mm_loadu_ps(weights + i + 4 * r));

            sum[r] = _mm256_add_pd(sum[r], _mm256_mul_pd(x, x));
        }
    for (int r = 0; r < 8; r++)
        _mm256_storeu_pd(lane + 4 * r, sum[r]);
    l2norm_add_scalar(lane, weights + i, n - i);
}
