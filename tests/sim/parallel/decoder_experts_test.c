/* Layers with experts and latent attention as one GPU computes them: FLOPs, bytes sent and kept, the fullest expert. */

#include <math.h>
#include <string.h>

#include "model/gpt_counts.h"
#include "sim/cost.h"
#include "tests/sim/parallel/decoders.h"
#include "tests/test.h"

static double flops_of(const struct gpu_works *w, bool attention)
{
    double sum = 0;

    for (size_t i = 0; i < w->n; i++) {
        enum gpu_work_kind kind = w->list[i].kind;
        if (attention == (kind == GPU_ATTENTION || kind == GPU_ATTENTION_BACK))
            sum += gpu_work_flops(&w->list[i]);
    }
    return sum;
}

static double bytes_of(const struct gpu_works *w, enum gpu_work_kind kind, size_t *count)
{
    double sum = 0;

    *count = 0;
    for (size_t i = 0; i < w->n; i++)
        if (w->list[i].kind == kind) {
            sum += w->list[i].bytes;
            ++*count;
        }
    return sum;
}

static void same(const char *what, double got, double want)
{
    if (!(fabs(got - want) <= 1e-12 * fabs(want)))
        fail_msg("%s: %.17g, want %.17g", what, got, want);
}

/* A layer of published[i] in both passes. */
static void layer(struct decoder *d, struct gpu_works *f, struct gpu_works *b)
{
    assert_int_equal(decoder_layer(d, f, b), 0);
}

static void free_both(struct gpu_works *f, struct gpu_works *b)
{
    gpu_works_free(f);
    gpu_works_free(b);
}

/* All tensor ranks together compute what the model's dimensions come to; an expert's rank computes tokens of others in
 * place of its own. Backward twice as much, but for attention, whose kernel computes its square again:
 * 5 in place of 4. */
static void ranks_compute_the_flops_of_the_model(void **state)
{
    (void)state;
    for (int i = 0; i < PUBLISHED; i++) {
        const struct gpt_spec *g = &published[i].g;
        struct gpt_counts counts;
        assert_int_equal(gpt_count(g, &counts), 0);
        for (int64_t tensor = 1; tensor <= 8; tensor *= 8)
            for (int64_t expert = 1; expert <= 4; expert *= 4)
                for (int sequence = 0; sequence < 2; sequence++) {
                    struct gpu_works f = { 0 }, b = { 0 };
                    struct decoder d = decoder_of(g);
                    d.tensor = tensor;
                    d.expert = expert;
                    d.sequence = sequence && tensor > 1;
                    passes_of(&d, &f, &b);
                    double products = flops_of(&f, false), attention = flops_of(&f, true), t = (double)tensor;
                    double again = 0; /* what every tensor rank does without sequence parallelism */
                    if (tensor > 1 && !d.sequence)
                        again = 2 * (double)g->sequence * (double)g->hidden *
                                ((double)g->layers * (double)(g->query_latent + g->kv_latent + g->rotary_dim) +
                                 (double)(gpt_expert_layers(g) * g->experts));
                    double filled = 2 * (double)g->sequence * (double)g->hidden *
                                    (double)(tensor * decoder_vocabulary(&d) - g->vocabulary);
                    same(published[i].name, t * (products + attention) - (t - 1) * again - filled,
                         (double)counts.flops_forward);
                    same(published[i].name, flops_of(&b, false), 2 * products);
                    same(published[i].name, flops_of(&b, true), 2.5 * attention);
                    same(published[i].name, decoder_model_flops(g), 3 * (double)counts.flops_forward);
                    free_both(&f, &b);
                }
    }
}

/* With sequence parallelism all that is kept is divided, but for what experts read: they keep what the group has
 * gathered. */
