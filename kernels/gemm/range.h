/* range.h - where rounding fp32 to bf16 by arithmetic is exact, decided once for a whole tile.
 * Rounding   with two or three floating-point operations replaces five on integers:
 *              fma(x, 65536, -(65535 * x))     one product and one fused multiply-add
 *              c - (c - x), c = 65537 * x      Veltkamp's splitting: for processors that have adders besides their
 *              multipliers
 *            Both are round-to-nearest-even to 8 significant bits. For the first: 65535 x = 65536 x - x, rounded to 24
 *            bits; 65536 x is a multiple of that grid, so this rounds x itself, to a multiple of 65536 ulp(x) - or of
 *            half of that where 65535 x falls below the power of two that 65536 x has reached, but then x lies less
 *            than 2^-15 above a power of two and both grids have it rounded to that power. The final sum is exact.
 *            Both agree with the definition for |x| < 2^111 (biased exponents up to 237) unless x is denormal, where
 *            bf16 has fewer than 8 bits, or (the first) x is -0; a test goes through all 2^32.
 * Guard      Let |a| < 2^(ea+1) and |b| < 2^(eb+1) in two panels, and 2^fa, 2^fb be at most their least non-zero
 *            magnitudes.
 *   top      A product is below P = 2^(ea+eb+2). A rounding to bf16 after adding it changes the accumulator by at most
 *            4 P, or nothing: if P is under half the accumulator's last place it is rounded back. So 2048 steps stay
 *            below |C| + 2^13 P, which is at most 2^111 if ea + eb <= 95 and |C| < 2^110.
 *   bottom   A bf16 of exponent e is a multiple of 2^(e-7). So all products are multiples of 2^(fa+fb-14), and if
 *            fa + fb >= -112 of 2^-126, C too if its non-zero values have exponents >= -119. Sums and roundings of
 *            multiples of 2^-126 are such multiples: no accumulator is ever denormal.
 *   -0       can only come from a C of -0: a sum that is 0 is +0 unless both terms are -0. */
#ifndef NARROWS_KERNELS_GEMM_RANGE_H
#define NARROWS_KERNELS_GEMM_RANGE_H

#include "kernels/gemm/host.h"

static inline struct gemm_range gemm_range_empty(void)
{
    return (struct gemm_range){ .most = 0, .least = UINT32_MAX };
}

static inline int gemm_range_top(const struct gemm_range *r)
{
    return (int)(r->most >> 23) - 127;
}

/* Of the least magnitude; 128 if there is none, -127 if it is denormal. */
static inline int gemm_range_bottom(const struct gemm_range *r)
{
    return r->least == UINT32_MAX ? 128 : (int)((r->least + 1) >> 23) - 127;
}

/* 'c' is NULL where the chains start from +0. An infinity or NaN has a top of 128 and fails. Were a panel all 0, its
 * top would be -127 and its bottom 128, and any finite partner passes, as it should. A denormal operand has bottom -127
 * and passes next to one of at least 2^15: it is a multiple of 2^-133, as a bf16, so its exponent counts as -126. */
static inline bool gemm_range_exact(const struct gemm_range *a, const struct gemm_range *b, const struct gemm_range *c)
{
    if (gemm_range_top(a) == 128 || gemm_range_top(b) == 128 || gemm_range_top(a) + gemm_range_top(b) > 95 ||
        gemm_range_bottom(a) + gemm_range_bottom(b) < -112)
        return 0;
    return !c || (!c->minus_zero && gemm_range_top(c) <= 109 && gemm_range_bottom(c) >= -119);
}

#endif
