/* cast.h - fp32 to 16 bits and back, and the codecs "bf16" and "fp16", which send a tensor in half of its bytes (the
 * formats of mixed-precision training; bfloat16 with round to nearest even: "A dynamic approach to accelerate deep
 * learning training", section 2, after Kalamkar et al., 2019).
 * Meaning    bf16_lane.h and fp16_lane.h: round to the nearest, ties to even, NaN kept NaN.
 * Shapes     n values in order.
 * Alignment  that of the types. Nothing is written outside dst[0 .. n) and nothing is read outside src[0 .. n).
 * Overlap    none, but bf16_round may work in place (dst == src).
 * Threads    a parallel row uses as many OpenMP threads as omp_get_max_threads() says.
 * Payload    of the codecs: n 16-bit words, little-endian: 2 n bytes. Every payload of that size is valid. No state and
 *            no work.
 * Errors     none. */
#ifndef NARROWS_KERNELS_CAST_H
#define NARROWS_KERNELS_CAST_H

#include <stddef.h>
#include <stdint.h>

#include "kernels/codec/codec.h"
#include "kernels/shared/impl.h"

/* 'im' is the row's (kernels/shared/impl.h). */
typedef void cast_narrow_fn(const struct impl *im, uint16_t *dst, const float *src, size_t n);
typedef void cast_widen_fn(const struct impl *im, float *dst, const uint16_t *src, size_t n);
typedef void cast_round_fn(const struct impl *im, float *dst, const float *src, size_t n);

struct cast_impl {
    struct impl impl;
    cast_narrow_fn *bf16_narrow;
    cast_widen_fn *bf16_widen;
    cast_round_fn *bf16_round; /* to fp32 values that bf16 holds */
    cast_narrow_fn *fp16_narrow;
    cast_widen_fn *fp16_widen;
};

/* Best first, the reference last, then a row with a null name. */
extern const struct cast_impl cast_impls[];

IMPL_C cast_narrow_fn bf16_narrow_cuda;
IMPL_C cast_narrow_fn fp16_narrow_cuda;
IMPL_C cast_widen_fn bf16_widen_cuda;
IMPL_C cast_widen_fn fp16_widen_cuda;
IMPL_C cast_round_fn bf16_round_cuda;
CODEC_DEVICE(bf16);
CODEC_DEVICE(fp16);

extern const struct codec codec_bf16, codec_fp16;

#endif