static void tensor_ranks_keep_the_whole_together(void **state)
{
    (void)state;
    for (int i = 0; i < PUBLISHED; i++)
        for (int has = 0; has <= (published[i].g.experts > 0); has++)
            for (int64_t tensor = 2; tensor <= 8; tensor *= 2) {
                struct decoder one = decoder_of(&published[i].g), part = one, lone;
                one.has_experts = part.has_experts = has;
                part.tensor = tensor;
                part.sequence = true;
                const struct gpt_spec *g = one.gpt;
                double read = has ? 2 * (double)(g->sequence * g->active * g->hidden) : 0;
                same(published[i].name, (double)tensor * decoder_layer_kept(&part) - (double)(tensor - 1) * read,
                     decoder_layer_kept(&one));
                lone = part;
                lone.expert = 4;
                same(published[i].name, decoder_layer_kept(&lone), decoder_layer_kept(&part));
            }
}

/* Of a token of DeepSeek-V3: both norms' inputs, outputs and statistics, latent values before and after their norms,
 * 128 heads' queries and keys of 192 and values and results of 128, logarithms; then SwiGLU, or 8 experts' inputs and
 * theirs, the shared one's, and 256 experts' scores. */
static void a_layer_keeps_what_its_backward_pass_reads(void **state)
{
    struct decoder d = decoder_of(&published[PUBLISHED - 1].g);
    double attention = 2 * 4 * 7168 + 2 * 4 + 2 * (2 * 1536 + 2 * 512 + 64) + 2 * 128 * 2 * (192 + 128) + 4 * 128;

    (void)state;
    same("dense", decoder_layer_kept(&d), 4096 * (attention + 2 * 3 * 18432));
    same("dense, besides", decoder_layer_extra(&d), 4096.0 * (2 * 2 * 18432 + 2 * 7168));
    d.has_experts = true;
    same("experts", decoder_layer_kept(&d),
         4096 * (attention + 8 * (2 * (7168 + 3 * 2048) + 4) + 2 * 3 * 2048 + 13 * 256));
    same("experts, besides", decoder_layer_extra(&d), 4096.0 * (8 * 4 + 2) * 2 * 7168);
}

/* Tokens and results, each way: 2 in each pass, and the tokens' weights. None on one rank. */
static void tokens_go_to_experts_and_back(void **state)
{
    (void)state;
    for (int i = PUBLISHED_DENSE; i < PUBLISHED; i++) {
        const struct gpt_spec *g = &published[i].g;
        for (int64_t expert = 1; expert <= 8; expert *= 2) {
            struct gpu_works f = { 0 }, b = { 0 };
            struct decoder d = decoder_of(g);
            size_t forth, back;
            d.expert = expert;
            d.has_experts = true;
            layer(&d, &f, &b);
            double tokens = (double)(g->sequence * g->active);
            double want = expert > 1 ? tokens * (2 * 2 * (double)g->hidden + 4) : 0;
            same(published[i].name, bytes_of(&f, GPU_EXPERT, &forth), want);
            same(published[i].name, bytes_of(&b, GPU_EXPERT, &back), want);
            assert_int_equal(forth, expert > 1 ? 3 : 0);
            assert_int_equal(back, forth);
            free_both(&f, &b);
        }
    }
}

/* Twice as full: twice the tokens are computed, sent and kept, and a capacity is a bound. */
static void the_fullest_expert_has_its_tokens(void **state)
{
    const struct gpt_spec *g = &published[PUBLISHED - 1].g;
    struct gpt_spec bound = *g;
    struct decoder even = decoder_of(g), full = even;
    struct gpu_works f[2] = { { 0 }, { 0 } }, b[2] = { { 0 }, { 0 } };
    double grouped[2] = { 0, 0 }, products[2] = { 0, 0 };
    size_t n;

    (void)state;
    even.has_experts = full.has_experts = true;
    even.expert = full.expert = 8;
    full.imbalance = 2;
    assert_int_equal(decoder_expert_tokens(&even), g->sequence * g->active / g->experts);
    assert_int_equal(decoder_expert_tokens(&full), 2 * decoder_expert_tokens(&even));
    layer(&even, &f[0], &b[0]);
    layer(&full, &f[1], &b[1]);
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < f[k].n; i++)
            *(f[k].list[i].kind == GPU_GROUPED ? &grouped[k] : &products[k]) += gpu_work_flops(&f[k].list[i]);
    same("grouped", grouped[1], 2 * grouped[0]);
    same("others", products[1], products[0]);
    same("sent", bytes_of(&f[1], GPU_EXPERT, &n), 2 * bytes_of(&f[0], GPU_EXPERT, &n));
    double more = decoder_expert_tokens(&even) * (double)g->experts * (2 * (7168 + 3 * 2048) + 4);
    same("kept", decoder_layer_kept(&full) - decoder_layer_kept(&even), more);
    full.gpt = &bound;
    bound.capacity = 1.25;
    assert_int_equal(decoder_expert_tokens(&full), 160);
    full.imbalance = 1.125;
    assert_int_equal(decoder_expert_tokens(&full), 144);
    bound.capacity = 0.5; /* even an even load is cut */
    assert_int_equal(decoder_expert_tokens(&full), 64);
    for (int k = 0; k < 2; k++)
        free_both(&f[k], &b[k]);
}

