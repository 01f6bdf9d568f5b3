/* receive.h - the spans of a plain tensor, and the way from any codec's payload to one. A span is one thread's share;
 * 'stream' asks for stores that bypass the caches, for which dst has to be on a 64-byte boundary. */
#ifndef NARROWS_KERNELS_SHARED_RECEIVE_H
#define NARROWS_KERNELS_SHARED_RECEIVE_H

#include <stddef.h>

#include "kernels/shared/share.h"

/* dst = a + b as in sum_lane.h; dst may be a. */
typedef void plain_sum_span(float *dst, const float *a, const float *b, size_t n, bool stream);
plain_sum_span plain_sum_scalar, plain_sum_avx2, plain_sum_avx512;

typedef void plain_copy_span(void *dst, const void *src, size_t nbytes);

/* What the codecs need of an ISA. */
struct plain_spans {
    plain_sum_span *sum;
    plain_copy_span *copy_nt; /* past the caches where the ISA can */
};
extern const struct plain_spans plain_scalar, plain_avx2, plain_avx512;

/* A codec's way back: decode the values from .. to-1 into dst[0 .. to-from). */
typedef void plain_decode_span(const void *job, float *dst, size_t from, size_t to, bool stream);

/* values = decoded, or values += decoded, a piece at a time by way of the first-level cache; pieces and shares are
 * multiples of 'unit' values, which 256 or a multiple of it is. Values that begin inside of a line are not streamed. */
struct plain_decode {
    plain_decode_span *decode;
    const void *job;
    size_t unit;
};
void plain_receive(const struct plain_decode *d, const struct plain_spans *isa, share_fn *share, float *values,
                   size_t n, bool add);

/* dst[0..n) = src[0..n), and dst = a + b, over all threads that 'share' brings. */
void plain_copy(const struct plain_spans *isa, share_fn *share, float *dst, const float *src, size_t n);
void plain_sum(const struct plain_spans *isa, share_fn *share, float *dst, const float *a, const float *b, size_t n,
               bool stream);

#endif
