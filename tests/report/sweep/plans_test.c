/* What narrows report says of a run of memory plans: batches, throughput and loss as a table, as rows, as lines. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/report/sweep/sweep.h"
#include "harness/status.h"
#include "tests/report/golden.h"
#include "tests/report/sweep/text.h"
#include "tests/store/support.h"
#include "tests/store/synthetic.h"
#include "tests/test.h"

/* What a run has of the two things that are swept, and whether its plans look for the largest batch. */
struct planned_run {
    const char *name;
    size_t nbandwidths, ndepths;
    bool fill, largest, no_baseline;
};

static const struct planned_run filled = { "filled", 3, 1, .fill = true }, fixed = { "fixed", 3, 1, .fill = false },
                                asked = { "asked+changes", 2, 1, .largest = true },
                                maps = { "maps", 3, 2, .fill = true },
                                alone = { "alone", 1, 1, .fill = true, .no_baseline = true },
                                mixed = { "mixed", 3, 1, .fill = true };

/* The second one's batch rises with the bandwidth, and it loses the less time the faster the link; the third one's 640
 * samples do not fit unless it is the largest batch. */
static struct point_fact plan_at(const struct planned_run *r, size_t v, double GBps, double depth,
                                 struct measure_fact *m)
{
    double largest[] = { 200, 200 + 10 * GBps + 40 * depth, 210 }, speed[] = { 120, 120 - 120 / GBps, 0.5 };
    double job[] = { 64, 64, 640 }, batch = r->fill ? largest[v] : job[v];
    const struct measure_fact all[] = {
        { "step_ms", 1e3 * batch / speed[v], "ms" }, { "sample_us", 1e6 / speed[v], "us" },
        { "samples_per_s", speed[v], "1/s" },        { "stall_ms", v == 1 ? 1e3 / GBps : 0, "ms" },
        { "peak_bytes", 6.25e7 * batch, "B" },       { "batch", batch, "" },
        { "fits", r->fill || batch < 500, "" },      { "largest_batch", largest[v], "" },
    };

    memcpy(m, all, sizeof(all));
    return (struct point_fact){ .measures = m, .nmeasures = COUNT(all) - !(r->fill || r->largest) };
}

static void put(struct store *s, const struct planned_run *r)
{
    static const struct {
        const char *text;
        double value;
    } rates[] = { { "4 GB/s", 4e9 }, { "10 GB/s", 1e10 }, { "40 GB/s", 4e10 } },
      depths[] = { { "0.25", 0.25 }, { "0.5", 0.5 } };
    static const char *const variants[] = { "keep all", "split, per object", "in place" };
    int64_t run = synthetic_run(s, r->name, r->no_baseline ? "" : "keep all", "");

    for (size_t i = 0; i < r->nbandwidths * r->ndepths * COUNT(variants); i++) {
        size_t combination = i / COUNT(variants), v = i % COUNT(variants), b = combination / r->ndepths;
        size_t d = combination % r->ndepths;
        struct measure_fact m[8];
        struct param_fact params[] = { { "platform.link.nvlink.bandwidth", rates[b].text, rates[b].value, "bytes/s" },
                                       { "method.split.depth", depths[d].text, depths[d].value, "" } };
        struct point_fact p = plan_at(r, v, rates[b].value / 1e9, r->ndepths > 1 ? depths[d].value : 0, m);
        char key[33], what[96];
        snprintf(what, sizeof(what), "%s %zu", r->name, i);
        synthetic_key(key, what);
        p.key = key;
        p.variant = variants[v];
        p.index = i;
        p.combination = combination;
        p.params = params;
        p.nparams = r->ndepths > 1 ? 2 : r->nbandwidths > 1;
        if (r == &mixed && v == 2) { /* another method, which plans nothing */
            p.measures = m;
            p.nmeasures = 2;
        }
        assert_int_equal(store_point(s, run, &p), 0);
    }
}

static struct store *open_with(const struct planned_run *r)
{
    struct store *s = NULL;

    assert_int_equal(store_open(support_path("n.db"), &s), 0);
    put(s, r);
    return s;
}

static void texts_are_golden(void **state)
{
    static const struct {
        const char *name;
        const struct planned_run *run;
        enum report_format format;
    } cases[] = {
        { "plans-filled.txt", &filled, REPORT_TEXT }, { "plans-fixed.txt", &fixed, REPORT_TEXT },
        { "plans-asked.txt", &asked, REPORT_TEXT },   { "plans-alone.txt", &alone, REPORT_TEXT },
        { "plans-mixed.txt", &mixed, REPORT_TEXT },   { "plans-maps.csv", &maps, REPORT_CSV },
        { "plans-alone.csv", &alone, REPORT_CSV },
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct store *s = open_with(cases[i].run);
        char *text = sweep_text(s, cases[i].run->name, NULL, NULL, cases[i].format, NW_OK);

        golden_expect(cases[i].name, text);
        free(text);
        store_close(s);
        support_teardown(state);
        support_setup(state);
    }
}

