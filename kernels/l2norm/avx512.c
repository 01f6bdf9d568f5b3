/* avx512.c - the 32 lanes in four registers of eight doubles. */
#include <immintrin.h>

#include "kernels/l2norm/host.h"

void l2norm_add_avx512(double *lane, const float *weights, size_t n)
{
    __m512d sum[4];
    size_t i = 0;

    for (int r = 0; r < 4; r++)
        sum[r] = _mm512_loadu_pd(lane + 8 * r);
    for (; i + L2NORM_LANES <= n; i += L2NORM_LANES)
        for (int r = 0; r < 4; r++) {
            __m512d x = _mm512_cvtps_pd(_mm256_loadu_ps(weights + i + 8 * r));

            sum[r] = _mm512_fmadd_pd(x, x, sum[r]);
        }
    for (int r = 0; r < 4; r++)
        _mm512_storeu_pd(lane + 8 * r, sum[r]);
    l2norm_add_scalar(lane, weights + i, n - i);
}
