/* What the report says of networks trained on patches, of made-up training runs: its cells by hand, and each claim that
 * holds there fails when what it rests on is otherwise. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/report/part/parts.h"
#include "harness/store/store.h"
#include "tests/report/papers/claims.h"
#include "tests/report/papers/splitcnn.h"
#include "tests/sanitized.h"
#include "tests/store/support.h"
#include "tests/test.h"

enum { CLAIMS = 9 };

static struct store *open_with(const struct splitcnn_trained *how)
{
    struct store *s = NULL;

    assert_int_equal(store_open(support_path("n.db"), &s), 0);
    if (how)
        splitcnn_trained(s, how);
    return s;
}

static void again(void **state, struct store *s)
{
    store_close(s);
    support_teardown(state);
    support_setup(state);
}

struct value {
    const char *sql;
    double value;
};

static void expect_values(struct store *s, const struct value *v)
{
    for (; v->sql; v++)
        support_near(support_real(s, v->sql), v->value, 1e-9, v->sql, __FILE__, __LINE__);
}

/* Seeds differ by half a point each, and from variant to variant by 1/64 or 2/64: VGG-19's stochastic ones by 2, 0, -2
 * of them. */
static void cells_are_as_computed_by_hand(void **state)
{
#define PATCHES(what, split) \
    "SELECT " what " FROM \"splitcnn/patches\" WHERE network = 'VGG-19' AND split = '" split "'"
#define TABLE(what, row, column) \
    "SELECT " what " FROM \"splitcnn/table-1\" WHERE row_key = '" row "' AND column_key = '" column "'"
    static const struct value values[] = {
        { "SELECT count(*) FROM \"splitcnn/patches\"", 11 + 11 + 3 + 3 },
        { PATCHES("n", "50 %"), 3 },
        { PATCHES("points", "50 %"), -1.75 },
        { PATCHES("accuracy", "50 %, stochastic"), 60.25 + 0.015625 / 3 },
        { PATCHES("points", "50 %, stochastic"), 0.25 },
        { PATCHES("\"2 SE\"", "50 %, stochastic"), 0.0625 / 1.7320508075688772 },
        { PATCHES("\"!\" = '!'", "50 %, stochastic"), 1 },
        { PATCHES("points IS NULL AND \"2 SE\" IS NULL AND \"!\" = '' AND rule", "unsplit"), 1 },
        /* The last of eight steps: 1 less the accuracy. */
        { PATCHES("loss", "unsplit"), 1 - 0.60 - 0.015625 / 300 },
        { "SELECT \"reached (%)\" FROM \"splitcnn/patches\" WHERE network = 'ResNet-18' AND split = '25 %'", 26.5625 },
        { "SELECT count(*) FROM \"splitcnn/table-1\"", 12 },
        { "SELECT count(*) FROM \"splitcnn/table-1\" WHERE kind = 'scaled' AND n = 3 AND ours IS NOT NULL", 8 },
        { TABLE("published", "VGG19", "SSCNN"), 94.58 - 94.14 },
        { TABLE("ours", "VGG19", "SSCNN"), 0.25 },
        { TABLE("half", "VGG19", "SSCNN"), 0.0625 / 1.7320508075688772 },
        { TABLE("ours", "ResNet50", "SCNN"), -1.5 + 2.0 / 192 },
        { TABLE("ours_text = '60.01' AND ours IS NULL AND kind IS NULL AND published = 94.14", "VGG19", "Baseline"),
          1 },
        { "SELECT count(*) FROM \"splitcnn-fig4/data\"", 10 },
        { "SELECT count(*) FROM \"splitcnn-fig5/data\"", 12 },
        { "SELECT above FROM \"splitcnn-fig4/data\" WHERE network = 'VGG-19' AND x = 50", 1.75 },
        { "SELECT count(*) FROM \"splitcnn-fig7-resnet-50/data\"", 9 },
        { "SELECT text = 'Scaled down: AlexNet is small on made images, 8 steps; ResNet-50 is small on made images,"
          " 8 steps; VGG-19'"
          " || ' is small on made images, 8 steps; ResNet-18 is small on made images, 8 steps.' FROM"
          " \"splitcnn/training-runs\"",
          1 },
        { NULL, 0 },
    };
    (void)state;
    struct store *s = open_with(&(struct splitcnn_trained){ 0 });

    expect_values(s, values);
    store_close(s);
}

static char *trained_section(struct store *s)
{
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    assert_non_null(out);
    assert_int_equal(parts_write(store_handle(s), "splitcnn", "trained", NULL, &style_text, 2, out, NULL), 0);
    fclose(out);
    return text;
}

/* Tables lead with the paper's own size where it was trained; what was trained longer has tables of its own; a quick
 * look is nowhere. */
