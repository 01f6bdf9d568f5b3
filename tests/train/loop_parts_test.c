/* What a training loop is made of: the order of samples, learning rates, first parameters, the exchange through codecs, BLEU. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/test.h"
#include "train/data/order.h"
#include "train/exchange/exchange.h"
#include "train/net/parameters.h"
#include "train/optimizer/rate.h"
#include "train/trainer/bleu.h"

/* --- order ------------------------------------------------------------------------------------------------------- */

enum { SAMPLES = 103, WORKERS = 3, BATCH = 5, STEPS_OF_EPOCH = SAMPLES / (WORKERS * BATCH) };

static void each_sample_comes_once_an_epoch(void **state)
{
    struct order o, again;
    int64_t index[BATCH], other[BATCH];
    int differ = 0;

    (void)state;
    assert_int_equal(order_open(1, 7, SAMPLES, WORKERS, BATCH, &o), 0);
    assert_int_equal(order_open(1, 7, SAMPLES, WORKERS, BATCH, &again), 0);
    assert_int_equal(order_steps(&o), STEPS_OF_EPOCH);
    for (int64_t epoch = 0; epoch < 3; epoch++) {
        int seen[SAMPLES] = { 0 }, all = 0;

        for (int64_t step = 0; step < STEPS_OF_EPOCH; step++)
            for (int64_t w = 0; w < WORKERS; w++) {
                assert_int_equal(order_batch(&o, epoch * STEPS_OF_EPOCH + step, w, index), epoch);
                for (int i = 0; i < BATCH; i++)
                    assert_true(index[i] >= 0 && index[i] < SAMPLES && !seen[index[i]]++), all++;
            }
        assert_int_equal(all, STEPS_OF_EPOCH * WORKERS * BATCH);
    }
    /* Whoever begins in the middle gets the same; another epoch has another order. */
    order_batch(&o, STEPS_OF_EPOCH + 2, 1, index);
    order_batch(&again, STEPS_OF_EPOCH + 2, 1, other);
    assert_memory_equal(index, other, sizeof(index));
    order_batch(&o, 2, 1, other);
    for (int i = 0; i < BATCH; i++)
        differ += index[i] != other[i];
    assert_true(differ > 0);
    order_close(&o);
    order_close(&again);
}

static void in_the_order_of_the_data(void **state)
{
    struct order o;
    int64_t index[BATCH];

    (void)state;
    assert_int_equal(order_open(0, 7, SAMPLES, WORKERS, BATCH, &o), 0);
    order_batch(&o, 1, 2, index);
    for (int i = 0; i < BATCH; i++)
        assert_int_equal(index[i], WORKERS * BATCH + i * WORKERS + 2);
    order_close(&o);
}

/* --- rates --------------------------------------------------------------------------------------------------------- */

static void rates_by_hand(void **state)
{
    static const struct {
        struct rate rate;
        int64_t step;
        double want;
    } cases[] = {
        { { .schedule = RATE_CONSTANT, .from = 0.3 }, 12345, 0.3 },
        { { .schedule = RATE_STEP, .from = 1, .factor = 0.1, .every = 30 }, 29, 1 },
        { { .schedule = RATE_STEP, .from = 1, .factor = 0.1, .every = 30 }, 60, 0.01 },
        { { .schedule = RATE_DROPS, .from = 1, .factor = 0.1, .drops = { 0.5, 0.75 }, .ndrops = 2, .steps = 100 },
          49,
          1 },
        { { .schedule = RATE_DROPS, .from = 1, .factor = 0.1, .drops = { 0.5, 0.75 }, .ndrops = 2, .steps = 100 },
          50,
          0.1 },
        { { .schedule = RATE_DROPS, .from = 1, .factor = 0.1, .drops = { 0.5, 0.75 }, .ndrops = 2, .steps = 100 },
          99,
          0.01 },
        { { .schedule = RATE_EXPONENTIAL, .from = 2, .factor = 0.25, .every = 10 }, 5, 1 },
        { { .schedule = RATE_COSINE, .from = 0.1, .to = 0.001, .steps = 100 }, 0, 0.1 },
        { { .schedule = RATE_COSINE, .from = 0.1, .to = 0.001, .steps = 100 }, 50, 0.0505 },
        { { .schedule = RATE_COSINE, .from = 0.1, .to = 0.001, .steps = 100 }, 100, 0.001 },
        { { .schedule = RATE_CONSTANT, .from = 1, .warmup = 4 }, 0, 0.25 },
        { { .schedule = RATE_CONSTANT, .from = 1, .warmup = 4 }, 3, 1 },
        { { .schedule = RATE_CONSTANT, .from = 1, .warmup = 4 }, 4, 1 },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        double got = rate_at(&cases[i].rate, cases[i].step);

        if (fabs(got - cases[i].want) > 1e-12)
            fail_msg("case %zu: expected %.15g, got %.15g", i, cases[i].want, got);
    }
}

