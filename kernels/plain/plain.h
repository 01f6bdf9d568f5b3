/* plain.h - the codec "fp32": the values as they are, which the other codecs are compared with (3LC, arXiv 1802.07389,
 * section 5.1, "32-bit float").
 * Payload    n fp32 words, little-endian: 4 n bytes. Every payload of that size is valid.
 * Bits       storing keeps them all, NaN and -0 included; adding is sum_lane.h's.
 * State      none. Work: none. */
#ifndef NARROWS_KERNELS_PLAIN_H
#define NARROWS_KERNELS_PLAIN_H

#include "kernels/codec/codec.h"

CODEC_DEVICE(plain);

extern const struct codec codec_plain;

#endif
