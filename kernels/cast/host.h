/* host.h - how the host rows fit together; for kernels/cast. A span is one thread's share; 'stream' asks for stores
 * that bypass the caches. */
#ifndef NARROWS_KERNELS_CAST_HOST_H
#define NARROWS_KERNELS_CAST_HOST_H

#include "kernels/cast/cast.h"
#include "kernels/shared/receive.h"

typedef void cast_narrow_span(uint16_t *dst, const float *src, size_t n, bool stream);
typedef void cast_widen_span(float *dst, const uint16_t *src, size_t n, bool stream);

struct cast_spans {
    const struct plain_spans *plain;
    cast_narrow_span *bf16_narrow, *fp16_narrow;
    cast_widen_span *bf16_widen, *fp16_widen;
    void (*bf16_round)(float *dst, const float *src, size_t n);
};
extern const struct cast_spans cast_scalar, cast_avx2, cast_avx512;

/* The other implementations use the reference for their tails. */
cast_narrow_span cast_bf16_narrow_scalar, cast_fp16_narrow_scalar;
cast_widen_span cast_bf16_widen_scalar, cast_fp16_widen_scalar;
void cast_bf16_round_scalar(float *dst, const float *src, size_t n);

/* dst[0 .. n), over all threads that 'share' brings. */
void cast_narrow(cast_narrow_span *span, share_fn *share, uint16_t *dst, const float *src, size_t n);

#endif
