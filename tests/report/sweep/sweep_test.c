/* What a sweep's report says: which axes it takes, where a variant pays and is the best choice, of whole and of killed
 * runs; the figures, drawn twice the same. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/report/sweep/axis.h"
#include "harness/report/sweep/sweep.h"
#include "harness/status.h"
#include "tests/report/cluster.h"
#include "tests/report/golden.h"
#include "tests/report/sweep/text.h"
#include "tests/store/support.h"
#include "tests/store/synthetic.h"
#include "tests/test.h"

static const struct cluster_sweep line = { "line", 4, 1, .workers = false }, map = { "map", 4, 3, .workers = false },
                                  maps = { "maps", 4, 3, .workers = true },
                                  killed = { "killed", 4, 3, .workers = true, .npoints = 4 * 6 + 4 },
                                  point = { "point", 1, 1, .workers = false },
                                  steep = { "steep+changes", 2, 3, .workers = true, .slower = 20 },
                                  single = { "single", 1, 3, .workers = false },
                                  low = { "low", 2, 3, .workers = false },
                                  bare = { "bare", 4, 1, .workers = false, .no_baseline = true };

static struct store *open_with(const struct cluster_sweep *c)
{
    struct store *s = NULL;

    assert_int_equal(store_open(support_path("n.db"), &s), 0);
    if (c)
        cluster_sweep(s, c);
    return s;
}

static void texts_are_golden(void **state)
{
    static const struct {
        const char *name, *x, *y;
        const struct cluster_sweep *sweep;
        enum report_format format;
    } cases[] = {
        { "sweep-line.txt", NULL, NULL, &line, REPORT_TEXT },
        { "sweep-map.txt", NULL, NULL, &map, REPORT_TEXT },
        { "sweep-maps.txt", NULL, NULL, &maps, REPORT_TEXT },
        { "sweep-single.txt", NULL, "density", &single, REPORT_TEXT }, /* one axis, called y */
        { "sweep-workers.txt", "workers", "density", &maps, REPORT_TEXT },
        { "sweep-killed.txt", NULL, NULL, &killed, REPORT_TEXT },
        { "sweep-maps.csv", NULL, NULL, &maps, REPORT_CSV },
        { "sweep-line.json", NULL, NULL, &line, REPORT_JSON },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct store *s = open_with(cases[i].sweep);
        char *text = sweep_text(s, cases[i].sweep->name, cases[i].x, cases[i].y, cases[i].format, NW_OK);

        golden_expect(cases[i].name, text);
        free(text);
        store_close(s);
        support_teardown(state);
        support_setup(state);
    }
}

/* Of three axes, batch and workers being one, in the scenario's order. */
static void axes_are_chosen(void **state)
{
    static const struct {
        const char *x, *y, *got_x, *got_y;
    } cases[] = {
        { NULL, NULL, "platform.link.eth.bandwidth", "method.gradients.density" },
        { "method.gradients.density", NULL, "method.gradients.density", "platform.link.eth.bandwidth" },
        { NULL, "eth.bandwidth", "method.gradients.density", "platform.link.eth.bandwidth" },
        { "workers", "density", "method.workers", "method.gradients.density" },
        { "batch", NULL, "batch", "platform.link.eth.bandwidth" },
        { NULL, "batch", "platform.link.eth.bandwidth", "batch" },
        { "workers", "batch", NULL, NULL },   /* advance together */
        { "density", "density", NULL, NULL }, /* the same */
        { "width", NULL, NULL, NULL },        /* of bandwidth, but no component of the path */
        { "", NULL, NULL, NULL },
        { NULL, "life", NULL, NULL },
    };
    struct store *s = open_with(&maps);

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct axes a;

        support_listen();
        int rc = axes_read(store_handle(s), "1", cases[i].x, cases[i].y, &a);
        const char *said = support_heard();
        if (rc != (cases[i].got_x ? NW_OK : NW_EINPUT))
            fail_msg("case %zu: answered %d", i, rc);
        if (!rc && (strcmp(a.list[a.x].path, cases[i].got_x) != 0 || strcmp(a.list[a.y].path, cases[i].got_y) != 0))
            fail_msg("case %zu: x %s, y %s", i, a.list[a.x].path, a.list[a.y].path);
        if (rc && (!strstr(said, "method.workers") || !strstr(said, "platform.link.eth.bandwidth")))
            fail_msg("case %zu: what there is was not said: %s", i, said);
        axes_free(&a);
    }
    store_close(s);
}

