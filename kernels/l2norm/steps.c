/* steps.c - the steps around the additions, for one thread. */
#include <math.h>

#include "kernels/l2norm/host.h"
#include "kernels/l2norm/l2norm_lane.h"
#include "kernels/shared/least.h"

void l2norm_blocks(l2norm_add *add, double *sums, const float *weights, size_t n)
{
    double lane[L2NORM_WALKS][L2NORM_LANES] = { { 0 } };

    for (size_t piece = 0; piece < L2NORM_BLOCK; piece += L2NORM_PIECE)
        for (size_t at = piece, b = 0; at < n; at += L2NORM_BLOCK, b++)
            add(lane[b], weights + at, least(n - at, L2NORM_PIECE));
    for (size_t b = 0; b * L2NORM_BLOCK < n; b++)
        sums[b] = l2norm_fold(lane[b]);
}

void l2norm_finish(double *norm, const double *sums, size_t blocks)
{
    double lane[L2NORM_LANES] = { 0 };

    for (size_t b = 0; b < blocks; b++)
        lane[b % L2NORM_LANES] += sums[b];
    *norm = sqrt(l2norm_canonical(l2norm_fold(lane)));
}

void l2norm_serial(const struct l2norm_loops *loops, double *norm, const float *weights, size_t n, double *work)
{
    double lane[L2NORM_LANES] = { 0 }, sums[L2NORM_WALKS];

    (void)work;
    for (size_t b = 0; b * L2NORM_BLOCK < n; b += L2NORM_WALKS) {
        size_t at = b * L2NORM_BLOCK, take = least(n - at, L2NORM_WALKS * L2NORM_BLOCK);

        if (loops->walks && take == L2NORM_WALKS * L2NORM_BLOCK)
            loops->walks(sums, weights + at);
        else
            l2norm_blocks(loops->add, sums, weights + at, take);
        for (size_t i = 0; i * L2NORM_BLOCK < take; i++)
            lane[(b + i) % L2NORM_LANES] += sums[i];
    }
    *norm = sqrt(l2norm_canonical(l2norm_fold(lane)));
}
