/* int8.h - the codec "8bit": 255 values, -127 .. 127 times a step; -128 is not used (3LC, arXiv 1802.07389, section
 * 5.1, "8-bit int", which approximates the quantization inside Google's TPU). There is no error feedback: the paper
 * names the designs that have it, and this is not one.
 * Meaning    int8_lane.h. With M the largest finite magnitude, the step is M / 127 and a value is sent as the nearest
 *            multiple, ties to even; NaN as 0, an infinity as +-127 steps (as 0 where M is 0).
 * Payload    n bytes, two's complement, in order, then the step, fp32 little-endian: n + 4 bytes. The bytes come first
 *            so that they stand on a boundary. A step that is negative, -0, or not finite 127 times, and a byte of -128
 *            are errors.
 * State      none. Work: none. */
#ifndef NARROWS_KERNELS_INT8_H
#define NARROWS_KERNELS_INT8_H

#include "kernels/codec/codec.h"

CODEC_DEVICE(int8);

extern const struct codec codec_int8;

#endif
