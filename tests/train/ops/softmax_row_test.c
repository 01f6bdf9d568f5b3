/* The softmax of rows of every length against the C library's exponentials and sums in double. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "tests/test.h"
#include "train/ops/softmax_row.h"

enum { LONGEST = 70 };

static float value(int64_t i)
{
    return (float)((i * 7919 + 13) % 101) / 7 - 5;
}

/* Every length; from x, and in its place; a word behind the end stays. */
static void rows(void **state)
{
    static const float factors[] = { 1, 0.25f, 8 };

    (void)state;
    for (int64_t n = 1; n <= LONGEST; n++)
        for (int f = 0; f < 3; f++) {
            float x[LONGEST], y[LONGEST + 1], place[LONGEST];
            double sum = 0, most = -HUGE_VAL;

            for (int64_t i = 0; i < n; i++) {
                x[i] = place[i] = value(i + n);
                most = fmax(most, (double)x[i]);
            }
            for (int64_t i = 0; i < n; i++)
                sum += exp(((double)x[i] - most) * (double)factors[f]);
            y[n] = 7;
            softmax_row(n, x, factors[f], y);
            softmax_row(n, place, factors[f], place);
            assert_true(y[n] == 7);
            assert_memory_equal(y, place, (size_t)n * sizeof(*y));
            for (int64_t i = 0; i < n; i++) {
                double exponent = ((double)x[i] - most) * (double)factors[f], want = exp(exponent) / sum;

                /* What fp32 makes of the exponent is off by its size times 2^-24. */
                if (!(fabs((double)y[i] - want) <= (3e-7 - 1.2e-7 * exponent) * want + 1e-37))
                    fail_msg("%lld values, factor %g: value %lld is %.9g, not %.9g", (long long)n, (double)factors[f],
                             (long long)i, (double)y[i], want);
            }
        }
}

/* Differences that e^x alone could not hold; and what is no number, wherever it stands. */
static void extremes(void **state)
{
    float x[LONGEST];

    (void)state;
    for (int64_t i = 0; i < 40; i++)
        x[i] = i == 17 ? 1e30f : i % 2 ? -HUGE_VALF : -1e30f;
    softmax_row(40, x, 1, x);
    for (int64_t i = 0; i < 40; i++)
        assert_true(x[i] == (float)(i == 17));
    for (int64_t at = 0; at < 40; at++) {
        for (int64_t i = 0; i < 40; i++)
            x[i] = i == at ? NAN : (float)i;
        softmax_row(40, x, 1, x);
        for (int64_t i = 0; i < 40; i++)
            assert_true(isnan(x[i]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows),
        cmocka_unit_test(extremes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
