/* avx2.c - 64 values at a time, eight walks side by side. */
#include "kernels/copy/copy.h"
#include "kernels/shared/receive.h"
#include "kernels/shared/sum_lane.h"
#include "kernels/shared/x86.h"

INLINE __m256 sum8(const float *a, const float *b)
{
    __m256 sum = _mm256_add_ps(_mm256_loadu_ps(a), _mm256_loadu_ps(b));
    __m256 nan = _mm256_cmp_ps(sum, sum, _CMP_UNORD_Q);

    return _mm256_blendv_ps(sum, _mm256_castsi256_ps(_mm256_set1_epi32(SUM_NAN)), nan);
}

INLINE size_t sum_groups(float *dst, const float *a, const float *b, size_t n, _Bool nt)
{
    size_t groups = n / 64;

    for (size_t g = 0; g < groups; g++) {
        size_t at = 64 * stream_order(g, groups);

        ask_ahead(a + at, AHEAD, 256);
        ask_ahead(b + at, AHEAD, 256);
        for (size_t i = at; i < at + 64; i += 8)
            if (nt)
                _mm256_stream_ps(dst + i, sum8(a + i, b + i));
            else
                _mm256_storeu_ps(dst + i, sum8(a + i, b + i));
    }
    return 64 * groups;
}

void plain_sum_avx2(float *dst, const float *a, const float *b, size_t n, _Bool stream)
{
    size_t done = stream ? sum_groups(dst, a, b, n, 1) : sum_groups(dst, a, b, n, 0);

    plain_sum_scalar(dst + done, a + done, b + done, n - done, 0);
    if (stream)
        _mm_sfence();
}

const struct plain_spans plain_avx2 = { plain_sum_avx2, copy_nt_avx2 };
