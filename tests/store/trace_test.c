/* Training runs: stored with their point or not at all, read back, summed up over steps, tensors and seeds, and
 * small. */
#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/status.h"
#include "harness/store/trace.h"
#include "tests/store/support.h"
#include "tests/store/synthetic.h"
#include "tests/test.h"

#define KEY_A "0123456789abcdef0123456789abcdef"
#define KEY_B "fedcba9876543210fedcba9876543210"

/* Two workers, a tensor of 1000 values through a codec and one of 10 as it is. The third step did not converge. */
static const struct trace_tensor_fact tensors[] = { { "conv1", 1000, 1 }, { "fc.bias", 10, 0 } };
static const struct trace_step_fact steps[] = {
    { 0, 64, 2.5, 0.1, TRACE_FP32, NAN, 1080, 580, NAN },
    { 0, 64, 2.25, 0.1, TRACE_MP, 0.9, 880, 480, 2.375 },
    { 1, 64, INFINITY, 0.01, TRACE_BF16, 0.75, 680, 380, 2.375 },
    { 1, 32, 2, 0.01, TRACE_BF16, 0.75, 480, 280, 2.25 },
};
static const struct trace_exchange_fact exchanges[] = {
    { 0, 0, TRACE_PUSH, 1000, 1500, 0.5 }, { 0, 0, TRACE_PULL, 500, 900, 0.25 }, { 0, 1, TRACE_PUSH, 80, -1, NAN },
    { 0, 1, TRACE_PULL, 80, -1, NAN },     { 2, 0, TRACE_PUSH, 600, 1700, 0.7 }, { 2, 0, TRACE_PULL, 300, 1100, 0.35 },
};
static const struct trace_bits_fact bits[] = { { 0, 0, 8 }, { 3, 0, 9 }, { 0, 1, 32 } };
static const struct trace_evaluation_fact evaluations[] = {
    { 0, 100, 3, 0.1, 0.5, NAN },
    { 4, 100, NAN, 0.25, NAN, 0.625 },
};
static const char *const cuts[] = { "relu1", "relu2" };
static const struct trace_threshold_fact thresholds[] = { { 0, 0, 0.75, 0.5 },
                                                          { 0, 1, 0.75, 0.25 },
                                                          { 2, 1, 0.9, NAN } };
static const struct trace_rank_fact ranks[] = { { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 }, { 1, 1, 9, 8, 7, 6, 5, 4, 3, 2 } };
static const struct training_fact whole = { "small",
                                            "generated images",
                                            "AUC",
                                            0,
                                            7,
                                            2,
                                            32,
                                            tensors,
                                            COUNT(tensors),
                                            steps,
                                            COUNT(steps),
                                            exchanges,
                                            COUNT(exchanges),
                                            bits,
                                            COUNT(bits),
                                            evaluations,
                                            COUNT(evaluations),
                                            cuts,
                                            thresholds,
                                            COUNT(thresholds),
                                            ranks,
                                            COUNT(ranks) };

static struct store *open_new(void)
{
    struct store *s = NULL;

    assert_int_equal(store_open(support_path("n.db"), &s), 0);
    synthetic_run(s, "x", "", "");
    return s;
}

static int put_trained(struct store *s, const char *key, const struct training_fact *training)
{
    const struct measure_fact m = { "step_ms", 1, "ms" };
    const struct point_fact p = { .key = key, .variant = "3LC", .measures = &m, .nmeasures = 1, .training = training };

    return store_point(s, 1, &p);
}