/* Units and prefixes of what the axes say, of two values each. */
static void axes_say_their_units(void **state)
{
    static const struct {
        const char *path, *texts[2], *unit, *label;
        double values[2], scale;
    } cases[] = {
        { "platform.link.eth.bandwidth",
          { "10 Mbit/s", "1 Gbit/s" },
          "bytes/s",
          "eth bandwidth (Mbit/s)",
          { 1.25e6, 1.25e8 },
          8e-6 },
        { "platform.link.eth.bandwidth",
          { "0.5 Gbit/s", "32 Gbit/s" },
          "bytes/s",
          "eth bandwidth (Gbit/s)",
          { 6.25e7, 4e9 },
          8e-9 },
        { "platform.link.pcie.bandwidth",
          { "2 GB/s", "32 GB/s" },
          "bytes/s",
          "pcie bandwidth (GB/s)",
          { 2e9, 3.2e10 },
          1e-9 },
        { "platform.link.eth.latency", { "0 s", "50 us" }, "s", "eth latency (us)", { 0, 5e-5 }, 1e6 },
        { "method.barrier_time", { "1 s", "9000 s" }, "s", "barrier time (s)", { 1, 9000 }, 1 },
        { "method.bucket", { "1 MB", "64 MB" }, "bytes", "bucket (MB)", { 1e6, 6.4e7 }, 1e-6 },
        { "platform.gpu.peak", { "1 TFlop/s", "9 TFlop/s" }, "FLOP/s", "gpu peak (TFLOP/s)", { 1e12, 9e12 }, 1e-12 },
        { "method.push.density", { "0.1", "0.2" }, "", "push density", { 0.1, 0.2 }, 1 },
        { "batch", { "8", "4096" }, "", "batch", { 8, 4096 }, 1 },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct store *s = open_with(NULL);
        int64_t run = synthetic_run(s, "units", "", "");
        struct axes a;

        for (size_t k = 0; k < 2; k++) {
            struct param_fact param = { cases[i].path, cases[i].texts[k], cases[i].values[k], cases[i].unit };
            struct measure_fact m = { "step_ms", 1, "ms" };
            struct point_fact p = { .key = k ? "00000000000000000000000000000001" : "00000000000000000000000000000002",
                                    .variant = "",
                                    .index = k,
                                    .combination = k,
                                    .params = &param,
                                    .nparams = 1,
                                    .measures = &m,
                                    .nmeasures = 1 };
            assert_int_equal(store_point(s, run, &p), 0);
        }
        assert_int_equal(axes_read(store_handle(s), "1", NULL, NULL, &a), 0);
        assert_string_equal(a.list[a.x].label, cases[i].label);
        assert_near(a.list[a.x].scale / cases[i].scale, 1, 1e-12);
        assert_int_equal(a.y, -1);
        axes_free(&a);
        store_close(s);
        support_teardown(state);
        support_setup(state);
    }
}

static void refusals_are_said(void **state)
{
    static const struct {
        const struct cluster_sweep *sweep;
        const char *name, *said;
    } cases[] = {
        { NULL, "map", "it has none at all" },
        { &map, "mop", "no run of a scenario 'mop' in this database; there is map" },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct store *s = open_with(cases[i].sweep);

        support_listen();
        char *text = sweep_text(s, cases[i].name, NULL, NULL, REPORT_TEXT, NW_EDB);
        int rc = report_sweep_figures(s, cases[i].name, NULL, NULL, golden_plots(), support_path("none"));
        const char *said = support_heard();
        if (!strstr(said, cases[i].said))
            fail_msg("case %zu: said '%s'", i, said);
        assert_int_equal(rc, NW_EDB);
        assert_string_equal(text, "");
        free(text);
        store_close(s);
        support_teardown(state);
        support_setup(state);
    }
}

