/* Experts in the method sharded: what is sent, where parameters and states lie, what a codec saves, what is refused. */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/status.h"
#include "sim/method/method.h"
#include "tests/test.h"

/* Two machines of four GPUs; a decoder of three layers, the last two with 8 experts. */
struct world {
    struct link_spec links[3];
    struct platform platform;
    struct model_spec spec;
    struct model model;
    struct method method;
    int64_t batch;
};

enum { HIDDEN = 256, SEQUENCE = 512, UNITS = 128, EXPERTS = 8, ACTIVE = 2, LAYERS = 2 };

static void infer(struct world *w)
{
    char why[256];

    model_free(&w->model);
    if (model_infer(&w->spec, &w->model, why, sizeof(why)))
        fail_msg("%s", why);
}

static void world_new(struct world *w)
{
    const struct link_spec link = { .name = "nvlink",
                                    .bandwidth_Bps = 100e9,
                                    .latency_s = 1e-6,
                                    .shared_by = 1,
                                    .efficiency_to_device = 1,
                                    .efficiency_to_host = 1,
                                    .efficiency_wire = 1,
                                    .efficiency_pageable = 1 };

    memset(w, 0, sizeof(*w));
    w->links[0] = w->links[1] = w->links[2] = link;
    w->links[1].name = "pcie";
    w->links[2].name = "ib";
    w->links[2].bandwidth_Bps = 25e9;
    w->platform = (struct platform){
        .name = "p",
        .machines = 2,
        .compute_scale = 1,
        .peak_flops = 1e14,
        .cpu = { .sockets = 1, .cores_per_socket = 8, .memory_Bps = 1e11, .memory_efficiency = 1, .codec_speed = 1 },
        .gpu = { .count = 4,
                 .peak_flops = 1e13,
                 .memory_Bps = 1e12,
                 .memory_bytes = 80000000000,
                 .efficiency_memory = 1,
                 .matrix_share = 1,
                 .matrix_tile_rows = 1,
                 .matrix_tile_columns = 1,
                 .attention_share = 1,
                 .attention_back_share = 1,
                 .link = "pcie",
                 .peer_link = "nvlink" },
        .network = { .topology = TOPOLOGY_STAR, .link = "ib", .nics = 1, .gpu_direct = true },
        .links = w->links,
        .nlinks = 3
    };
    w->platform.gpu.precision_flops[COMPUTE_BF16] = 1e14;
    w->spec = (struct model_spec){ .name = "m",
                                   .gpt = { .style = GPT_LLAMA,
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
    infer(w);
    w->batch = 16;
    w->method = (struct method){ .kind = METHOD_SHARDED,
                                 .sharded = { .tensor = 1,
                                              .context = 1,
                                              .expert = 4,
                                              .pipeline = 1,
                                              .order = "tensor, context, data, pipeline",
                                              .level = 1,
                                              .schedule = PIPELINE_1F1B,
                                              .chunks = 1,
                                              .imbalance = 1,
                                              .micro_batch = 1,
                                              .attention = ATTENTION_FLASH,
                                              .fused_loss = true,
                                              .weights = COMPUTE_BF16,
                                              .gradients = COMPUTE_FP32,
                                              .activations = COMPUTE_BF16,
                                              .optimizer = OPTIMIZER_ADAM,
                                              .master = true,
                                              .unit_layers = 1,
                                              .prefetch = 1,
                                              .overlap = true,
                                              .usable = 1,
                                              .local_steps = 1,
                                              .play = PLAY_FOLDED } };
}

static struct job job_of(const struct world *w)
{
    return (struct job){ &w->platform, &w->model, &w->method, w->batch };
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
    return (double)(w->model.weights + w->model.biases) - expert_values;
}

/* Each of 8 ranks makes 2 passes of 2 micro-batches in 2 layers; 3 all-to-alls a pass, of which 1 / expert stays. */
static void all_to_alls_are_counted(void **state)
{
    struct world w;

    (void)state;
    world_new(&w);
    for (int64_t expert = 2; expert <= 8; expert *= 2) {
        w.method.sharded.expert = expert;
        double tokens = SEQUENCE * ACTIVE, leaves = (double)(expert - 1) / (double)expert;
        double pass = tokens * (2 * 2 * HIDDEN + 4) * leaves;
        is("sent", get(&w, "sent.expert"), 8 * 2 * 2 * LAYERS * pass);
    }
    w.method.sharded.expert = 1;
    assert_true(isnan(get(&w, "sent.expert")));
    w.method.sharded.expert = 4;
    w.method.sharded.imbalance = 1.5;
    double full = get(&w, "sent.expert");
    w.method.sharded.imbalance = 1;
    is("fullest", full, 1.5 * get(&w, "sent.expert"));
    model_free(&w.model);
}

/* Experts are on a quarter of the replicas each, and their states are sharded among the two that have the same ones; all
 * else among eight. */
static void memory_is_that_of_a_rank(void **state)
{
    struct world w;
    double all, experts;

    (void)state;
    world_new(&w);
    for (int64_t expert = 1; expert <= 8; expert *= 2) {
        w.method.sharded.expert = expert;
        all = other_values(&w);
        experts = expert_values / (double)expert;
        w.method.sharded.level = 1;
        is("weights", get(&w, "memory.weights"), 2 * (all + experts));
        is("gradients", get(&w, "memory.gradients"), 4 * (all + experts));
        is("states", get(&w, "memory.states"), 12 * (all / 8 + expert_values / 8));
        w.method.sharded.level = 3;
        is("sharded weights", get(&w, "memory.weights"), 2 * (all / 8 + expert_values / 8));
    }
    model_free(&w.model);
}

/* A reduce-scatter of gradients in fp32 and an all-gather of parameters in bf16, in rings of two and of eight. */
static void gradients_are_reduced_among_their_owners(void **state)
{
    struct world w;

    (void)state;
    world_new(&w);
    is("experts", get(&w, "sent.expert-copy"), 8 * expert_values / 4 * (4 + 2) / 2);
    is("others", get(&w, "sent.shard"), 8 * other_values(&w) * (4 + 2) * 7 / 8);
    w.method.sharded.expert = 8; /* each has its own alone */
    assert_true(isnan(get(&w, "sent.expert-copy")));
    w.method.sharded.expert = 1; /* as all else */
    assert_true(isnan(get(&w, "sent.expert-copy")));
    is("one rank's", get(&w, "sent.shard"), 8 * (other_values(&w) + expert_values) * (4 + 2) * 7 / 8);
    w.method.sharded.expert = 4;
    w.method.sharded.codec_gradients = quarter(AGGREGATE_SCATTER);
    is("scattered", get(&w, "sent.expert-copy-spread"), 8 * expert_values / 4 / 2);
    model_free(&w.model);
}

/* Tokens and results' gradients go by the codec, a quarter of fp32, so half of bf16; what comes back does not. */
static void a_codec_takes_what_is_dispatched(void **state)
{
    struct world w;
    double plain, packed, weights = 8.0 * 2 * 2 * LAYERS * SEQUENCE * ACTIVE * 4 * 3 / 4;

    (void)state;
    world_new(&w);
    plain = get(&w, "sent.expert");
    w.method.sharded.codec_dispatch = quarter(AGGREGATE_REDUCE);
    packed = get(&w, "sent.expert");
    is("packed", packed - weights, (plain - weights) * 0.75);
    /* 2 micro-batches, 2 layers, 2 passes; each token is encoded and decoded, 4 bytes a value. */
    is("encode", get(&w, "encode_ms"), 2 * LAYERS * 2 * SEQUENCE * ACTIVE * HIDDEN * 4 / 1e12 * 1e3);
    is("decode", get(&w, "decode_ms"), get(&w, "encode_ms"));
    model_free(&w.model);
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
                w.method.sharded.pipeline = pipeline;
                w.method.sharded.tensor = tensor;
                w.method.sharded.sequence = tensor > 1;
                w.method.sharded.expert = 2;
                w.method.sharded.level = level;
                w.method.sharded.play = PLAY_FOLDED;
                double folded = get(&w, "step_ms");
                w.method.sharded.play = PLAY_WHOLE;
                is("step", folded, get(&w, "step_ms"));
            }
    model_free(&w.model);
}

static void without_experts_their_keys_change_nothing(void **state)
{
    struct world w;
    struct readings a, b;

    (void)state;
    world_new(&w);
    w.spec.gpt.experts = w.spec.gpt.active = w.spec.gpt.expert_feed_forward = w.spec.gpt.dense_layers = 0;
    infer(&w);
    w.method.sharded.expert = 1;
    a = play(&w);
    w.method.sharded.imbalance = 7;
    w.method.sharded.route_s = w.method.sharded.dispatch_experts_s = 1;
    w.method.sharded.codec_dispatch = quarter(AGGREGATE_REDUCE);
    b = play(&w);
    assert_int_equal(a.n, b.n);
    for (size_t i = 0; i < a.n; i++) {
        assert_string_equal(a.list[i].name, b.list[i].name);
        assert_true(a.list[i].value == b.list[i].value);
    }
    model_free(&w.model);
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
    struct sharded *m = &w.method.sharded;

    (void)state;
    world_new(&w);
    m->expert = 3;
    refused(&w, "method.expert: expected a number that divides the 8 replicas, got 3");
    w.spec.gpt.experts = 6;
    infer(&w);
    m->expert = 4;
    refused(&w, "method.expert: expected a number that divides the 6 experts, got 4");
    w.spec.gpt.experts = EXPERTS;
    infer(&w);
    m->shard = 4;
    refused(&w, "method.shard: expected 0, all replicas, where experts are divided among them, got 4");
    m->shard = 0;
    m->level = 3;
    m->secondary = true;
    refused(&w, "method.secondary: expected false where experts are divided among replicas");
    m->secondary = false;
    w.method.kind = METHOD_ALLREDUCE;
    refused(&w, "method.kind: expected sharded, which alone trains models with experts or latent attention");
    w.method.kind = METHOD_SHARDED;
    w.spec.gpt.experts = w.spec.gpt.active = w.spec.gpt.expert_feed_forward = w.spec.gpt.dense_layers = 0;
    infer(&w);
    refused(&w, "method.expert: expected 1 for a model without experts, got 4");
    m->expert = 1;
    m->attention = ATTENTION_EAGER;
    w.spec.gpt.value_dim = w.spec.gpt.head_dim = w.spec.gpt.kv_latent = 64;
    infer(&w);
    refused(&w, "method.attention: expected flash with latent attention");
    model_free(&w.model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_to_alls_are_counted),
        cmocka_unit_test(memory_is_that_of_a_rank),
        cmocka_unit_test(gradients_are_reduced_among_their_owners),
        cmocka_unit_test(a_codec_takes_what_is_dispatched),
        cmocka_unit_test(folded_ranks_give_what_all_give),
        cmocka_unit_test(without_experts_their_keys_change_nothing),
        cmocka_unit_test(what_cannot_be_divided_is_refused),
    };
    return cmocka_run_group_tests_name("sharded_experts", tests, NULL, NULL);
}
