/* once.c - a bf16 FMA rounded once, through double: the product of two bf16 is exact there (16 bits, exponents from
 * -266 to 255), the sum is rounded to odd, and 53 bits rounded to odd hold all that a later rounding to 8 asks for. */
#include <math.h>

#include "kernels/fma/fma.h"
#include "kernels/gemm/fma_lane.h"

/* x + y, finite: where that is not exact, of the two doubles around it the one whose last bit is 1. */
static double sum_to_odd(double x, double y)
{
    double sum = x + y, of_y = sum - x, lost = (x - (sum - of_y)) + (y - of_y);
    uint64_t bits;

    memcpy(&bits, &sum, sizeof(bits));
    if (lost == 0 || bits & 1)
        return sum;
    /* The other neighbour, towards what was lost. Sum is not 0, or nothing would be lost. */
    bits += (lost > 0) == (sum > 0) ? 1 : UINT64_MAX;
    memcpy(&sum, &bits, sizeof(sum));
    return sum;
}

/* Finite and not 0. The last place of a bf16 lies 7 below its exponent, or at -133. */
static float round_once(double x)
{
    int exponent, place;
    double magnitude = fabs(x), units, rest;

    frexp(magnitude, &exponent);
    place = exponent - 1 - 7 > -133 ? exponent - 1 - 7 : -133;
    rest = modf(ldexp(magnitude, -place), &units);
    if (rest > 0.5 || (rest == 0.5 && fmod(units, 2) == 1))
        units += 1;
    return copysignf((float)ldexp(units, place), (float)x);
}

float fma_bf16_once(float a, float b, float c)
{
    double product = (double)fma_round_bf16(a) * (double)fma_round_bf16(b), third = (double)fma_round_bf16(c);
    double sum = product + third;

    if (sum != sum)
        return fma_result((float)sum);
    if (isinf(sum) || sum == 0)
        return (float)sum;
    return round_once(sum_to_odd(product, third));
}

size_t fma_rounded_twice(const float *a, const float *b, const float *c, size_t n)
{
    size_t differ = 0;

    for (size_t i = 0; i < n; i++)
        differ += fma_bits(fma_lane(FMA_BF16, a[i], b[i], c[i])) != fma_bits(fma_bf16_once(a[i], b[i], c[i]));
    return differ;
}
