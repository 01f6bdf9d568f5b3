/* A trainer's bits: the same at any number of threads, with someone watching, after a checkpoint; and what its options mean. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef _OPENMP
#include <omp.h>
#endif

#include "harness/scenario/scenario.h"
#include "tests/test.h"
#include "tests/train/fixture_source.h"
#include "train/trainer/trainer.h"

enum { STEPS = 6 };

/* One of the fixture's, or a shipped one. */
static struct model model_of(const char *network)
{
    char path[512], why[256];
    struct model_spec *spec;
    struct model m;

    if (strchr(network, '-'))
        snprintf(path, sizeof(path), "%s/scenarios/models/%s.yaml", getenv("NARROWS_HOME"), network);
    else
        snprintf(path, sizeof(path), "%s/%s.yaml", getenv("NARROWS_PYTORCH"), network);
    assert_int_equal(scenario_load_model(path, stderr, &spec), 0);
    if (model_infer(spec, &m, why, sizeof(why)))
        fail_msg("%s: %s", path, why);
    scenario_free_model(spec);
    return m;
}

static struct exchange_edge edge(const char *name, double p0, double p1)
{
    struct exchange_edge e = { .codec = codec_find(name) };

    assert_non_null(e.codec);
    e.params = codec_presets(e.codec);
    if (e.codec->param[0].name)
        e.params.value[0] = p0;
    if (e.codec->param[0].name && e.codec->param[1].name)
        e.params.value[1] = p1;
    return e;
}

static struct trainer_options options(int64_t workers)
{
    return (struct trainer_options){ .workers = workers,
                                     .batch = 4,
                                     .seed = 7,
                                     .evaluation_batch = 5,
                                     .momentum = 0.9,
                                     .weight_decay = 1e-4,
                                     .rate = { .schedule = RATE_COSINE, .from = 0.05, .to = 0.001, .steps = STEPS },
                                     .backend = ops_backend_find(""),
                                     .threads = 1 };
}

static struct trainer *open_trainer(const struct trainer_options *o, const struct model *m,
                                    const struct data_source *data)
{
    struct trainer *t;
    char why[512];

    if (trainer_open(o, m, data, &t, why, sizeof(why)))
        fail_msg("%s", why);
    return t;
}

static struct step_report step(struct trainer *t)
{
    struct step_report r;

    if (trainer_step(t, &r))
        fail_msg("%s", trainer_why(t));
    return r;
}

/* What a training leaves: all its sections, one after the other; what it lost on the way, and on test samples in the end. */
struct remains {
    char *bytes;
    size_t n;
    double losses[STEPS], test_loss;
};

static struct remains remains_of(struct trainer *t)
{
    struct trainer_section sections[TRAINER_SECTIONS];
    struct remains r = { 0 };
    size_t n;

    assert_int_equal(trainer_sections(t, sections, &n), 0);
    for (size_t i = 0; i < n; i++) {
        r.bytes = realloc(r.bytes, r.n + sections[i].nbytes);
        memcpy(r.bytes + r.n, sections[i].bytes, sections[i].nbytes);
        r.n += sections[i].nbytes;
    }
    return r;
}

static void restore(struct trainer *t, const struct remains *r)
{
    struct trainer_section sections[TRAINER_SECTIONS];
    size_t n, at = 0;

    assert_int_equal(trainer_sections(t, sections, &n), 0);
    for (size_t i = 0; i < n; i++) {
        memcpy(sections[i].bytes, r->bytes + at, sections[i].nbytes);
        at += sections[i].nbytes;
    }
    assert_int_equal(at, r->n);
    assert_int_equal(trainer_restored(t), 0);
}

