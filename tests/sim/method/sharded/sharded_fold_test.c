/* A step that is folded to its classes of ranks is the step of all ranks, to the picosecond and to the byte: random
 * layouts on 64 GPUs. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/method/method.h"
#include "tests/draw.h"
#include "tests/sanitized.h"
#include "tests/sim/method/sharded/sharded_platform.h"
#include "tests/test.h"

static uint64_t seed = 20191;

static int64_t one_of(const int64_t list[], size_t n)
{
    return list[draw(&seed) % n];
}

#define ONE_OF(...) one_of((const int64_t[]){ __VA_ARGS__ }, sizeof((int64_t[]){ __VA_ARGS__ }) / sizeof(int64_t))

static const char *const orders[] = { "tensor, context, data, pipeline", "tensor, data, pipeline, context",
                                      "pipeline, tensor, context, data", "data, tensor, context, pipeline",
                                      "context, tensor, pipeline, data" };

static struct codec_spec blockwise(bool scatter)
{
    return (struct codec_spec){ .format = WIRE_BLOCKWISE,
                                .code_bits = scatter ? 4 : 8,
                                .block = 256,
                                .aggregation = scatter ? AGGREGATE_SCATTER : AGGREGATE_REDUCE,
                                .place = CODEC_ON_GPU,
                                .threads = 1,
                                .scale = 1,
                                .encode = { .rate_Bps = 500e9, .latency_s = 5e-6 },
                                .decode = { .rate_Bps = 700e9, .latency_s = 5e-6 },
                                .life = 1 };
}

/* Powers of two whose product is 64 GPUs. */
static void draw_layout(struct sharded_rig *r)
{
    struct sharded *m = &r->method.sharded;

    m->tensor = ONE_OF(1, 2, 4, 8);
    m->context = ONE_OF(1, 1, 1, 2);
    m->pipeline = ONE_OF(1, 1, 2, 4);
    m->data = 64 / (m->tensor * m->context * m->pipeline);
    m->order = orders[draw(&seed) % (sizeof(orders) / sizeof(*orders))];
    m->level = ONE_OF(0, 1, 2, 3, 3);
    m->sequence = ONE_OF(0, 1);
    m->overlap = ONE_OF(0, 1, 1);
    m->reshard = ONE_OF(0, 1);
    m->prefetch = ONE_OF(0, 1, 2);
    m->reduce_each = m->level >= 2 && ONE_OF(0, 1);
    m->recompute = (enum recompute)ONE_OF(0, 1, 2);
    m->unit_layers = ONE_OF(1, 2);
    m->schedule = m->pipeline > 1 && ONE_OF(0, 1) ? PIPELINE_GPIPE : PIPELINE_1F1B;
    m->chunks = m->pipeline > 1 && m->schedule == PIPELINE_1F1B ? ONE_OF(1, 2) : 1;
    m->shard = ONE_OF(0, 0, 2, 8);
    if (m->shard > m->data * m->context)
        m->shard = 0;
    if (m->level == 3 && ONE_OF(0, 1))
        m->codec_weights = blockwise(false);
    if (ONE_OF(0, 1))
        m->codec_gradients = blockwise(true);
    m->two_steps = ONE_OF(0, 1);
    m->secondary = m->level == 3 && ONE_OF(0, 1);
    if (ONE_OF(0, 1, 1))
        m->codec_activations = blockwise(false);
    m->offload = m->level == 3 ? (enum offload)ONE_OF(0, 0, 1, 2) : OFFLOAD_NONE;
    m->hop_s = 1e-6 * (double)ONE_OF(0, 20);
    r->platform.collective.launch_s = 1e-6 * (double)ONE_OF(0, 10);
    r->platform.collective.latency_s = 1e-6 * (double)ONE_OF(0, 3);
    r->job.batch = m->data * m->pipeline * ONE_OF(1, 2);
}

static void describe(const struct sharded_rig *r, char *text, size_t n)
{
    const struct sharded *m = &r->method.sharded;

    snprintf(
        text, n,
        "tensor %d context %d data %d pipeline %d x %d (%s), level %d, shard %d, order %s, nics %d, pods of %d / %g",
        (int)m->tensor, (int)m->context, (int)m->data, (int)m->pipeline, (int)m->chunks,
        m->schedule == PIPELINE_GPIPE ? "gpipe" : "1f1b", (int)m->level, (int)m->shard, m->order,
        (int)r->platform.network.nics, (int)r->platform.network.per_switch, r->platform.network.oversubscription);
}

static void folded_is_whole(void **state)
{
    int layouts = SANITIZED ? 12 : 200, refused = 0, tried = 0;
    double folded_classes = 0;

    (void)state;
    while (tried < layouts) {
        struct sharded_rig r;
        struct readings whole, folded;
        char why[512] = "", what[320];
        bool rails = ONE_OF(0, 1);
        sharded_rig_make(&r, 8, ONE_OF(2, 4, 8), rails ? ONE_OF(2, 4, 8) : 0, rails ? (double)ONE_OF(1, 2, 4) : 1);
        sharded_rig_decoder(&r, (struct gpt_spec){ .style = (enum gpt_style)ONE_OF(0, 1),
                                                   .hidden = 1024,
                                                   .layers = 8,
                                                   .heads = 16,
                                                   .sequence = 1024,
                                                   .vocabulary = 32000 });
        draw_layout(&r);
        describe(&r, what, sizeof(what));
        r.method.sharded.play = PLAY_WHOLE;
        if (method_play(&r.job, &whole, NULL, why, sizeof(why))) {
            assert_non_null(strstr(why, "method.")); /* a layout that is none: a reason that names a key */
            refused++;
            sharded_rig_free(&r);
            assert_true(refused < 3 * layouts);
            continue;
        }
        tried++;
        r.method.sharded.play = PLAY_FOLDED;
        if (method_play(&r.job, &folded, NULL, why, sizeof(why)))
            fail_msg("%s: folded: %s", what, why);
        assert_true(reading_value(&whole, "classes") == 64);
        folded_classes += reading_value(&folded, "classes");
        for (size_t i = 0; i < whole.n; i++) {
            const struct reading *a = &whole.list[i];
            double b = reading_value(&folded, a->name);
            bool exact = !strncmp(a->name, "sent.", 5) || !strcmp(a->name, "step_ms");
            if (!exact)
                continue;
            if (!(a->value == b))
                fail_msg("%s: %s is %.12f of all ranks, %.12f folded", what, a->name, a->value, b);
        }
        sharded_rig_free(&r);
    }
    printf("%d layouts, %d refused, folded to %.1f classes on average\n", tried, refused, folded_classes / tried);
    assert_true(folded_classes / tried < 24);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(folded_is_whole) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
