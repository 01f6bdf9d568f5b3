#include "train/data/plain_math.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

static const double ln2 = 0.693147180559945309417;

static double double_of(uint64_t bits)
{
    double x;

    memcpy(&x, &bits, sizeof(x));
    return x;
}

/* 2^whole x e^z with |z| <= ln(2) / 2: the first term left out of the series is below 1e-17. */
double plain_exp2(double x)
{
    static const double over[] = { 1.0 / 1, 1.0 / 2, 1.0 / 3,  1.0 / 4,  1.0 / 5,  1.0 / 6,  1.0 / 7,
                                   1.0 / 8, 1.0 / 9, 1.0 / 10, 1.0 / 11, 1.0 / 12, 1.0 / 13, 1.0 / 14 };
    int whole = (int)(x < 0 ? x - 0.5 : x + 0.5);
    double z = (x - whole) * ln2, sum = 1;

    assert(x >= -1000 && x <= 1000);
    for (int i = 14; i > 0; i--)
        sum = 1 + sum * (z * over[i - 1]);
    return sum * double_of((uint64_t)(whole + 1023) << 52);
}

/* ln m = 2 atanh((m - 1) / (m + 1)) for a mantissa in sqrt(1/2) .. sqrt(2): its series in s <= 0.172 to s^21. */
double plain_log2(double x)
{
    uint64_t bits;
    double m, s, sum = 0;
    int exponent;

    memcpy(&bits, &x, sizeof(bits));
    exponent = (int)(bits >> 52) - 1023;
    assert(exponent > -1023 && exponent < 1024);
    m = double_of((bits & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1023) << 52);
    if (m > 1.4142135623730951) {
        m /= 2;
        exponent++;
    }
    s = (m - 1) / (m + 1);
    for (int i = 21; i > 0; i -= 2)
        sum = sum * s * s + 1.0 / i;
    return exponent + 2 * s * sum / ln2;
}

double plain_logistic(double x)
{
    double bounded = x < -600 ? -600 : x > 600 ? 600 : x;

    return 1 / (1 + plain_exp2(-bounded / ln2));
}
