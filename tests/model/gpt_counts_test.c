/* Decoders with experts and latent attention: parameters as published, counts that agree with inferred layers where
 * there are any, and what is refused. */

#include <math.h>
#include <string.h>

#include "model/gpt_counts.h"
#include "model/model.h"
#include "model/status.h"
#include "tests/test.h"

static const struct gpt_spec deepseek_v3 = { .style = GPT_LLAMA,
                                             .hidden = 7168,
                                             .layers = 61,
                                             .heads = 128,
                                             .sequence = 4096,
                                             .vocabulary = 129280,
                                             .feed_forward = 18432,
                                             .experts = 256,
                                             .active = 8,
                                             .expert_feed_forward = 2048,
                                             .shared_feed_forward = 2048,
                                             .dense_layers = 3,
                                             .query_latent = 1536,
                                             .kv_latent = 512,
                                             .head_dim = 128,
                                             .rotary_dim = 64,
                                             .value_dim = 128 };

static const struct gpt_spec mixtral = { .style = GPT_LLAMA,
                                         .hidden = 4096,
                                         .layers = 32,
                                         .heads = 32,
                                         .sequence = 32768,
                                         .vocabulary = 32000,
                                         .kv_heads = 8,
                                         .feed_forward = 14336,
                                         .experts = 8,
                                         .active = 2 };

static const struct gpt_spec small = { .style = GPT_LLAMA,
                                       .hidden = 8,
                                       .layers = 3,
                                       .heads = 4,
                                       .sequence = 5,
                                       .vocabulary = 7,
                                       .kv_heads = 2,
                                       .feed_forward = 12,
                                       .experts = 6,
                                       .active = 2,
                                       .expert_feed_forward = 3,
                                       .shared_feed_forward = 10,
                                       .dense_layers = 1,
                                       .query_latent = 0 };

static int infer(const struct gpt_spec *g, struct model *m, char *why, size_t nwhy)
{
    struct model_spec spec = { .name = "m", .gpt = *g };

    return model_infer(&spec, m, why, nwhy);
}

static struct model inferred(const struct gpt_spec *g)
{
    struct model m;
    char why[300] = "";

    if (infer(g, &m, why, sizeof(why)))
        fail_msg("%s", why);
    return m;
}

static struct gpt_counts counted(const struct gpt_spec *g)
{
    struct model m = inferred(g);
    struct gpt_counts c;

    assert_int_equal(gpt_count(&m.gpt, &c), E_OK);
    assert_int_equal(m.nlayers, 0);
    assert_int_equal(m.weights, c.matrices);
    assert_int_equal(m.biases, c.scales);
    assert_int_equal(m.flops_backward, 2 * m.flops_forward);
    model_free(&m);
    return c;
}

/* arXiv 2412.19437, section 4.2: 671 and 37 billion; the published weights hold 14,848 values that balance experts,
 * besides. arXiv 2405.04434, section 3.1.2: 236 and 21. arXiv 2401.04088, section 1: 47 and 13. */
static void decoders_have_the_published_parameters(void **state)
{
    struct gpt_spec v2 = deepseek_v3;
    struct {
        const struct gpt_spec *g;
        int64_t parameters;
        double billions, active;
    } known[] = { { &deepseek_v3, 671026419200 - 58 * 256, 671, 37 },
                  { &v2, 235741434880, 236, 21 },
                  { &mixtral, 46702792704, 47, 13 } };

    (void)state;
    v2.hidden = 5120;
    v2.layers = 60;
    v2.vocabulary = 102400;
    v2.feed_forward = 12288;
    v2.experts = 160;
    v2.active = 6;
    v2.expert_feed_forward = 1536;
    v2.shared_feed_forward = 3072;
    v2.dense_layers = 1;
    for (size_t i = 0; i < COUNT(known); i++) {
        struct gpt_counts c = counted(known[i].g);
        assert_int_equal(c.matrices + c.scales, known[i].parameters);
        assert_true(round((double)(c.matrices + c.scales) / 1e9) == known[i].billions);
        assert_true(round((double)c.active / 1e9) == known[i].active);
    }
}

/* Part by part: 2 attentions and so on of layers that have 8 values a token. */
static void a_small_one_is_counted_by_hand(void **state)
{
    struct gpt_counts c = counted(&small);
    int64_t attention = 8 * 8 + 2 * 8 * 4 + 8 * 8, dense = 3 * 8 * 12, router = 8 * 6, shared = 3 * 8 * 10;
    int64_t expert = 3 * 8 * 3, common = 3 * attention + dense + 2 * (router + shared), words = 7 * 8;

    (void)state;
    assert_int_equal(c.matrices, common + 2 * 6 * expert + 2 * words);
    assert_int_equal(c.scales, 7 * 8);
    assert_int_equal(c.active, common + 2 * 2 * expert + words + 8 + 7 * 8);
    assert_int_equal(c.flops_forward, 2 * 5 * (common + 2 * 2 * expert + words) + 3 * 2 * 5 * 5 * 4 * (2 + 2));
}

