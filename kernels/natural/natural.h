/* natural.h - the codec "natural": natural compression (Horvath, Ho, Horvath, Sahu, Canini, Richtarik: "Natural
 * Compression for Distributed Deep Learning", arXiv 1905.10988, definition 1).
 * Meaning    x is sent as one of the two powers of two next to it, with its sign, at random so that its expectation is
 *            x: the exponent of the fp32 number goes up by one with the probability that its mantissa is of 2^23. What
 *            the paper sends in 9 bits, sign and exponent, is sent in 8: with 2^t the smallest power that no finite
 *            value is above, 2^t .. 2^(t - 126) and 0 are sent, 0 of each sign, and what would be a smaller power is
 *            sent as 0. Powers below 2^-126 are not sent either, nor is 2^128: t is -126 .. 127. NaN is sent as 0, an
 *            infinity as +-2^t. There is no error feedback.
 * Bias       none, but |E[sent] - x| <= 2^(t - 126) where |x| is below that or 2^t is 2^127.
 * Payload    kernels/drawn/drawn.h: codes of 8 bits, the sign above the number of the power, 0 for 0 and else such that
 *            the largest power has min(t + 127, 127), then 2^t. A last number that is none of these powers is an error,
 *            and so is a code above that of the largest.
 * State      the number of steps. Work: none. */
#ifndef NARROWS_KERNELS_NATURAL_H
#define NARROWS_KERNELS_NATURAL_H

#include "kernels/codec/codec.h"

CODEC_DEVICE(natural);

extern const struct codec codec_natural;

#endif