static void a_training_is_stored_as_told(void **state)
{
    static const char *const rows[] = {
        "training WHERE point_id = 1 AND model = 'small' AND data = 'generated images' AND real_data = 0 AND seed = 7"
        " AND workers = 2 AND batch = 32 AND steps = 4 AND metric = 'AUC'",
        "trace_tensor WHERE tensor = 0 AND name = 'conv1' AND nvalues = 1000 AND compressed = 1",
        "trace_tensor WHERE tensor = 1 AND name = 'fc.bias' AND nvalues = 10 AND compressed = 0",
        "trace_step WHERE step = 0 AND epoch = 0 AND samples = 64 AND loss = 2.5 AND learning_rate = 0.1"
        " AND precision = 'fp32' AND precision_share IS NULL AND pushed_bytes = 1080 AND pulled_bytes = 580"
        " AND ema IS NULL",
        "trace_step WHERE step = 1 AND precision = 'mp' AND precision_share = 0.9",
        "trace_step WHERE step = 2 AND epoch = 1 AND loss IS NULL AND precision = 'bf16'",
        "trace_step WHERE step = 3 AND samples = 32 AND loss = 2 AND ema = 2.25",
        "trace_exchange WHERE step = 0 AND tensor = 0 AND pull = 0 AND bytes = 1000 AND zeros = 1500 AND threshold ="
        " 0.5",
        "trace_exchange WHERE step = 2 AND tensor = 0 AND pull = 1 AND bytes = 300 AND zeros = 1100",
        "trace_exchange WHERE step = 0 AND tensor = 1 AND pull = 1 AND zeros IS NULL AND threshold IS NULL",
        "trace_bits WHERE tensor = 0 AND step = 3 AND bits = 9",
        "trace_evaluation WHERE after_steps = 0 AND samples = 100 AND loss = 3 AND top1 = 0.1 AND top5 = 0.5 AND"
        " other IS NULL",
        "trace_evaluation WHERE after_steps = 4 AND loss IS NULL AND top1 = 0.25 AND top5 IS NULL AND other = 0.625",
        "trace_threshold WHERE step = 0 AND layer = 'relu1' AND dropped = 0.75 AND threshold = 0.5",
        "trace_threshold WHERE step = 0 AND layer = 'relu2' AND dropped = 0.75 AND threshold = 0.25",
        "trace_threshold WHERE step = 2 AND layer = 'relu2' AND dropped = 0.9 AND threshold IS NULL",
        "training_rank_time WHERE rank = 0 AND step = 1 AND compute_ns = 2 AND encode_ns = 3 AND push_ns = 4"
        " AND update_ns = 5 AND pull_ns = 6 AND decode_ns = 7 AND sent_bytes = 8 AND received_bytes = 9",
        "training_rank_time WHERE rank = 1 AND compute_ns = 9 AND received_bytes = 2",
        "training_rank WHERE rank = 1 AND steps = 1 AND step_ms = 1e-6 * 39 AND sent_bytes = 3",
        "training_time WHERE ranks = 2 AND steps = 1 AND executed_s = 1e-9 * 27 AND label IS NULL",
    };

    (void)state;
    struct store *s = open_new();
    assert_int_equal(put_trained(s, KEY_A, &whole), 0);
    for (size_t i = 0; i < COUNT(rows); i++) {
        char sql[512];

        snprintf(sql, sizeof(sql), "SELECT count(*) FROM %s", rows[i]);
        if (support_int(s, sql) != 1)
            fail_msg("expected one row in %s", rows[i]);
    }
    store_close(s);
}

static int64_t all_rows(struct store *s)
{
    return support_int(s, "SELECT (SELECT count(*) FROM training) + (SELECT count(*) FROM trace_tensor) +"
                          " (SELECT count(*) FROM trace_step) + (SELECT count(*) FROM trace_exchange) +"
                          " (SELECT count(*) FROM trace_bits) + (SELECT count(*) FROM trace_evaluation) +"
                          " (SELECT count(*) FROM trace_threshold) +"
                          " (SELECT count(*) FROM training_rank_time)");
}

static void a_training_that_is_there_stays(void **state)
{
    (void)state;
    struct store *s = open_new();
    struct training_fact other = whole;
    int64_t want = 1 + COUNT(tensors) + COUNT(steps) + COUNT(exchanges) + COUNT(bits) + COUNT(evaluations) +
                   COUNT(thresholds) + COUNT(ranks);

    other.seed = 8;
    other.nsteps = 3;
    assert_int_equal(put_trained(s, KEY_A, &whole), 0);
    assert_int_equal(put_trained(s, KEY_A, &other), 0);
    assert_int_equal(all_rows(s), want);
    assert_int_equal(support_int(s, "SELECT seed FROM training"), 7);
    /* A point without one. */
    assert_int_equal(put_trained(s, KEY_B, NULL), 0);
    assert_int_equal(all_rows(s), want);
    store_close(s);
}