/* --- first parameters ---------------------------------------------------------------------------------------------- */

static struct model small_model(void)
{
    static struct layer_spec layers[] = {
        { .kind = LAYER_CONV, .channels = 64, .kernel = 3, .pad = 1, .bias = 1 },
        { .kind = LAYER_BATCHNORM },
        { .kind = LAYER_FC, .units = 40, .bias = 1 },
        { .kind = LAYER_SOFTMAX },
    };
    struct model_spec spec = {
        .name = "m", .channels = 32, .height = 4, .width = 4, .layers = layers, .nlayers = COUNT(layers)
    };
    struct model m;
    char why[256];

    if (model_infer(&spec, &m, why, sizeof(why)))
        fail_msg("%s", why);
    return m;
}

struct moments {
    double mean, deviation, most;
};

static struct moments moments_of(const float *x, int64_t n)
{
    struct moments m = { 0 };

    for (int64_t i = 0; i < n; i++) {
        m.mean += x[i] / (double)n;
        m.deviation += (double)x[i] * x[i] / (double)n;
        m.most = fmax(m.most, fabs((double)x[i]));
    }
    m.deviation = sqrt(m.deviation - m.mean * m.mean);
    return m;
}

/* 18432 and 40960 weights: their deviation is known to some 1 %. */
static void first_parameters_have_their_deviation(void **state)
{
    const struct {
        struct initialization how;
        double conv, fc, bias;
    } cases[] = {
        { { .scheme = INITIALIZE_HE }, sqrt(2.0 / 288), sqrt(2.0 / 1024), 0 },
        { { .scheme = INITIALIZE_LECUN }, sqrt(1.0 / 288), sqrt(1.0 / 1024), 0 },
        { { .scheme = INITIALIZE_GLOROT }, sqrt(2.0 / (288 + 576)), sqrt(2.0 / 1064), 0 },
        { { .scheme = INITIALIZE_NORMAL, .deviation = 0.1, .biases = 0.1 }, 0.1, 0.1, 0.1 },
    };
    struct model m = small_model();
    struct parameter_map map;

    (void)state;
    assert_int_equal(parameter_map_make(&m, &map), 0);
    assert_int_equal(map.ntensors, 5);
    assert_int_equal(map.ndense, m.weights + m.biases);
    float *dense = calloc((size_t)map.ndense, sizeof(*dense)), *other = calloc((size_t)map.ndense, sizeof(*other));
    for (size_t i = 0; i < COUNT(cases); i++) {
        parameters_initialize(&map, &m, &cases[i].how, 3, dense, NULL);
        struct moments conv = moments_of(dense + map.tensors[0].at, map.tensors[0].n);
        struct moments fc = moments_of(dense + map.tensors[3].at, map.tensors[3].n);

        assert_true(fabs(conv.mean) < 0.03 * conv.deviation && fabs(fc.mean) < 0.03 * fc.deviation);
        assert_true(fabs(conv.deviation / cases[i].conv - 1) < 0.03 && fabs(fc.deviation / cases[i].fc - 1) < 0.03);
        assert_true(fabs(dense[map.tensors[1].at] - cases[i].bias) < 1e-7);
        assert_true(dense[map.tensors[2].at] == 1 && dense[map.tensors[2].at + 63] == 1 &&
                    dense[map.tensors[2].at + 64] == 0); /* scales, then shifts */
    }
    parameters_initialize(&map, &m, &cases[0].how, 4, other, NULL);
    parameters_initialize(&map, &m, &cases[0].how, 3, dense, NULL);
    assert_true(memcmp(dense, other, 4 * (size_t)map.tensors[0].n) != 0);
    free(dense);
    free(other);
    parameter_map_free(&map);
    model_free(&m);
}

