/* The rows of a made-up database's report are those in golden/, to the byte; its figures are drawn, and twice the
 * same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/report/report.h"
#include "harness/status.h"
#include "tests/store/support.h"
#include "tests/store/synthetic.h"
#include "tests/test.h"

static const char *home(void)
{
    const char *path = getenv("NARROWS_HOME");

    return path && *path ? path : ".";
}

static struct store *open_filled(unsigned parts)
{
    struct store *s = NULL;

    assert_int_equal(store_open(support_path("n.db"), &s), 0);
    synthetic_fill(s, parts);
    return s;
}

/* With NARROWS_GOLDEN=write the text is written instead of compared. */
static void expect_golden(const char *name, const char *got)
{
    const char *mode = getenv("NARROWS_GOLDEN");
    char path[512];
    char *want;

    snprintf(path, sizeof(path), "%s/tests/store/golden/%s", home(), name);
    if (mode && strcmp(mode, "write") == 0) {
        FILE *f = fopen(path, "w");

        assert_non_null(f);
        fputs(got, f);
        fclose(f);
        return;
    }
    want = support_read(path, NULL);
    if (strcmp(want, got) != 0)
        fail_msg("%s differs; the report is:\n%s", path, got);
    free(want);
}

static int print(struct store *s, const char *paper, const char *table, enum report_format format, char **text)
{
    size_t size;
    FILE *out = open_memstream(text, &size);
    int rc;

    assert_non_null(out);
    rc = report_print(s, &(struct report_choice){ .paper = paper, .table = table }, format, out);
    fclose(out);
    return rc;
}

static void the_rows_are_golden(void **state)
{
    static const struct {
        const char *name, *table;
        unsigned parts;
        enum report_format format;
    } cases[] = {
        { "report.csv", NULL, SYNTHETIC_TABLES | SYNTHETIC_FIGURE4, REPORT_CSV },
        { "report.json", NULL, SYNTHETIC_TABLES, REPORT_JSON },
        { "table-ii.csv", "II", SYNTHETIC_TABLES, REPORT_CSV },
        { "figure-4.csv", "figure-4", SYNTHETIC_FIGURE4, REPORT_CSV },
        /* Nothing is summed up that lacks an addend. */
        { "table-iii-partial.csv", "table-iii", SYNTHETIC_FIGURE4, REPORT_CSV },
        { "text.csv", "text", SYNTHETIC_TABLES, REPORT_CSV },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct store *s = open_filled(cases[i].parts);
        char *text;

        assert_int_equal(print(s, "a2dtwp", cases[i].table, cases[i].format, &text), 0);
        expect_golden(cases[i].name, text);
        free(text);
        store_close(s);
        support_teardown(state);
        support_setup(state);
    }
}

/* No line of the report is wider than a table may be, and only a table's is wider than a terminal of 80 characters. */
static void the_text_is_narrow(void **state)
{
    (void)state;
    struct store *s = open_filled(SYNTHETIC_ALL);
    char *text;

    assert_int_equal(print(s, "a2dtwp", NULL, REPORT_TEXT, &text), 0);
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        int width = 0;

        for (char *c = line; *c; c++)
            width += ((unsigned char)*c & 0xc0) != 0x80;
        if (width > (strstr(line, "  ") || strstr(line, "---") ? 110 : 80) || line[strlen(line) - 1] == ' ')
            fail_msg("%d wide or blank at the end: '%s'", width, line);
    }
    free(text);
    store_close(s);
}

static void nothing_to_report_is_said(void **state)
{
    (void)state;
    struct store *s = open_filled(0);
    char *text;

    support_listen();
    assert_int_equal(print(s, "a2dtwp", NULL, REPORT_TEXT, &text), NW_EDB);
    assert_non_null(strstr(support_heard(), "first: narrows reproduce a2dtwp"));
    assert_string_equal(text, "");
    free(text);
    support_listen();
    assert_int_equal(print(s, "b3", NULL, REPORT_TEXT, &text), NW_EINPUT);
    assert_non_null(strstr(support_heard(), "expected a paper (3lc, a2dtwp, dct, dynprec, splitcnn), got 'b3'\n"));
    free(text);
    store_close(s);
}

