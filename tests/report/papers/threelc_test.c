/* What the report says of 3LC's training runs, of made-up ones: its cells by hand, and each claim that holds there
 * fails when what it rests on is otherwise. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/store/store.h"
#include "tests/report/papers/claims.h"
#include "tests/report/papers/threelc.h"
#include "tests/report/rows.h"
#include "tests/sanitized.h"
#include "tests/store/support.h"
#include "tests/test.h"

enum { CLAIMS = 17 };

static const char *const trained[] = { "3lc/training-runs",
                                       "3lc/accuracy",
                                       "3lc/accuracy-notes",
                                       "3lc/figures-4-6",
                                       "3lc/speedup-trained",
                                       "3lc/table-2",
                                       "threelc_claim_part",
                                       "threelc_derived",
                                       "3lc-accuracy/data",
                                       "3lc-fig4/data",
                                       "3lc-fig5/data",
                                       "3lc-fig6/data",
                                       "3lc-fig8/data",
                                       "3lc-fig7-loss/data",
                                       "3lc-fig7-accuracy/data",
                                       "3lc-fig9/data",
                                       "3lc/trained/title",
                                       "3lc/trained/caption",
                                       NULL };

static struct store *open_with(const struct threelc_trained *how)
{
    struct store *s = NULL;

    assert_int_equal(store_open(support_path("n.db"), &s), 0);
    if (how)
        threelc_trained(s, how);
    return s;
}

static void again(void **state, struct store *s)
{
    store_close(s);
    support_teardown(state);
    support_setup(state);
}

/* Seeds lie half a point apart, so that a deviation is 0.5, and two standard errors of a difference are 2 * 0.5 *
 * sqrt(2 / 3) = 0.816497. */
static void cells_are_as_computed_by_hand(void **state)
{
    static const struct {
        const char *sql, *want;
    } cases[] = {
        { "SELECT row_label, column_label, published, ours, half, n, kind FROM \"3lc/accuracy\" WHERE place IN (1,"
          " 3, 8)",
          "32-bit float|Accuracy|93.37|80|0.5|3|scaled\n32-bit float|Place|3|1|-|-|-\n"
          "Stoch 3-value + QE|Accuracy|92.06|70|0.5|3|scaled\nStoch 3-value +"
          " QE|Difference|-1.31|-10|0.816497|-|scaled\n"
          "Stoch 3-value + QE|Place|11|11|-|-|-\n"
          "3LC (s=1.00)|Accuracy|93.32|79.875|0.5|3|scaled\n3LC (s=1.00)|Difference|-0.05|-0.125|0.816497|-|scaled\n"
          "3LC (s=1.00)|Place|5|2|-|-|-\n" },
        { "SELECT * FROM \"3lc/accuracy-notes\"",
          "More than two standard errors from 32-bit float: Stoch 3-value + QE (-10.0, paper -1.31); 2 local steps"
          " (-5.0, paper -0.34);"
          " 5% sparsification (-4.0, paper -0.50); 3LC (s=1.90) (-3.0, paper -0.27); MQE 1-bit int (-2.0, paper -0.16);"
          " 25% sparsification (-1.0, paper +0.03).\n"
          /* places 3 4 11 7 2 10 9 5 6 1 8 against 1 3 11 7 6 9 10 2 4 5 8: squares add up to 52 */
          "Rank correlation with the paper's order: 0.76 (1: the same order).\n"
          "Stoch 3-value + QE: no error feedback keeps what its pulls lose, so the workers' models drift away from the"
          " server's, which"
          " is tested. The last training loss, the workers', is 0.78 (32-bit float: 0.53); the server's on the tests"
          " is 1.00.\n" },
        { "SELECT row_label, column_label, published, ours, round(half, 9), n, kind FROM \"3lc/table-2\" WHERE place"
          " IN (1, 2, 5)",
          "No ZRE|compression ratio (x)|20|20|-|-|scaled\nNo ZRE|bits a value|1.6|1.6|-|-|scaled\n"
          "s=1.00|compression ratio (x)|39.4|40|0|3|scaled\ns=1.00|bits a value|0.812|0.8|0|3|scaled\n"
          "s=1.90|compression ratio (x)|160|128|0|3|scaled\ns=1.90|bits a value|0.2|0.25|0|3|scaled\n" },
        { "SELECT * FROM \"3lc/figures-4-6\" WHERE design IN ('32-bit float', '3LC (s=1.90)')",
          "32-bit float|43.75|0.353553|55.75|0.353553|67.75|0.353553|80|0.5\n"
          "3LC (s=1.90)|22.75|0.353553|40.75|0.353553|58.75|0.353553|77|0.5\n" },
        { "SELECT row_label, column_label, published, ours FROM \"3lc/speedup-trained\" WHERE row_label IN ('8-bit"
          " int', '3LC (s=1.00)')",
          /* 32.5, 4.5 and 1 s a step against 0.5 + 9, + 9 / 8, + 9 / 64; and 2, 2 / 8, 2 / 64 */
          "8-bit int|10 Mbit/s|3.62|3.42105\n8-bit int|100 Mbit/s|3.47|2.76923\n8-bit int|1 Gbit/s|1.51|1.56098\n"
          "3LC (s=1.00)|10 Mbit/s|15.9|13\n3LC (s=1.00)|100 Mbit/s|7.97|6\n3LC (s=1.00)|1 Gbit/s|1.53|1.88235\n" },
        { "SELECT place, outcome, n FROM claim WHERE paper = '3lc' AND place IN (1, 2, 7, 8, 10, 12, 17)",
          "1|-0.13 ± 0.00|3\n2|s=1.50: -0.38 ± 0.00; s=1.75: -0.50 ± 0.00|3\n"
          "7|-8.88 ± 0.00|2\n8|Stoch 3-value + QE: +0.219 ± 0.000; 5% sparsification: +0.219 ± 0.000; 2 local steps:"
          " +0.344 ± 0.000|3\n"
          "10|s=1.00: +20.0 ± 0.0 (paper +19.4); s=1.50: +24.0 ± 0.0 (paper +31.5); s=1.75: +21.3 ± 0.0 (paper +36.1);"
          " s=1.90: +42.7 ± 0.0 (paper +53.0)|2\n"
          "12|4 losses, 0 of them differ|2\n17|s=1.00: 16.0 (paper 15.9); s=1.50: 20.0 (paper 20.9); s=1.90: 22.9"
          " (paper 22.8)|1\n" },
    };
    struct store *s = open_with(&(struct threelc_trained){ 0 });

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
        rows_expect(s, cases[i].sql, cases[i].want);
    store_close(s);
}

