/* host.h - how the host rows fit together; for kernels/blockwise. Spans begin on a whole group. */
#ifndef NARROWS_KERNELS_BLOCKWISE_HOST_H
#define NARROWS_KERNELS_BLOCKWISE_HOST_H

#include "kernels/blockwise/blockwise.h"
#include "kernels/blockwise/blockwise_lane.h"
#include "kernels/int8/host.h"

/* Payloads to be summed, and where in each the scales begin. */
struct blockwise_terms {
    struct codec_terms sent;
    struct blockwise_form form;
    size_t scales_at;
};

/* Values to codes of 4 bits; all but the reference are for finite values and a lift of 1. */
typedef void blockwise_narrow_span(uint8_t *codes, const float *values, size_t n, const struct int8_scale *s);
/* Is there a code of -8, one of 4 bits, among so many bytes? */
typedef bool blockwise_check_span(const uint8_t *codes, size_t nbytes);
/* The sums of the values from .. to-1 into dst[0 .. to-from). Sums that are a NaN may be any. 'stream': past the
 * caches, dst on a 64-byte boundary. */
typedef void blockwise_sum_span(float *dst, const struct blockwise_terms *t, size_t from, size_t to, bool stream);

struct blockwise_spans {
    const struct int8_spans *bytes;
    blockwise_narrow_span *narrow;
    blockwise_check_span *check;
    blockwise_sum_span *sum;
};
extern const struct blockwise_spans blockwise_scalar, blockwise_avx2, blockwise_avx512;

/* The other implementations use the reference for their tails. */
blockwise_narrow_span blockwise_narrow_scalar;
blockwise_check_span blockwise_check_scalar;
blockwise_sum_span blockwise_sum_scalar;

struct blockwise_form blockwise_form_of(size_t n, const struct codec_params *p);

/* The values of a block, which begins at value 'first' of the tensor, into its place in the payload. */
void blockwise_put_block(const struct blockwise_spans *isa, uint8_t *payload, struct blockwise_form f, size_t first,
                         const float *values, size_t count);

/* Behind the last code. */
void blockwise_put_padding(uint8_t *payload, struct blockwise_form f);

/* Is every term a payload? */
enum codec_error blockwise_check(const struct blockwise_spans *isa, share_fn *share, const struct blockwise_terms *t);

#endif