static void a_cell_nobody_prints_is_said(void **state)
{
    (void)state;
    struct store *s = open_filled(SYNTHETIC_TABLES);
    int64_t run = synthetic_run(s, "odd", "", "");
    struct measure_fact m = { "convolution_ms", 1, "ms" };
    struct cell_fact cell = { "a2dtwp", "II", "Convolutoin", "A2DTWP", "convolution_ms" };
    struct point_fact p = { .key = "0123456789abcdef0123456789abcdef",
                            .variant = "",
                            .measures = &m,
                            .nmeasures = 1,
                            .cells = &cell,
                            .ncells = 1 };
    char *text;

    assert_int_equal(store_point(s, run, &p), 0);
    support_listen();
    assert_int_equal(print(s, "a2dtwp", NULL, REPORT_CSV, &text), 0);
    assert_non_null(strstr(support_heard(), "Convolutoin"));
    free(text);
    store_close(s);
}

static const char *const figures[] = { "a2dtwp-profile", "a2dtwp-fig4", "a2dtwp-bandwidth", "a2dtwp-bytes-per-flop",
                                       "a2dtwp-bytes-per-weight" };

static bool gnuplot_here(void)
{
    int status = system("gnuplot --version >/dev/null 2>&1");

    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void draw(struct store *s, const char *dir, int want)
{
    char plots[512];
    int rc;

    snprintf(plots, sizeof(plots), "%s/plots", home());
    rc = report_figures(s, "a2dtwp", NULL, plots, dir);
    if (rc != want)
        fail_msg("report_figures answered %d, not %d", rc, want);
}

static int count_files(const char *dir, const char *pattern)
{
    char command[600];
    FILE *f;
    int n = -1;

    snprintf(command, sizeof(command), "find '%s' -name '%s' | wc -l", dir, pattern);
    f = popen(command, "r");
    assert_non_null(f);
    assert_int_equal(fscanf(f, "%d", &n), 1);
    pclose(f);
    return n;
}

static void figures_are_drawn_twice_the_same(void **state)
{
    const char *dirs[2] = { support_path("some/where one"), support_path("two") };

    (void)state;
    if (!gnuplot_here()) {
        print_message("gnuplot is not installed: figures are not tested\n");
        skip();
    }
    struct store *s = open_filled(SYNTHETIC_ALL);

    support_listen();
    for (int i = 0; i < 2; i++)
        draw(s, dirs[i], 0);
        /* A line each time, of what was not trained: a warning of gnuplot's is an error of the template. */
#define NOT_DRAWN                                                                                                  \
    "narrows report: not drawn: a2dtwp-trained, a2dtwp-error, a2dtwp-epochs, a2dtwp-bits (no run in this database" \
    " has data for it)\n"
    assert_string_equal(support_heard(), NOT_DRAWN NOT_DRAWN);
    for (size_t i = 0; i < sizeof(figures) / sizeof(*figures); i++)
        for (int png = 0; png < 2; png++) {
            char *bytes[2];
            size_t sizes[2];

            for (int d = 0; d < 2; d++) {
                char path[600];

                snprintf(path, sizeof(path), "%s/%s.%s", dirs[d], figures[i], png ? "png" : "svg");
                bytes[d] = support_read(path, &sizes[d]);
            }
            if (sizes[0] < 4000 || !strstr(bytes[0], png ? "PNG" : "</svg>"))
                fail_msg("%s, png %d: %zu bytes that are no picture", figures[i], png, sizes[0]);
            if (sizes[0] != sizes[1] || memcmp(bytes[0], bytes[1], sizes[0]) != 0)
                fail_msg("%s, png %d: differs when drawn again", figures[i], png);
            free(bytes[0]);
            free(bytes[1]);
        }
    assert_int_equal(count_files(dirs[0], "*.tmp"), 0);
    assert_int_equal(count_files(dirs[0], "*.tsv"), 8);
    store_close(s);
}

/* What a curve's legend and axes must say, in the drawn text itself. */
static void figures_name_their_units(void **state)
{
    static const struct {
        const char *figure, *text;
    } cases[] = {
        { "a2dtwp-profile", "time per batch (ms)" },
        { "a2dtwp-profile", "Data Transfer CPU→GPU" },
        { "a2dtwp-profile", "POWER9 + V100" },
        { "a2dtwp-fig4", "Resnet-34" },
        { "a2dtwp-fig4", "published" },
        { "a2dtwp-bandwidth", "one direction (GB/s" },
        { "a2dtwp-bandwidth", "x86 + K80 as it is: 7.88" },
        { "a2dtwp-bytes-per-flop", "bytes per kFLOP" },
        { "a2dtwp-bytes-per-flop", "as it is: 0.867" },
        { "a2dtwp-bytes-per-weight", "bytes per weight" },
        { "a2dtwp-bytes-per-weight", "speedup over" },
    };

    (void)state;
    if (!gnuplot_here())
        skip();
    struct store *s = open_filled(SYNTHETIC_ALL);
    const char *dir = support_path("out");

    draw(s, dir, 0);
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        char path[600];
        char *svg;

        snprintf(path, sizeof(path), "%s/%s.svg", dir, cases[i].figure);
        svg = support_read(path, NULL);
        if (!strstr(svg, cases[i].text))
            fail_msg("%s does not say '%s'", path, cases[i].text);
        free(svg);
    }
    store_close(s);
}