static struct remains train(const struct trainer_options *o, const struct model *m, int steps, bool watched,
                            int stop_after)
{
    struct data_source data = fixture_source(m);
    struct trainer *t = open_trainer(o, m, &data);
    struct evaluation e;
    double losses[STEPS] = { 0 };

    for (int i = 0; i < steps; i++) {
        if (i == stop_after) {
            struct remains r = remains_of(t);

            trainer_close(t);
            t = open_trainer(o, m, &data);
            restore(t, &r);
            free(r.bytes);
        }
        trainer_count_zeros(t, watched && i % 2);
        trainer_watch(t, watched && i % 2);
        losses[i] = step(t).loss;
        if (watched) {
            assert_int_equal(trainer_evaluate(t, 0, &e), 0);
            assert_int_equal(trainer_evaluate_training(t, 5, &e), 0);
        }
    }
    struct remains r = remains_of(t);
    memcpy(r.losses, losses, sizeof(losses));
    assert_int_equal(trainer_evaluate(t, 0, &e), 0);
    r.test_loss = e.loss;
    trainer_close(t);
    return r;
}

static void same(const char *what, const char *how, struct remains *a, struct remains b)
{
    assert_int_equal(a->n, b.n);
    for (int i = 0; i < STEPS; i++)
        if (a->losses[i] != b.losses[i])
            fail_msg("%s: %s: loss of step %d is %.17g, was %.17g", what, how, i, b.losses[i], a->losses[i]);
    if (a->test_loss != b.test_loss)
        fail_msg("%s: %s: the test loss is %.17g, was %.17g", what, how, b.test_loss, a->test_loss);
    if (memcmp(a->bytes, b.bytes, a->n) != 0)
        fail_msg("%s: %s: the same losses, but not the same bits", what, how);
    free(b.bytes);
}

static void threads(int n)
{
#ifdef _OPENMP
    omp_set_num_threads(n);
#else
    (void)n;
#endif
}

/* Trained as asked for, in every way that must not matter. */
static void check_bits(const char *what, const char *network, const struct trainer_options *o)
{
    struct model m = model_of(network);
    struct trainer_options wide = *o;

    threads(1);
    struct remains first = train(o, &m, STEPS, 0, -1);
    for (int i = 0; i < STEPS; i++)
        assert_true(isfinite(first.losses[i]));
    same(what, "again", &first, train(o, &m, STEPS, 0, -1));
    same(what, "watched", &first, train(o, &m, STEPS, 1, -1));
    same(what, "stopped after the first step", &first, train(o, &m, STEPS, 0, 1));
    same(what, "stopped after four", &first, train(o, &m, STEPS, 0, 4));
    threads(2);
    wide.threads = 2;
    same(what, "two threads", &first, train(&wide, &m, STEPS, 0, -1));
    threads(3);
    wide.threads = 3;
    same(what, "three threads", &first, train(&wide, &m, STEPS, 1, 3));
    threads(2);
    free(first.bytes);
    model_free(&m);
}

static void alone(void **state)
{
    struct trainer_options o = options(1);

    (void)state;
    check_bits("cnn", "cnn", &o);
    check_bits("dlrm", "dlrm", &o);
    check_bits("transformer", "transformer", &o);
}

/* Each worker drops for itself, whoever computes it. */
static void workers_that_drop(void **state)
{
    struct trainer_options o = options(3);

    (void)state;
    o.batch = 2;
    check_bits("dropout", "transformer-small", &o);
}

static void *section(struct trainer *t, const char *name, size_t *nbytes)
{
    struct trainer_section sections[TRAINER_SECTIONS];
    size_t n;

    assert_int_equal(trainer_sections(t, sections, &n), 0);
    for (size_t i = 0; i < n; i++)
        if (!strcmp(sections[i].name, name)) {
            *nbytes = sections[i].nbytes;
            return sections[i].bytes;
        }
    fail_msg("no section %s", name);
    *nbytes = 0;
    return NULL;
}

static void copy_section(struct trainer *to, struct trainer *from, const char *name)
{
    size_t n = 0, room = 0;
    void *bytes = section(from, name, &n), *place = section(to, name, &room);

    assert_int_equal(n, room);
    memcpy(place, bytes, n);
}

