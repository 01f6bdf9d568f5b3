/* Experts in the method sharded: what is sent, where parameters and states lie, what a codec saves, what is refused. */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/status.h"
#include "tests/sim/method/sharded/sharded_platform.h"
#include "tests/test.h"

/* Two machines of four GPUs; a decoder of three layers, the last two with 8 experts. */
struct world {
    struct sharded_rig rig;
    struct gpt_spec gpt;
};

enum { HIDDEN = 256, SEQUENCE = 512, UNITS = 128, EXPERTS = 8, ACTIVE = 2, LAYERS = 2 };

static void infer(struct world *w)
{
    model_free(&w->rig.model);
    sharded_rig_decoder(&w->rig, w->gpt);
}

static void world_new(struct world *w)
{
    *w = (struct world){ .gpt = { .style = GPT_LLAMA,
                                  .hidden = HIDDEN,
                                  .layers = LAYERS + 1,
                                  .heads = 4,
                                  .sequence = SEQUENCE,
                                  .vocabulary = 1024,
                                  .feed_forward = 512,
                                  .experts = EXPERTS,
                                  .active = ACTIVE,
                                  .expert_feed_forward = UNITS,
                                  .dense_layers = 1 } };
    sharded_rig_make(&w->rig, 2, 1, 0, 1);
    infer(w);
    w->rig.platform.gpu.count = 4;
    w->rig.method.sharded.expert = 4;
    w->rig.method.sharded.imbalance = 1;
    w->rig.method.sharded.level = 1;
    w->rig.method.sharded.recompute = RECOMPUTE_NONE;
}

static struct job job_of(const struct world *w)
{
    return (struct job){ &w->rig.platform, &w->rig.model, &w->rig.method, 16 };
}

static struct readings play(const struct world *w)
{
    struct job j = job_of(w);
    struct readings out = { 0 };
    char why[512] = "";

    if (method_check(&j, why, sizeof(why)) || method_play(&j, &out, NULL, why, sizeof(why)))
        fail_msg("%s", why);
    return out;
}

static double get(const struct world *w, const char *name)
{
    struct readings r = play(w);

    return reading_value(&r, name);
}

static void is(const char *what, double got, double want)
{
    if (!(fabs(got - want) <= 1e-9 * fabs(want)))
        fail_msg("%s: %.12g, want %.12g", what, got, want);
}

/* Of fp32's bytes; it codes 1 TB of fp32 a second. */
static struct codec_spec quarter(enum codec_class_of aggregation)
{
    return (struct codec_spec){ .format = WIRE_RATIO,
                                .ratio = 4,
                                .aggregation = aggregation,
                                .place = CODEC_ON_GPU,
                                .threads = 1,
                                .steps = 1,
                                .life = 1,
                                .scale = 1,
                                .encode = { .rate_Bps = 1e12 },
                                .decode = { .rate_Bps = 1e12 } };
}

/* Of all experts, and of all else. */
static const double expert_values = LAYERS * EXPERTS * 3.0 * HIDDEN * UNITS;

static double other_values(const struct world *w)
{
    return (double)(w->rig.model.weights + w->rig.model.biases) - expert_values;
}

/* Each of 8 ranks makes 2 passes of 2 micro-batches in 2 layers; 3 all-to-alls a pass, of which 1 / expert stays. */
static void all_to_alls_are_counted(void **state)
{
    struct world w;

    (void)state;
    world_new(&w);
    for (int64_t expert = 2; expert <= 8; expert *= 2) {
        w.rig.method.sharded.expert = expert;
        double tokens = SEQUENCE * ACTIVE, leaves = (double)(expert - 1) / (double)expert;
        double pass = tokens * (2 * 2 * HIDDEN + 4) * leaves;
        is("sent", get(&w, "sent.expert"), 8 * 2 * 2 * LAYERS * pass);
    }
    w.rig.method.sharded.expert = 1;
    assert_true(isnan(get(&w, "sent.expert")));
    w.rig.method.sharded.expert = 4;
    w.rig.method.sharded.imbalance = 1.5;
    double full = get(&w, "sent.expert");
    w.rig.method.sharded.imbalance = 1;
    is("fullest", full, 1.5 * get(&w, "sent.expert"));
    sharded_rig_free(&w.rig);
}

