/* loops.h - the x86 loops. */
#include <stdbool.h>

#include "kernels/powersgd/host.h"
#include "kernels/shared/vector.h"

enum { REGISTERS = POWERSGD_LANES / VECTOR };

static float dot(const float *a, const float *b, size_t n)
{
    size_t done = n / POWERSGD_LANES * POWERSGD_LANES;
    float lane[POWERSGD_LANES];
    vec sum[REGISTERS];

    for (size_t r = 0; r < REGISTERS; r++)
        sum[r] = MM(setzero_ps)();
    for (size_t at = 0; at < done; at += POWERSGD_LANES)
        for (size_t r = 0; r < REGISTERS; r++)
            sum[r] =
                MM(add_ps)(sum[r], MM(mul_ps)(MM(loadu_ps)(a + at + VECTOR * r), MM(loadu_ps)(b + at + VECTOR * r)));
    for (size_t r = 0; r < REGISTERS; r++)
        MM(storeu_ps)(lane + VECTOR * r, sum[r]);
    return powersgd_fold(lane, a, b, done, n);
}

static void add(float *y, const float *x, float share, size_t n)
{
    size_t done = n / VECTOR * VECTOR;
    vec s = MM(set1_ps)(share);

    for (size_t i = 0; i < done; i += VECTOR)
        MM(storeu_ps)(y + i, MM(add_ps)(MM(loadu_ps)(y + i), MM(mul_ps)(s, MM(loadu_ps)(x + i))));
    powersgd_scalar.add(y + done, x + done, share, n - done);
}

INLINE vec finite_of(vec v)
{
    const vec_bits exponent = MM(set1_epi32)(0x7f800000);
    vec_bits bits = vec_to_bits(v);

#ifdef __AVX512F__
    return _mm512_maskz_mov_ps(_mm512_cmpneq_epi32_mask(vec_and(bits, exponent), exponent), v);
#else
    return _mm256_andnot_ps(vec_from_bits(_mm256_cmpeq_epi32(vec_and(bits, exponent), exponent)), v);
#endif
}

static void make_finite(float *y, size_t n)
{
    size_t done = n / VECTOR * VECTOR;

    for (size_t i = 0; i < done; i += VECTOR)
        MM(storeu_ps)(y + i, finite_of(MM(loadu_ps)(y + i)));
    powersgd_scalar.finite(y + done, n - done);
}

const struct powersgd_spans ISA(powersgd) = { &ISA(plain), dot, add, make_finite };
