/* dct.h - the codec "dct": DCT-DP (arXiv 2010.08899, Algorithm 1), gradients above a threshold that is found exactly
 * once every L steps.
 * Parameters dropped (the paper's sparsity factor, a share 0..1), lifespan (the paper's L, steps; 1: found again in
 *            every step), drain (steps between two drains of 'error'; 0: never) and seed (of the drains).
 * Drain      remark 2: "we drain the error feedback buffer stochastically every 1 million iterations", so that no
 *            update is sent long after it was computed. The paper does not say what share goes, nor where to. Here
 *            every 'drain' steps, before the step's values are added, each value in 'error' becomes +0 with probability
 *            1/2, and is lost: sending it would be the stale update. Draws are Threefry's (kernels/threefry); key:
 *            'seed' and the number of the step; counter: the position of the value (dct_lane.h).
 * Step       error += values. If the threshold has served L times: it becomes the floor(n * dropped)-th of the
 *            ascending magnitudes, and exactly n - floor(n * dropped) + 1 values are sent (all, for floor 0), equal
 *            ones from the lowest index on; else everything at or above it is sent, which may be none or all. Values
 *            that are sent become 0 in 'error'. A zero is never sent, so fewer values are sent if fewer are not zero; a
 *            threshold of zero becomes the least magnitude above it.
 * Specials   NaN counts as greater than infinity, and infinity than numbers; all are sent like others and leave
 *            'error'.
 * Payload    of kernels/sparse/sparse.h, bitmap or indices, whichever is smaller.
 * State      64 bytes (struct dct_state), then n floats: the unsent changes. Steps are counted only if 'drain' is
 *            above 0. */
#ifndef NARROWS_KERNELS_DCT_H
#define NARROWS_KERNELS_DCT_H

#include "kernels/codec/codec.h"

CODEC_DEVICE(dct);

extern const struct codec codec_dct;

#endif
