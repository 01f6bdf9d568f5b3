/* fma_lane.h - the definitions: a fused multiply-add in each mode, and the steps of a GEMM made of it (Figure 1 of
 * the paper that gemm.h names). Every implementation, on every device, gives these bits.
 *   FP32     d = RN(a * b + c): one fused multiply-add of fp32, rounded once, to nearest, ties to even. Denormals are
 *            kept.
 *   MP       a and b are first rounded to bf16, to nearest even; c and d stay fp32.
 *   BF16     a, b and c are first rounded to bf16; d = bf16(RN(a * b + c)): the fp32 result is rounded again, to bf16.
 *            This is what an emulation on fp32 hardware computes (the paper's section 5.2), and not a bf16 unit's
 *            single rounding; fma_count.h counts where the two differ. d is a float whose lower 16 bits are zero.
 *   BF16DOT  what vdpbf16ps does with a pair of products: a and b are rounded to bf16, denormals among them count as
 *            zeros of their sign; d = RN(a1 * b1 + c), then d = RN(a0 * b0 + d), fused, and each of c, the value
 *            between and d is replaced by a zero of its sign where it is denormal (after rounding).
 * NaN       the result is 0x7fc00000 whenever it is a NaN: which operand's payload is kept differs between machines,
 *           and between forms of one instruction. Within a chain a NaN stays a NaN, so it is enough to replace it at
 *           the end.
 * A GEMM's element is one chain: acc = fma_start(C); for p = 0 .. k-1 ascending: acc = fma_step(a[p], b[p], acc), with
 * a and b after fma_input(); C = fma_result(acc). BF16DOT takes p in pairs, odd before even, like the instruction:
 * fma_pair(a[p+1], b[p+1], a[p], b[p], acc); an odd k is filled up with a product of two +0. */
#ifndef NARROWS_KERNELS_GEMM_FMA_LANE_H
#define NARROWS_KERNELS_GEMM_FMA_LANE_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "kernels/cast/bf16_lane.h"
#include "kernels/gemm/fma_mode.h"
#include "kernels/shared/lane.h"

NW_LANE uint32_t fma_bits(float x)
{
    uint32_t bits;

    memcpy(&bits, &x, sizeof(bits));
    return bits;
}

NW_LANE float fma_float(uint32_t bits)
{
    float x;

    memcpy(&x, &bits, sizeof(x));
    return x;
}

NW_LANE float fma_round_bf16(float x)
{
    return fma_float(bf16_to_f32_bits(bf16_from_f32_bits(fma_bits(x))));
}

/* A denormal becomes a zero of its sign. */
NW_LANE float fma_flush(float x)
{
    uint32_t bits = fma_bits(x);

    return bits & 0x7f800000 ? x : fma_float(bits & 0x80000000);
}

/* An operand a or b. */
NW_LANE float fma_input(enum fma_mode mode, float x)
{
    if (mode == FMA_FP32)
        return x;
    return mode == FMA_BF16DOT ? fma_flush(fma_round_bf16(x)) : fma_round_bf16(x);
}

/* What a chain starts from. */
NW_LANE float fma_start(enum fma_mode mode, float c)
{
    return mode == FMA_BF16 ? fma_round_bf16(c) : c;
}

/* One link, in every mode but BF16DOT. */
NW_LANE float fma_step(enum fma_mode mode, float a, float b, float acc)
{
    float d = fmaf(a, b, acc);

    return mode == FMA_BF16 ? fma_round_bf16(d) : d;
}

/* One link of BF16DOT. */
NW_LANE float fma_pair(float a1, float b1, float a0, float b0, float acc)
{
    float d = fma_flush(fmaf(a1, b1, fma_flush(acc)));

    return fma_flush(fmaf(a0, b0, d));
}

NW_LANE float fma_result(float acc)
{
    return acc != acc ? fma_float(0x7fc00000) : acc;
}

/* The primitive on its own: d of one a, b and c, in FP32, MP or BF16. */
NW_LANE float fma_lane(enum fma_mode mode, float a, float b, float c)
{
    return fma_result(fma_step(mode, fma_input(mode, a), fma_input(mode, b), fma_start(mode, c)));
}

#endif
