/* train_bench_test.c - what the bench of the trainer times: samples that are the same for both sides, a peer that
 * trains the same network, ratios of adjacent turns. The peer is a script that only answers; where PyTorch is
 * installed, it is asked, too. */

#include <math.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/bench/cases.h"
#include "harness/bench/train/case.h"
#include "harness/bench/train/ours.h"
#include "harness/bench/train/peer.h"
#include "harness/status.h"
#include "harness/store/case.h"
#include "harness/store/store.h"
#include "model/status.h"
#include "tests/sanitized.h"
#include "tests/test.h"

/* In the test's folder. */
static const char *log_path, *python_path, *db_path;

static int make_paths(void **state)
{
    const char *folder = getenv("NARROWS_TEST_TMP");
    const char **const paths[] = { &log_path, &python_path, &db_path };
    static const char *const names[] = { "python.log", "python", "train.db" };

    (void)state;
    for (size_t i = 0; i < COUNT(paths); i++) {
        char *path;

        if (asprintf(&path, "%s/%s", folder ? folder : "/tmp", names[i]) < 0)
            return -1;
        *paths[i] = path;
    }
    return 0;
}

static int free_paths(void **state)
{
    (void)state;
    free((void *)log_path);
    free((void *)python_path);
    free((void *)db_path);
    return 0;
}

/* --- samples ------------------------------------------------------------------------------------------------------ */

enum { SAMPLES = 3, VALUES = 2, IDS = 1, LABELS = 2 };

static int plain_sample(const struct data_source *s, enum data_set set, int64_t index, uint64_t augment, float *values,
                        int32_t *ids, int32_t *labels, char *why, size_t nwhy)
{
    assert_true(set == DATA_TRAIN && !augment);
    if (s->own && index == 1) {
        snprintf(why, nwhy, "sample 1 is not there");
        return E_DATA;
    }
    for (int i = 0; i < VALUES; i++)
        values[i] = (float)(10 * index + i);
    *ids = (int32_t)(100 * index);
    for (int i = 0; i < LABELS; i++)
        labels[i] = (int32_t)(1000 * index + i);
    return 0;
}

static struct data_source plain_source(void)
{
    return (struct data_source){ .shape = { VALUES, 1, 1, IDS, LABELS, 5000 },
                                 .count = { SAMPLES, 0 },
                                 .sample = plain_sample };
}

static void prepared_samples_are_those_of_their_source(void **state)
{
    static const int32_t ids[] = { 0, 100, 200 }, labels[] = { 0, 1, 1000, 1001, 2000, 2001 };
    static const float values[] = { 0, 1, 10, 11, 20, 21 };
    struct data_source source = plain_source();
    struct prepared p;
    char why[64] = "", read[sizeof(values) + sizeof(ids) + sizeof(labels) + 1];
    FILE *f = tmpfile();

    (void)state;
    assert_int_equal(prepared_make(&source, &p, why, sizeof(why)), NW_OK);
    assert_true(p.source.count[DATA_TRAIN] == SAMPLES && p.source.shape.classes == 5000);
    for (int64_t i = 0; i < SAMPLES; i++) {
        float v[VALUES];
        int32_t id[IDS], label[LABELS];

        assert_int_equal(p.source.sample(&p.source, DATA_TRAIN, i, 7, v, id, label, why, sizeof(why)), 0);
        assert_memory_equal(v, values + VALUES * i, sizeof(v));
        assert_memory_equal(id, ids + IDS * i, sizeof(id));
        assert_memory_equal(label, labels + LABELS * i, sizeof(label));
    }
    assert_int_equal(prepared_write(&p, f), NW_OK);
    rewind(f);
    assert_int_equal(fread(read, 1, sizeof(read), f), sizeof(read) - 1);
    assert_memory_equal(read, values, sizeof(values));
    assert_memory_equal(read + sizeof(values), ids, sizeof(ids));
    assert_memory_equal(read + sizeof(values) + sizeof(ids), labels, sizeof(labels));
    fclose(f);
    prepared_free(&p);
    source.own = &source; /* a source that fails */
    assert_int_equal(prepared_make(&source, &p, why, sizeof(why)), NW_ESIM);
    assert_string_equal(why, "sample 1 is not there");
    assert_null(p.values);
}

