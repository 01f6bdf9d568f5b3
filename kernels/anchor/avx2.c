/* avx2.c - groups of 64 values, in the order of kernels/copy/order.h. */
#include <immintrin.h>

#include "kernels/anchor/host.h"
#include "kernels/copy/order.h"

enum { GROUP = 64, WIDTH = 8 };

void anchor_update_avx2(float *y, const float *x, size_t n)
{
    size_t groups = n / GROUP;

    for (size_t g = 0; g < groups; g++) {
        size_t at = GROUP * stream_order(g, groups);

        for (size_t i = at; i < at + GROUP; i += WIDTH)
            _mm256_storeu_ps(y + i, _mm256_add_ps(_mm256_loadu_ps(y + i), _mm256_loadu_ps(x + i)));
    }
    anchor_update_scalar(y + GROUP * groups, x + GROUP * groups, n - GROUP * groups);
}

void anchor_scale_avx2(float *y, size_t n)
{
    size_t groups = n / GROUP;

    for (size_t g = 0; g < groups; g++) {
        size_t at = GROUP * stream_order(g, groups);

        for (size_t i = at; i < at + GROUP; i += WIDTH)
            _mm256_storeu_ps(y + i, _mm256_mul_ps(_mm256_loadu_ps(y + i), _mm256_set1_ps(-1.0f)));
    }
    anchor_scale_scalar(y + GROUP * groups, n - GROUP * groups);
}

float anchor_read_avx2(const float *x, size_t n)
{
    const __m256 no_sign = _mm256_castsi256_ps(_mm256_set1_epi32(0x7fffffff));
    __m256 most[GROUP / WIDTH];
    float lane[GROUP], rest, result;
    size_t groups = n / GROUP;

    for (size_t r = 0; r < GROUP / WIDTH; r++)
        most[r] = _mm256_setzero_ps();
    for (size_t g = 0; g < groups; g++) {
        size_t at = GROUP * stream_order(g, groups);

        for (size_t r = 0; r < GROUP / WIDTH; r++)
            most[r] = _mm256_max_ps(most[r], _mm256_and_ps(_mm256_loadu_ps(x + at + r * WIDTH), no_sign));
    }
    for (size_t r = 0; r < GROUP / WIDTH; r++)
        _mm256_storeu_ps(lane + r * WIDTH, most[r]);
    rest = anchor_read_scalar(x + GROUP * groups, n - GROUP * groups);
    result = anchor_read_scalar(lane, GROUP);
    return rest > result ? rest : result;
}
