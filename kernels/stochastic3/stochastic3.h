/* stochastic3.h - the codec "stoch3": stochastic quantization to three values, five of them in a byte (3LC, arXiv
 * 1802.07389, section 5.1, "Stoch 3-value + QE": TernGrad without clipping, and quartic encoding, section 3.2).
 * Meaning    With M the largest finite magnitude, x is sent as sign(x) M with probability |x| / M and as 0 otherwise,
 *            so that its expectation is x. NaN is sent as 0, an infinity as +-M (as 0 where M is 0). There is no error
 *            feedback: section 3.1 found that error feedback and stochastic quantization together do not converge.
 * Bias       stochastic3_lane.h: a threshold of 32 bits, computed in fp32. |E[sent] - x| <= 2^-21 |x| + 2^-32 M, and M
 *            itself is sent with probability 1 - 2^-21.
 * Draws      Threefry-4x32 with 13 rounds; key: parameter 'seed' and the number of the step, which the state counts;
 *            counter: the position of the value. So the bits do not depend on threads, ISA or device. Two values share
 *            a random word, one its upper half first and one its lower: each by itself is exact, and the covariance of
 *            the two decisions is below 2^-16. Workers and tensors that should draw different numbers need different
 *            seeds.
 * Quartic    trits are q + 1, 0 .. 2, padded with zeros (after the addition) to a multiple of five and cut into five
 *            partitions of P = ceil(n / 5); byte j is 81 p0[j] + 27 p1[j] + 9 p2[j] + 3 p3[j] + p4[j], 0 .. 242.
 * Payload    P bytes, then M, fp32 little-endian: P + 4 bytes. Bytes above 242, padding that is not zero and an M that
 *            is negative, -0 or not finite are errors.
 * State      8 bytes: the number of steps compressed. Work: none. */
#ifndef NARROWS_KERNELS_STOCHASTIC3_H
#define NARROWS_KERNELS_STOCHASTIC3_H

#include "kernels/codec/codec.h"

CODEC_DEVICE(stochastic3);

extern const struct codec codec_stochastic3;

#endif