static void drawn_samples_are_spread_and_differ(void **state)
{
    struct ours o;
    struct data_source s;
    double sum = 0, square = 0;
    int classes[16] = { 0 };
    float values[13], first[13] = { 0 };
    int32_t label;

    (void)state;
    assert_int_equal(ours_prepare(&train_dlrm_mlps, NULL, 0, 0, 1, &o), NW_OK);
    random_source(&o.parts[0].model, 1000, &s);
    assert_true(s.shape.channels == 13 && s.shape.classes == 16 && s.count[DATA_TRAIN] == 1000 && !s.shape.ids);
    for (int64_t i = 0; i < 1000; i++) {
        assert_int_equal(s.sample(&s, DATA_TRAIN, i, 0, values, NULL, &label, NULL, 0), 0);
        assert_true(label >= 0 && label < 16);
        classes[label]++;
        for (int k = 0; k < 13; k++) {
            assert_true(values[k] >= -1 && values[k] < 1);
            sum += values[k];
            square += values[k] * values[k];
        }
        assert_true(memcmp(values, first, sizeof(values)) != 0);
        memcpy(first, values, sizeof(values));
    }
    for (int c = 0; c < 16; c++)
        if (classes[c] < 30 || classes[c] > 100) /* 62.5 and 7.7 */
            fail_msg("class %d: %d of 1000", c, classes[c]);
    assert_true(fabs(sum / 13000) < 0.03 && fabs(square / 13000 - 1.0 / 3) < 0.02);
    random_source(&o.parts[1].model, 1, &s);
    assert_true(s.shape.channels == 367 && s.shape.classes == 2);
    ours_close(&o);
}

/* --- networks and the peer ---------------------------------------------------------------------------------------- */

/* By hand: ResNet-20's convolutions have 432 + 6 x 2304 + 4608 + 5 x 9216 + 18432 + 5 x 36864 weights, its
 * classifier 650, its norms 1376. */
static const struct {
    const struct network_kind *kind;
    int64_t parameters, samples, bytes;
} networks[] = {
    { &train_resnet_20, 269722, 32, 512 * 4 * (3072 + 1) },
    { &train_dlrm_mlps, 155984 + 352769, 128, 4096 * 4 * (13 + 1 + 367 + 1) },
    { &train_dlrm, 155984 + 352769 + 26000 * 16, 128, 4096 * 4 * (13 + 26 + 1) },
};

/* In place of Python: says what it was started with in 'log', talks, and trains nothing. */
static const char *fake_python(const char *ready, const char *steps)
{
    FILE *f = fopen(python_path, "w");

    assert_non_null(f);
    fprintf(f,
            "#!/bin/sh\n"
            "[ \"$2\" = version ] && { echo ready 0 Fake 1.0; exit; }\n"
            "echo \"${1##*/} $2 $3 $4 $5 $(wc -c <\"$6\")\" >>%s\n"
            "echo %s\n"
            "while read -r n; do %s; done\n",
            log_path, ready, steps);
    fclose(f);
    assert_int_equal(chmod(python_path, 0755), 0);
    unlink(log_path);
    return python_path;
}

static void a_peer_trains_as_many_parameters_on_the_same_samples(void **state)
{
    char line[256], expected[256], ready[64];
    struct ours o;
    struct side s;

    (void)state;
    for (size_t i = 0; i < COUNT(networks); i++)
        for (int off = 0; off < 2; off++) {
            struct peer p;
            FILE *log;
            int rc;

            snprintf(ready, sizeof(ready), "ready %lld Fake 1.0", (long long)networks[i].parameters + off);
            p = peer_find(fake_python(ready, "echo 1"));
            assert_string_equal(p.program, "Fake 1.0");
            assert_int_equal(ours_prepare(networks[i].kind, NULL, 0, 0, 1, &o), NW_OK);
            assert_int_equal(ours_parameters(&o), networks[i].parameters);
            rc = peer_start(&p, networks[i].kind, &o, &s);
            assert_int_equal(rc, off ? NW_ESIM : NW_OK);
            if (off)
                assert_non_null(strstr(s.why, "parameters, the network has"));
            side_close(&s);
            log = fopen(log_path, "r");
            assert_non_null(log);
            assert_non_null(fgets(line, sizeof(line), log));
            fclose(log);
            snprintf(expected, sizeof(expected), "peer.py %s %lld %lld 1 %lld\n", networks[i].kind->name,
                     (long long)networks[i].samples, (long long)o.parts[0].samples->count[DATA_TRAIN],
                     (long long)networks[i].bytes);
            assert_string_equal(line, expected);
            ours_close(&o);
        }
}

