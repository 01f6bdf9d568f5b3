/* onebit.h - the codec "1bit": the sign of each value and two means, with error feedback (3LC, arXiv 1802.07389,
 * section 5.1, "MQE 1-bit int"; Seide et al., "1-bit stochastic gradient descent", Interspeech 2014). The mean of the
 * values of each sign is what reconstructs them with the least squared error.
 * Meaning    x = e + v, e the state and v the values; x that is not finite (NaN, infinities, an overflow) is dropped:
 *            it becomes 0, since one bit cannot represent it and the state must not keep it. a is the mean of the x >=
 *            0 (-0 included), b that of the x < 0; a mean of no values is 0. Bit 1 stands for x < 0 and for b. Then e =
 *            x - a or x - b.
 * Sums       in double, in one order for all implementations: blocks of 4096 values, in a block lane j of 32 adds, in
 *            order, the values i with i mod 32 = j, for the two signs apart; lanes are folded (lane j += lane j + 16,
 *            + 8, ... + 1); block sums are added up like the values of one block. The mean is the quotient in double,
 *            rounded to fp32.
 * Payload    the bits, bit i mod 8 of byte i / 8, the last byte filled up with 0; then a, then b, fp32 little-endian:
 *            ceil(n / 8) + 8 bytes. An 'a' that is negative, -0 or not finite, a 'b' that is positive, -0 or not
 *            finite, and filling that is not 0 are errors.
 * State      e, n fp32 values. Work: 24 bytes for each 4096 values. */
#ifndef NARROWS_KERNELS_ONEBIT_H
#define NARROWS_KERNELS_ONEBIT_H

#include "kernels/codec/codec.h"

CODEC_DEVICE(onebit);

extern const struct codec codec_onebit;

#endif
