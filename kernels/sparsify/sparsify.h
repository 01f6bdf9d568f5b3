/* sparsify.h - the codec "sparsify": the designs "25 %" and "5 % sparsification" that 3LC is compared with (arXiv
 * 1802.07389, section 5.1): the largest values by magnitude, the threshold taken from a sorted sample of the input, a
 * bitmap of one bit a value whatever is sent, and what is not sent accumulated.
 * Parameters share, of the values that are sent, approximately: the sample decides.
 * Step       error += values; the threshold is that sample of 'error' of which the share of the sample is at least as
 *            great (sparsify_lane.h says which values are sampled); everything at or above it is sent and becomes 0 in
 *            'error'. A zero is never sent.
 * Specials   as in kernels/dct/dct.h.
 * Payload    of kernels/sparse/sparse.h, always with a bitmap.
 * State      n floats: the unsent changes. */
#ifndef NARROWS_KERNELS_SPARSIFY_H
#define NARROWS_KERNELS_SPARSIFY_H

#include "kernels/codec/codec.h"

CODEC_DEVICE(sparsify);

extern const struct codec codec_sparsify;

#endif