static void what_is_refused_leaves_nothing(void **state)
{
    static const struct trace_tensor_fact nameless = { "", 1, 1 }, empty = { "a", 0, 1 };
    static const struct trace_step_fact below = { 0, 64, 1, 0.1, TRACE_FP32, NAN, -1, 0, NAN },
                                        rateless = { 0, 64, 1, NAN, TRACE_FP32, NAN, 1, 0, NAN },
                                        over = { 0, 64, 1, 0.1, TRACE_FP32, 1.5, 1, 0, NAN };
    static const struct trace_exchange_fact of_no_step = { 4, 0, TRACE_PUSH, 1, -1, NAN },
                                            of_no_tensor = { 0, 2, TRACE_PUSH, 1, -1, NAN },
                                            again = { 0, 0, TRACE_PUSH, 1, -1, NAN };
    static const struct trace_bits_fact none = { 0, 0, 0 }, many = { 0, 0, 33 };
    static const struct trace_evaluation_fact percent = { 5, 100, 1, 93.5, NAN, NAN },
                                              before = { -1, 100, 1, NAN, NAN, NAN };
    static const struct trace_threshold_fact of_nothing = { 0, 0, 0, 1 }, later = { 4, 0, 0.5, 1 };
    /* The training above, with one thing changed or one row more. */
    static const struct {
        const char *what, *said, *model, *data;
        int64_t workers;
        const struct trace_tensor_fact *tensor;
        const struct trace_step_fact *step;
        const struct trace_exchange_fact *exchange;
        const struct trace_bits_fact *bits;
        const struct trace_evaluation_fact *evaluation;
        const struct trace_threshold_fact *threshold;
    } cases[] = {
        { .what = "no model", .said = "CHECK", .model = "" },
        { .what = "no data", .said = "CHECK", .data = "" },
        { .what = "a worker below none", .said = "CHECK", .workers = -1 },
        { .what = "a tensor without a name", .said = "CHECK", .tensor = &nameless },
        { .what = "a tensor without values", .said = "CHECK", .tensor = &empty },
        { .what = "bytes below zero", .said = "CHECK", .step = &below },
        { .what = "no learning rate", .said = "NOT NULL", .step = &rateless },
        { .what = "a share over 1", .said = "CHECK", .step = &over },
        { .what = "a step that is none", .said = "FOREIGN KEY", .exchange = &of_no_step },
        { .what = "a tensor that is none", .said = "FOREIGN KEY", .exchange = &of_no_tensor },
        { .what = "an exchange twice", .said = "UNIQUE", .exchange = &again },
        { .what = "no bits", .said = "CHECK", .bits = &none },
        { .what = "33 bits", .said = "CHECK", .bits = &many },
        { .what = "an accuracy in %", .said = "CHECK", .evaluation = &percent },
        { .what = "before the beginning", .said = "CHECK", .evaluation = &before },
        { .what = "a threshold where nothing is dropped", .said = "CHECK", .threshold = &of_nothing },
        { .what = "a threshold of no step", .said = "FOREIGN KEY", .threshold = &later },
    };

    (void)state;
    struct store *s = open_new();
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct trace_exchange_fact exchange[COUNT(exchanges) + 1];
        struct training_fact t = whole;

        memcpy(exchange, exchanges, sizeof(exchanges));
        t.model = cases[i].model ? cases[i].model : t.model;
        t.data = cases[i].data ? cases[i].data : t.data;
        t.workers = cases[i].workers ? cases[i].workers : t.workers;
        if (cases[i].tensor)
            t.tensors = cases[i].tensor, t.ntensors = 1;
        if (cases[i].step)
            t.steps = cases[i].step, t.nsteps = 1;
        if (cases[i].exchange)
            exchange[t.nexchanges++] = *cases[i].exchange, t.exchanges = exchange;
        if (cases[i].bits)
            t.bits = cases[i].bits, t.nbits = 1;
        if (cases[i].evaluation)
            t.evaluations = cases[i].evaluation, t.nevaluations = 1;
        if (cases[i].threshold)
            t.thresholds = cases[i].threshold, t.nthresholds = 1;
        support_listen();
        int rc = put_trained(s, KEY_A, &t);
        const char *said = support_heard();

        if (rc != NW_EDB || !strstr(said, cases[i].said) || !strstr(said, "n.db") || all_rows(s) ||
            store_has_point(s, KEY_A))
            fail_msg("%s: answered %d and said: %s", cases[i].what, rc, said);
    }
    assert_int_equal(put_trained(s, KEY_A, &whole), 0);
    store_close(s);
}

