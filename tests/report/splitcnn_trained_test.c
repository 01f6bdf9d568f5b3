/* What the report says of networks trained on patches, of made-up trainings: texts to the byte, and each claim that holds there fails when
 * what it rests on is otherwise. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/report/splitcnn_training.h"
#include "harness/store/store.h"
#include "tests/report/claims_said.h"
#include "tests/report/golden.h"
#include "tests/report/splitcnn_trained.h"
#include "tests/sanitized.h"
#include "tests/store/support.h"

enum { CLAIMS = 9 };

static char *print(const struct splitcnn_trained *how)
{
    static int (*const sections[])(struct sqlite3 *, FILE *) = { splitcnn_trained_patches, splitcnn_trained_table1,
                                                                 splitcnn_trained_claims };
    struct store *s = NULL;
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    assert_non_null(out);
    assert_int_equal(store_open(support_path("n.db"), &s), 0);
    if (how)
        splitcnn_trained(s, how);
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
    char *text = print(&(struct splitcnn_trained){ 0 });

    golden_expect("splitcnn-trained.txt", text);
    free(text);
    again(state);
    text = print(&(struct splitcnn_trained){ .quick = true });
    golden_expect("splitcnn-trained-quick.txt", text);
    free(text);
    again(state);
    text = print(&(struct splitcnn_trained){ .longer = true });
    golden_expect("splitcnn-trained-longer.txt", text);
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
        struct splitcnn_trained how;
        int failing[CLAIMS + 1];
        char instead;
    } cases[] = {
        { "nothing else", { 0 }, { 0 }, 'D' },
        { "deep splits cost nothing", { "vgg-19", "50 %", .accuracy = 6 }, { 1, 2, 4, 7 }, 'D' },
        { "not along a line", { "resnet-18", "37.5 %", .accuracy = -3 }, { 2 }, 'D' },
        { "many patches cost nothing", { "resnet-18", "25 %, 9 patches", .accuracy = 2 }, { 3 }, 'D' },
        { "many patches cost much", { "vgg-19", "25 %, 9 patches", .accuracy = -3 }, { 4 }, 'D' },
        { "VGG is no more sensitive", { "vgg-19", "25 %, 9 patches", .accuracy = 1.25 }, { 5 }, 'D' },
        { "stochastic below unsplit", { "vgg-19", "50 %, stochastic", .accuracy = -1 }, { 6 }, 'D' },
        { "stochastic below split", { "resnet-50", "81.2 %", .accuracy = 2.5 }, { 7 }, 'D' },
        { "even does as well unsplit", { "vgg-19", "50 %, evaluated unsplit", .accuracy = 25 }, { 8 }, 'D' },
        { "deep costs more than the paper has", { "alexnet", "60 %", .accuracy = -1.5 }, { 9 }, 'D' },
        { "one network has one seed", { .network = "resnet-18", .one_seed = true }, { 1, 3, 5 }, 'O' },
        { "one seed", { .one_seed = true }, { 1, 3, 5, 6, 7, 8, 9 }, 'O' },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i += SANITIZED ? 4 : 1) {
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
