/* Products and sums of short vectors against their definition, to the bit: all lengths and numbers of vectors around
 * those that are worked on at a time. And the exponential of exp_lane.h against the library's. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/test.h"
#include "train/ops/dot_lane.h"
#include "train/ops/exp_lane.h"
#include "train/ops/vectors.h"

enum { MOST_LENGTH = 75, MOST_COUNT = 11, GAP = 3, MOST_WSTRIDE = 4 };
static const float untouched = 12345.75f;

static float x[MOST_LENGTH], rows[MOST_COUNT * (MOST_LENGTH + GAP) + 1], w[MOST_COUNT * MOST_WSTRIDE];

/* Sums of such differ in their last bits with the order. */
static void fill(float *v, size_t n, uint64_t state)
{
    for (size_t i = 0; i < n; i++) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        v[i] = (float)((double)(state >> 32) / 2147483648.0 - 1);
    }
}

static void check_products(int64_t stride, int64_t count, int64_t n)
{
    float y[MOST_COUNT + 1];

    for (int64_t j = 0; j <= MOST_COUNT; j++)
        y[j] = untouched;
    vectors_products(x, rows + 1, stride, count, n, y);
    for (int64_t j = 0; j <= MOST_COUNT; j++) {
        float want = j < count ? dot_lane(x, rows + 1 + j * stride, n) : untouched;

        if (memcmp(&y[j], &want, sizeof(want)) != 0)
            fail_msg("product %lld of %lld, %lld values: %.9g, not %.9g", (long long)j, (long long)count, (long long)n,
                     (double)y[j], (double)want);
    }
}

static void check_sum(int64_t wstride, int64_t stride, int64_t count, int64_t n)
{
    float y[MOST_LENGTH + 1], want[MOST_LENGTH + 1];

    fill(y, MOST_LENGTH + 1, 9);
    memcpy(want, y, sizeof(want));
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < count; j++)
            want[i] += w[j * wstride] * rows[1 + j * stride + i];
    vectors_sum(w, wstride, rows + 1, stride, count, n, y);
    for (int64_t i = 0; i <= MOST_LENGTH; i++)
        if (memcmp(&y[i], &want[i], sizeof(float)) != 0)
            fail_msg("value %lld of %lld of a sum of %lld: %.9g, not %.9g", (long long)i, (long long)n,
                     (long long)count, (double)y[i], (double)want[i]);
}

static void as_defined(void **state)
{
    (void)state;
    fill(x, MOST_LENGTH, 1);
    fill(rows, sizeof(rows) / sizeof(*rows), 2);
    fill(w, sizeof(w) / sizeof(*w), 3);
    for (int64_t n = 0; n < MOST_LENGTH; n++)
        for (int64_t count = 0; count < MOST_COUNT; count++) {
            check_products(n + count % (GAP + 1), count, n);
            check_sum(1 + n % MOST_WSTRIDE, n + count % (GAP + 1), count, n);
        }
}

static void exponentials(void **state)
{
    (void)state;
    for (uint32_t bits = 0x80000000u; bits <= 0xc2ae0000u; bits += 977) { /* -0 to -87 */
        float at, got;
        double want;

        memcpy(&at, &bits, sizeof(at));
        got = exp_lane(at);
        want = exp((double)at);
        if (!(fabs((double)got - want) <= want * 0x1p-23 * 0.708)) /* 2^-23.5 */
            fail_msg("e^%.9g: %.9g, not %.9g", (double)at, (double)got, want);
    }
    assert_true(exp_lane(0) == 1 && exp_lane(-0.0f) == 1);
    assert_true(exp_lane(-87.001f) == 0 && exp_lane(-1e30f) == 0 && exp_lane(-INFINITY) == 0);
    assert_true(isnan(exp_lane(NAN)));
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(as_defined), cmocka_unit_test(exponentials) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
