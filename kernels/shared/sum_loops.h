/* sum_loops.h - the x86 sum: 64 values at a time, eight walks side by side. */
#include "kernels/copy/copy.h"
#include "kernels/shared/receive.h"
#include "kernels/shared/vector.h"

INLINE size_t sum_groups(float *dst, const float *a, const float *b, size_t n, bool nt)
{
    size_t groups = n / 64;

    for (size_t g = 0; g < groups; g++) {
        size_t at = 64 * stream_order(g, groups);

        ask_ahead(a + at, ASK_AHEAD, 256);
        ask_ahead(b + at, ASK_AHEAD, 256);
        for (size_t i = at; i < at + 64; i += VECTOR)
            vec_put(dst + i, vec_unless_nan(MM(add_ps)(MM(loadu_ps)(a + i), MM(loadu_ps)(b + i)), vec_nan()), nt);
    }
    return 64 * groups;
}

void ISA(plain_sum)(float *dst, const float *a, const float *b, size_t n, bool stream)
{
    size_t done = stream ? sum_groups(dst, a, b, n, true) : sum_groups(dst, a, b, n, false);

    plain_sum_scalar(dst + done, a + done, b + done, n - done, false);
    if (stream)
        _mm_sfence();
}

const struct plain_spans ISA(plain) = { ISA(plain_sum), ISA(copy_nt) };
