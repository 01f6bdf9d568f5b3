/* dct.h - the codec "dct": DCT-DP (arXiv 2010.08899, Algorithm 1), gradients above a threshold that is found exactly
 * once every L steps.
 * Parameters dropped (the paper's sparsity factor, a share 0..1) and lifespan (the paper's L, steps; 1: found again in
 *            every step).
 * Step       error += values. If the threshold has served L times: it becomes the floor(n * dropped)-th of the
 *            ascending magnitudes, and exactly n - floor(n * dropped) + 1 values are sent (all, for floor 0), equal
 *            ones from the lowest index on; else everything at or above it is sent, which may be none or all. Values
 *            that are sent become 0 in 'error'. A zero is never sent, so fewer values are sent if fewer are not zero; a
 *            threshold of zero becomes the least magnitude above it.
 * Specials   NaN counts as greater than infinity, and infinity than numbers; all are sent like others and leave
 *            'error'.
 * Payload    of kernels/sparse/sparse.h, bitmap or indices, whichever is smaller.
 * State      64 bytes (struct dct_state), then n floats: the unsent changes. */
#ifndef NARROWS_KERNELS_DCT_H
#define NARROWS_KERNELS_DCT_H

#include "kernels/codec/codec.h"

CODEC_DEVICE(dct);

extern const struct codec codec_dct;

#endif
