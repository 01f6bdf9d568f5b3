/* The codec "stoch3": the statistics of what is drawn, over the fastest row, as all rows have the same bits. Seeds are
 * fixed, so that a statistic that passes once passes always; bounds are those that a good generator exceeds once in a
 * million. */
#include <math.h>

#include "kernels/stochastic3/stochastic3.h"
#include "kernels/stochastic3/stochastic3_lane.h"
#include "tests/kernels/libomp_leak.h"
#include "tests/kernels/plain/codec_try.h"

static struct codec_params seed(double value)
{
    return (struct codec_params){ { value } };
}

enum { MANY = 1 << 18, STEPS = 64 };

static const struct codec_impl *fastest(void)
{
    TRY_EACH_ROW(im, &codec_stochastic3)
    return im;
    return NULL;
}

/* The mean over steps is the value: for a ladder of 16 shares, each over 2^18 / 16 values and 64 steps. */
static void unbiased(void **state)
{
    struct codec_try t = try_begin(&codec_stochastic3, fastest(), seed(7), MANY);
    float *values = malloc(4 * MANY), *got = malloc(4 * MANY);
    double sum[16] = { 0 }, square = 0;

    (void)state;
    assert_true(values && got);
    for (size_t i = 0; i < MANY; i++)
        values[i] = (float)(i % 2 ? -1.0 : 1.0) * 4.0f * (float)(i / 2 % 16) / 15.0f;
    for (int step = 0; step < STEPS; step++) {
        try_compress(&t, values);
        try_store(&t, got);
        for (size_t i = 0; i < MANY; i++)
            sum[i / 2 % 16] += (double)(i % 2 ? -got[i] : got[i]);
    }
    for (size_t k = 0; k < 16; k++) {
        double draws = (double)MANY / 16 * STEPS, share = (double)k / 15;
        double off = sum[k] / draws / 4 - share, deviation = sqrt(share * (1 - share) / draws) + 1e-6;

        square += off * off / deviation / deviation;
        if (fabs(off) > 4.9 * deviation)
            fail_msg("share %.3f is drawn %.6f too often, %.1f deviations", share, off, off / deviation);
    }
    assert_true(square < 60); /* chi-square of 14 degrees, one in a million is 53; two shares cannot miss */
    free(values);
    free(got);
    try_end(&t);
}

/* Shares far below 2^-16, which a comparison of 16 bits would never send: 2^-20 of 2^18 values in 2048 steps is 512. */
static void small_shares(void **state)
{
    struct codec_try t = try_begin(&codec_stochastic3, fastest(), seed(8), MANY);
    float *values = malloc(4 * MANY);
    long sent = 0;

    (void)state;
    assert_non_null(values);
    for (size_t i = 0; i < MANY; i++)
        values[i] = 0x1p-20f;
    values[0] = 1; /* M; its byte is not counted */
    for (int step = 0; step < 2048; step++) {
        try_compress(&t, values);
        for (size_t j = 1; j < stochastic3_bytes(MANY); j++)
            for (int k = 0; t.payload[j] != 121 && k < 5; k++)
                sent += stochastic3_digit(t.payload[j], k) == 2;
    }
    if (labs(sent - 512) > 5 * 23)
        fail_msg("%ld are sent, want 512 or so", sent);
    free(values);
    try_end(&t);
}