/* Evaluated is what the server has, though the workers, who were told of it in three values, hold something else. */
static void the_servers_model_is_evaluated(void **state)
{
    struct model m = model_of("cnn");
    struct data_source data = fixture_source(&m);
    struct trainer_options lossy = options(2), plain = options(1);
    struct evaluation of_lossy, of_plain;
    struct trainer *a, *b;
    size_t n = 0;

    (void)state;
    lossy.exchange.pull = edge("stoch3", 0, 0);
    a = open_trainer(&lossy, &m, &data);
    b = open_trainer(&plain, &m, &data);
    for (int i = 0; i < STEPS; i++)
        step(a);
    const void *servers = section(a, "weights", &n), *workers = section(a, "workers' weights", &n);
    assert_true(memcmp(servers, workers, n) != 0);
    copy_section(b, a, "weights");
    copy_section(b, a, "norm statistics");
    assert_int_equal(trainer_restored(b), 0);
    assert_int_equal(trainer_evaluate(a, 0, &of_lossy), 0);
    assert_int_equal(trainer_evaluate(b, 0, &of_plain), 0);
    assert_true(of_lossy.loss == of_plain.loss && of_lossy.accuracy == of_plain.accuracy);
    trainer_close(a);
    trainer_close(b);
    model_free(&m);
}

/* A change that loses nothing on its way leaves the workers with what the server has, but for the rounding of each sum. */
static void workers_follow_changes(void **state)
{
    struct model m = model_of("cnn");
    struct data_source data = fixture_source(&m);
    struct trainer_options o = options(2);
    struct trainer *t;
    size_t n = 0;

    (void)state;
    o.exchange.pull = edge("fp32", 0, 0);
    t = open_trainer(&o, &m, &data);
    for (int i = 0; i < STEPS; i++)
        step(t);
    const float *servers = section(t, "weights", &n), *workers = section(t, "workers' weights", &n);
    for (size_t i = 0; i < n / sizeof(*servers); i++)
        if (!(fabsf(workers[i] - servers[i]) <= 1e-6f * (1 + fabsf(servers[i]))))
            fail_msg("weight %zu: the server has %g, the workers %g", i, servers[i], workers[i]);
    trainer_close(t);
    model_free(&m);
}

enum { SIDE = 9, CUT = 4 };

/* What a running mean and variance become when a norm has seen these rows and columns of channel c of the first batch. */
static void learn_by_hand(const struct data_source *data, int c, const int rows[2], const int columns[2], double *mean,
                          double *variance)
{
    double sum = 0, squares = 0, n = (double)(options(1).batch * (rows[1] - rows[0]) * (columns[1] - columns[0]));
    float values[3 * SIDE * SIDE];
    int32_t label;

    for (int64_t i = 0; i < options(1).batch; i++) {
        assert_int_equal(data->sample(data, DATA_TRAIN, i, 0, values, NULL, &label, NULL, 0), 0);
        for (int y = rows[0]; y < rows[1]; y++)
            for (int x = columns[0]; x < columns[1]; x++) {
                double v = values[(c * SIDE + y) * SIDE + x];

                sum += v;
                squares += v * v;
            }
    }
    *mean += 0.1 * (sum / n - *mean);
    *variance += 0.1 * ((squares - sum * sum / n) / (n - 1) - *variance);
}

