/* exchange_test.c - means of gradients and models that follow the server's, through codecs. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/test.h"
#include "tests/train/net/small_model.h"
#include "train/exchange/exchange.h"

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

/* Codes of 4 bits, decoded again. */
static void quantize(float *values, size_t n, const struct exchange_edge *e)
{
    const struct codec_impl *im = codec_choose(e->codec, "scalar", false);
    size_t bound = e->codec->payload_bound(n, &e->params);
    uint8_t *payload = aligned_alloc(CODEC_ALIGN, (bound / CODEC_ALIGN + 1) * CODEC_ALIGN);
    uint64_t nbytes;
    int error;

    im->compress(&im->impl, payload, &nbytes, values, n, &e->params, NULL, NULL);
    im->decompress(&im->impl, values, n, CODEC_STORE, payload, nbytes, &e->params, NULL, &error);
    assert_int_equal(error, CODEC_OK);
    free(payload);
}

/* Of a scattered codec, gradients are quantized, and so is their sum. */
static void a_scattered_sum_is_quantized_too(void **state)
{
    struct model m = small_model();
    struct parameter_map map;
    struct exchange x;
    struct exchange_options o = { .push = edge("blockwise", 4), .workers = 3, .smallest = 100 };
    float *gradients[3], *want, *once;
    bool twice = false;

    (void)state;
    parameter_map_make(&m, &map);
    want = calloc((size_t)map.ndense, sizeof(float));
    once = malloc((size_t)map.ndense * sizeof(float));
    assert_int_equal(exchange_open(&map, &o, &x), 0);
    for (int w = 0; w < 3; w++) {
        gradients[w] = malloc(4 * (size_t)map.ndense);
        for (int64_t i = 0; i < map.ndense; i++)
            once[i] = gradients[w][i] = sinf((float)(i * (w + 3)));
        for (size_t t = 0; t < map.ntensors; t++)
            if (exchange_compresses(&x, EXCHANGE_PUSH, t))
                quantize(once + map.tensors[t].at, (size_t)map.tensors[t].n, &o.push);
        for (int64_t i = 0; i < map.ndense; i++)
            want[i] += once[i];
    }
    memcpy(once, want, (size_t)map.ndense * sizeof(float));
    push(&x, gradients);
    for (size_t t = 0; t < map.ntensors; t++)
        if (exchange_compresses(&x, EXCHANGE_PUSH, t)) {
            quantize(want + map.tensors[t].at, (size_t)map.tensors[t].n, &o.push);
            assert_int_equal(x.traffic[t].bytes[EXCHANGE_PUSH],
                             3 * o.push.codec->payload_bound((size_t)map.tensors[t].n, &o.push.params));
        }
    for (int64_t i = 0; i < map.ndense; i++) {
        assert_true(gradients[0][i] == want[i] * (1 / 3.0f));
        twice |= want[i] != once[i];
    }
    assert_true(twice);
    exchange_close(&x);
    for (int w = 0; w < 3; w++)
        free(gradients[w]);
    free(want);
    free(once);
    parameter_map_free(&map);
    model_free(&m);
}

/* With error feedback what one step loses comes in later ones: the workers' model follows the server's. Without, it is
 * lost. */
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

/* Each worker loses values of its own: after a drain the buffers differ, though the gradients do not. */
static void drains_of_buffers(void **state)
{
    enum { DROPPED, LIFESPAN, DRAIN };
    struct model m = small_model();

    (void)state;
    for (int drain = 0; drain < 2; drain++) {
        struct exchange_options o = { .workers = 2, .push = edge("dct", 1), .seed = 5 };
        struct parameter_map map;
        struct exchange x;
        float *gradients[2];
        size_t each;

        o.push.params.value[LIFESPAN] = 1;
        o.push.params.value[DRAIN] = drain;
        parameter_map_make(&m, &map);
        assert_int_equal(exchange_open(&map, &o, &x), 0);
        for (int w = 0; w < 2; w++)
            gradients[w] = malloc(4 * (size_t)map.ndense);
        for (int s = 0; s < 2; s++) {
            for (int w = 0; w < 2; w++)
                for (int64_t i = 0; i < map.ndense; i++)
                    gradients[w][i] = 1;
            push(&x, gradients);
        }
        each = (o.push.codec->state_size((size_t)map.tensors[0].n, &o.push.params) + CODEC_ALIGN - 1) / CODEC_ALIGN *
               CODEC_ALIGN;
        assert_int_equal(memcmp(x.states, x.states + each, each) != 0, drain);
        exchange_close(&x);
        free(gradients[0]);
        free(gradients[1]);
        parameter_map_free(&map);
    }
    model_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mean_of_all_workers),   cmocka_unit_test(a_scattered_sum_is_quantized_too),
        cmocka_unit_test(pulls_follow_the_server), cmocka_unit_test(seeds_of_stochastic_codecs),
        cmocka_unit_test(drains_of_buffers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