/* Experts are on a quarter of the replicas each, and their states are sharded among the two that have the same ones;
 * all else among eight. */
static void memory_is_that_of_a_rank(void **state)
{
    struct world w;
    double all, experts;

    (void)state;
    world_new(&w);
    for (int64_t expert = 1; expert <= 8; expert *= 2) {
        w.rig.method.sharded.expert = expert;
        all = other_values(&w);
        experts = expert_values / (double)expert;
        w.rig.method.sharded.level = 1;
        is("weights", get(&w, "memory.weights"), 2 * (all + experts));
        is("gradients", get(&w, "memory.gradients"), 4 * (all + experts));
        is("states", get(&w, "memory.states"), 12 * (all / 8 + expert_values / 8));
        w.rig.method.sharded.level = 3;
        is("sharded weights", get(&w, "memory.weights"), 2 * (all / 8 + expert_values / 8));
    }
    sharded_rig_free(&w.rig);
}

/* While experts are computed: four copies of the tokens that are sent, the layer's input and what it is added to;
 * between stages what came in, and on the last one what will go back. */
static void tokens_on_their_way_take_memory(void **state)
{
    struct world w;
    double own = 2.0 * SEQUENCE * HIDDEN, alone = 4 * ACTIVE * own + 2 * own;

    (void)state;
    world_new(&w);
    is("alone", get(&w, "memory.transient"), alone);
    w.rig.method.sharded.pipeline = 2;
    assert_true(get(&w, "memory_stage") == 0);
    is("first stage", get(&w, "memory.transient"), alone + own);
    w.gpt.layers = 2; /* the dense one, the one with experts, which are larger now */
    w.gpt.expert_feed_forward = 8 * UNITS;
    infer(&w);
    assert_true(get(&w, "memory_stage") == 1);
    is("last stage", get(&w, "memory.transient"), alone + 2 * own);
    sharded_rig_free(&w.rig);
}

/* A reduce-scatter of gradients in fp32 and an all-gather of parameters in bf16, in rings of two and of eight. */
static void gradients_are_reduced_among_their_owners(void **state)
{
    struct world w;

    (void)state;
    world_new(&w);
    is("experts", get(&w, "sent.expert-copy"), 8 * expert_values / 4 * (4 + 2) / 2);
    is("others", get(&w, "sent.shard"), 8 * other_values(&w) * (4 + 2) * 7 / 8);
    w.rig.method.sharded.expert = 8; /* each has its own alone */
    assert_true(isnan(get(&w, "sent.expert-copy")));
    w.rig.method.sharded.expert = 1; /* as all else */
    assert_true(isnan(get(&w, "sent.expert-copy")));
    is("one rank's", get(&w, "sent.shard"), 8 * (other_values(&w) + expert_values) * (4 + 2) * 7 / 8);
    w.rig.method.sharded.expert = 4;
    w.rig.method.sharded.codec_gradients = quarter(AGGREGATE_SCATTER);
    is("scattered", get(&w, "sent.expert-copy-spread"), 8 * expert_values / 4 / 2);
    sharded_rig_free(&w.rig);
}

/* Tokens and results' gradients go by the codec, a quarter of fp32, so half of bf16; what comes back does not. */
static void a_codec_takes_what_is_dispatched(void **state)
{
    struct world w;
    double plain, packed, weights = 8.0 * 2 * 2 * LAYERS * SEQUENCE * ACTIVE * 4 * 3 / 4;

    (void)state;
    world_new(&w);
    plain = get(&w, "sent.expert");
    w.rig.method.sharded.codec_dispatch = quarter(AGGREGATE_REDUCE);
    packed = get(&w, "sent.expert");
    is("packed", packed - weights, (plain - weights) * 0.75);
    /* 2 micro-batches, 2 layers, 2 passes; each token is encoded and decoded, 4 bytes a value. */
    is("encode", get(&w, "encode_ms"), 2 * LAYERS * 2 * SEQUENCE * ACTIVE * HIDDEN * 4 / 1e12 * 1e3);
    is("decode", get(&w, "decode_ms"), get(&w, "encode_ms"));
    sharded_rig_free(&w.rig);
}