static void figures_without_data_are_skipped(void **state)
{
    (void)state;
    struct store *s = open_filled(0);
    const char *dir = support_path("out");

    support_listen();
    draw(s, dir, 0);
    const char *said = support_heard();
    assert_non_null(strstr(said, "narrows report: not drawn: a2dtwp-profile, "));
    assert_non_null(strstr(said, "a2dtwp-bytes-per-weight"));
    assert_int_equal(count_files(dir, "*.*"), 0);
    store_close(s);
}

static void without_gnuplot_the_data_remain(void **state)
{
    (void)state;
    struct store *s = open_filled(SYNTHETIC_ALL);
    const char *dir = support_path("out");
    char *path = strdup(getenv("PATH") ? getenv("PATH") : "");
    const char *said;

    setenv("PATH", support_path("nothing"), 1);
    support_listen();
    draw(s, dir, NW_EENV);
    said = support_heard();
    setenv("PATH", path, 1);
    free(path);
    for (size_t i = 0; i < sizeof(figures) / sizeof(*figures); i++)
        if (!strstr(said, figures[i]))
            fail_msg("%s is not named: %s", figures[i], said);
    assert_int_equal(count_files(dir, "*.tsv"), 8);
    assert_int_equal(count_files(dir, "*.svg"), 0);
    assert_int_equal(count_files(dir, "*.tmp"), 0);
    store_close(s);
}

/* A gnuplot that fails: what it said reaches stderr, and no half figure is left. */
static void a_failing_gnuplot_is_reported(void **state)
{
    (void)state;
    struct store *s = open_filled(SYNTHETIC_TABLES);
    const char *dir = support_path("out"), *bin = support_path("bin"), *fake = support_path("bin/gnuplot");
    char *path = strdup(getenv("PATH") ? getenv("PATH") : "");
    const char *said;
    FILE *f;

    assert_int_equal(mkdir(bin, 0777), 0);
    f = fopen(fake, "w");
    assert_non_null(f);
    fputs("#!/bin/sh\necho half > \"$5\"\necho it broke >&2\nexit 1\n", f);
    fclose(f);
    assert_int_equal(chmod(fake, 0755), 0);
    setenv("PATH", bin, 1);
    support_listen();
    draw(s, dir, NW_EIO);
    said = support_heard();
    setenv("PATH", path, 1);
    free(path);
    if (!strstr(said, "it broke") || !strstr(said, "profile.gp"))
        fail_msg("said: %s", said);
    assert_int_equal(count_files(dir, "*.svg"), 0);
    assert_int_equal(count_files(dir, "*.tmp"), 0);
    store_close(s);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, support_setup, support_teardown)
    const struct CMUnitTest tests[] = {
        TEST(the_rows_are_golden),
        TEST(the_text_is_narrow),
        TEST(nothing_to_report_is_said),
        TEST(a_cell_nobody_prints_is_said),
        TEST(figures_are_drawn_twice_the_same),
        TEST(figures_name_their_units),
        TEST(figures_without_data_are_skipped),
        TEST(without_gnuplot_the_data_remain),
        TEST(a_failing_gnuplot_is_reported),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
