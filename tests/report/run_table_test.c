/* run_table_test.c - what narrows run prints at its end: for memory plans, the samples that they train at a time and
 * the cost; for training runs, what was learnt; for others, their time. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/report/answer/run_table.h"
#include "tests/store/support.h"
#include "tests/store/synthetic.h"
#include "tests/test.h"

enum { MEASURES = 7 };

/* 'batch' 0: not a plan. */
struct line {
    const char *variant;
    double batch, samples_per_s, pool_GB, stall_ms, fits;
};

static const struct line plans[] = { { "keep all", 217, 122.5, 14.9386, 0, 1 },
                                     { "split, per object", 818, 98, 14.94, 12.25, 1 },
                                     { "in place", 4096, 500, 64.5, 0, 0 },
                                     { "slow", 1, 0.5, 0.25, 0, 1 } };
static const struct line others[] = { { "plain", 0, 100, 0, 0, 0 }, { "packed", 0, 125, 0, 0, 0 } };

/* The lines at each of 'n' places, the last 'left_out' points missing, as of a killed run. */
static int64_t put(struct store *s, const char *scenario, const char *baseline, const struct line *lines, size_t nlines,
                   size_t n, size_t left_out)
{
    int64_t run = synthetic_run(s, scenario, baseline, "");

    for (size_t i = 0; i + left_out < nlines * n; i++) {
        const struct line *l = &lines[i % nlines];
        struct measure_fact m[MEASURES] = {
            { "step_ms", 1e3 * (l->batch > 0 ? l->batch : 64) / l->samples_per_s, "ms" },
            { "sample_us", 1e6 / l->samples_per_s, "us" },
            { "samples_per_s", l->samples_per_s, "1/s" },
            { "batch", l->batch, "" },
            { "peak_bytes", 1e9 * l->pool_GB, "B" },
            { "stall_ms", l->stall_ms, "ms" },
            { "fits", l->fits, "" },
        };
        char key[33], text[64];
        struct param_fact param = { "platform.link.nvlink.bandwidth", text, 1e9 * (double)(1 + i / nlines), "bytes/s" };
        struct point_fact p = { .key = key,
                                .variant = l->variant,
                                .index = i,
                                .combination = i / nlines,
                                .params = &param,
                                .nparams = n > 1,
                                .measures = m,
                                .nmeasures = l->batch > 0 ? MEASURES : 3 };
        snprintf(text, sizeof(text), "%s %zu", scenario, i);
        synthetic_key(key, text);
        snprintf(text, sizeof(text), "%zu GB/s", 1 + i / nlines);
        assert_int_equal(store_point(s, run, &p), 0);
    }
    return run;
}

static char *print(struct store *s, int64_t run)
{
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    assert_non_null(out);
    assert_int_equal(run_table_print(s, run, "n.db", out), 0);
    fclose(out);
    return text;
}

static void tables_are_printed(void **state)
{
    static const struct {
        const char *name, *baseline;
        const struct line *lines;
        size_t nlines, n, left_out;
        const char *want;
    } cases[] = {
        { "plans", "keep all", plans, COUNT(plans), 2, 0,
          "point             variant             batch  samples/s      lost  pool (GB)  stall (ms)\n"
          "bandwidth 1 GB/s  keep all              217      122.5               14.939         0.0\n"
          "bandwidth 1 GB/s  split, per object     818       98.0   20.00 %     14.940        12.2\n"
          "bandwidth 1 GB/s  in place             4096         does not fit     64.500         0.0\n"
          "bandwidth 1 GB/s  slow                    1      0.500   99.59 %      0.250         0.0\n"
          "bandwidth 2 GB/s  keep all              217      122.5               14.939         0.0\n"
          "bandwidth 2 GB/s  split, per object     818       98.0   20.00 %     14.940        12.2\n"
          "bandwidth 2 GB/s  in place             4096         does not fit     64.500         0.0\n"
          "bandwidth 2 GB/s  slow                    1      0.500   99.59 %      0.250         0.0\n" },
        { "plans that nothing is compared with, nor swept", "", plans, COUNT(plans), 1, 2,
          "point  variant             batch  samples/s      lost  pool (GB)  stall (ms)\n"
          "-      keep all              217      122.5               14.939         0.0\n"
          "-      split, per object     818       98.0               14.940        12.2\n" },
        { "others", "plain", others, COUNT(others), 1, 0,
          "variant  step (ms)   speedup  samples/s\n"
          "plain          640  baseline        100\n"
          "packed         512     1.25x        125\n" },
    };
    struct store *s = NULL;

    (void)state;
    assert_int_equal(store_open(support_path("n.db"), &s), 0);
    for (size_t i = 0; i < COUNT(cases); i++) {
        char *text = print(s, put(s, cases[i].name, cases[i].baseline, cases[i].lines, cases[i].nlines, cases[i].n,
                                  cases[i].left_out));
        if (strcmp(text, cases[i].want) != 0)
            fail_msg("%s:\n%s", cases[i].name, text);
        free(text);
    }
    store_close(s);
}

