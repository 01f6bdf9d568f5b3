/* scalar.c - the reference: the lane, value by value. */
#include "kernels/fma/host.h"
#include "kernels/gemm/fma_lane.h"

void fma_span_scalar(enum fma_mode mode, float *d, const float *a, const float *b, const float *c, size_t n,
                     bool stream)
{
    (void)stream;
    for (size_t i = 0; i < n; i++)
        d[i] = fma_lane(mode, a[i], b[i], c[i]);
}
