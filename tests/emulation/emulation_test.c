/* The emulation itself: what CUDA promises holds in every order, and what breaks CUDA's rules is found. */
#include "tests/emulation/emulation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/emulation/sample.h"
#include "tests/test.h"

enum { BLOCKS = 7, VALUES = BLOCKS * SAMPLE_THREADS };

static uint32_t from[VALUES], to[SAMPLE_OPERATIONS * SAMPLE_THREADS];

static void make_values(void)
{
    for (uint32_t i = 0; i < VALUES; i++)
        from[i] = i * i + 3 * i + 1;
    memset(to, 0, sizeof(to));
}

static uint32_t sum_of(unsigned block)
{
    uint32_t sum = 0;

    for (size_t i = 0; i < SAMPLE_THREADS; i++)
        sum += from[block * SAMPLE_THREADS + i];
    return sum;
}

/* Run 'test' in every order. */
static void in_every_order(void (*test)(void))
{
    for (size_t o = 0; o < EMULATION_ORDERS; o++) {
        emulation_set_order(&emulation_orders[o]);
        make_values();
        test();
        if (emulation_fault())
            fail_msg("an error in order %s", emulation_orders[o].name);
    }
    emulation_set_order(&emulation_orders[0]);
}

static void check_indices(void)
{
    sample_indices(to);
    for (uint32_t i = 0; i < 720; i++)
        assert_int_equal(to[i], i);
    assert_int_equal(to[720], 0);
}

static void check_sums(void)
{
    uint64_t both[BLOCKS] = { 0 };

    sample_sum(to, from, BLOCKS, 0);
    sample_sum_dynamic(both, from, BLOCKS);
    for (unsigned b = 0; b < BLOCKS; b++) {
        assert_int_equal(to[b], sum_of(b));
        assert_int_equal(both[b], 2 * (uint64_t)sum_of(b));
    }
    sample_turn(to, from, 0);
    for (unsigned lane = 0; lane < 32; lane++)
        assert_int_equal(to[lane], from[(lane + 1) % 32]);
}

static void check_unwritten(void)
{
    sample_unwritten(to);
    for (int i = 0; i < 4; i++)
        assert_int_equal(to[i], 0xa5a5a5a5u);
}

static void check_warp(void)
{
    const uint32_t ballot = 0x49249249u, fives = 0x42108421u;

    sample_warp(to, SAMPLE_THREADS, 32);
    for (uint32_t t = 0; t < SAMPLE_THREADS; t++) {
        const uint32_t *got = to + SAMPLE_OPERATIONS * t, lane = t % 32, base = t - lane;
        const float second = 0.5f * (float)(base + 1);
        uint32_t bits;

        memcpy(&bits, &second, sizeof(bits));
        assert_int_equal(got[0], base + 5);
        assert_int_equal(got[1], t - lane % 8 + (lane + 3) % 8);
        assert_int_equal(got[2], lane ? t - 1 : t);
        assert_int_equal(got[3], lane % 16 >= 3 ? t - 3 : t);
        assert_int_equal(got[4], lane < 31 ? t + 1 : t);
        assert_int_equal(got[5], lane % 8 < 3 ? t + 5 : t);
        assert_int_equal(got[6], t ^ 1);
        assert_int_equal(got[7], lane < 16 ? t : t - 16);
        assert_int_equal(got[8], ballot);
        assert_int_equal(got[9], 1);
        assert_int_equal(got[10], 0);
        assert_int_equal(got[11], 1);
        assert_int_equal(got[12], 0);
        assert_int_equal(got[13], fives << lane % 5);
        assert_int_equal(got[14], lane < 16 ? 0xffffu : 0xffff0000u);
        assert_int_equal(got[15], lane % 16 < 15 ? t + 1 : t);
        assert_int_equal(got[16], (uint32_t)(int)(-1.5 * (t ^ 2)));
        assert_int_equal(got[17], bits);
    }
}

/* A warp that is not full, and lanes that ended early, are not waited for. */
static void check_short_warp(void)
{
    sample_warp(to, 40, 20);
    assert_int_equal(to[8], 0x49249u);
    assert_int_equal(to[SAMPLE_OPERATIONS * 19 + 4], 0xa5a5a5a5u);
    assert_int_equal(to[SAMPLE_OPERATIONS * 32 + 8], 0x49);
    assert_int_equal(to[SAMPLE_OPERATIONS * 32 + 14], 0xff);
    assert_int_equal(to[SAMPLE_OPERATIONS * 20 + 8], 0);
}

