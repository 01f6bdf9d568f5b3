/* What the report says of 3LC's trainings, of made-up ones: texts to the byte, and each claim that holds there fails when what it rests on
 * is otherwise. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/report/threelc_training.h"
#include "harness/store/store.h"
#include "tests/report/claims_said.h"
#include "tests/report/golden.h"
#include "tests/report/threelc_trained.h"
#include "tests/sanitized.h"
#include "tests/store/support.h"

enum { CLAIMS = 15 };

static char *print(const struct threelc_trained *how)
{
    static int (*const sections[])(struct sqlite3 *, FILE *) = { threelc_trained_accuracy, threelc_trained_bits,
                                                                 threelc_trained_convergence, threelc_trained_speedup,
                                                                 threelc_trained_claims };
    struct store *s = NULL;
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    assert_non_null(out);
    assert_int_equal(store_open(support_path("n.db"), &s), 0);
    if (how)
        threelc_trained(s, how);
    for (size_t i = 0; i < sizeof(sections) / sizeof(*sections); i++)
        assert_int_equal(sections[i](store_handle(s), out), 0);
    fclose(out);
    store_close(s);
    return text;
}

static void again(void **state)
{
    support_teardown(state);
    support_setup(state);
}

static void texts_are_golden(void **state)
{
    char *text = print(&(struct threelc_trained){ 0 });

    golden_expect("3lc-trained.txt", text);
    free(text);
    again(state);
    text = print(&(struct threelc_trained){ .quick = true });
    golden_expect("3lc-trained-quick.txt", text);
    free(text);
    again(state);
    text = print(NULL);
    assert_string_equal(text, "");
    free(text);
}

static void claims_depend_on_what_was_trained(void **state)
{
    static const struct {
        const char *why;
        struct threelc_trained how;
        int failing[CLAIMS + 1];
        char instead;
    } cases[] = {
        { "nothing else", { 0 }, { 0 }, 'D' },
        { "s=1.00 less accurate", { .variant = "3LC (s=1.00)", .accuracy = -2 }, { 1 }, 'D' },
        { "s=1.00 more accurate", { .variant = "3LC (s=1.00)", .accuracy = 2 }, { 1 }, 'D' },
        { "s=1.75 less accurate", { .variant = "3LC (s=1.75)", .accuracy = -2 }, { 2 }, 'D' },
        { "s=1.90 as accurate", { .variant = "3LC (s=1.90)", .accuracy = 2.5 }, { 3 }, 'D' },
        { "stochastic as accurate", { .variant = "Stoch 3-value + QE", .accuracy = 9.25 }, { 4, 5 }, 'D' },
        { "stochastic above one other", { .variant = "5% sparsification", .accuracy = -6.5 }, { 5 }, 'D' },
        { "local steps as accurate", { .variant = "2 local steps", .accuracy = 4.75 }, { 6 }, 'D' },
        { "s=1.00 loses", { .variant = "3LC (s=1.00)", .loss = 0.5 }, { 8 }, 'D' },
        { "s=1.00 sends more", { .variant = "3LC (s=1.00)", .bits = 0.4 }, { 9, 11 }, 'D' },
        { "s=1.75 sends more", { .variant = "3LC (s=1.75)", .bits = 0.2 }, { 10 }, 'D' },
        { "a loss is another", { .lossy = true }, { 12 }, 'D' },
        { "pushes grow sooner", { .overtake = 0.25 }, { 13 }, 'D' },
        { "pushes never grow", { .overtake = 1 }, { 14 }, 'D' },
        { "another is faster", { .variant = "8-bit int", .seconds = -8.75 }, { 15 }, 'D' },
        { "one seed", { .one_seed = true }, { 1, 2, 3, 4, 5, 6, 7 }, 'O' },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i += SANITIZED ? 5 : 1) {
        char *text = print(&cases[i].how);

        claims_expect(text, cases[i].why, CLAIMS, cases[i].failing, cases[i].instead);
        free(text);
        again(state);
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, support_setup, support_teardown)
    const struct CMUnitTest tests[] = { TEST(texts_are_golden), TEST(claims_depend_on_what_was_trained) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