/* Of a norm of the images themselves: patch after patch, each for itself; unsplit, of the whole image. */
static void statistics_of_patches(void **state)
{
    static struct layer_spec layers[] = { { .kind = LAYER_BATCHNORM },
                                          { .kind = LAYER_CONV, .channels = 4, .kernel = 3, .pad = 1 },
                                          { .kind = LAYER_CONV, .channels = 4, .kernel = 3, .pad = 1 },
                                          { .kind = LAYER_AVGPOOL },
                                          { .kind = LAYER_CLASSIFIER },
                                          { .kind = LAYER_SOFTMAX } };
    static const int parts[2][2] = { { 0, CUT }, { CUT, SIDE } }, all[2] = { 0, SIDE };
    struct model_spec spec = {
        .name = "m", .channels = 3, .height = SIDE, .width = SIDE, .classes = 10, .layers = layers, .nlayers = 6
    };
    struct model m;
    char why[256];
    size_t n = 0;

    (void)state;
    assert_int_equal(model_infer(&spec, &m, why, sizeof(why)), 0);
    struct data_source data = fixture_source(&m);
    for (int split = 0; split <= 1; split++) {
        struct trainer_options o = options(1);

        o.in_order = 1;
        o.split = (struct split_spec){ .depth = split ? 0.5 : 0, .rows = 2, .columns = 2 };
        struct trainer *t = open_trainer(&o, &m, &data);
        assert_true(trainer_split_share(t) == (split ? 0.5 : 0));
        step(t);
        const float *running = section(t, "norm statistics", &n);
        for (int c = 0; c < 3; c++) {
            double mean = 0, variance = 1;

            for (int p = 0; p < (split ? 4 : 1); p++)
                learn_by_hand(&data, c, split ? parts[p / 2] : all, split ? parts[p % 2] : all, &mean, &variance);
            if (!(fabs(running[c] - mean) < 1e-6 && fabs(running[3 + c] - variance) < 1e-5))
                fail_msg("%s, channel %d: mean %.9g, not %.9g, variance %.9g, not %.9g", split ? "split" : "whole", c,
                         running[c], mean, running[3 + c], variance);
        }
        trainer_close(t);
    }
    model_free(&m);
}

static void codecs_of_3lc(void **state)
{
    const struct {
        const char *name;
        double parameter;
    } cases[] = {
        { "3lc", 1.75 }, { "8bit", 0 }, { "stoch3", 0 }, { "1bit", 0 }, { "sparsify", 0.25 }, { "local", 2 }
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct trainer_options o = options(3);

        o.exchange.push = o.exchange.pull = edge(cases[i].name, cases[i].parameter, 0);
        o.exchange.smallest = 100;
        check_bits(cases[i].name, "cnn", &o);
    }
}

static void workers_of_recommenders(void **state)
{
    struct trainer_options o = options(2);
    const double watched[] = { 0.25, 0.75 };
    int32_t masked[] = { 1 };

    (void)state;
    o.exchange.push = edge("dct", 0.9, 3);
    check_bits("dct", "dlrm", &o);
    o.mask = (struct mask_options){ masked, 1, 0.75, 1, watched, 2 };
    check_bits("dct and mask", "dlrm", &o);
    o.mask.dropped = 0;
    check_bits("dct, watched but not masked", "dlrm", &o);
}

static void precisions(void **state)
{
    (void)state;
    for (enum trainer_precision p = TRAINER_MP; p <= TRAINER_DYNAMIC; p++) {
        struct trainer_options o = options(1);

        o.precision = p;
        o.dynamic = (struct dynamic_precision_config){ .batches_mp = 1, .batches_bf16 = 2, .threshold = -1 };
        check_bits("precision", "cnn", &o);
    }
}

static void weights_that_travel(void **state)
{
    struct trainer_options o = options(1);

    (void)state;
    o.exchange.pull = edge("adt", 2, 0);
    o.exchange.pull_weights = 1;
    o.awp = (struct awp_config){ .threshold = 1, .interval = 2, .step_bits = 8, .start_bits = 8, .max_bits = 32 };
    check_bits("awp", "cnn", &o);
    o.awp_by_block = 1;
    check_bits("awp by block", "cnn", &o);
    o.awp = (struct awp_config){ 0 };
    o.bytes_per_weight = 3;
    check_bits("three bytes", "cnn", &o);
}

static void splits(void **state)
{
    struct trainer_options o = options(2);

    (void)state;
    o.split = (struct split_spec){ .depth = 0.5, .rows = 2, .columns = 2 };
    check_bits("split", "cnn", &o);
    o.evaluate_split = 1;
    check_bits("split, evaluated split", "cnn", &o);
    o.evaluate_split = 0;
    o.split.wiggle = 0.2;
    check_bits("stochastic split", "cnn", &o);
}

