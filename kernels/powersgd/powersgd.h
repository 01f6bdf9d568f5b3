/* powersgd.h - the codec "powersgd": a matrix as the product of two thin ones (Vogels, Karimireddy, Jaggi: "PowerSGD:
 * Practical Low-Rank Gradient Compression for Distributed Optimization", NeurIPS 2019, arXiv 1905.13727, algorithms 1
 * and 2).
 * Matrix     M: the values and what was not sent of earlier ones, rows of 'columns' values, the last one filled up with
 *            zeros. What is not finite counts as 0. Factors have 'rank' vectors, one after another: P of as many values
 *            as there are rows, Q of as many as there are columns.
 * Step       P = M Q with the last step's Q; P is made orthogonal (powersgd_lane.h); Q = P^T M; what arrives is P Q.
 *            A vector of Q that is all zeros, as at the start, is drawn at random first: uniform in -1 .. 1, by
 *            Threefry-4x32 with 13 rounds, key: parameter 'shared_seed' and the number of the step, counter: a quarter
 *            of the column, and the vector. Workers with the same shared_seed have the same Q.
 * Two rounds among several workers an allreduce adds up P before it is made orthogonal, and then Q: powersgd_first(),
 *            powersgd_second() and powersgd_last(). A payload is what one worker alone sends, for a receiver that
 *            decompresses it: payloads of several, each with a P of its own, do not add up.
 * Order      of sums, in fp32, each operation rounded: of P, 32 lanes as in l2norm.h; of Q, row by row; of what
 *            arrives, vector by vector. A sum that is not finite is 0.
 * Payload    P, then Q, fp32 little-endian: 4 rank (rows + columns) bytes. Where that is not less than the values
 *            themselves, as of every vector, they are sent as they are, all bits of them: 4 n bytes. Every payload of
 *            that size is valid.
 * State      nothing where the values are sent. Else Q, the n values that were not sent, and, on a boundary of eight
 *            bytes, the number of steps. Work: none. */
#ifndef NARROWS_KERNELS_POWERSGD_H
#define NARROWS_KERNELS_POWERSGD_H

#include "kernels/codec/codec.h"

CODEC_DEVICE(powersgd);

#ifndef __cplusplus
extern const struct codec codec_powersgd;

/* The rounds of a step, with a row of the host, for a matrix that is sent in factors. p: rank x rows, q: rank x columns
 * values. Between them the caller makes both the mean of all workers'. The second makes p orthogonal; the last keeps q
 * for the next step, and of the values what p and q do not give. */
void powersgd_first(const struct impl *im, float *p, const float *values, size_t n, const struct codec_params *params,
                    void *state);
void powersgd_second(const struct impl *im, float *p, float *q, size_t n, const struct codec_params *params,
                     const void *state);
void powersgd_last(const struct impl *im, const float *p, const float *q, size_t n, const struct codec_params *params,
                   void *state);
#endif

#endif