static void without_a_peer_there_is_a_reason(void **state)
{
    struct peer p = peer_find("/no/such/python");

    (void)state;
    assert_null(p.python);
    assert_string_equal(p.why, "/no/such/python: No such file or directory");
}

/* Both train on the same samples: the real peer, where it is. */
static void pytorch_trains_the_same_networks(void **state)
{
    struct peer p = peer_find(NULL);

    (void)state;
    if (!p.python) {
        print_message("no PyTorch here: %s\n", p.why);
        skip();
    }
    for (size_t i = 0; i < (SANITIZED ? 1 : COUNT(networks)); i++) {
        struct ours o;
        struct side s;
        int64_t ns = 0;

        assert_int_equal(ours_prepare(networks[i].kind, NULL, 0, 0, 1, &o), NW_OK);
        if (peer_start(&p, networks[i].kind, &o, &s) || side_steps(&s, 2, &ns))
            fail_msg("%s: %s", networks[i].kind->name, s.why);
        assert_true(ns > 0);
        side_close(&s);
        ours_close(&o);
    }
}

/* --- what comes of it --------------------------------------------------------------------------------------------- */

/* Ratios 2, 1, 4: their median is 2, though both medians are 200. */
static const int64_t first_ns[] = { 100, 300, 200 }, second_ns[] = { 200, 300, 800 };

static void turns_are_compared_with_adjacent_ones(void **state)
{
    struct train_timed *t = calloc(1, sizeof(*t));
    struct train_ratio r;

    (void)state;
    t->reps = 3;
    t->samples = 32;
    t->steps = 5;
    memcpy(t->first.elapsed_ns, first_ns, sizeof(first_ns));
    memcpy(t->second.elapsed_ns, second_ns, sizeof(second_ns));
    r = train_speed(t);
    assert_true(r.median == 2 && r.low == 1.5 && r.high == 3);
    r = train_extra_pct(t);
    assert_true(r.median == -50 && r.low == -62.5 && r.high == -25);
    assert_true(fabs(train_samples_per_s(t, &t->first) - 32 * 5 / 200e-9) < 1);
    assert_true(fabs(train_samples_per_s(t, &t->second) - 32 * 5 / 300e-9) < 1);
    assert_int_equal(t->first.elapsed_ns[1], 300); /* they stay in their order */
    free(t);
}

static struct store *fresh_store(int64_t *run_id)
{
    struct run_fact run = { .command = "test",
                            .scenario = "",
                            .title = "",
                            .notes = "",
                            .baseline = "",
                            .figure = "",
                            .file = "",
                            .commit = "x",
                            .build = "x",
                            .machine = "x" };
    struct store *s = NULL;

    unlink(db_path);
    assert_int_equal(store_open(db_path, &s), NW_OK);
    assert_int_equal(store_run(s, &run, run_id), NW_OK);
    return s;
}

