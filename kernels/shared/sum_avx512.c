/* avx512.c - 64 values at a time, eight walks side by side. */
#include "kernels/copy/copy.h"
#include "kernels/shared/receive.h"
#include "kernels/shared/sum_lane.h"
#include "kernels/shared/x86.h"

INLINE __m512 sum16(const float *a, const float *b)
{
    __m512 sum = _mm512_add_ps(_mm512_loadu_ps(a), _mm512_loadu_ps(b));
    __mmask16 nan = _mm512_cmp_ps_mask(sum, sum, _CMP_UNORD_Q);

    return _mm512_mask_mov_ps(sum, nan, _mm512_castsi512_ps(_mm512_set1_epi32(SUM_NAN)));
}

INLINE size_t sum_groups(float *dst, const float *a, const float *b, size_t n, _Bool nt)
{
    size_t groups = n / 64;

    for (size_t g = 0; g < groups; g++) {
        size_t at = 64 * stream_order(g, groups);

        ask_ahead(a + at, AHEAD, 256);
        ask_ahead(b + at, AHEAD, 256);
        for (size_t i = at; i < at + 64; i += 16)
            if (nt)
                _mm512_stream_ps(dst + i, sum16(a + i, b + i));
            else
                _mm512_storeu_ps(dst + i, sum16(a + i, b + i));
    }
    return 64 * groups;
}

void plain_sum_avx512(float *dst, const float *a, const float *b, size_t n, _Bool stream)
{
    size_t done = stream ? sum_groups(dst, a, b, n, 1) : sum_groups(dst, a, b, n, 0);

    plain_sum_scalar(dst + done, a + done, b + done, n - done, 0);
    if (stream)
        _mm_sfence();
}

const struct plain_spans plain_avx512 = { plain_sum_avx512, copy_nt_avx512 };
