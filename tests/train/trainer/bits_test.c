/* bits_test.c - a trainer's bits: the same at any number of threads, while it is watched, and after a checkpoint. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef _OPENMP
#include <omp.h>
#endif

#include "tests/sanitized.h"
#include "tests/test.h"
#include "tests/train/trainer/help.h"

/* What a training run leaves: all its sections, one after the other; what it lost on the way, and on test samples in
 * the end. */
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

/* Trained as asked for, in every way that must not matter; sampled, in most of them at once. */
static void check_bits(const char *what, const char *network, const struct trainer_options *o)
{
    struct model m = model_of(network);
    struct trainer_options wide = *o;

    threads(1);
    struct remains first = train(o, &m, STEPS, 0, -1);
    for (int i = 0; i < STEPS; i++)
        assert_true(isfinite(first.losses[i]));
    if (!sampled()) {
        same(what, "again", &first, train(o, &m, STEPS, 0, -1));
        same(what, "watched", &first, train(o, &m, STEPS, 1, -1));
        same(what, "stopped after the first step", &first, train(o, &m, STEPS, 0, 1));
        same(what, "stopped after four", &first, train(o, &m, STEPS, 0, 4));
        threads(2);
        wide.threads = 2;
        same(what, "two threads", &first, train(&wide, &m, STEPS, 0, -1));
    }
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
    o.exchange.push.params.value[2] = 2;
    check_bits("dct, drained", "dlrm", &o);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(alone),         cmocka_unit_test(workers_that_drop),
        cmocka_unit_test(codecs_of_3lc), cmocka_unit_test(workers_of_recommenders),
        cmocka_unit_test(precisions),    cmocka_unit_test(weights_that_travel),
        cmocka_unit_test(splits),        cmocka_unit_test(masks_that_keep_all),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