/* With the shares of one batch two workers compute what one does; norms know only their worker's, so a network without them. */
static void two_workers_are_one(void **state)
{
    struct model m = model_of("dlrm");
    struct data_source data = fixture_source(&m);
    struct trainer_options one = options(1), two = options(2);
    struct trainer *a, *b;

    (void)state;
    one.in_order = two.in_order = 1;
    one.batch = 8;
    a = open_trainer(&one, &m, &data);
    b = open_trainer(&two, &m, &data);
    for (int i = 0; i < STEPS; i++)
        assert_true(fabs(step(a).loss - step(b).loss) < 1e-6);
    trainer_close(a);
    trainer_close(b);
    model_free(&m);
}

/* 2 bytes of 4 are truncated; AWP begins with 1 and adds one every second batch while norms fall (here: always). */
static void bytes_of_weights(void **state)
{
    struct model m = model_of("cnn");
    struct data_source data = fixture_source(&m);
    struct trainer_options o = options(1);
    struct step_report r;
    struct trainer *t;

    (void)state;
    o.exchange.pull = edge("adt", 4, 0);
    o.exchange.pull_weights = 1;
    o.awp = (struct awp_config){ .threshold = 1e9, .interval = 2, .step_bits = 8, .start_bits = 8, .max_bits = 32 };
    t = open_trainer(&o, &m, &data);
    for (int i = 0; i < STEPS; i++) {
        /* The first batch has no change of the norm: counted are batches 2, 3 - 4, 5 ... */
        int bytes = 1 + i / 2, expected = bytes;
        int64_t pulled = 0;

        r = step(t);
        for (size_t k = 0; k < trainer_map(t)->ntensors; k++)
            pulled += trainer_map(t)->tensors[k].n * (trainer_map(t)->tensors[k].biases ? 4 : expected);
        assert_int_equal(r.pull_bytes, pulled);
    }
    trainer_close(t);
    model_free(&m);
}

/* DCT-MP keeps of 16 values floor(16 * 0.75) = 12 less, 1 more: 5, and 4 bytes each go back. */
static void bytes_of_masks(void **state)
{
    struct model m = model_of("dlrm");
    struct data_source data = fixture_source(&m);
    struct trainer_options o = options(2);
    int32_t masked[] = { 1 }; /* the first ReLU: 16 values */
    struct trainer *t;
    struct step_report r;

    (void)state;
    o.mask = (struct mask_options){ .layers = masked, .nlayers = 1, .dropped = 0.75, .evaluates = 1 };
    t = open_trainer(&o, &m, &data);
    r = step(t);
    assert_int_equal(r.mask_bytes[1], 2 * 4 * 5 * 4);
    assert_int_equal(r.mask_bytes[0], 2 * 4 * 5 * 4 + 2 * 4 * 8);
    trainer_close(t);
    model_free(&m);
}

/* Where nothing of a row but one value passes, no error comes back for the others: the layer before learns from that one alone. */
static void errors_are_masked(void **state)
{
    static struct layer_spec layers[] = { { .kind = LAYER_FC, .name = "first", .units = 32 },
                                          { .kind = LAYER_FC, .name = "second", .units = 10 },
                                          { .kind = LAYER_SOFTMAX } };
    struct model_spec spec = { .name = "m", .channels = 6, .height = 1, .width = 1, .layers = layers, .nlayers = 3 };
    struct trainer_options o = options(1);
    int32_t masked[] = { 0 };
    struct step_report r;
    struct model m;
    char why[256];
    size_t n = 0, changed = 0;

    (void)state;
    assert_int_equal(model_infer(&spec, &m, why, sizeof(why)), 0);
    struct data_source data = fixture_source(&m);
    o.batch = 1;
    o.weight_decay = 0;
    o.mask = (struct mask_options){
        .layers = masked, .nlayers = 1, .dropped = 1 - 1.0 / 64, .evaluates = 1
    }; /* floor(31.5) = 31 below: 2 stay */
    struct trainer *t = open_trainer(&o, &m, &data);
    float before[32 * 6];
    memcpy(before, section(t, "weights", &n), sizeof(before));
    r = step(t);
    const float *after = section(t, "weights", &n);
    for (size_t unit = 0; unit < 32; unit++)
        changed += memcmp(before + 6 * unit, after + 6 * unit, 6 * sizeof(float)) != 0;
    assert_int_equal(r.mask_bytes[1], 2 * 4);
    assert_int_equal(changed, 2);
    trainer_close(t);
    model_free(&m);
}

