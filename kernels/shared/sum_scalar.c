/* sum_scalar.c - the reference. */
#include "kernels/copy/copy.h"
#include "kernels/shared/receive.h"
#include "kernels/shared/sum_lane.h"

void plain_sum_scalar(float *dst, const float *a, const float *b, size_t n, bool stream)
{
    (void)stream;
    for (size_t i = 0; i < n; i++)
        dst[i] = sum_lane(a[i], b[i]);
}

const struct plain_spans plain_scalar = { plain_sum_scalar, copy_memcpy };
