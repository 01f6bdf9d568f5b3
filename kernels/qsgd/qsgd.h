/* qsgd.h - the codec "qsgd": stochastic rounding to s levels (Alistarh, Grubic, Li, Tomioka, Vojnovic: "QSGD", NIPS
 * 2017, arXiv 1610.02132, section 3.1).
 * Meaning    qsgd_lane.h. With N the norm of the tensor, x is sent as one of the two multiples of N / s next to it, at
 *            random so that its expectation is x. N is the l2 norm of the paper's definition (kernels/l2norm) or, with
 *            'largest' 1, the largest finite magnitude, as the paper's experiments have it (section 5). Where the l2
 *            norm is no finite fp32 number, the largest finite magnitude takes its place. The norm is that of the whole
 *            tensor; the paper's experiments take buckets of some hundred values. NaN is sent as 0, an infinity as +-N
 *            (as 0 where N is 0). There is no error feedback.
 * Bias       the share above a level is compared in 31 bits: |E[sent] - x| <= 2^-21 |x| + 2^-31 N / s.
 * Payload    kernels/drawn/drawn.h: codes level + s, 0 .. 2 s, in ceil(log2(2 s + 1)) bits, then the step N / s. The
 *            paper's Elias coding is not done. A step that is negative, -0, or not finite s times is an error.
 * State      the number of steps. Work: l2norm_work(n) + 1 doubles. */
#ifndef NARROWS_KERNELS_QSGD_H
#define NARROWS_KERNELS_QSGD_H

#include "kernels/codec/codec.h"

CODEC_DEVICE(qsgd);

extern const struct codec codec_qsgd;

#endif