/* --- exchange ------------------------------------------------------------------------------------------------------ */

static struct exchange_edge edge(const char *name, double p0)
{
    struct exchange_edge e = { .codec = codec_find(name) };

    e.params = codec_presets(e.codec);
    if (e.codec->param[0].name)
        e.params.value[0] = p0;
    return e;
}

/* Gradients of three workers that differ: worker w's value i is (w + 1) (i % 7 - 3). */
static void fill(float *to, int64_t n, int worker)
{
    for (int64_t i = 0; i < n; i++)
        to[i] = (float)((worker + 1) * (i % 7 - 3));
}

/* All tensors of a direction, as they come. */
struct transfer {
    struct exchange *x;
    float *const *gradients;
    const float *change, *now;
    float *model;
};

static void push_one(void *context, size_t tensor)
{
    const struct transfer *t = context;

    for (int64_t w = 0; w < t->x->options.workers; w++)
        exchange_push(t->x, tensor, w, t->gradients[w]);
    exchange_mean(t->x, tensor, t->gradients);
}

static void pull_one(void *context, size_t tensor)
{
    const struct transfer *t = context;

    exchange_pull(t->x, tensor, t->change, t->now, t->model);
}

static void push(struct exchange *x, float *const gradients[])
{
    struct transfer t = { .x = x, .gradients = gradients };

    exchange_each(x, push_one, &t);
}

static void pull(struct exchange *x, const float *change, const float *now, float *model)
{
    struct transfer t = { x, NULL, change, now, model };

    exchange_each(x, pull_one, &t);
}

static void a_mean_of_all_workers(void **state)
{
    struct model m = small_model();
    struct parameter_map map;
    struct exchange x;
    struct exchange_options o = { .workers = 3 };
    float *gradients[3], *mean;

    (void)state;
    parameter_map_make(&m, &map);
    for (int w = 0; w < 3; w++) {
        gradients[w] = malloc(4 * (size_t)map.ndense);
        fill(gradients[w], map.ndense, w);
    }
    mean = gradients[0];
    assert_int_equal(exchange_open(&map, &o, &x), 0);
    push(&x, gradients);
    for (int64_t i = 0; i < map.ndense; i++)
        assert_true(fabsf(mean[i] - 2 * (float)(i % 7 - 3)) < 1e-5f);
    for (size_t t = 0; t < map.ntensors; t++)
        assert_int_equal(x.traffic[t].bytes[EXCHANGE_PUSH], 3 * 4 * map.tensors[t].n);
    exchange_close(&x);
    /* bf16 halves what goes through it: weights of 20000 values and more; the others travel as they are. */
    o.push = edge("bf16", 0);
    o.smallest = 20000;
    assert_int_equal(exchange_open(&map, &o, &x), 0);
    fill(mean, map.ndense, 0);
    push(&x, gradients);
    assert_int_equal(x.traffic[0].bytes[EXCHANGE_PUSH], 3 * 4 * map.tensors[0].n);
    assert_int_equal(x.traffic[3].bytes[EXCHANGE_PUSH], 3 * 2 * map.tensors[3].n);
    assert_int_equal(x.traffic[4].bytes[EXCHANGE_PUSH], 3 * 4 * map.tensors[4].n);
    for (int64_t i = 0; i < map.ndense; i++)
        assert_true(fabsf(mean[i] - 2 * (float)(i % 7 - 3)) < 0.05f);
    exchange_close(&x);
    for (int w = 0; w < 3; w++)
        free(gradients[w]);
    parameter_map_free(&map);
    model_free(&m);
}

