/* openmp.c - each thread sums its blocks into work[], which is then added up in the one order. */
#include <math.h>

#include "kernels/l2norm/host.h"
#include "kernels/l2norm/l2norm_lane.h"

enum { GROUP = L2NORM_WALKS * L2NORM_BLOCK };

void l2norm_split(l2norm_add *add, double *norm, const float *weights, size_t n, double *work)
{
    size_t groups = (n + GROUP - 1) / GROUP;
    double lane[L2NORM_LANES] = { 0 };

#pragma omp parallel for schedule(static) if (groups > 1)
    for (size_t g = 0; g < groups; g++) {
        size_t at = g * GROUP;

        l2norm_blocks(add, work + g * L2NORM_WALKS, weights + at, n - at < GROUP ? n - at : GROUP);
    }
    for (size_t b = 0; b * L2NORM_BLOCK < n; b++)
        lane[b % L2NORM_LANES] += work[b];
    *norm = sqrt(l2norm_canonical(l2norm_fold(lane)));
}