/* Sizes and times as nccl-tests prints them; the axis says the same in words. How they were sent, if one says so. */
static void collectives_are_printed(void **state)
{
    static const struct {
        const char *variant, *size;
        double bytes, us;
        const char *sent_as;
    } lines[] = { { "ring", "1 MiB", 1048576, 91.95, "" },
                  { "measured", "1 MiB", 1048576, 45.975, "sent_as.ring-LL" },
                  { "ring", "1 GiB", 1073741824, 8220, "" },
                  { "measured", "1 GiB", 1073741824, 16440, "sent_as.tree-Simple" } };
    static const char want[] =
        "point        variant      size (B)    time (us)   algbw (GB/s)   busbw (GB/s)        speedup  sent as\n"
        "bytes 1 MiB  ring          1048576        91.95          11.40          19.96       baseline\n"
        "bytes 1 MiB  measured      1048576        45.98          22.81          39.91             2x  ring-LL\n"
        "bytes 1 GiB  ring       1073741824      8220.00         130.63         228.59       baseline\n"
        "bytes 1 GiB  measured   1073741824     16440.00          65.31         114.30      2x slower  tree-Simple\n";
    struct store *s = NULL;

    (void)state;
    assert_int_equal(store_open(support_path("c.db"), &s), 0);
    int64_t run = synthetic_run(s, "collectives", "ring", "");
    for (size_t i = 0; i < COUNT(lines); i++) {
        const double us = lines[i].us, GBps = lines[i].bytes / us / 1e3;
        struct measure_fact m[] = { { "step_ms", us / 1e3, "ms" },         { "time_us", us, "us" },
                                    { "bytes", lines[i].bytes, "B" },      { "algbw_GBps", GBps, "GB/s" },
                                    { "busbw_GBps", 1.75 * GBps, "GB/s" }, { lines[i].sent_as, 1, "share" } };
        char key[33], name[8];
        struct param_fact param = { "method.bytes", lines[i].size, lines[i].bytes, "bytes" };
        struct point_fact p = { .key = key,
                                .variant = lines[i].variant,
                                .index = i,
                                .combination = i / 2,
                                .params = &param,
                                .nparams = 1,
                                .measures = m,
                                .nmeasures = COUNT(m) - !*lines[i].sent_as };
        snprintf(name, sizeof(name), "%zu", i);
        synthetic_key(key, name);
        assert_int_equal(store_point(s, run, &p), 0);
    }
    assert_int_equal(run_kind(s, run), RUN_COLLECTIVE);
    char *text = print(s, run);
    assert_string_equal(text, want);
    free(text);
    store_close(s);
}

/* A run is one of plans only if all its points are. */
static void long_and_mixed_runs_are_printed(void **state)
{
    const struct line mixed[] = { plans[0], others[0] };
    struct store *s = NULL;
    size_t lines = 0;

    (void)state;
    assert_int_equal(store_open(support_path("n.db"), &s), 0);
    char *text = print(s, put(s, "mixed", "", mixed, COUNT(mixed), 1, 0));
    assert_non_null(strstr(text, "step (ms)"));
    assert_null(strstr(text, "batch"));
    free(text);

    text = print(s, put(s, "long", "keep all", plans, COUNT(plans), 13, 0));
    for (const char *p = text; *p; p++)
        lines += *p == '\n';
    assert_int_equal(lines, 1 + 48 + 1);
    assert_non_null(strstr(text, "\n... and more: sqlite3 'n.db' 'SELECT * FROM plan_point WHERE run_id = "));
    free(text);

    text = print(s, put(s, "long too", "plain", others, COUNT(others), 25, 0));
    assert_non_null(strstr(text, "\n... and more: sqlite3 'n.db' 'SELECT * FROM answer WHERE run_id = "));
    free(text);
    store_close(s);
}