static void steps_are_read_back(void **state)
{
    (void)state;
    struct store *s = open_new();
    struct training_fact idle = whole;
    struct trace_step_fact *read = NULL;
    size_t n = 99;
    int64_t workers = 0;

    idle.nsteps = idle.nexchanges = idle.nthresholds = idle.nranks = 0;
    assert_int_equal(put_trained(s, KEY_A, &whole), 0);
    assert_int_equal(store_trace_steps(s, KEY_B, &read, &n, &workers), 0);
    assert_int_equal(put_trained(s, KEY_B, &idle), 0);
    assert_int_equal(store_trace_steps(s, KEY_B, &read, &n, &workers), 1);
    assert_int_equal(n, 0);
    free(read);
    assert_int_equal(store_trace_steps(s, KEY_A, &read, &n, &workers), 1);
    assert_int_equal(n, COUNT(steps));
    assert_int_equal(workers, 2);
    for (size_t i = 0; i < n; i++) {
        const struct trace_step_fact *a = &read[i], *b = &steps[i];

        if (a->epoch != b->epoch || a->samples != b->samples || a->learning_rate != b->learning_rate ||
            a->precision != b->precision || a->pushed_bytes != b->pushed_bytes || a->pulled_bytes != b->pulled_bytes ||
            (isfinite(b->loss) ? a->loss != b->loss : !isnan(a->loss)) ||
            (isnan(b->ema) ? !isnan(a->ema) : a->ema != b->ema) ||
            (isnan(b->precision_share) ? !isnan(a->precision_share) : a->precision_share != b->precision_share))
            fail_msg("step %zu comes back otherwise", i);
    }
    free(read);
    /* A file that someone else has been at. */
    support_exec(s, "UPDATE training SET steps = 5 WHERE point_id = 1");
    support_listen();
    assert_int_equal(store_trace_steps(s, KEY_A, &read, &n, &workers), NW_EDB);
    assert_non_null(strstr(support_heard(), "expected 5 steps, found 4"));
    store_close(s);
}

