/* randomk.h - the codec "randomk": a share of the values, at places drawn at random that all workers agree on (Stich,
 * Cordonnier, Jaggi: "Sparsified SGD with Memory", NeurIPS 2018, arXiv 1809.07599, definition 2.1, rand-k; Algorithm 1
 * for the memory).
 * Places     of n values k are sent, k = round(density n), at least 1. The tensor is cut into k runs of values, as long
 *            as each other or one longer, the longer ones first, and one place is drawn in each: sorted, all different,
 *            found without a search. A value is sent with probability 1 / (length of its run), k / n where k divides n:
 *            that of rand-k, which is all that the paper's contraction (definition 2.1) asks of it.
 * Draws      Threefry-4x32 with 13 rounds as in kernels/drawn, by the number of the run; key: parameter 'shared_seed'
 *            and the number of the step, which the state counts. Workers with the same shared_seed that are at the same
 *            step draw the same places, so that no index travels and payloads add up.
 * Feedback   with 1, what is not sent is kept and added to the next step's values, and what is kept is sent as it is.
 *            With 0, nothing is kept, and a value is sent times the length of its run, so that its expectation is x.
 *            NaN and infinities travel like any value.
 * Payload    k fp32 values in the order of their places, little-endian, then the number of the step, 8 bytes: 4 k + 8
 *            bytes. A sum of several workers' payloads is the sum of the values, with the step that all of them have.
 *            Every payload of that size is valid. Decompressed, a place that was not drawn is +0 or adds nothing.
 * State      with feedback n fp32 values that were not sent, then, on a boundary of eight bytes, the number of steps;
 *            without, that number alone. Work: none. */
#ifndef NARROWS_KERNELS_RANDOMK_H
#define NARROWS_KERNELS_RANDOMK_H

#include "kernels/codec/codec.h"

CODEC_DEVICE(randomk);

extern const struct codec codec_randomk;

#endif