static void latent_attention_is_counted_by_hand(void **state)
{
    struct gpt_spec g = { .style = GPT_LLAMA, .hidden = 8, .layers = 1, .heads = 2, .sequence = 4, .vocabulary = 3 };
    int64_t queries = 2 * (5 + 3), kv = 2 * (5 + 7), rest = 8 * (6 + 3) + 6 * kv + 2 * 7 * 8 + 3 * 8 * 32 + 2 * 3 * 8;
    struct gpt_counts with, without;

    (void)state;
    g.head_dim = 5;
    g.rotary_dim = 3;
    g.value_dim = 7;
    g.kv_latent = 6;
    without = counted(&g);
    assert_int_equal(without.matrices, 8 * queries + rest);
    assert_int_equal(without.scales, 3 * 8 + 6);
    g.query_latent = 9;
    with = counted(&g);
    assert_int_equal(with.matrices, 8 * 9 + 9 * queries + rest);
    assert_int_equal(with.scales, 3 * 8 + 6 + 9);
    assert_int_equal(with.flops_forward - without.flops_forward, 2 * 4 * (8 * 9 + 9 * queries - 8 * queries));
}

/* Of decoders that layers express the counts are the layers'; theirs have biases and softmaxes among the FLOPs. */
static void counts_agree_with_layers(void **state)
{
    static const struct gpt_spec dense[] = {
        { .style = GPT_GPT, .hidden = 768, .layers = 12, .heads = 12, .sequence = 1024, .vocabulary = 50257 },
        { .style = GPT_GPT, .hidden = 640, .layers = 2, .heads = 4, .sequence = 96, .vocabulary = 50, .kv_heads = 2 },
        { .style = GPT_LLAMA,
          .hidden = 4096,
          .layers = 32,
          .heads = 32,
          .sequence = 8192,
          .vocabulary = 128256,
          .kv_heads = 8,
          .feed_forward = 14336 },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(dense); i++) {
        struct model m = inferred(&dense[i]);
        struct gpt_counts c;
        int64_t flops = 0;
        assert_int_equal(gpt_count(&m.gpt, &c), E_OK);
        assert_int_equal(c.matrices, m.weights);
        assert_int_equal(c.scales, m.biases);
        for (size_t k = 0; k < m.nlayers; k++)
            if (m.layers[k].kind == LAYER_LINEAR || m.layers[k].kind == LAYER_ATTENTION)
                flops += m.layers[k].flops_forward;
        if (fabs((double)c.flops_forward / (double)flops - 1) > 0.01)
            fail_msg("%lld FLOPs, the layers' %lld", (long long)c.flops_forward, (long long)flops);
        model_free(&m);
    }
}

/* All experts active: as a dense network of as many units, and a router. */
static void experts_that_all_take_a_token_are_a_dense_network(void **state)
{
    struct gpt_spec g = small, dense = small;
    struct model m;
    struct gpt_counts c;

    (void)state;
    g.dense_layers = 0;
    g.shared_feed_forward = 0;
    g.active = g.experts;
    c = counted(&g);
    dense.experts = dense.active = dense.expert_feed_forward = dense.shared_feed_forward = dense.dense_layers = 0;
    dense.feed_forward = g.experts * g.expert_feed_forward;
    m = inferred(&dense);
    assert_int_equal(c.matrices, m.weights + g.layers * g.hidden * g.experts);
    assert_int_equal(c.active, c.matrices - 7 * 8 + 8 + c.scales);
    model_free(&m);
}

static void what_does_not_go_together_is_refused(void **state)
{
    static const struct {
        size_t at; /* of the key */
        int64_t value;
        const char *why;
    } cases[] = {
        { offsetof(struct gpt_spec, experts), 0, "gpt.active: expected it with gpt.experts alone, got 2" },
        { offsetof(struct gpt_spec, style), GPT_GPT, "gpt.style: expected llama with experts, got gpt" },
        { offsetof(struct gpt_spec, active), 0, "gpt.active: expected 1 to the 6 experts, got 0" },
        { offsetof(struct gpt_spec, active), 7, "gpt.active: expected 1 to the 6 experts, got 7" },
        { offsetof(struct gpt_spec, dense_layers), 3, "gpt.dense_layers: expected fewer than the 3 layers, got 3" },
        { offsetof(struct gpt_spec, kv_latent), 4, "gpt.kv_latent: expected it with gpt.value_dim alone, got 4" },
        { offsetof(struct gpt_spec, head_dim), 4, "gpt.head_dim: expected it with gpt.value_dim alone, got 4" },
        { offsetof(struct gpt_spec, value_dim), 4, "gpt.kv_latent: expected 1 or more, got 0" },
        { offsetof(struct gpt_spec, experts), INT64_C(1) << 60, "gpt: too large to count" },
    };
    struct model m;
    char why[300];

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct gpt_spec g = small;
        if (cases[i].at == offsetof(struct gpt_spec, style))
            g.style = (enum gpt_style)cases[i].value;
        else
            memcpy((char *)&g + cases[i].at, &cases[i].value, sizeof(cases[i].value));
        assert_true(infer(&g, &m, why, sizeof(why)) != E_OK);
        if (strcmp(why, cases[i].why) != 0)
            fail_msg("case %d: %s", (int)i, why);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decoders_have_the_published_parameters),
        cmocka_unit_test(a_small_one_is_counted_by_hand),
        cmocka_unit_test(latent_attention_is_counted_by_hand),
        cmocka_unit_test(counts_agree_with_layers),
        cmocka_unit_test(experts_that_all_take_a_token_are_a_dense_network),
        cmocka_unit_test(what_does_not_go_together_is_refused),
    };
    return cmocka_run_group_tests_name("gpt_counts", tests, NULL, NULL);
}