static void views_sum_up(void **state)
{
    static const struct {
        const char *sql;
        double value;
    } cases[] = {
        { "SELECT count(*) FROM trace_run", 4 },
        { "SELECT samples_so_far FROM trace_run WHERE step = 3", 224 },
        { "SELECT 1e9 * sent_so_far_GB FROM trace_run WHERE step = 1", 1080 + 580 + 880 + 480 },
        { "SELECT top1_pct FROM trace_run WHERE step = 3", 25 },
        { "SELECT other FROM trace_run WHERE step = 3", 0.625 },
        { "SELECT count(*) FROM trace_run WHERE top1_pct IS NOT NULL", 1 },
        { "SELECT seed FROM trace_run WHERE scenario = 'x' AND variant = '3LC' AND step = 2", 7 },
        /* Two workers, four steps, 1010 floats. */
        { "SELECT fp32_bytes FROM trace_traffic", 32320 },
        { "SELECT pushed_bytes FROM trace_traffic", 3120 },
        { "SELECT push_ratio FROM trace_traffic", 32320.0 / 3120 },
        { "SELECT pull_ratio FROM trace_traffic", 32320.0 / 1720 },
        { "SELECT ratio FROM trace_traffic", 64640.0 / 4840 },
        { "SELECT push_bits_per_value FROM trace_traffic", 8 * 3120.0 / 8080 },
        { "SELECT pull_bits_per_value FROM trace_traffic", 8 * 1720.0 / 8080 },
        { "SELECT bits_per_value FROM trace_traffic", 8 * 4840.0 / 16160 },
        { "SELECT ratio * bits_per_value FROM trace_traffic", 32 },
        { "SELECT compressed_values FROM trace_traffic", 1000 },
        { "SELECT count(*) FROM trace_coding", 4 },
        { "SELECT ratio FROM trace_coding WHERE tensor = 0 AND pull = 0", 16000.0 / 1600 },
        { "SELECT bits_per_value FROM trace_coding WHERE tensor = 0 AND pull = 1", 8 * 800.0 / 4000 },
        { "SELECT bits_per_value FROM trace_coding WHERE tensor = 1 AND pull = 0", 32 },
        { "SELECT zeros_share FROM trace_coding WHERE tensor = 0 AND pull = 0", 0.8 },
        { "SELECT threshold FROM trace_coding WHERE tensor = 0 AND pull = 0", 0.6 },
        { "SELECT zeros_share IS NULL FROM trace_coding WHERE tensor = 1 AND pull = 0", 1 },
        { "SELECT to_step FROM trace_width WHERE tensor = 0 AND from_step = 0", 3 },
        { "SELECT to_step FROM trace_width WHERE tensor = 0 AND from_step = 3", 4 },
        { "SELECT bytes_per_weight FROM trace_width WHERE tensor = 0 AND from_step = 0", 1 },
        { "SELECT bytes_per_weight FROM trace_width WHERE tensor = 0 AND from_step = 3", 2 },
        { "SELECT step_share FROM trace_precision WHERE precision = 'bf16'", 0.5 },
        { "SELECT multiply_add_share FROM trace_precision WHERE precision = 'bf16'", 0.375 },
        { "SELECT multiply_add_share IS NULL FROM trace_precision WHERE precision = 'fp32'", 1 },
        { "SELECT count(*) FROM training_final", 2 },
        { "SELECT value FROM training_final WHERE name = 'top1_pct' AND unit = '%'", 25 },
        { "SELECT value FROM training_final WHERE name = 'AUC'", 0.625 },
    };

    (void)state;
    struct store *s = open_new();
    assert_int_equal(put_trained(s, KEY_A, &whole), 0);
    for (size_t i = 0; i < COUNT(cases); i++)
        support_near(support_real(s, cases[i].sql), cases[i].value, 1e-9, cases[i].sql, __FILE__, __LINE__);
    store_close(s);
}

/* Two steps took 6 s, then four 4 s: evaluations between two timed steps get a share of what lies between. */
static void evaluations_get_their_time(void **state)
{
    static const struct trace_evaluation_fact evaluated[] = {
        { 0, 9, 3, 0, 0, NAN },     { 1, 9, 3, 0.1, 0.5, NAN }, { 2, 9, 3, 0.2, 0.5, NAN }, { 3, 9, 3, 0.3, 0.5, NAN },
        { 5, 9, 3, 0.4, 0.5, NAN }, { 6, 9, 3, 0.5, 0.5, NAN }, { 7, 9, 3, 0.6, 0.5, NAN },
    };
    static const struct timing_step_fact clock[] = { { 2, 6 }, { 6, 10 } };
    static const struct timing_fact timing = { KEY_B, KEY_A, "far", "a simulation", clock, COUNT(clock) };
    static const struct {
        int after;
        double seconds;
    } cases[] = { { 1, 3 }, { 2, 6 }, { 3, 7 }, { 5, 9 }, { 6, 10 } };

    (void)state;
    struct store *s = open_new();
    struct training_fact t = whole;
    t.evaluations = evaluated;
    t.nevaluations = COUNT(evaluated);
    assert_int_equal(put_trained(s, KEY_A, &t), 0);
    assert_int_equal(store_timing(s, 1, &timing), 0);
    for (size_t i = 0; i < COUNT(cases); i++) {
        char sql[128];

        snprintf(sql, sizeof(sql), "SELECT seconds FROM trace_time_evaluation WHERE label = 'far' AND after_steps = %d",
                 cases[i].after);
        support_near(support_real(s, sql), cases[i].seconds, 1e-12, sql, __FILE__, __LINE__);
    }
    support_near(support_real(s, "SELECT top1_pct FROM trace_time_evaluation WHERE after_steps = 3"), 30, 1e-12,
                 "top-1", __FILE__, __LINE__);
    support_near(support_real(s, "SELECT top5_pct FROM trace_time_evaluation WHERE after_steps = 3"), 50, 1e-12,
                 "top-5", __FILE__, __LINE__);
    /* None before the first step, and none that no timed step came after. */
    assert_int_equal(support_int(s, "SELECT count(*) FROM trace_time_evaluation"), COUNT(cases));
    store_close(s);
}

