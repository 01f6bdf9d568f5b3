/* The codec "randomk": places by hand, sums of payloads, what is kept and how often a place is drawn. */
#include <math.h>

#include "kernels/randomk/randomk.h"
#include "kernels/randomk/randomk_lane.h"
#include "tests/kernels/plain/codec_try.h"

static struct codec_params params(double density, double feedback, double seed)
{
    return (struct codec_params){ { density, feedback, seed } };
}

/* Seven values in three runs: 3, 2 and 2 long. A run's place is its start and so much of its length as the word is of
 * 2^32. */
static void runs_by_hand(void **state)
{
    struct randomk_runs r = randomk_runs_of(7, 3);
    static const struct {
        size_t run;
        uint32_t word;
        size_t place;
    } cases[] = { { 0, 0, 0 },          { 0, 0x55555555, 0 }, { 0, 0x55555556, 1 }, { 0, 0xffffffff, 2 }, { 1, 0, 3 },
                  { 1, 0x7fffffff, 3 }, { 1, 0x80000000, 4 }, { 2, 0, 5 },          { 2, 0xffffffff, 6 } };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_int_equal(randomk_place(r, cases[i].run, cases[i].word), cases[i].place);
    assert_int_equal(randomk_kept(0.5, 7), 4);
    assert_int_equal(randomk_kept(1e-6, 7), 1);
    assert_int_equal(randomk_kept(1, 7), 7);
}

/* Which of n values step 'step' sends: randomk.h spelled out a second time. */
static void places_of(size_t *place, size_t n, size_t k, uint64_t seed, uint64_t step)
{
    struct threefry_key key =
        threefry_key_of((uint32_t)seed, (uint32_t)(seed >> 32), (uint32_t)step, (uint32_t)(step >> 32));
    size_t start = 0;

    for (size_t j = 0; j < k; j++) {
        uint32_t x[4] = { (uint32_t)(j / 64 * 16 + j % 16), 0, 0, 0 };
        size_t length = n / k + (j < n % k);

        threefry(x, &key, 13);
        place[j] = start + (size_t)floor(x[j % 64 / 16] * 0x1p-32 * (double)length);
        start += length;
    }
}

/* Three steps of small whole numbers, whose sums are exact: payload, state and what arrives. */
static void feedback_over_steps(void **state)
{
    enum { N = 1003, K = 301 };
    const uint64_t seed = 0x123456789abc;
    float values[N], kept[N], got[N];
    size_t place[K];

    (void)state;
    TRY_EACH_ROW(im, &codec_randomk)
    {
        struct codec_try t = try_begin(&codec_randomk, im, params(0.3, 1, (double)seed), N);

        memset(kept, 0, sizeof(kept));
        for (uint64_t step = 0; step < 3; step++) {
            float want[N] = { 0 }, sent[K];

            for (size_t i = 0; i < N; i++)
                kept[i] += values[i] = (float)(int)(try_hash((uint32_t)(i + 7 * step)) % 1000);
            places_of(place, N, K, seed, step);
            for (size_t j = 0; j < K; j++) {
                want[place[j]] = sent[j] = kept[place[j]];
                kept[place[j]] = 0;
            }
            try_compress(&t, values);
            assert_int_equal(t.nbytes, 4 * K + 8);
            try_same(im->impl.name, "payload", t.payload, sent, sizeof(sent));
            try_same(im->impl.name, "step", t.payload + 4 * K, &step, 8);
            try_same(im->impl.name, "state", t.state, kept, sizeof(kept));
            assert_int_equal(t.state[4 * (N + 1)], step + 1);
            try_store(&t, got);
            try_same(im->impl.name, "values", got, want, sizeof(want));
            assert_int_equal(try_decompress(&t, got, CODEC_ADD, t.payload, t.nbytes), CODEC_OK);
            for (size_t i = 0; i < N; i++)
                assert_true(got[i] == 2 * want[i]);
        }
        try_end(&t);
    }
}

