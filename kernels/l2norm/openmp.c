/* openmp.c - each thread sums its blocks into work[], which is then added up in the one order. */
#include "kernels/l2norm/host.h"

enum { GROUP = L2NORM_WALKS * L2NORM_BLOCK };

void l2norm_split(const struct l2norm_loops *loops, double *norm, const float *weights, size_t n, double *work)
{
    size_t groups = (n + GROUP - 1) / GROUP;

#pragma omp parallel for schedule(static) if (groups > 1)
    for (size_t g = 0; g < groups; g++) {
        size_t at = g * GROUP;

        if (loops->walks && n - at >= GROUP)
            loops->walks(work + g * L2NORM_WALKS, weights + at);
        else
            l2norm_blocks(loops->add, work + g * L2NORM_WALKS, weights + at, n - at < GROUP ? n - at : GROUP);
    }
    l2norm_finish(norm, work, (n + L2NORM_BLOCK - 1) / L2NORM_BLOCK);
}