/* Member by member: what lies between them is nobody's. */
static void same_works(const struct gpu_works *a, const struct gpu_works *b)
{
    assert_int_equal(a->n, b->n);
    for (size_t i = 0; i < a->n; i++) {
        const struct gpu_work *x = &a->list[i], *y = &b->list[i];
        assert_true(x->kind == y->kind && x->core == y->core && x->accumulates == y->accumulates);
        assert_true(x->batch == y->batch && x->m == y->m && x->n == y->n && x->k == y->k);
        assert_true(x->heads == y->heads && x->positions == y->positions && x->unequal == y->unequal);
        assert_true(x->values == y->values && x->row == y->row);
        assert_true(x->flops == y->flops && x->bytes == y->bytes && x->seconds == y->seconds && x->share == y->share);
    }
}

/* A model without experts does not know of their settings, nor of the ranks that others divide them among. */
static void dense_layers_stay_as_they_are(void **state)
{
    (void)state;
    for (int i = 0; i < PUBLISHED; i++) {
        struct gpt_spec plain = published[i].g;
        struct decoder with = decoder_of(&published[i].g), without = decoder_of(&plain);
        struct gpu_works f[2] = { { 0 }, { 0 } }, b[2] = { { 0 }, { 0 } };
        plain.experts = plain.active = plain.expert_feed_forward = plain.shared_feed_forward = plain.dense_layers = 0;
        with.imbalance = 3;
        with.route_s = 1;
        with.permute_share = 0.1;
        with.expert = 4;
        layer(&with, &f[0], &b[0]);
        layer(&without, &f[1], &b[1]);
        same_works(&f[0], &f[1]);
        same_works(&b[0], &b[1]);
        assert_int_equal(decoder_layer_values(&with), decoder_layer_values(&without));
        assert_true(decoder_layer_kept(&with) == decoder_layer_kept(&without));
        assert_true(decoder_layer_extra(&with) == decoder_layer_extra(&without));
        for (int k = 0; k < 2; k++)
            free_both(&f[k], &b[k]);
    }
}

/* The only expert is a dense network behind a router, which has read a copy of its input. */
static void a_lone_expert_is_a_dense_network(void **state)
{
    struct gpt_spec g = published[0].g, one = g;
    struct decoder dense = decoder_of(&g), sparse = decoder_of(&one);
    struct gpu_works f[2] = { { 0 }, { 0 } }, b[2] = { { 0 }, { 0 } };
    double tokens = (double)g.sequence;

    (void)state;
    one.experts = one.active = 1;
    one.expert_feed_forward = g.feed_forward;
    sparse.has_experts = true;
    layer(&dense, &f[0], &b[0]);
    layer(&sparse, &f[1], &b[1]);
    same("forward", flops_of(&f[1], false) - 2 * tokens * (double)g.hidden, flops_of(&f[0], false));
    same("backward", flops_of(&b[1], false) - 4 * tokens * (double)g.hidden, flops_of(&b[0], false));
    assert_int_equal(decoder_layer_values(&sparse) + decoder_expert_values(&sparse),
                     decoder_layer_values(&dense) + g.hidden);
    same("kept", decoder_layer_kept(&sparse) - tokens * (2 * (double)g.hidden + 13 + 4), decoder_layer_kept(&dense));
    for (int k = 0; k < 2; k++)
        free_both(&f[k], &b[k]);
}

