/* terngrad.h - the codec "terngrad": gradients clipped, then drawn from three values (Wen, Xu, Yan, Wu, Wang, Chen, Li:
 * "TernGrad", NIPS 2017, arXiv 1705.07878, with its layer-wise ternarizing and gradient clipping).
 * Meaning    values beyond c sigma are cut to it, c the parameter 'clip' (the paper's experiments have 2.5) and sigma
 *            the root of the tensor's mean square: the standard deviation of gradients whose mean is 0. With M the
 *            largest magnitude that is left, x is sent as sign(x) M with probability |x| / M and as 0 otherwise. 'clip'
 *            0 cuts nothing; then M is the largest finite magnitude, as it is where sigma is not finite. NaN is sent as
 *            0, an infinity as +-M. There is no error feedback. The paper's sharing of one M by all workers, for which
 *            they exchange theirs first, is not done: payloads are gathered.
 * Loops      those of kernels/qsgd with one level: bias and draws as there. The same in 1.6 bits, without clipping and
 *            with draws of its own, is "stoch3".
 * Payload    kernels/drawn/drawn.h: codes 0, 1, 2 of -M, 0, M in two bits, then M: 2 ceil(n / 8) + 4 bytes. An M that
 *            is negative, -0 or not finite is an error.
 * State      the number of steps. Work: l2norm_work(n) + 1 doubles. */
#ifndef NARROWS_KERNELS_TERNGRAD_H
#define NARROWS_KERNELS_TERNGRAD_H

#include "kernels/codec/codec.h"

CODEC_DEVICE(terngrad);

extern const struct codec codec_terngrad;

#endif