/* With error feedback what one step loses comes in later ones: the workers' model follows the server's. Without, it is lost. */
static void pulls_follow_the_server(void **state)
{
    struct model m = small_model();
    struct parameter_map map;
    struct exchange x;
    struct exchange_options o = { .workers = 2, .pull = edge("3lc", 1) };
    float *still, *now, *model;

    (void)state;
    parameter_map_make(&m, &map);
    still = calloc((size_t)map.ndense, 4);
    now = calloc((size_t)map.ndense, 4);
    model = calloc((size_t)map.ndense, 4);
    assert_int_equal(exchange_open(&map, &o, &x), 0);
    for (int64_t i = 0; i < map.ndense; i++)
        now[i] = (float)(i % 11) * 0.1f;
    pull(&x, now, now, model); /* from zeros; a change, then none any more */
    for (int step = 0; step < 40; step++)
        pull(&x, still, now, model);
    for (int64_t i = 0; i < map.ndense; i++)
        if (fabsf(model[i] - now[i]) > 1e-4f)
            fail_msg("value %lld: the server has %g, the workers %g", (long long)i, now[i], model[i]);
    exchange_close(&x);
    /* Weights that travel: three bytes of each, whatever the change was. */
    o.pull = edge("adt", 3);
    o.pull_weights = 1;
    assert_int_equal(exchange_open(&map, &o, &x), 0);
    memset(model, 0, 4 * (size_t)map.ndense);
    pull(&x, NULL, now, model);
    assert_int_equal(x.traffic[0].bytes[EXCHANGE_PULL], 3 * map.tensors[0].n);
    assert_true(model[1] != now[1] && fabsf(model[1] - now[1]) < 1e-5f);
    x.bytes_per_weight[0] = 4;
    pull(&x, NULL, now, model);
    assert_int_equal(x.traffic[0].bytes[EXCHANGE_PULL], 4 * map.tensors[0].n);
    assert_true(model[1] == now[1]);
    exchange_close(&x);
    free(still);
    free(now);
    free(model);
    parameter_map_free(&map);
    model_free(&m);
}

/* Each worker and tensor draws for itself. */
static void seeds_of_stochastic_codecs(void **state)
{
    struct model m = small_model();
    struct parameter_map map;
    struct exchange x;
    struct exchange_options o = { .workers = 2, .push = edge("stoch3", 0), .seed = 5 };
    float *gradients[2];
    int64_t halves = 0;

    (void)state;
    parameter_map_make(&m, &map);
    for (int w = 0; w < 2; w++) {
        gradients[w] = malloc(4 * (size_t)map.ndense);
        for (int64_t i = 0; i < map.ndense; i++)
            gradients[w][i] = i % 2 ? 1 : 0.5f;
    }
    assert_int_equal(exchange_open(&map, &o, &x), 0);
    push(&x, gradients);
    for (int64_t i = 0; i < map.tensors[0].n; i += 2)
        halves += fabsf(gradients[0][i] - 0.5f) < 0.01f; /* one worker drew 1, the other 0 */
    assert_true(halves > map.tensors[0].n / 8 && halves < map.tensors[0].n * 3 / 8);
    exchange_close(&x);
    free(gradients[0]);
    free(gradients[1]);
    parameter_map_free(&map);
    model_free(&m);
}

/* --- BLEU ---------------------------------------------------------------------------------------------------------- */

static void bleu_by_hand(void **state)
{
    static const int32_t reference[] = { 5, 6, 7, 8, 9, 10, 11, 12 };
    static const int32_t good[] = { 5, 6, 7, 8, 9, 10, 3, 12 }, stutter[] = { 5, 5, 5, 5, 5, 5, 5, 5 };
    struct bleu b = { 0 };

    (void)state;
    bleu_add(&b, reference, 8, reference, 8);
    assert_true(fabs(bleu_score(&b) - 1) < 1e-12);
    b = (struct bleu){ 0 };
    bleu_add(&b, good, 8, reference, 8); /* 7 of 8, 5 of 7, 4 of 6, 3 of 5 */
    assert_true(fabs(bleu_score(&b) - pow(7.0 / 8 * 5 / 7 * 4 / 6 * 3 / 5, 0.25)) < 1e-12);
    b = (struct bleu){ 0 };
    bleu_add(&b, stutter, 8, reference, 8); /* the one 5 counts once */
    assert_int_equal(b.common[0], 1);
    assert_true(bleu_score(&b) == 0);
    b = (struct bleu){ 0 };
    bleu_add(&b, reference, 6, reference, 8); /* too short: exp(1 - 8 / 6) */
    assert_true(fabs(bleu_score(&b) - exp(1 - 8.0 / 6)) < 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_sample_comes_once_an_epoch),
        cmocka_unit_test(in_the_order_of_the_data),
        cmocka_unit_test(rates_by_hand),
        cmocka_unit_test(first_parameters_have_their_deviation),
        cmocka_unit_test(a_mean_of_all_workers),
        cmocka_unit_test(pulls_follow_the_server),
        cmocka_unit_test(seeds_of_stochastic_codecs),
        cmocka_unit_test(bleu_by_hand),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