static void check_atomics(void)
{
    const uint64_t n = VALUES;
    uint64_t got[10] = { 0, 0, ~0ull, 0, ~0ull }, all = 0;

    sample_atomics(got, BLOCKS);
    for (uint64_t i = 0; i < n; i++)
        all ^= i;
    assert_int_equal(got[0], n * (n - 1) / 2);
    assert_int_equal(got[1], n - 1);
    assert_int_equal(got[2], 1000 - (n - 1));
    assert_true(got[3] == ~0ull);
    assert_true(got[4] == ~0xffffull);
    assert_int_equal(got[5], all);
    assert_int_equal(got[6], 7);
    assert_int_equal(got[7], 9);
    assert_int_equal(got[8], 2 * n);
}

static void check_votes(void)
{
    static const unsigned limits[] = { 0, 1, 40, SAMPLE_THREADS };

    for (size_t i = 0; i < 4; i++) {
        sample_votes(to, limits[i]);
        for (size_t t = 0; t < SAMPLE_THREADS; t++) {
            assert_int_equal(to[3 * t], limits[i]);
            assert_int_equal(to[3 * t + 1], limits[i] > 0);
            assert_int_equal(to[3 * t + 2], limits[i] == SAMPLE_THREADS);
        }
    }
}

static void check_chain(void)
{
    uint64_t sums[BLOCKS] = { 0 };
    uint32_t ticket = 0;

    sample_chain(sums, &ticket, BLOCKS);
    for (uint64_t b = 0; b < BLOCKS; b++)
        assert_int_equal(sums[b], 1 + b * (b + 1) / 2);
}

static void check_bits(void)
{
    static const uint32_t want[] = {
        0xf7c41100u, 0xff00ffffu, 0x23456789u, 0x6789abcdu, 0x40000001u, 4003132u, 2,   0x7fffffffu,
        0x80000000u, 0,           0,           0xffffffffu, 3,           9,        110, 0x3f800000u,
    };

    sample_bits(to);
    for (size_t i = 0; i < sizeof(want) / sizeof(*want); i++)
        if (to[i] != want[i])
            fail_msg("operation %zu: 0x%x, not 0x%x", i, to[i], want[i]);
}

#define IN_EVERY_ORDER(name)          \
    static void name(void **state)    \
    {                                 \
        (void)state;                  \
        in_every_order(check_##name); \
    }
IN_EVERY_ORDER(indices)
IN_EVERY_ORDER(sums)
IN_EVERY_ORDER(unwritten)
IN_EVERY_ORDER(warp)
IN_EVERY_ORDER(short_warp)
IN_EVERY_ORDER(atomics)
IN_EVERY_ORDER(votes)
IN_EVERY_ORDER(chain)
IN_EVERY_ORDER(bits)

/* In some order the result is wrong. */
static void missing_barriers_show(void **state)
{
    int wrong_sums = 0, wrong_turns = 0;

    (void)state;
    for (size_t o = 0; o < EMULATION_ORDERS; o++) {
        bool wrong = 0;

        emulation_set_order(&emulation_orders[o]);
        make_values();
        sample_sum(to, from, 1, 1);
        wrong_sums += to[0] != sum_of(0);
        sample_turn(to, from, 1);
        for (unsigned lane = 0; lane < 32 && !wrong; lane++)
            wrong = to[lane] != from[(lane + 1) % 32];
        wrong_turns += wrong;
    }
    assert_true(wrong_sums >= 2);
    assert_int_equal(wrong_turns, EMULATION_ORDERS);
    assert_null(emulation_fault());
}

static void found(const char *what)
{
    const char *error = emulation_fault();

    if (!error || !strstr(error, what))
        fail_msg("wanted an error about '%s', got: %s", what, error ? error : "none");
    assert_int_equal(emulation_error(), 1);
    assert_int_equal(emulation_error(), 0);
}

static void faults_are_found(void **state)
{
    (void)state;
    for (size_t o = 0; o < EMULATION_ORDERS; o++) {
        emulation_set_order(&emulation_orders[o]);
        make_values();
        sample_two_barriers(to);
        found("different barriers");
        sample_barrier_against_warp(to);
        found("deadlock");
        sample_unlike_functions(to);
        found("deadlock");
        sample_foreign_mask(to);
        found("not in the mask");
        sample_launch(to, 0, 32, 0);
        found("no device takes");
        sample_launch(to, 1, 1025, 0);
        found("no device takes");
        sample_launch(to, 1, 16, (48 << 10) + 1);
        found("no device takes");
        /* and the next kernel is as good as ever */
        check_sums();
        check_warp();
        assert_null(emulation_fault());
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(indices),
        cmocka_unit_test(sums),
        cmocka_unit_test(unwritten),
        cmocka_unit_test(warp),
        cmocka_unit_test(short_warp),
        cmocka_unit_test(atomics),
        cmocka_unit_test(votes),
        cmocka_unit_test(chain),
        cmocka_unit_test(bits),
        cmocka_unit_test(missing_barriers_show),
        cmocka_unit_test(faults_are_found),
    };

    emulation_keep_faults();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
