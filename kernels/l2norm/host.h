/* host.h - how the host implementations fit together; for kernels/l2norm, and for kernels/adt, which
 * takes the norm of what it packs. */
#ifndef NARROWS_KERNELS_L2NORM_HOST_H
#define NARROWS_KERNELS_L2NORM_HOST_H

#include "kernels/l2norm/l2norm.h"

/* Step 2 for a piece of a block: add the squares of n weights to the lanes, weight i to lane i mod 32. */
typedef void l2norm_add(double *lane, const float *weights, size_t n);
l2norm_add l2norm_add_scalar, l2norm_add_avx2, l2norm_add_avx512;

/* Several blocks are summed side by side, a piece of each in turn: as many reads under way as kernels/copy/order.h says
 * a core needs. The blocks are independent, so the order of the sums stays that of the definition. */
enum { L2NORM_WALKS = 8, L2NORM_PIECE = 256 };

/* Steps 2 and 3 for up to L2NORM_WALKS blocks of n weights in all; sums[] gets one number per block. */
void l2norm_blocks(l2norm_add *add, double *sums, const float *weights, size_t n);

/* The same for L2NORM_WALKS whole blocks, where an instruction set has its own loop for them. */
typedef void l2norm_walks(double *sums, const float *weights);
l2norm_walks l2norm_walks_avx2, l2norm_walks_avx512;

/* Steps 4 and 5. */
void l2norm_finish(double *norm, const double *sums, size_t blocks);

/* What an instruction set brings; 'walks' may be NULL. */
struct l2norm_loops {
    l2norm_add *add;
    l2norm_walks *walks;
};

/* All steps: on this thread, which leaves work[] alone, and with the blocks divided over OpenMP threads. */
void l2norm_serial(const struct l2norm_loops *loops, double *norm, const float *weights, size_t n, double *work);
void l2norm_split(const struct l2norm_loops *loops, double *norm, const float *weights, size_t n, double *work);

#endif
