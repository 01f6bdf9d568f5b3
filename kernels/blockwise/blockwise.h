/* blockwise.h - the codec "blockwise": codes of 8 or 4 bits, and a scale for each block of values; its payloads can be
 * cut between blocks, and reduced (ZeRO++, arXiv 2306.10209: block-based quantization, section 3.1, and the reduction
 * of quantized gradients, sections 3.3 and 4).
 * Meaning    a block is sent as int8_lane.h says, with L = 127 levels for 8 bits and L = 7 for 4: with M the largest
 *            finite magnitude of the block, x is sent as the nearest of -L .. L times M / L, ties to even; NaN as 0, an
 *            infinity as +-L (as 0 where M is 0). Nothing is drawn: the paper rounds to nearest, too. There is no error
 *            feedback.
 * Payload    codes: n bytes of two's complement in order, or of 4 bits the byte i holds the code of value 2 i in its
 *            low half and that of 2 i + 1 in its high half; zeros up to a multiple of 4 bytes. Then the scales M / L,
 *            one for each block of 'block' values begun, fp32 little-endian. A scale that is negative, -0, or not
 *            finite L times, a code of -128 (or -8) and padding that is not 0 are errors.
 * Parts      blocks know nothing of each other, and the codes of a whole block are a multiple of 32 bytes. So the
 *            payload of the values first block .. end block - 1 by themselves is the bytes
 *                first block bits / 8 .. min(n, end block) bits / 8 (rounded up to whole bytes) of the codes,
 *                zeros up to a multiple of 4 (there are none but in the last part),
 *                the scales first .. end - 1:
 *            a sender that has compressed the tensor has compressed every part of it.
 * Reduction  in fp32, from 0 and in the order of the terms; a block of sums at a time, which is compressed before the
 *            next begins. It is their sum and no mean, as an all-reduce's is: whoever wants the mean divides what she
 *            decodes, as with every other codec; a division before would round once more.
 * State      none. Work: none. */
#ifndef NARROWS_KERNELS_BLOCKWISE_H
#define NARROWS_KERNELS_BLOCKWISE_H

#include "kernels/codec/codec.h"

CODEC_REDUCING_DEVICE(blockwise);

extern const struct codec codec_blockwise;

#endif