/* What nothing can be drawn along, or nothing be compared with, is the table that its run ended with; asked for along a
 * key, it is refused. */
static void what_is_not_drawn_is_a_table(void **state)
{
    static const struct {
        const struct cluster_sweep *sweep;
        const char *head, *said;
        int along;
    } cases[] = { { &bare, "step (ms)", "has no baseline", NW_EDB },
                  { &point, "speedup", "no key 'bandwidth' of numbers is swept", NW_EINPUT } };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        const char *name = cases[i].sweep->name;
        struct store *s = open_with(cases[i].sweep);
        char *text = sweep_text(s, name, NULL, NULL, REPORT_TEXT, NW_OK);
        char *csv = sweep_text(s, name, NULL, NULL, REPORT_CSV, NW_OK);

        assert_non_null(strstr(text, cases[i].head));
        assert_non_null(strstr(csv, ",step_ms,samples_per_s,speedup,"));
        free(text);
        free(csv);
        support_listen();
        assert_int_equal(report_sweep_figures(s, name, NULL, NULL, golden_plots(), support_path("none")), NW_EENV);
        free(sweep_text(s, name, "bandwidth", NULL, REPORT_TEXT, cases[i].along));
        const char *said = support_heard();
        if (!strstr(said, cases[i].said) || !strstr(said, "nothing to draw"))
            fail_msg("case %zu: said '%s'", i, said);
        store_close(s);
        support_teardown(state);
        support_setup(state);
    }
}

/* A run that was changed from the command line is one of its scenario. */
static void changed_runs_count(void **state)
{
    (void)state;
    struct store *s = open_with(&map);
    struct cluster_sweep newer = line;
    size_t size;
    char *which;
    FILE *out = open_memstream(&which, &size);

    newer.name = "map+changes";
    cluster_sweep(s, &newer);
    char *text = sweep_text(s, "map", NULL, NULL, REPORT_TEXT, NW_OK);
    if (strstr(text, "density") || !strstr(text, "of 4"))
        fail_msg("not of the newest run:\n%s", text);
    free(text);
    assert_int_equal(report_sweep_which(s, "map", NULL, NULL, out), NW_OK);
    fclose(out);
    assert_non_null(strstr(which, "Run 2 of 20"));
    assert_non_null(strstr(which, "changed:\n  narrows run"));
    free(which);
    assert_int_equal(support_int(s, "SELECT run_id FROM latest_run WHERE scenario = 'map' AND changed"), 2);
    assert_int_equal(support_int(s, "SELECT run_id FROM newest_run WHERE scenario = 'map'"), 1);
    assert_int_equal(support_int(s, "SELECT count(DISTINCT run_id) FROM latest_measure"), 1);
    store_close(s);
}

/* The newest run counts, also where it says less. */
static void the_newest_run_counts(void **state)
{
    (void)state;
    struct store *s = open_with(&map);
    struct cluster_sweep newer = line;

    newer.name = "map";
    cluster_sweep(s, &newer);
    char *text = sweep_text(s, "map", NULL, NULL, REPORT_TEXT, NW_OK);
    if (strstr(text, "density") || !strstr(text, "of 4"))
        fail_msg("not of the newest run:\n%s", text);
    free(text);
    store_close(s);
}

static void draw(struct store *s, const char *name, const char *dir)
{
    int rc = report_sweep_figures(s, name, NULL, NULL, golden_plots(), dir);

    if (rc)
        fail_msg("%s: answered %d", name, rc);
}