/* Two workers: the sum of their payloads is the payload of a sum. */
static void payloads_add_up(void **state)
{
    enum { N = 517, K = 52 };
    float a[N], b[N], got[N], both[N];

    (void)state;
    for (size_t i = 0; i < N; i++) {
        a[i] = (float)(int)(try_hash((uint32_t)i) % 100);
        b[i] = (float)(int)(try_hash((uint32_t)i + 1000) % 100);
    }
    TRY_EACH_ROW(im, &codec_randomk)
    for (int feedback = 0; feedback < 2; feedback++) {
        struct codec_try first = try_begin(&codec_randomk, im, params(0.1, feedback, 9), N);
        struct codec_try second = try_begin(&codec_randomk, im, params(0.1, feedback, 9), N);

        for (int step = 0; step < 3; step++) {
            float *x = (float *)(void *)first.payload;
            const float *y = (const float *)(const void *)second.payload;

            try_compress(&first, a);
            try_compress(&second, b);
            try_store(&first, both);
            assert_int_equal(try_decompress(&second, both, CODEC_ADD, second.payload, second.nbytes), CODEC_OK);
            try_same(im->impl.name, "the step", first.payload + 4 * K, second.payload + 4 * K, 8);
            for (size_t j = 0; j < K; j++)
                x[j] += y[j];
            try_store(&first, got);
            try_same(im->impl.name, "sum", got, both, sizeof(got));
        }
        try_end(&first);
        try_end(&second);
    }
}

/* Without feedback: what is sent is scaled by the length of its run, 10 or 11, and nothing is kept. */
static void without_feedback(void **state)
{
    enum { N = 1009, K = 101 };
    float values[N], got[N];
    size_t place[K];

    (void)state;
    for (size_t i = 0; i < N; i++)
        values[i] = (float)(i + 1);
    TRY_EACH_ROW(im, &codec_randomk)
    {
        struct codec_try t = try_begin(&codec_randomk, im, params(0.1, 0, 3), N);

        assert_int_equal(codec_randomk.state_size(N, &t.params), 8);
        for (uint64_t step = 0; step < 2; step++) {
            float want[N] = { 0 };

            places_of(place, N, K, 3, step);
            for (size_t j = 0; j < K; j++)
                want[place[j]] = values[place[j]] * (j < N % K ? 10 : 9);
            try_compress(&t, values);
            try_store(&t, got);
            try_same(im->impl.name, "values", got, want, sizeof(want));
        }
        try_end(&t);
    }
}

/* Each place of a run as often as the others: chi-square of 15 degrees, which exceeds 53 once in a million, of values
 * that are sent in 4096 steps; the mean of a run's places over the runs too. */
static void places_are_uniform(void **state)
{
    enum { LENGTH = 16, K = 64, N = LENGTH * K, STEPS = 4096 };
    const struct codec_impl *fastest = codec_choose(&codec_randomk, getenv("NARROWS_IMPL"), 0);
    struct codec_try t = try_begin(&codec_randomk, fastest, params(1.0 / LENGTH, 0, 5), N);
    double count[LENGTH] = { 0 }, chi = 0, want = (double)K * STEPS / LENGTH;
    float values[N], got[N];

    (void)state;
    for (size_t i = 0; i < N; i++)
        values[i] = 1;
    for (int step = 0; step < STEPS; step++) {
        try_compress(&t, values);
        try_store(&t, got);
        for (size_t i = 0; i < N; i++)
            count[i % LENGTH] += got[i] > 0;
    }
    for (size_t i = 0; i < LENGTH; i++)
        chi += (count[i] - want) * (count[i] - want) / want;
    if (!(chi < 53))
        fail_msg("chi-square of places is %.1f", chi);
    try_end(&t);
}

static void hostile(void **state)
{
    (void)state;
    try_all_hostile(&codec_randomk, params(0.1, 1, 3), 133, 2, 0);
    try_all_hostile(&codec_randomk, params(1, 0, 3), 5, 1, 0);
    try_all_hostile(&codec_randomk, params(0.5, 1, 3), 0, 1, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_by_hand),     cmocka_unit_test(feedback_over_steps), cmocka_unit_test(payloads_add_up),
        cmocka_unit_test(without_feedback), cmocka_unit_test(places_are_uniform),  cmocka_unit_test(hostile),
    };

    return try_any_row(&codec_randomk) ? cmocka_run_group_tests(tests, NULL, NULL) : impl_none_wanted();
}