/* Ranks that do the same are played once. */
static void folded_ranks_give_what_all_give(void **state)
{
    struct world w;

    (void)state;
    world_new(&w);
    for (int pipeline = 1; pipeline <= 2; pipeline++)
        for (int64_t tensor = 1; tensor <= 2; tensor++)
            for (int64_t level = 0; level <= 3; level += 3) {
                w.rig.method.sharded.pipeline = pipeline;
                w.rig.method.sharded.tensor = tensor;
                w.rig.method.sharded.sequence = tensor > 1;
                w.rig.method.sharded.expert = level ? 2 : 4 / (pipeline * tensor);
                w.rig.method.sharded.level = level;
                w.rig.method.sharded.play = PLAY_FOLDED;
                double folded = get(&w, "step_ms");
                w.rig.method.sharded.play = PLAY_WHOLE;
                is("step", folded, get(&w, "step_ms"));
            }
    sharded_rig_free(&w.rig);
}

static void without_experts_their_keys_change_nothing(void **state)
{
    struct world w;
    struct readings a, b;

    (void)state;
    world_new(&w);
    w.gpt.experts = w.gpt.active = w.gpt.expert_feed_forward = w.gpt.dense_layers = 0;
    infer(&w);
    w.rig.method.sharded.expert = 1;
    a = play(&w);
    w.rig.method.sharded.imbalance = 7;
    w.rig.method.sharded.route_s = w.rig.method.sharded.dispatch_experts_s = 1;
    w.rig.method.sharded.codec_dispatch = quarter(AGGREGATE_REDUCE);
    b = play(&w);
    assert_int_equal(a.n, b.n);
    for (size_t i = 0; i < a.n; i++) {
        assert_string_equal(a.list[i].name, b.list[i].name);
        assert_true(a.list[i].value == b.list[i].value);
    }
    sharded_rig_free(&w.rig);
}

static void refused(const struct world *w, const char *want)
{
    struct job j = job_of(w);
    char why[512] = "";

    assert_int_equal(method_check(&j, why, sizeof(why)), E_INVAL);
    if (strncmp(why, want, strlen(want)) != 0)
        fail_msg("%s, want %s", why, want);
}

static void what_cannot_be_divided_is_refused(void **state)
{
    struct world w;
    struct sharded *m = &w.rig.method.sharded;

    (void)state;
    world_new(&w);
    m->expert = 3;
    refused(&w, "method.expert: expected a number that divides the 8 replicas, got 3");
    w.gpt.experts = 6;
    infer(&w);
    m->expert = 4;
    refused(&w, "method.expert: expected a number that divides the 6 experts, got 4");
    w.gpt.experts = EXPERTS;
    infer(&w);
    m->shard = 4;
    refused(&w, "method.shard: expected 0, all replicas, where experts are divided among them, got 4");
    m->shard = 0;
    m->level = 3;
    m->secondary = true;
    refused(&w, "method.secondary: expected false where experts are divided among replicas");
    m->secondary = false;
    w.rig.method.kind = METHOD_ALLREDUCE;
    refused(&w, "method.kind: expected sharded, which alone trains models with experts or latent attention");
    w.rig.method.kind = METHOD_SHARDED;
    w.gpt.experts = w.gpt.active = w.gpt.expert_feed_forward = w.gpt.dense_layers = 0;
    infer(&w);
    refused(&w, "method.expert: expected 1 for a model without experts, got 4");
    m->expert = 1;
    m->attention = ATTENTION_EAGER;
    w.gpt.value_dim = w.gpt.head_dim = w.gpt.kv_latent = 64;
    infer(&w);
    refused(&w, "method.attention: expected flash with latent attention");
    sharded_rig_free(&w.rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_to_alls_are_counted),
        cmocka_unit_test(memory_is_that_of_a_rank),
        cmocka_unit_test(tokens_on_their_way_take_memory),
        cmocka_unit_test(gradients_are_reduced_among_their_owners),
        cmocka_unit_test(a_codec_takes_what_is_dispatched),
        cmocka_unit_test(folded_ranks_give_what_all_give),
        cmocka_unit_test(without_experts_their_keys_change_nothing),
        cmocka_unit_test(what_cannot_be_divided_is_refused),
    };
    return cmocka_run_group_tests_name("sharded_experts", tests, NULL, NULL);
}