static void a_quick_look_says_nothing_of_the_paper(void **state)
{
    struct store *s = open_with(NULL);

    rows_expect_none(s, trained);
    again(state, s);
    s = open_with(&(struct threelc_trained){ .quick = true });
    rows_expect_none(s, trained);
    store_close(s);
}

static void claims_depend_on_what_was_trained(void **state)
{
    static const struct {
        const char *why;
        struct threelc_trained how;
        int failing[CLAIMS + 1];
        const char *instead;
    } cases[] = {
        { "nothing else", { 0 }, { 0 }, "" },
        { "s=1.00 less accurate", { .variant = "3LC (s=1.00)", .accuracy = -2 }, { 1 }, "does not hold" },
        { "s=1.00 more accurate", { .variant = "3LC (s=1.00)", .accuracy = 2 }, { 0 }, "" },
        { "s=1.75 less accurate", { .variant = "3LC (s=1.75)", .accuracy = -2 }, { 2 }, "does not hold" },
        { "s=1.90 as accurate", { .variant = "3LC (s=1.90)", .accuracy = 3 }, { 3 }, "does not hold" },
        { "stochastic as accurate", { .variant = "Stoch 3-value + QE", .accuracy = 10 }, { 4, 5 }, "does not hold" },
        { "stochastic above one other", { .variant = "5% sparsification", .accuracy = -6.5 }, { 5 }, "does not hold" },
        { "local steps as accurate", { .variant = "2 local steps", .accuracy = 5.25 }, { 6 }, "does not hold" },
        { "s=1.00 loses", { .variant = "3LC (s=1.00)", .loss = 0.5 }, { 8 }, "does not hold" },
        { "s=1.00 sends more", { .variant = "3LC (s=1.00)", .bits = 0.4 }, { 9, 11, 16 }, "does not hold" },
        { "s=1.75 sends more", { .variant = "3LC (s=1.75)", .bits = 0.2 }, { 10, 16 }, "does not hold" },
        { "a loss is another", { .lossy = true }, { 12 }, "does not hold" },
        { "pushes grow sooner", { .overtake = 0.25 }, { 13 }, "does not hold" },
        { "pushes never grow", { .overtake = 1 }, { 14 }, "does not hold" },
        { "another is faster", { .variant = "8-bit int", .seconds = -8.75 }, { 15 }, "does not hold" },
        { "one seed", { .one_seed = true }, { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15, 16 }, "not run" },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i += SANITIZED ? 5 : 1) {
        struct store *s = open_with(&cases[i].how);

        claims_view_expect(s, "3lc", "small", cases[i].why, CLAIMS, cases[i].failing, cases[i].instead);
        again(state, s);
    }
}

/* A claim of several parts is not tested where one of them was not trained. */
static void claims_need_all_their_parts(void **state)
{
    struct store *s = open_with(&(struct threelc_trained){ 0 });

    (void)state;
    support_exec(s, "UPDATE run_point SET variant = 'another' WHERE variant = '25% sparsification'");
    claims_view_expect(s, "3lc", "small", "no 25% sparsification", CLAIMS, (const int[]){ 5, 0 }, "not run");
    support_exec(s, "UPDATE run_point SET variant = 'another' WHERE variant IN ('3LC (s=1.75)', 'Stoch 3-value + QE')");
    claims_view_expect(s, "3lc", "small", "nor s=1.75", CLAIMS, (const int[]){ 2, 4, 5, 7, 8, 10, 13, 14, 16, 0 },
                       "not run");
    store_close(s);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, support_setup, support_teardown)
    const struct CMUnitTest tests[] = { TEST(cells_are_as_computed_by_hand),
                                        TEST(a_quick_look_says_nothing_of_the_paper),
                                        TEST(claims_depend_on_what_was_trained), TEST(claims_need_all_their_parts) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