static double number(struct store *s, const char *sql)
{
    sqlite3_stmt *q;
    double value;

    assert_int_equal(sqlite3_prepare_v2(store_handle(s), sql, -1, &q, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(q), SQLITE_ROW);
    value = sqlite3_column_type(q, 0) == SQLITE_NULL ? NAN : sqlite3_column_double(q, 0);
    sqlite3_finalize(q);
    return value;
}

static void a_case_is_stored_and_summed_up(void **state)
{
    struct train_case_fact fact = {
        .name = "net", .side = "other", .against = "", .threads = 2, .workers = 1, .samples = 32, .steps = 5
    };
    int64_t run_id;
    struct store *s = fresh_store(&run_id);

    (void)state;
    assert_int_equal(store_train_case(s, run_id, &fact, second_ns, 3), NW_OK);
    assert_int_equal(store_train_case(s, run_id, &fact, second_ns, 3), NW_EDB); /* once only */
    fact.side = "narrows";
    fact.against = "other";
    fact.place = 1;
    assert_int_equal(store_train_case(s, run_id, &fact, first_ns, 3), NW_OK);
    assert_true(number(s, "SELECT ratio FROM train_bench WHERE side = 'narrows'") == 2);
    assert_true(number(s, "SELECT extra_pct FROM train_bench WHERE side = 'narrows'") == -50);
    assert_true(isnan(number(s, "SELECT ratio FROM train_bench WHERE side = 'other'")));
    assert_true(fabs(number(s, "SELECT samples_per_s FROM train_bench WHERE side = 'other'") * 300e-9 - 160) < 1e-9);
    assert_true(fabs(number(s, "SELECT step_ms FROM train_bench WHERE side = 'narrows'") - 40e-6) < 1e-12);
    assert_true(number(s, "SELECT count(*) FROM train_sample") == 6);
    store_close(s);
}

/* Three times what the fp32 step takes is three times, and not what it adds; other ways are none. */
static void emulation_is_a_multiple_of_the_step(void **state)
{
    const int64_t plain_ns[] = { 100, 110, 90 }, bf16_ns[] = { 300, 330, 270 };
    struct train_case_fact fact = {
        .name = "net", .side = "plain", .against = "", .threads = 1, .workers = 1, .samples = 32, .steps = 1
    };
    int64_t run_id;
    struct store *s = fresh_store(&run_id);

    (void)state;
    assert_int_equal(store_train_case(s, run_id, &fact, plain_ns, 3), NW_OK);
    fact.against = "plain";
    fact.side = "bf16";
    assert_int_equal(store_train_case(s, run_id, &fact, bf16_ns, 3), NW_OK);
    fact.side = "3lc, traces";
    assert_int_equal(store_train_case(s, run_id, &fact, bf16_ns, 3), NW_OK);
    assert_true(number(s, "SELECT count(*) FROM emulation_cost") == 1);
    assert_true(fabs(number(s, "SELECT times FROM emulation_cost WHERE precision = 'bf16'") - 3) < 1e-9);
    store_close(s);
}

/* Steps 0, 2 and 4 of all are traced: of the first turn its first and third, of the second its second. */
static void traces_are_written_before_a_turn_ends(void **state)
{
    static const struct {
        const char *sql;
        double expected;
    } rows[] = {
        { "SELECT count(*) FROM training", 2 * 2 },
        { "SELECT count(*) FROM trace_step", 2 * 2 * 3 },
        { "SELECT count(*) FROM trace_step WHERE step = 2", 2 * 2 },
        { "SELECT count(DISTINCT step) FROM trace_exchange WHERE pull = 0", 3 },
        { "SELECT count(DISTINCT point_id) FROM trace_exchange WHERE step = 1", 2 },
        { "SELECT count(*) FROM trace_tensor WHERE name = ''", 0 },
    };
    const char *const sets[] = { "training.exchange.push=3lc:s=1.75", "training.trace.every=2" };
    char why[256] = "", folder[256];
    struct side_work w;
    int64_t parameters;
    struct ours o;

    (void)state;
    assert_int_equal(ours_prepare(&train_dlrm_mlps, sets, COUNT(sets), 0, 1, &o), NW_OK);
    w = ours_work(&o);
    assert_int_equal(w.open(w.context, &parameters, why, sizeof(why)), 0);
    for (int turn = 0; turn < 2; turn++)
        assert_int_equal(w.steps(w.context, 3, why, sizeof(why)), 0);
    for (size_t i = 0; i < COUNT(rows); i++)
        if (number(o.traces.store, rows[i].sql) != rows[i].expected)
            fail_msg("%s: %g", rows[i].sql, number(o.traces.store, rows[i].sql));
    store_close(o.traces.store);
    snprintf(folder, sizeof(folder), "%s", o.traces.folder);
    ours_close(&o);
    assert_int_not_equal(access(folder, F_OK), 0);
}

static char *read_all(FILE *f)
{
    static char text[8192];
    size_t n;

    rewind(f);
    n = fread(text, 1, sizeof(text) - 1, f);
    text[n] = '\0';
    fclose(f);
    return text;
}

static bool at_once(void)
{
    return 1;
}

/* 508753: the parameters of DLRM's MLPs. The fake takes so long that nobody is slower. */
static void a_bench_prints_and_stores_what_it_timed(void **state)
{
    const char *const cases[] = { "dlrm-3lc-1", "dlrm-mlps" };
    struct case_options o = { .reps = 2, .threads = 1, .turn_s = 1e-9, .cases = cases, .ncases = 2 };
    char *text;

    (void)state;
    o.python = fake_python("ready 508753 Fake 1.0", "echo ${n}000000000000");
    o.store = fresh_store(&o.run_id);
    o.out = tmpfile();
    o.progress = tmpfile();
    assert_int_equal(train_bench_run(&o), NW_OK);
    text = read_all(o.out);
    if (!strstr(text, "next to Fake 1.0") || !strstr(text, "what it adds to a step") ||
        strstr(text, "dlrm-mlps") > strstr(text, "dlrm-3lc-1"))
        fail_msg("printed: %s", text);
    assert_string_equal(read_all(o.progress), "");
    assert_true(number(o.store, "SELECT count(*) FROM train_bench WHERE reps = 2 AND samples_per_s > 0") == 4);
    assert_true(number(o.store, "SELECT ratio > 1 FROM train_bench WHERE side = 'narrows' AND against = 'Fake 1.0'") ==
                1);
    assert_true(number(o.store, "SELECT steps FROM train_bench WHERE side = 'narrows'") == 1);
    assert_true(number(o.store, "SELECT steps FROM train_bench WHERE side = '3lc, traces' AND against = 'plain'") ==
                10);
    store_close(o.store);
}

static void a_bench_does_without_a_peer(void **state)
{
    static const struct {
        const char *ready, *why;
    } fakes[] = {
        { "ready 1 Fake 1.0", "timed without Fake 1.0: it trains 1 parameters, the network has 508753" },
        { "failed no memory", "timed without Fake 1.0: no memory" },
        { NULL, "timed without it (/no/such/python: No such file or directory)" },
    };
    const char *const cases[] = { "dlrm-mlps" };

    (void)state;
    for (size_t i = 0; i < COUNT(fakes); i++) {
        struct case_options o = { .reps = 1, .threads = 1, .turn_s = 1e-9, .cases = cases, .ncases = 1 };
        char *text;

        o.python = fakes[i].ready ? fake_python(fakes[i].ready, "echo 1") : "/no/such/python";
        o.store = fresh_store(&o.run_id);
        o.out = tmpfile();
        o.progress = tmpfile();
        assert_int_equal(train_bench_run(&o), NW_OK);
        text = read_all(o.progress);
        if (!strstr(text, fakes[i].why))
            fail_msg("said: %s", text);
        assert_non_null(strstr(read_all(o.out), "dlrm-mlps"));
        assert_true(number(o.store, "SELECT count(*) FROM train_case WHERE side = 'narrows' AND against = ''") == 1);
        assert_true(number(o.store, "SELECT count(*) FROM train_case") == 1);
        store_close(o.store);
    }
}

static void a_bench_ends_where_it_cannot_go_on(void **state)
{
    const char *const cases[] = { "dlrm-mlps" };
    struct case_options o = { .reps = 1, .threads = 1, .turn_s = 1e-9, .cases = cases, .ncases = 1 };

    (void)state;
    o.out = o.progress = tmpfile();
    o.python = fake_python("ready 508753 Fake 1.0", "exit 1");
    assert_int_equal(train_bench_run(&o), NW_EIO);
    o.stop = at_once;
    assert_int_equal(train_bench_run(&o), NW_EINTR);
    fclose(o.out);
    o.stop = NULL;
    o.backend = "no-such-backend";
    assert_int_equal(train_bench_run(&o), NW_EINPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(prepared_samples_are_those_of_their_source),
                                        cmocka_unit_test(drawn_samples_are_spread_and_differ),
                                        cmocka_unit_test(a_peer_trains_as_many_parameters_on_the_same_samples),
                                        cmocka_unit_test(without_a_peer_there_is_a_reason),
                                        cmocka_unit_test(pytorch_trains_the_same_networks),
                                        cmocka_unit_test(turns_are_compared_with_adjacent_ones),
                                        cmocka_unit_test(a_case_is_stored_and_summed_up),
                                        cmocka_unit_test(emulation_is_a_multiple_of_the_step),
                                        cmocka_unit_test(traces_are_written_before_a_turn_ends),
                                        cmocka_unit_test(a_bench_prints_and_stores_what_it_timed),
                                        cmocka_unit_test(a_bench_does_without_a_peer),
                                        cmocka_unit_test(a_bench_ends_where_it_cannot_go_on) };
    return cmocka_run_group_tests_name("train_bench", tests, make_paths, free_paths);
}
