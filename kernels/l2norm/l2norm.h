/* l2norm.h - the l2 norm of fp32 weights, which AWP watches (A2DTWP, arXiv 2004.02297, Algorithm 1).
 * Order      Every implementation adds in the same order and so gives the same 64 bits, whatever its width, its number
 *            of threads or its device:
 *              1. the weights are cut into blocks of 4096, the last one shorter;
 *              2. within a block, lane j of 32 starts at 0 and adds, in order, the squares of the weights i with
 *                 i mod 32 = j. A square is exact in a double (two 24-bit factors), so fusing it with the addition
 *                 changes nothing, and a 0 added in place of a missing weight changes nothing either;
 *              3. the lanes are folded: lane j += lane j + 16, then + 8, + 4, + 2, + 1. Lane 0 is the block's sum;
 *              4. the block sums are added up like the weights of one block: lane j of 32 adds those of the blocks b
 *                 with b mod 32 = j in order, and the lanes are folded;
 *              5. the norm is the correctly rounded square root of that.
 * Result     a double, which neither overflows nor underflows: the squares of fp32 numbers reach from 2^-298 to 2^256.
 *            0 weights have norm 0. An infinity gives infinity. Any NaN gives the one NaN
 *            0x7ff8000000000000, since processors differ in the payload they pass on.
 * Work       'work' is l2norm_work(n) doubles of scratch, where the weights live; one-thread rows do not touch it.
 * Alignment  that of a float.
 * Errors     none; a device row returns before its work is done and leaves a failed launch in cudaGetLastError(). */
#ifndef NARROWS_KERNELS_L2NORM_H
#define NARROWS_KERNELS_L2NORM_H

#include <stddef.h>

#include "kernels/shared/impl.h"

enum { L2NORM_BLOCK = 4096, L2NORM_LANES = 32 };

/* *norm and work[] are in the same memory as the weights; 'im' is the row's (kernels/shared/impl.h). */
typedef void l2norm_fn(const struct impl *im, double *norm, const float *weights, size_t n, double *work);

struct l2norm_impl {
    struct impl impl;
    l2norm_fn *run;
};

/* Best first, the reference last, then a row with a null name. */
extern const struct l2norm_impl l2norm_impls[];

static inline size_t l2norm_work(size_t n)
{
    return n / L2NORM_BLOCK + 1;
}

#endif