/* Nothing was exchanged: no ratio, no error. */
static void a_training_that_sent_nothing_is_summed_up(void **state)
{
    static const struct trace_step_fact alone = { 0, 32, 1, 0.1, TRACE_FP32, NAN, 0, 0, NAN };

    (void)state;
    struct store *s = open_new();
    struct training_fact t = { .model = "m",
                               .data = "d",
                               .workers = 1,
                               .batch = 32,
                               .tensors = tensors,
                               .ntensors = 2,
                               .steps = &alone,
                               .nsteps = 1 };
    assert_int_equal(put_trained(s, KEY_A, &t), 0);
    assert_int_equal(
        support_int(s, "SELECT ratio IS NULL AND push_ratio IS NULL AND bits_per_value = 0 FROM trace_traffic"), 1);
    store_close(s);
}

/* A long curve and every tensor of every tenth step, as a program would store it: what it adds to the file. */
static void a_trace_is_small(void **state)
{
    enum { STEPS = 600, TENSORS = 20, EVERY = 10, MOST_BYTES = 300000 };
    struct trace_tensor_fact t[TENSORS];
    struct trace_step_fact step[STEPS];
    struct trace_exchange_fact x[STEPS / EVERY * TENSORS * 2];
    struct trace_bits_fact b[TENSORS * 4];
    struct trace_evaluation_fact e[STEPS / 20 + 1];
    struct training_fact f = { "resnet-20-cifar",
                               "generated images, 10 classes",
                               "",
                               0,
                               3,
                               10,
                               32,
                               t,
                               TENSORS,
                               step,
                               STEPS,
                               x,
                               COUNT(x),
                               b,
                               COUNT(b),
                               e,
                               COUNT(e),
                               NULL,
                               NULL,
                               0,
                               NULL,
                               0 };
    char names[TENSORS][32];
    size_t nx = 0;

    (void)state;
    for (size_t i = 0; i < TENSORS; i++) {
        snprintf(names[i], sizeof(names[i]), "block%zu.conv%zu", i / 2, i % 2);
        t[i] = (struct trace_tensor_fact){ names[i], 36864, 1 };
        for (size_t j = 0; j < 4; j++)
            b[4 * i + j] = (struct trace_bits_fact){ (int64_t)(100 * j + i), i, (int)(8 + j) };
    }
    for (size_t i = 0; i < STEPS; i++) {
        step[i] = (struct trace_step_fact){
            (int64_t)i / 100, 320, 2 / sqrt((double)i + 1), 0.1 * (double)(STEPS - i) / STEPS, TRACE_MP, 0.999, 1234567,
            234567,           NAN
        };
        for (size_t j = 0; i % EVERY == 0 && j < 2 * TENSORS; j++)
            x[nx++] =
                (struct trace_exchange_fact){ (int64_t)i, j / 2, j % 2, 123456, 345678, 1e-3 / ((double)j + 1.1) };
    }
    assert_int_equal(nx, COUNT(x));
    for (size_t i = 0; i < COUNT(e); i++)
        e[i] = (struct trace_evaluation_fact){ (int64_t)(20 * i),      2000, 1.0 / ((double)i + 3),
                                               0.123 * (double)i / 30, 0.5,  NAN };
    struct store *s = open_new();
    int64_t before = support_int(s, "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size");
    assert_int_equal(put_trained(s, KEY_A, &f), 0);
    int64_t bytes = support_int(s, "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size") - before;
    print_message("600 steps, 20 tensors: %lld bytes\n", (long long)bytes);
    assert_in_range(bytes, 1, MOST_BYTES);
    store_close(s);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, support_setup, support_teardown)
    const struct CMUnitTest tests[] = {
        TEST(a_training_is_stored_as_told),
        TEST(a_training_that_is_there_stays),
        TEST(what_is_refused_leaves_nothing),
        TEST(steps_are_read_back),
        TEST(views_sum_up),
        TEST(evaluations_get_their_time),
        TEST(a_training_that_sent_nothing_is_summed_up),
        TEST(a_trace_is_small),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
