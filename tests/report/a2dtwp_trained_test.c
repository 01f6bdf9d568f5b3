/* What the report says of A2DTWP's trainings, of made-up ones: texts to the byte, and claims that hold there fail when what they rest on is
 * otherwise. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/report/a2dtwp.h"
#include "harness/report/report.h"
#include "harness/store/store.h"
#include "tests/report/a2dtwp_trained.h"
#include "tests/report/golden.h"
#include "tests/sanitized.h"
#include "tests/store/support.h"

enum { CLAIMS = 7 };

static char *print(const struct a2dtwp_trained *how, bool claims_alone)
{
    static int (*const sections[])(struct sqlite3 *, FILE *) = { a2dtwp_trained_gains, a2dtwp_trained_policies,
                                                                 a2dtwp_trained_epochs, a2dtwp_trained_claims };
    struct store *s = NULL;
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    assert_non_null(out);
    assert_int_equal(store_open(support_path("n.db"), &s), 0);
    if (how)
        a2dtwp_trained(s, how);
    for (size_t i = claims_alone ? 3 : 0; i < sizeof(sections) / sizeof(*sections); i++)
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
    char *text = print(&(struct a2dtwp_trained){ 0 }, false);

    golden_expect("a2dtwp-trained.txt", text);
    free(text);
    again(state);
    text = print(&(struct a2dtwp_trained){ .quick = true }, false);
    golden_expect("a2dtwp-trained-quick.txt", text);
    free(text);
    again(state);
    text = print(NULL, false);
    assert_string_equal(text, "");
    free(text);
}

/* Of each claim in turn: 'h'olds, or does 'n'ot. */
static void verdicts(const char *text, char out[CLAIMS + 1])
{
    size_t n = 0;

    for (const char *at = text; (at = strchr(at, ':')) && n < CLAIMS; at++) {
        if (!strncmp(at, ": holds.", 8) || !strncmp(at, ":\nholds.", 8))
            out[n++] = 'h';
        else if (!strncmp(at, ": does", 6) || !strncmp(at, ":\ndoes", 6))
            out[n++] = 'n';
    }
    out[n] = '\0';
}

static void claims_are_held_to_results(void **state)
{
    static const struct {
        const char *why;
        struct a2dtwp_trained how;
        const char *want;
    } cases[] = {
        { "as made up", { 0 }, "nhhhhhh" },
        { "no worse than the baseline", { .farther = -1 }, "hhhhhhn" },
        { "one never gets there", { .never = true }, "hnnnnnn" },
        { "three times the bytes and the time", { .dearer = 2 }, "nnnnhnh" },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i += SANITIZED ? 2 : 1) {
        char *text = print(&cases[i].how, true), got[CLAIMS + 1];

        verdicts(text, got);
        if (strcmp(got, cases[i].want))
            fail_msg("%s: %s, not %s\n%s", cases[i].why, got, cases[i].want, text);
        free(text);
        again(state);
    }
}

static void figures_say_what_they_show(void **state)
{
    static const struct {
        const char *name, *says[6];
    } figures[] = {
        { "a2dtwp-trained.svg", { ">Alexnet 64<", "Figure 4", ">x86 + K80<", ">oracle, ours<" } },
        { "a2dtwp-epochs.svg", { ">Alexnet, 20<", "Figure 5" } },
        { "a2dtwp-bits.svg", { ">conv1<", ">fc1<", "bits that AWP gave", ">32 bits<" } },
        { "a2dtwp-trained.tsv", { "x86 + K80\t", "\nAlexnet 64\t0.9941\t", "POWER9 + V100\t" } },
        { "a2dtwp-bits.tsv", { "conv1\t1\t0\t37.5\t8\n", "conv1\t1\t37.5\t100\t16\n", "fc1\t2\t62.5\t100\t16\n" } },
    };
    const char *dir = support_path("drawn");
    struct store *s = NULL;

    (void)state;
    if (!golden_gnuplot()) {
        print_message("gnuplot is not installed: figures are not tested\n");
        skip();
    }
    assert_int_equal(store_open(support_path("n.db"), &s), 0);
    a2dtwp_trained(s, &(struct a2dtwp_trained){ 0 });
    support_listen();
    assert_int_equal(report_figures(s, "a2dtwp", golden_plots(), dir), 0);
    support_heard();
    for (size_t i = 0; i < sizeof(figures) / sizeof(*figures); i++)
        golden_says(dir, figures[i].name, figures[i].says);
    store_close(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(texts_are_golden, support_setup, support_teardown),
        cmocka_unit_test_setup_teardown(figures_say_what_they_show, support_setup, support_teardown),
        cmocka_unit_test_setup_teardown(claims_are_held_to_results, support_setup, support_teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
