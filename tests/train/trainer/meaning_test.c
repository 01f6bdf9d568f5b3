/* meaning_test.c - what a trainer's steps and evaluations mean, and what they count. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/test.h"
#include "tests/train/trainer/help.h"

static void copy_section(struct trainer *to, struct trainer *from, const char *name)
{
    size_t n = 0, size = 0;
    void *bytes = section(from, name, &n), *place = section(to, name, &size);

    assert_int_equal(n, size);
    memcpy(place, bytes, n);
}

/* Evaluated is what the server has, though the workers, who got it in three values, hold something else. */
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

/* A change that loses nothing on its way leaves the workers with what the server has, but for the rounding of each
 * sum. */
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

/* What a running mean and variance become when a norm has seen these rows and columns of channel c of the first
 * batch. */
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

/* With the shares of one batch two workers compute what one does; norms know only their worker's, so a network without
 * them. */
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

/* At so small a rate the server's weights move, but hardly any of their upper bytes, which are sent. */
static void norms_of_what_is_sent(void **state)
{
    struct model m = model_of("cnn");
    struct data_source data = fixture_source(&m);
    struct trainer_options o = options(1);
    double change[2];

    (void)state;
    o.exchange.pull = edge("adt", 4, 0);
    o.exchange.pull_weights = 1;
    o.rate.from = o.rate.to = 1e-7;
    o.awp = (struct awp_config){ .threshold = 1, .interval = 1000, .step_bits = 8, .start_bits = 8, .max_bits = 32 };
    for (int sent = 0; sent <= 1; sent++) {
        struct trainer *t;

        o.awp_of_sent = sent;
        t = open_trainer(&o, &m, &data);
        for (int i = 0; i < STEPS; i++)
            step(t);
        change[sent] = fabs(trainer_norm_change(t));
        trainer_close(t);
    }
    assert_true(change[0] > 0 && change[0] < 1e-3);
    assert_true(change[1] < 1e-3 * change[0]); /* a few near zero cross a boundary */
    model_free(&m);
}

/* Weights that travel as one byte are others than the server's; as four bytes they are the same. */
static void evaluated_weights(void **state)
{
    struct model m = model_of("cnn");
    struct data_source data = fixture_source(&m);

    (void)state;
    for (int bytes = 1; bytes <= 4; bytes += 3) {
        struct evaluation of[2];

        for (int workers = 0; workers <= 1; workers++) {
            struct trainer_options o = options(1);
            struct trainer *t;

            o.exchange.pull = edge("adt", bytes, 0);
            o.exchange.pull_weights = 1;
            o.evaluate_workers = workers;
            t = open_trainer(&o, &m, &data);
            for (int i = 0; i < STEPS; i++)
                step(t);
            assert_int_equal(trainer_evaluate(t, 0, &of[workers]), 0);
            trainer_close(t);
        }
        if (bytes == 4)
            assert_true(of[0].loss == of[1].loss);
        else
            assert_true(of[0].loss != of[1].loss);
    }
    model_free(&m);
}

/* Each step's products count in its own mode, evaluations count nowhere, and norms and updates are always fp32. */
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
        cmocka_unit_test(the_servers_model_is_evaluated),
        cmocka_unit_test(workers_follow_changes),
        cmocka_unit_test(divergence_is_not_right),
        cmocka_unit_test(statistics_of_patches),
        cmocka_unit_test(two_workers_are_one),
        cmocka_unit_test(bytes_of_weights),
        cmocka_unit_test(norms_of_what_is_sent),
        cmocka_unit_test(evaluated_weights),
        cmocka_unit_test(multiply_adds),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
