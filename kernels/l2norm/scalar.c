/* scalar.c - the reference: the definition word by word. */
#include "kernels/l2norm/host.h"

void l2norm_add_scalar(double *lane, const float *weights, size_t n)
{
    for (size_t i = 0; i < n; i++)
        lane[i % L2NORM_LANES] += (double)weights[i] * (double)weights[i];
}