static int by_value(const void *left, const void *right)
{
    const float *a = left, *b = right;

    return (*a > *b) - (*a < *b);
}

/* Of the 16 values of a sample behind the first ReLU those from the floor(16 s)-th on, of all samples' in rising order; s = 0.01 is all. */
static void add_thresholds(const float *dense, const struct layer_place *at, const float *x, double sums[3])
{
    static const int place[] = { 1, 8, 15 };
    float y[16];

    for (int u = 0; u < 16; u++) {
        double sum = (double)dense[at->biases + u];

        for (int i = 0; i < 5; i++)
            sum += (double)dense[at->weights + 5 * u + i] * (double)x[i];
        y[u] = sum > 0 ? (float)sum : 0;
    }
    qsort(y, 16, sizeof(*y), by_value);
    for (int k = 0; k < 3; k++)
        sums[k] += (double)y[place[k] - 1];
}

static void thresholds_by_hand(void **state)
{
    static const double watched[] = { 0.01, 0.5, 0.95 };
    struct model m = model_of("dlrm");
    struct data_source data = fixture_source(&m);
    struct trainer_options o = options(2);
    int32_t masked[] = { 1 };

    (void)state;
    for (int masks = 0; masks < 2; masks++) {
        double sums[3] = { 0 };
        struct trainer *t;

        o.in_order = 1;
        o.mask = (struct mask_options){ masked, 1, masks ? 0.75 : 0, 1, watched, 3 };
        t = open_trainer(&o, &m, &data);
        for (int64_t i = 0; i < 8; i++) {
            float x[5];
            int32_t ids[6], label;

            assert_int_equal(data.sample(&data, DATA_TRAIN, i, 0, x, ids, &label, NULL, 0), 0);
            add_thresholds(trainer_weights(t), &trainer_map(t)->layers[0], x, sums);
        }
        trainer_watch(t, 1);
        struct step_report r = step(t);
        for (int k = 0; k < 3; k++)
            if (!(fabs(r.thresholds[k] - sums[k] / 8) < 1e-6))
                fail_msg("%g dropped: the threshold is %.9g, by hand %.9g", watched[k], r.thresholds[k], sums[k] / 8);
        trainer_watch(t, 0);
        assert_null(step(t).thresholds);
        trainer_close(t);
    }
    model_free(&m);
}

/* Where the masks drop nothing, training is what it was without. */
static void masks_that_keep_all(void **state)
{
    struct model m = model_of("transformer");
    struct trainer_options o = options(1), masked = o;
    int32_t layers[2], n = 0;

    (void)state;
    for (int32_t l = 0; l < (int32_t)m.nlayers; l++)
        if (m.layers[l].kind == LAYER_RELU)
            layers[n++] = l;
    assert_int_equal(n, 2);
    masked.mask = (struct mask_options){ .layers = layers, .nlayers = 2, .evaluates = 1 };
    struct remains plain = train(&o, &m, STEPS, 0, -1);
    same("masks", "that keep all", &plain, train(&masked, &m, STEPS, 0, -1));
    masked.mask.dropped = 0.5;
    struct remains half = train(&masked, &m, STEPS, 0, -1);
    assert_true(half.losses[0] != plain.losses[0]);
    free(plain.bytes);
    free(half.bytes);
    model_free(&m);
}