/* Bytes of independent trits, a third each: chi-square over the 243, of all steps together. */
static void chi_square_of_bytes(void **state)
{
    size_t n = 5 * 52427;
    struct codec_try t = try_begin(&codec_stochastic3, fastest(), seed(9), n);
    float *values = malloc(4 * n);
    double count[243] = { 0 }, draws = 0, chi = 0;

    (void)state;
    assert_non_null(values);
    for (int step = 0; step < STEPS; step++) {
        for (size_t i = 0; i < n; i++)
            values[i] = (i + (size_t)step) % 2 ? 1 : -1;
        for (size_t i = 0; i < n; i++)
            values[i] *= i ? 2.0f / 3 : 1; /* a third are 0, a third each of the signs over the steps */
        try_compress(&t, values);
        for (size_t j = 1; j < n / 5; j++, draws++)
            count[t.payload[j]]++;
    }
    /* n / 5 is odd, so that the five values of a byte have signs that alternate: eight patterns of each kind. */
    for (int byte = 0; byte < 243; byte++) {
        double want[2] = { 1, 1 };

        for (int k = 0; k < 5; k++)
            for (int s = 0; s < 2; s++) {
                int digit = stochastic3_digit(byte, k), sign = (k + s) % 2 ? 2 : 0;

                want[s] *= digit == 1 ? 1.0 / 3 : digit == sign ? 2.0 / 3 : 0;
            }
        want[0] = (want[0] + want[1]) / 2 * draws;
        if (want[0] > 0)
            chi += (count[byte] - want[0]) * (count[byte] - want[0]) / want[0];
        else
            assert_true(count[byte] == 0);
    }
    if (!(chi > 15 && chi < 125)) /* 2 * 32 - 1 kinds of bytes less one: 62 degrees, one in a million on either side */
        fail_msg("chi-square of bytes is %.1f, want 62 or so", chi);
    free(values);
    try_end(&t);
}

/* Decisions of values at some distance, and of one value in two steps, and under two seeds: correlation of +-1 values.
 * The distance 16 is that of two values that share a word. */
static void no_correlation(void **state)
{
    static const size_t distance[] = { 1, 2, 3, 4, 5, 8, 15, 16, 17, 31, 32, 64, 96, 127, 128, 129, 512, MANY / 5 + 1 };
    enum { NDISTANCES = sizeof(distance) / sizeof(*distance) };
    struct codec_try t = try_begin(&codec_stochastic3, fastest(), seed(10), MANY);
    struct codec_try other = try_begin(&codec_stochastic3, fastest(), seed(11), MANY);
    float *values = malloc(4 * MANY), *now = malloc(4 * MANY), *last = malloc(4 * MANY), *reseeded = malloc(4 * MANY);
    double product[NDISTANCES] = { 0 }, pairs[NDISTANCES] = { 0 }, steps = 0, seeds = 0;

    (void)state;
    assert_true(values && now && last && reseeded);
    for (size_t i = 0; i < MANY; i++)
        values[i] = 1;
    values[MANY - 1] = 2;
    for (int step = 0; step < STEPS; step++) {
        float *swap = last;

        last = now;
        now = swap;
        try_compress(&t, values);
        try_store(&t, now);
        try_compress(&other, values);
        try_store(&other, reseeded);
        for (size_t d = 0; d < NDISTANCES; d++)
            for (size_t i = 0; i + distance[d] < MANY - 1; i++, pairs[d]++)
                product[d] += (double)((now[i] - 1) * (now[i + distance[d]] - 1));
        for (size_t i = 0; i < MANY - 1; i++) {
            steps += step ? (double)((now[i] - 1) * (last[i] - 1)) : 0;
            seeds += (double)((now[i] - 1) * (reseeded[i] - 1));
        }
    }
    for (size_t d = 0; d < NDISTANCES; d++)
        if (fabs(product[d]) > 5 * sqrt(pairs[d]) + pairs[d] * 0x1p-15)
            fail_msg("values %zu apart are correlated: %g in %g pairs", distance[d], product[d], pairs[d]);
    assert_true(fabs(steps) < 5 * sqrt((double)MANY * (STEPS - 1)));
    assert_true(fabs(seeds) < 5 * sqrt((double)MANY * STEPS));
    free(values);
    free(now);
    free(last);
    free(reseeded);
    try_end(&t);
    try_end(&other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unbiased),
        cmocka_unit_test(small_shares),
        cmocka_unit_test(chi_square_of_bytes),
        cmocka_unit_test(no_correlation),
    };

    return try_any_row(&codec_stochastic3) ? cmocka_run_group_tests(tests, NULL, NULL) : impl_none_wanted();
}