/* Each pass has the time that choosing experts takes, once a layer. */
static void routing_takes_its_time(void **state)
{
    struct decoder d = decoder_of(&published[3].g);
    struct platform p = { .compute_scale = 1 };
    struct gpu_works f = { 0 }, b = { 0 };
    int64_t ps[2] = { 0, 0 };

    (void)state;
    d.has_experts = true;
    d.route_s = 0.25;
    layer(&d, &f, &b);
    for (size_t i = 0; i < f.n; i++)
        ps[0] += f.list[i].kind == GPU_FIXED ? gpu_work_ps(&p, COMPUTE_BF16, &f.list[i]) : 0;
    for (size_t i = 0; i < b.n; i++)
        ps[1] += b.list[i].kind == GPU_FIXED ? gpu_work_ps(&p, COMPUTE_BF16, &b.list[i]) : 0;
    assert_int_equal(ps[0], 250000000000);
    assert_int_equal(ps[1], 250000000000);
    free_both(&f, &b);
}

/* 4 products of 8 x 16 and 16 x 32: 32768 FLOPs at half of 1 TFlop/s are 65.536 ns, 7168 bytes at half of 1 TB/s 14.336
 * ns, one after the other; into fp32 that is there 4 (2 (8 16 + 16 32) + 8 8 32) bytes, 26.624 ns. */
static void grouped_products_read_and_compute_in_turn(void **state)
{
    struct platform p = { .compute_scale = 1,
                          .gpu = { .memory_Bps = 1e12,
                                   .efficiency_memory = 0.5,
                                   .matrix_share = 0.5,
                                   .matrix_tile_rows = 1,
                                   .matrix_tile_columns = 1,
                                   .launch_latency_s = 1e-6 } };
    struct gpu_work w = { .kind = GPU_GROUPED, .batch = 4, .m = 8, .n = 32, .k = 16 };

    (void)state;
    p.gpu.precision_flops[COMPUTE_BF16] = 1e12;
    assert_true(gpu_work_flops(&w) == 32768);
    assert_int_equal(gpu_work_ps(&p, COMPUTE_BF16, &w), 65536 + 14336 + 1000000);
    w.accumulates = true;
    assert_int_equal(gpu_work_ps(&p, COMPUTE_BF16, &w), 65536 + 26624 + 1000000);
}

/* A backward kernel for heads of two lengths may be another one; forward and with equal lengths nothing changes. */
static void unequal_heads_take_longer_backward(void **state)
{
    struct platform p = { .compute_scale = 1,
                          .gpu = { .attention_share = 1, .attention_back_share = 1, .attention_back_unequal = 0.5 } };
    struct gpu_work w = { .kind = GPU_ATTENTION_BACK, .heads = 1, .positions = 1, .flops = 1e6 };

    (void)state;
    p.gpu.precision_flops[COMPUTE_BF16] = 1e12;
    assert_int_equal(gpu_work_ps(&p, COMPUTE_BF16, &w), 1000000);
    w.unequal = true;
    assert_int_equal(gpu_work_ps(&p, COMPUTE_BF16, &w), 2000000);
    p.gpu.attention_back_unequal = 0; /* not given */
    assert_int_equal(gpu_work_ps(&p, COMPUTE_BF16, &w), 1000000);
    p.gpu.attention_back_unequal = 0.5;
    w.kind = GPU_ATTENTION;
    assert_int_equal(gpu_work_ps(&p, COMPUTE_BF16, &w), 1000000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_compute_the_flops_of_the_model),
        cmocka_unit_test(tensor_ranks_keep_the_whole_together),
        cmocka_unit_test(a_layer_keeps_what_its_backward_pass_reads),
        cmocka_unit_test(tokens_go_to_experts_and_back),
        cmocka_unit_test(the_fullest_expert_has_its_tokens),
        cmocka_unit_test(dense_layers_stay_as_they_are),
        cmocka_unit_test(a_lone_expert_is_a_dense_network),
        cmocka_unit_test(routing_takes_its_time),
        cmocka_unit_test(grouped_products_read_and_compute_in_turn),
        cmocka_unit_test(unequal_heads_take_longer_backward),
    };
    return cmocka_run_group_tests_name("decoder_experts", tests, NULL, NULL);
}
