/* local_steps.h - the codec "local": state changes are sent every k-th step as their sum, and not at all in between
 * (3LC, arXiv 1802.07389, section 5.1, "2 local steps").
 * Meaning    the first change of a round is taken as it is, the others are added to it in order (kernels/shared/
 *            sum_lane.h). The k-th step sends the sum and begins a new round. NaN and infinities travel like any value.
 * Payload    nothing on k - 1 of k steps; on the k-th the n sums, fp32 little-endian: 4 n bytes. Every payload of
 *            either size is valid. Decompressed, an empty one is n zeros.
 * State      n fp32 sums, then, on a boundary of eight bytes, a count of the steps of the round; the sums have no
 *            meaning while it is 0. Work: none. */
#ifndef NARROWS_KERNELS_LOCAL_STEPS_H
#define NARROWS_KERNELS_LOCAL_STEPS_H

#include "kernels/codec/codec.h"

/* Bytes of the state in front of the count. */
static inline size_t local_steps_sums(size_t n)
{
    return 4 * (n + n % 2);
}

CODEC_DEVICE(local_steps);

extern const struct codec codec_local_steps;

#endif