/* Each has what its data gives. */
static void trainings_are_printed(void **state)
{
    static const struct {
        const char *variant;
        struct measure_fact list[6];
        size_t n;
    } rows[] = {
        { "fp32",
          { { "steps", 400, "" },
            { "loss", 0.52344, "" },
            { "test_loss", 0.75, "" },
            { "accuracy", 78.125, "%" },
            { "compression_ratio", 1, "x" },
            { "top5", 99, "%" } },
          6 },
        { "3lc s=1.75",
          { { "steps", 400, "" }, { "loss", 0.5, "" }, { "accuracy", 77, "%" }, { "compression_ratio", 107.04, "x" } },
          4 },
        { "clicks", { { "steps", 3, "" }, { "loss", 0.45, "" }, { "accuracy", 79, "%" }, { "auc", 0.8125, "" } }, 4 },
        { "sentences", { { "steps", 2000000, "" }, { "accuracy", 60, "%" }, { "bleu", 23.44, "%" } }, 3 },
    };
    struct store *s = NULL;
    int64_t run;

    (void)state;
    assert_int_equal(store_open(support_path("n.db"), &s), 0);
    run = synthetic_run(s, "trained", "fp32", "");
    for (size_t i = 0; i < COUNT(rows); i++) {
        char key[33];
        struct param_fact param = { "training.seed", "7", 7, "" };
        struct point_fact p = { .key = key,
                                .variant = rows[i].variant,
                                .index = i,
                                .params = &param,
                                .nparams = 1,
                                .measures = rows[i].list,
                                .nmeasures = rows[i].n };

        synthetic_key(key, rows[i].variant);
        assert_int_equal(store_point(s, run, &p), 0);
    }
    char *text = print(s, run);
    assert_string_equal(text, "point   variant         steps       loss  test loss     on tests      ratio\n"
                              "seed 7  fp32              400     0.5234     0.7500      78.13 %        1 x\n"
                              "seed 7  3lc s=1.75        400     0.5000          -      77.00 %      107 x\n"
                              "seed 7  clicks              3     0.4500          -   0.8125 AUC          -\n"
                              "seed 7  sentences     2000000          -          -   23.44 BLEU          -\n"
                              "\n"
                              "fp32: one seed, loss 0.5234, test loss 0.7500, 78.12 % right\n"
                              "3lc s=1.75: one seed, loss 0.5000, 77.00 % right, 107x fewer\n"
                              "clicks: one seed, loss 0.4500, 79.00 % right, 0.8125 AUC\n"
                              "sentences: one seed, 60.00 % right, 23.44 BLEU\n");
    free(text);
    store_close(s);
}

/* The mean of the seeds of each variant, what it sends a step and how much less that is. */
static void seeds_are_averaged(void **state)
{
    static const double losses[2][2] = { { 0.5, 0.7 }, { 1, 1.5 } };
    struct store *s = NULL;

    (void)state;
    assert_int_equal(store_open(support_path("n.db"), &s), 0);
    int64_t run = synthetic_run(s, "trained", "fp32", "");
    for (size_t i = 0; i < 4; i++) {
        char key[33], seed[8], name[16];
        struct param_fact param = { "training.seed", seed, (double)(i / 2), "" };
        const struct measure_fact m[] = { { "steps", 10, "" },
                                          { "loss", losses[i % 2][i / 2], "" },
                                          { "compression_ratio", i % 2 ? 39 + 2 * (double)(i / 2) : 1, "x" },
                                          { "push_bytes", i % 2 ? 25e3 : 1e6, "B" },
                                          { "pull_bytes", i % 2 ? 25e3 : 1e6, "B" } };
        struct point_fact p = { .key = key,
                                .variant = i % 2 ? "3lc" : "fp32",
                                .index = i,
                                .combination = i / 2,
                                .params = &param,
                                .nparams = 1,
                                .measures = m,
                                .nmeasures = COUNT(m) };

        snprintf(seed, sizeof(seed), "%zu", i / 2);
        snprintf(name, sizeof(name), "seeds %zu", i);
        synthetic_key(key, name);
        assert_int_equal(store_point(s, run, &p), 0);
    }
    char *text = print(s, run);
    if (!strstr(text, "\n\nfp32: mean of 2 seeds, loss 0.6000, 2 MB a step and worker\n"
                      "3lc: mean of 2 seeds, loss 1.2500, 50 kB a step and worker, 40x fewer\n"))
        fail_msg("%s", text);
    free(text);
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_int_equal(run_table_csv(s, run, out), 0);
    fclose(out);
    assert_non_null(strstr(text, "variant,seeds,steps,loss,"));
    assert_non_null(strstr(text, "\n3lc,2,10,1.25,,,,,40,25000,25000\n"));
    free(text);
    store_close(s);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, support_setup, support_teardown)
    const struct CMUnitTest tests[] = { TEST(tables_are_printed), TEST(collectives_are_printed),
                                        TEST(trainings_are_printed), TEST(seeds_are_averaged),
                                        TEST(long_and_mixed_runs_are_printed) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