static void sizes_have_their_places(void **state)
{
    static const struct {
        const char *why, *text;
        struct splitcnn_trained how;
        bool none;
        struct value values[6];
    } cases[] = {
        { "nothing", NULL, { 0 }, true, { { "SELECT count(*) FROM splitcnn_claim_part", 0 } } },
        { "a quick look",
          NULL,
          { .quick = true },
          false,
          { { "SELECT count(*) FROM splitcnn_claim_part", 0 },
            { "SELECT count(*) FROM splitcnn_patches", 0 },
            { "SELECT count(*) FROM splitcnn_size", 0 } } },
        { "a quick look, and longer",
          "Scaled down, for longer: ",
          { .quick = true, .longer = true },
          false,
          { { "SELECT count(*) FROM splitcnn_size", 0 },
            { "SELECT count(*) FROM \"splitcnn/patches\"", 0 },
            { "SELECT count(*) FROM \"splitcnn/patches-longer\"", 9 },
            { "SELECT count(*) FROM claim WHERE paper = 'splitcnn' AND size = 'longer' AND verdict = 'not run'",
              3 } } },
        { "scaled down",
          "\nScaled down: ",
          { 0 },
          false,
          { { "SELECT size = 'small' FROM splitcnn_size", 1 },
            { "SELECT count(*) FROM \"splitcnn/table-1-longer\"", 0 },
            { "SELECT count(*) FROM \"splitcnn/claims-longer\"", 0 } } },
        { "as the paper, too",
          "\nAs the paper trained: ",
          { .paper = true },
          false,
          { { "SELECT size = 'paper' FROM splitcnn_size", 1 },
            { "SELECT count(*) FROM \"splitcnn/patches\"", 3 + 3 + 3 },
            { "SELECT count(*) FROM claim WHERE paper = 'splitcnn'", 9 + 3 },
            { "SELECT count(*) FROM claim_told WHERE paper = 'splitcnn' AND size = 'paper'", 3 },
            { "SELECT ours FROM \"splitcnn/table-1\" WHERE row_key = 'VGG19' AND column_key = 'SSCNN'", 1.25 } } },
        { "longer, too",
          "scaled down, for longer",
          { .longer = true },
          false,
          { { "SELECT count(*) FROM \"splitcnn/patches\"", 28 },
            { "SELECT count(*) FROM \"splitcnn/patches-longer\"", 9 },
            { "SELECT count(*) FROM \"splitcnn/claims-longer\" WHERE text LIKE '_. Holds. %'", 3 },
            { "SELECT count(*) FROM claim_told WHERE paper = 'splitcnn' AND size = 'small'", 7 },
            { "SELECT ours FROM \"splitcnn/table-1-longer\" WHERE row_key = 'VGG19' AND column_key = 'SSCNN'",
              1.25 } } },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct store *s = open_with(cases[i].none ? NULL : &cases[i].how);
        char *text = trained_section(s);

        for (const struct value *v = cases[i].values; v < cases[i].values + 6 && v->sql; v++)
            if (support_real(s, v->sql) != v->value)
                fail_msg("%s: %s is %.12g, not %.12g", cases[i].why, v->sql, support_real(s, v->sql), v->value);
        if (cases[i].text ? !strstr(text, cases[i].text) : *text)
            fail_msg("%s: the report says\n%s", cases[i].why, text);
        free(text);
        again(state, s);
    }
}

static void claims_depend_on_what_was_trained(void **state)
{
    static const struct {
        const char *why;
        struct splitcnn_trained how;
        int failing[CLAIMS + 1];
        const char *instead;
    } cases[] = {
        { "nothing else", { 0 }, { 0 }, "does not hold" },
        { "deep splits cost nothing", { "vgg-19", "50 %", .accuracy = 6 }, { 1, 2, 4, 7 }, "does not hold" },
        { "not along a line", { "resnet-18", "37.5 %", .accuracy = -3 }, { 2 }, "does not hold" },
        { "many patches cost nothing", { "resnet-18", "25 %, 9 patches", .accuracy = 2 }, { 3 }, "does not hold" },
        { "more cost hardly more than chance",
          { "resnet-18", "25 %, 9 patches", .accuracy = 0.85 },
          { 3 },
          "undecided" },
        { "many patches cost much", { "vgg-19", "25 %, 9 patches", .accuracy = -3 }, { 4 }, "does not hold" },
        { "VGG is no more sensitive", { "vgg-19", "25 %, 9 patches", .accuracy = 1.25 }, { 5 }, "does not hold" },
        { "stochastic below unsplit", { "vgg-19", "50 %, stochastic", .accuracy = -1.5 }, { 6 }, "does not hold" },
        { "stochastic below split", { "resnet-50", "81.2 %", .accuracy = 2.5 }, { 7 }, "does not hold" },
        { "even does as well unsplit",
          { "vgg-19", "50 %, evaluated unsplit", .accuracy = 25 },
          { 8 },
          "does not hold" },
        { "deep costs more than the paper has", { "alexnet", "60 %", .accuracy = -1.5 }, { 9 }, "does not hold" },
        { "one network has one seed",
          { .network = "resnet-18", .one_seed = true },
          { 1, 2, 3, 4, 5, 6, 7, 8, 9 },
          "not run" },
        { "one seed", { .one_seed = true }, { 1, 2, 3, 4, 5, 6, 7, 8, 9 }, "not run" },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i += SANITIZED ? 4 : 1) {
        struct store *s = open_with(&cases[i].how);

        claims_view_expect(s, "splitcnn", "small", cases[i].why, CLAIMS, cases[i].failing, cases[i].instead);
        again(state, s);
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, support_setup, support_teardown)
    const struct CMUnitTest tests[] = { TEST(cells_are_as_computed_by_hand), TEST(sizes_have_their_places),
                                        TEST(claims_depend_on_what_was_trained) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
