/* Numbers and tables as a person reads them; which points of a scenario are chosen. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/run/selection.h"
#include "harness/status.h"
#include "harness/text/columns.h"
#include "harness/text/legible.h"
#include "tests/test.h"

static void numbers_have_four_digits(void **state)
{
    static const struct {
        double v;
        const char *number, *bytes, *factor;
    } rows[] = {
        { 0.0125, "0.0125", "0.0125 B", "80x slower" },
        { 0.99999, "1", "1 B", "1x" },
        { 1, "1", "1 B", "1x" },
        { 1.6349, "1.635", "1.635 B", "1.63x" },
        { 70.7217, "70.72", "70.72 B", "70.7x" },
        { 999.96, "1000", "1000 B", "1000x" },
        { 153342192, "153342192", "153.3 MB", "153342192x" },
        { 1e-5, "1e-05", "1e-05 B", "100000x slower" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char text[LEGIBLE];

        assert_string_equal(legible_number(rows[i].v, text, sizeof(text)), rows[i].number);
        assert_string_equal(legible_bytes(rows[i].v, text, sizeof(text)), rows[i].bytes);
        assert_string_equal(legible_factor(rows[i].v, text, sizeof(text)), rows[i].factor);
    }
}

static void columns_are_as_wide_as_what_stands_in_them(void **state)
{
    static const struct column list[] = { { "point", 1 }, { "variant", 1 }, { "ms", 0 } };
    struct columns *c = columns_open(list, COUNT(list));
    size_t size;
    char *text;
    FILE *out = open_memstream(&text, &size);

    (void)state;
    assert_true(c && out);
    columns_put(c, "%s", "");
    columns_put(c, "%s", "größer als alles");
    columns_put(c, "%.1f", 1.5);
    columns_put(c, "%s", "");
    columns_put(c, "%s", "b");
    columns_put(c, "%.1f", 100.0);
    assert_int_equal(columns_close(c, out), NW_OK);
    fclose(out);
    assert_string_equal(text, "variant              ms\n"
                              "größer als alles    1.5\n"
                              "b                 100.0\n");
    free(text);
}

/* Three variants at two places, the first of them the baseline. */
static void points_are_chosen(void **state)
{
    static const char *const packed[] = { "packed" }, *const other[] = { "other" };
    static const size_t third[] = { 5 }, beyond[] = { 6 };
    static const struct {
        struct selection s;
        int rc;
        const char *points;
    } rows[] = {
        { { .variants = NULL }, NW_OK, "" },
        { { .variants = packed, .nvariants = 1 }, NW_OK, " 0 1 3 4" },
        { { .points = third, .npoints = 1 }, NW_OK, " 3 5" },
        { { .variants = packed, .nvariants = 1, .points = third, .npoints = 1 }, NW_OK, " 3 4" },
        { { .variants = other, .nvariants = 1 }, NW_EINPUT, "" },
        { { .points = beyond, .npoints = 1 }, NW_EINPUT, "" },
    };
    static const char *const sweeps[] = { "batch=8, 16" };
    struct scenario_file *f = NULL;

    (void)state;
    assert_int_equal(scenario_open("tests/run/data/pays.yaml", NULL, 0, sweeps, 1, stderr, &f), NW_OK);
    for (size_t i = 0; i < COUNT(rows); i++) {
        size_t *list, n;
        char text[64] = "";

        assert_int_equal(selection_points(f, &rows[i].s, &list, &n), rows[i].rc);
        for (size_t k = 0; k < n; k++)
            snprintf(text + strlen(text), sizeof(text) - strlen(text), " %zu", list[k]);
        assert_string_equal(text, rows[i].points);
        free(list);
    }
    scenario_close(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(numbers_have_four_digits),
                                        cmocka_unit_test(columns_are_as_wide_as_what_stands_in_them),
                                        cmocka_unit_test(points_are_chosen) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