static void figures_say_what_they_show(void **state)
{
    static const char *const names[] = { "line-speedup",
                                         "map-heat",
                                         "map-best",
                                         "maps-heat-workers-4-batch-256",
                                         "maps-best-workers-4-batch-256",
                                         "maps-heat-workers-16-batch-1024",
                                         "maps-best-workers-16-batch-1024",
                                         NULL };
    const char *dirs[2] = { support_path("one"), support_path("two") };

    (void)state;
    if (!golden_gnuplot()) {
        print_message("gnuplot is not installed: figures are not tested\n");
        skip();
    }
    struct store *s = open_with(&line);
    cluster_sweep(s, &map);
    cluster_sweep(s, &maps);
    support_listen();
    for (int i = 0; i < 2; i++) {
        draw(s, "line", dirs[i]);
        draw(s, "map", dirs[i]);
        draw(s, "maps", dirs[i]);
    }
    /* Not a word: a warning of gnuplot's is an error of the template. */
    assert_string_equal(support_heard(), "");
    golden_same_pictures(names, dirs);
    assert_int_equal(golden_count(dirs[0], ".svg"), 7);
    assert_int_equal(golden_count(dirs[0], ".tmp"), 0);
#define SAYS(name, ...) golden_says(dirs[0], name, (const char *const[]){ __VA_ARGS__, NULL })
    SAYS("line-speedup.svg", "speedup over fp16 (×)");
    SAYS("line-speedup.svg", "eth bandwidth (Gbit/s)");
    SAYS("line-speedup.svg", "made up");
    SAYS("line-speedup.svg", ">64<");
    SAYS("line-speedup.svg", ">3lc<");
    SAYS("map-best.svg", ">10% sparse<");
    /* (100 + 800) / (120 + 0.02 * 4 * 800) */
    SAYS("line-speedup.tsv", "3lc\teth bandwidth (Gbit/s)\tspeedup over fp16 (×)\tmade up", "\n1\t4.89130435\n",
         "\n64\t", "10% sparse\t", "\n1\t6.75675676\n");
    SAYS("map-heat.svg", "speedup over fp16");
    SAYS("map-heat.svg", "gradients density");
    SAYS("map-heat.svg", ">0.001<");
    SAYS("map-heat.svg", ">6.8<");
    SAYS("map-heat.svg", ">10% sparse<");
    /* (100 + 800) / (130 + 4 * density * 800); the largest of all figures is the last number */
    SAYS("map-heat.tsv", "3lc\teth bandwidth (Gbit/s)\tgradients density\tmade up\tfp16\n",
         "\n1\t1\t1\t0.001\t4.89130435\t", "\n4\t1\t64\t0.001\t", "10% sparse\t",
         "\n1\t1\t1\t0.001\t6.75675676\t6.75675676\n", "\n1\t2\t1\t0.01\t5.55555556\t", "\n1\t3\t1\t0.1\t2\t",
         "\n4\t3\t64\t0.1\t");
    SAYS("map-best.svg", "the fastest, and its speedup over fp16");
    SAYS("map-best.tsv", "fp16\t", "\n4\t1\t64\t0.001\t1\t1\n", "3lc\t", "\n1\t3\t1\t0.1\t4.89130435\t2\n",
         "10% sparse\t", "\n1\t1\t1\t0.001\t6.75675676\t3\n");
    SAYS("maps-best-workers-16-batch-1024.svg", "at workers 16, batch 1024");
    /* (100 + 800) / (130 + 16 * 0.001 * 800) */
    SAYS("maps-best-workers-16-batch-1024.tsv", "\tfp16, at workers 16, batch 1024\n", "10% sparse\t",
         "\n1\t1\t1\t0.001\t6.30252101\t3\n");
    store_close(s);
}

static void data_of_figures_are_golden(void **state)
{
    static const char *const names[] = { "line-speedup.tsv",
                                         "single-speedup.tsv",
                                         "maps-heat-workers-4-batch-256.tsv",
                                         "maps-best-workers-16-batch-1024.tsv",
                                         "low-best.tsv",
                                         "steep+changes-heat-gradients-density-0.01.tsv" };
    const char *dir = support_path("out");

    (void)state;
    if (!golden_gnuplot())
        skip();
    struct store *s = open_with(&line);
    cluster_sweep(s, &maps);
    cluster_sweep(s, &low);
    cluster_sweep(s, &steep);
    cluster_sweep(s, &single);
    draw(s, "line", dir);
    draw(s, "single", dir);
    draw(s, "maps", dir);
    draw(s, "low", dir);
    /* up the map what is scaled */
    assert_int_equal(report_sweep_figures(s, "steep+changes", "workers", "eth.bandwidth", golden_plots(), dir), 0);
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        golden_expect_file(dir, names[i]);
    store_close(s);
}

