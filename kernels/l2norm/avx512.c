/* avx512.c - whole rounds of the 32 lanes; the tail goes to the reference. */
#include "kernels/l2norm/host.h"
#include "kernels/l2norm/lanes_avx512.h"
#include "kernels/l2norm/walks.h"

void l2norm_add_avx512(double *lane, const float *weights, size_t n)
{
    size_t whole = n - n % L2NORM_LANES;

    l2norm_lanes_avx512(lane, weights, whole);
    l2norm_add_scalar(lane, weights + whole, n - whole);
}

void l2norm_walks_avx512(double *sums, const float *weights)
{
    l2norm_walk(sums, weights, l2norm_lanes_avx512);
}