/* The share of multiply-adds in bf16: all products of a step that is, besides what is always fp32. */
/* Probabilities that are no numbers are right of nothing. */
static void divergence_is_not_right(void **state)
{
    struct model m = model_of("cnn");
    struct data_source data = fixture_source(&m);
    struct trainer_options o = options(1);
    struct evaluation e;
    struct trainer *t;

    (void)state;
    o.rate.from = o.rate.to = 1e30;
    t = open_trainer(&o, &m, &data);
    for (int i = 0; i < STEPS; i++)
        step(t);
    assert_int_equal(trainer_evaluate(t, 0, &e), 0);
    if (e.accuracy != 0 || e.top5 != 0 || isfinite(e.loss))
        fail_msg("accuracy %g, of five %g, loss %g", e.accuracy, e.top5, e.loss);
    trainer_close(t);
    model_free(&m);
}

static void multiply_adds(void **state)
{
    struct model m = model_of("cnn");
    struct data_source data = fixture_source(&m);
    struct trainer_options o = options(2);
    const struct multiply_adds *all;
    uint64_t products = 0;
    double ema = 0;
    struct evaluation e;
    struct trainer *t;

    (void)state;
    o.precision = TRAINER_DYNAMIC;
    o.dynamic =
        (struct dynamic_precision_config){ .batches_mp = 1, .batches_bf16 = 2, .threshold = -100, .weight = 0.75 };
    t = open_trainer(&o, &m, &data);
    for (int i = 0; i < 4; i++) {
        struct step_report r = step(t);
        enum fma_mode expected = i == 0 ? FMA_MP : FMA_BF16;

        assert_int_equal(r.mode, expected);
        ema = i ? ema + 0.75 * (r.loss - ema) : r.loss;
        assert_true(fabs(r.ema - ema) < 1e-12);
        for (int k = 0; k < FMA_NMODES; k++)
            assert_true((k == (int)expected) == (multiply_adds_in(&r.multiply_adds, (enum fma_mode)k) > 0));
        if (i)
            assert_int_equal(multiply_adds_in(&r.multiply_adds, expected), products);
        products = multiply_adds_in(&r.multiply_adds, expected);
        assert_int_equal(trainer_evaluate(t, 0, &e), 0); /* counts for nothing */
    }
    all = trainer_multiply_adds(t);
    assert_int_equal(multiply_adds_in(all, FMA_MP), products);
    assert_int_equal(multiply_adds_in(all, FMA_BF16), 3 * products);
    assert_int_equal(multiply_adds_in(all, FMA_FP32), 0);
    assert_true(all->norms > 0 && all->update > 0 && all->norms + all->update < products);
    assert_int_equal(multiply_adds_all(all), 4 * products + all->norms + all->update);
    /* Nobody asks for the error of the images. */
    assert_int_equal(all->products[FMA_MP][OPS_FORWARD], all->products[FMA_MP][OPS_BACKWARD_WEIGHTS]);
    assert_true(all->products[FMA_MP][OPS_BACKWARD_DATA] < all->products[FMA_MP][OPS_FORWARD]);
    trainer_close(t);
    model_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(alone),
        cmocka_unit_test(workers_that_drop),
        cmocka_unit_test(the_servers_model_is_evaluated),
        cmocka_unit_test(workers_follow_changes),
        cmocka_unit_test(divergence_is_not_right),
        cmocka_unit_test(statistics_of_patches),
        cmocka_unit_test(codecs_of_3lc),
        cmocka_unit_test(workers_of_recommenders),
        cmocka_unit_test(precisions),
        cmocka_unit_test(weights_that_travel),
        cmocka_unit_test(splits),
        cmocka_unit_test(two_workers_are_one),
        cmocka_unit_test(bytes_of_weights),
        cmocka_unit_test(bytes_of_masks),
        cmocka_unit_test(errors_are_masked),
        cmocka_unit_test(thresholds_by_hand),
        cmocka_unit_test(masks_that_keep_all),
        cmocka_unit_test(multiply_adds),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