/* Grey is what no run tells: a place is no variant's before all variants are there. */
static void killed_runs_are_drawn(void **state)
{
    const char *dir = support_path("out");

    (void)state;
    if (!golden_gnuplot())
        skip();
    struct store *s = open_with(&killed);
    support_listen();
    draw(s, "killed", dir);
    const char *said = support_heard();
    if (strstr(said, "gnuplot"))
        fail_msg("said: %s", said);
    /* 28 points: 9 whole places, then the baseline of the tenth, which has no speedup but its own. */
    assert_int_equal(golden_count(dir, ".tsv"), 4);
    store_close(s);
}

/* A word is no axis: each makes lines of its own. */
static void words_are_no_axes(void **state)
{
    static const char *const algorithms[] = { "ring", "tree" };
    struct store *s = open_with(NULL);
    int64_t run = synthetic_run(s, "words", "a", "");

    (void)state;
    for (size_t i = 0; i < 8; i++) {
        struct param_fact params[] = { { "method.algorithm", algorithms[i / 4], NAN, "" },
                                       { "method.streams", i / 2 % 2 ? "2" : "1", i / 2 % 2 ? 2 : 1, "" } };
        struct measure_fact m = { "step_ms", i % 2 ? 5 + (double)i : 10, "ms" };
        char key[33];
        struct point_fact p = { .key = key,
                                .variant = i % 2 ? "b" : "a",
                                .index = i,
                                .combination = i / 2,
                                .params = params,
                                .nparams = 2,
                                .measures = &m,
                                .nmeasures = 1 };
        snprintf(key, sizeof(key), "%032zu", i);
        assert_int_equal(store_point(s, run, &p), 0);
    }
    if (golden_gnuplot()) {
        draw(s, "words", support_path("out"));
        golden_says(support_path("out"), "words-speedup.tsv",
                    (const char *const[]){ "b, algorithm ring\tstreams\t", "\n1\t1.66666667\n2\t1.25\n",
                                           "b, algorithm tree\t", "\n1\t1\n2\t0.833333333\n", NULL });
    }
    /* Of equals the one that the scenario lists first: 10 ms each with one stream. */
    char *text = sweep_text(s, "words", NULL, NULL, REPORT_TEXT, NW_OK);
    const char *line_of_a = "algorithm tree\n  a                                 2 of 2    the baseline\n";
    if (!strstr(text, line_of_a))
        fail_msg("a is the best choice at both:\n%s", text);
    free(text);
    support_listen();
    free(sweep_text(s, "words", "algorithm", NULL, REPORT_TEXT, NW_EINPUT));
    assert_non_null(strstr(support_heard(), "no key 'algorithm' of numbers is swept; there is method.streams\n"));
    store_close(s);
}

static void without_gnuplot_the_data_remain(void **state)
{
    struct store *s = open_with(&map);
    const char *dir = support_path("out");
    char *path = strdup(getenv("PATH") ? getenv("PATH") : "");

    (void)state;
    setenv("PATH", support_path("nothing"), 1);
    support_listen();
    int rc = report_sweep_figures(s, "map", NULL, NULL, golden_plots(), dir);
    const char *said = support_heard();
    setenv("PATH", path, 1);
    free(path);
    assert_int_equal(rc, NW_EENV);
    assert_non_null(strstr(said, "gnuplot is not installed"));
    assert_int_equal(golden_count(dir, ".tsv"), 2);
    assert_int_equal(golden_count(dir, ".svg"), 0);
    store_close(s);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, support_setup, support_teardown)
    const struct CMUnitTest tests[] = {
        TEST(texts_are_golden),           TEST(axes_are_chosen),
        TEST(axes_say_their_units),       TEST(refusals_are_said),
        TEST(the_newest_run_counts),      TEST(what_is_not_drawn_is_a_table),
        TEST(changed_runs_count),         TEST(figures_say_what_they_show),
        TEST(data_of_figures_are_golden), TEST(killed_runs_are_drawn),
        TEST(words_are_no_axes),          TEST(without_gnuplot_the_data_remain),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