static void json_has_the_batch(void **state)
{
    struct store *s = open_with(&fixed);
    char *text = sweep_text(s, "fixed", NULL, NULL, REPORT_JSON, NW_OK);

    (void)state;
    if (!strstr(text,
                "{\"variant\":\"split, per object\",\"at\":{\"platform.link.nvlink.bandwidth\":\"4 GB/s\"},"
                "\"batch\":64.0,\"largest_batch\":null,\"samples_per_s\":90.0,\"loss_pct\":25.0,\"pool_GB\":4.0,"))
        fail_msg("%s", text);
    free(text);
    store_close(s);
}

static void draw(struct store *s, const char *name, const char *x, const char *dir)
{
    int rc = report_sweep_figures(s, name, x, NULL, golden_plots(), dir);

    if (rc)
        fail_msg("%s: answered %d", name, rc);
}

/* Where what says the y axis begins, in points from the left: not at the edge. */
static double y_label_at(const char *path, const char *label)
{
    char *text = support_read(path, NULL), *said = strstr(text, label), *at = NULL;

    for (char *p = text; said && (p = strstr(p, "translate(")) && p < said; p++)
        at = p;
    double x = at ? strtod(at + strlen("translate("), NULL) : -1;
    free(text);
    return x;
}

static void figures_say_what_they_show(void **state)
{
    static const char *const names[] = { "filled-batch", "fixed-throughput", "maps-batch-split-depth-0.25", NULL };
    const char *dirs[2] = { support_path("one"), support_path("two") };

    (void)state;
    if (!golden_gnuplot()) {
        print_message("gnuplot is not installed: figures are not tested\n");
        skip();
    }
    struct store *s = open_with(&filled);
    put(s, &fixed);
    put(s, &maps);
    put(s, &asked);
    support_listen();
    for (int i = 0; i < 2; i++) {
        draw(s, "filled", NULL, dirs[i]);
        draw(s, "fixed", NULL, dirs[i]);
        draw(s, "maps", NULL, dirs[i]);
        draw(s, "maps", "depth", dirs[i]);
        draw(s, "asked+changes", NULL, dirs[i]);
    }
    /* Not a word: a warning of gnuplot's is an error of the template. */
    assert_string_equal(support_heard(), "");
    golden_same_pictures(names, dirs);
    assert_int_equal(golden_count(dirs[0], ".svg"), 1 + 1 + 2 + 3 + 1);
#define SAYS(name, ...) golden_says(dirs[0], name, (const char *const[]){ __VA_ARGS__, NULL })
    SAYS("filled-batch.svg", ">largest batch (samples)<");
    SAYS("filled-batch.svg", ">nvlink bandwidth (GB/s)<");
    SAYS("filled-batch.svg", ">split, per object<");
    /* From 4 to 40 is a decade: three places far apart, each with its value. */
    SAYS("filled-batch.svg", ">4<", ">10<", ">40<");
    assert_true(y_label_at(support_path("one/filled-batch.svg"), ">largest batch (samples)<") > 10);
    SAYS("filled-batch.tsv", "keep all\tnvlink bandwidth (GB/s)\tlargest batch (samples)\t", "\n4\t200\n",
         "split, per object\t", "\n4\t240\n10\t300\n40\t600\n");
    SAYS("fixed-throughput.svg", ">throughput (samples/s)<");
    SAYS("fixed-throughput.tsv", "split, per object\t", "\n4\t90\n10\t108\n40\t117\n");
    SAYS("maps-batch-split-depth-0.5.tsv", "\tnvlink bandwidth (GB/s), at split depth 0.5\t", "split, per object\t",
         "\n4\t260\n");
    SAYS("maps-batch-nvlink-bandwidth-40-GB-s.tsv", "split, per object\tsplit depth, at nvlink bandwidth 40 GB/s\t",
         "\n0.25\t610\n0.5\t620\n");
    SAYS("asked+changes-batch.tsv", "in place\t", "\n4\t210\n");
    /* What does not fit has no throughput. */
    char *text = support_read(support_path("one/fixed-throughput.tsv"), NULL);
    assert_null(strstr(text, "in place"));
    free(text);
    store_close(s);
}

static void refusals_are_said(void **state)
{
    struct store *s = open_with(&maps);

    (void)state;
    support_listen();
    free(sweep_text(s, "maps", NULL, "depth", REPORT_TEXT, NW_EINPUT));
    assert_non_null(strstr(support_heard(), "'maps' plans memory, which is drawn as lines along --x: expected no --y"));
    support_listen();
    free(sweep_text(s, "maps", "width", NULL, REPORT_TEXT, NW_EINPUT));
    assert_non_null(
        strstr(support_heard(), "no key 'width' of numbers is swept; there is platform.link.nvlink.bandwidth"));
    put(s, &alone);
    support_listen();
    assert_int_equal(report_sweep_figures(s, "alone", NULL, NULL, golden_plots(), support_path("none")), NW_EENV);
    assert_non_null(strstr(support_heard(), "sweeps no key of numbers: there is nothing to draw"));
    store_close(s);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, support_setup, support_teardown)
    const struct CMUnitTest tests[] = {
        TEST(texts_are_golden),
        TEST(json_has_the_batch),
        TEST(figures_say_what_they_show),
        TEST(refusals_are_said),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
