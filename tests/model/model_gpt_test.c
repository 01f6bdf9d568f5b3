/* Decoders by their dimensions: parameters as published, FLOPs by Megatron's formula, and what is refused. */

#include <math.h>
#include <string.h>

#include "model/model.h"
#include "model/status.h"
#include "tests/test.h"

#define DECODER(kind, width, n, attention_heads, positions, words, kv, units)                         \
    {                                                                                                 \
        .style = kind, .hidden = width, .layers = n, .heads = attention_heads, .sequence = positions, \
        .vocabulary = words, .kv_heads = kv, .feed_forward = units                                    \
    }

static const struct {
    struct gpt_spec g;
    int64_t parameters; /* 0: none is published to the last digit */
    double billions;
    const char *source;
} known[] = {
    { DECODER(GPT_GPT, 768, 12, 12, 1024, 50257, 0, 0), 124439808, 0.124, "transformers: gpt2" },
    { DECODER(GPT_GPT, 1024, 24, 16, 1024, 50257, 0, 0), 354823168, 0.355, "transformers: gpt2-medium" },
    { DECODER(GPT_GPT, 1280, 36, 20, 1024, 50257, 0, 0), 774030080, 0.774, "transformers: gpt2-large" },
    { DECODER(GPT_GPT, 1600, 48, 25, 1024, 50257, 0, 0), 1557611200, 1.558, "transformers: gpt2-xl" },
    { DECODER(GPT_GPT, 3072, 30, 32, 2048, 51200, 0, 0), 0, 3.6, "arXiv 2104.04473, Table 1" },
    { DECODER(GPT_GPT, 6144, 40, 48, 2048, 51200, 0, 0), 0, 18.4, "arXiv 2104.04473, Table 1" },
    { DECODER(GPT_GPT, 8192, 48, 64, 2048, 51200, 0, 0), 0, 39.1, "arXiv 2104.04473, Table 1" },
    { DECODER(GPT_GPT, 12288, 96, 96, 2048, 51200, 0, 0), 0, 174.6, "arXiv 2104.04473, section 5.2" },
    { DECODER(GPT_GPT, 25600, 128, 160, 2048, 51200, 0, 0), 0, 1008.0, "arXiv 2104.04473, Table 1" },
    { DECODER(GPT_LLAMA, 4096, 32, 32, 4096, 32000, 0, 11008), 6738415616, 6.74, "transformers: Llama-2-7b" },
    { DECODER(GPT_LLAMA, 8192, 80, 64, 4096, 32000, 8, 28672), 68976648192, 68.98, "transformers: Llama-2-70b" },
    { DECODER(GPT_LLAMA, 4096, 32, 32, 8192, 128256, 8, 14336), 8030261248, 8.03, "transformers: Meta-Llama-3-8B" },
};

static struct model inferred(const struct gpt_spec *g)
{
    struct model_spec spec = { .name = "m", .gpt = *g };
    struct model m;
    char why[300] = "";

    if (model_infer(&spec, &m, why, sizeof(why)))
        fail_msg("%s", why);
    return m;
}

static void decoders_have_the_published_parameters(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(known); i++) {
        struct model m = inferred(&known[i].g);
        double billions = (double)(m.weights + m.biases) / 1e9;
        if (known[i].parameters && m.weights + m.biases != known[i].parameters)
            fail_msg("%s: %lld parameters", known[i].source, (long long)(m.weights + m.biases));
        if (fabs(billions - known[i].billions) > 0.05) /* as printed */
            fail_msg("%s, %g billion: %g", known[i].source, known[i].billions, billions);
        assert_int_equal(model_labels(&m), known[i].g.sequence);
        assert_int_equal(model_ids(&m), known[i].g.sequence);
        model_free(&m);
    }
}

/* Forward 24 n L h^2 (1 + n / 6 h + V / 12 L h), backward twice as much (arXiv 2104.04473, appendix, without what is
 * computed again); biases and softmaxes are counted as well. */
static void gpt_does_the_flops_of_megatrons_formula(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(known); i++) {
        const struct gpt_spec *g = &known[i].g;
        double h = (double)g->hidden, n = (double)g->sequence, l = (double)g->layers, v = (double)g->vocabulary;
        double want = 24 * n * l * h * h * (1 + n / (6 * h) + v / (12 * l * h)), flops[2] = { 0, 0 };
        struct model m = inferred(g);
        for (size_t k = 0; k < m.nlayers; k++)
            if (m.layers[k].kind == LAYER_LINEAR || m.layers[k].kind == LAYER_ATTENTION)
                flops[0] += (double)m.layers[k].flops_forward, flops[1] += (double)m.layers[k].flops_backward;
        if (g->style == GPT_GPT && (fabs(flops[0] / want - 1) > 0.005 || fabs(flops[1] / flops[0] - 2) > 1e-9))
            fail_msg("%s: %g and %g FLOPs, want %g", known[i].source, flops[0], flops[1], want);
        model_free(&m);
    }
}

/* A small one of each style, layer by layer. */
/* 4 x 131,072^2 x 16384 operations of a layer's scores and sums are more than 2^48. */
static void long_sequences_are_counted(void **state)
{
    struct model m = inferred(&(struct gpt_spec)DECODER(GPT_LLAMA, 16384, 1, 128, 131072, 128256, 8, 53248));

    (void)state;
    assert_true(m.flops_forward > (int64_t)4 * 131072 * 131072 * 16384);
    model_free(&m);
}

static void layers_stand_in_their_order(void **state)
{
    static const char *const gpt[] = { "words",        "positions",      "block2.norm1", "block2.attention", "add1",
                                       "block3.norm2", "block3.linear1", "block3.gelu",  "block3.linear2",   "add2",
                                       "norm",         "predictions",    "softmax1" };
    static const char *const llama[] = {
        "words",     "block2.norm1",  "block2.attention", "add1", "block3.norm2", "block4.gate", "block4.silu",
        "block3.up", "block3.swiglu", "block3.down",      "add2", "norm",         "predictions", "softmax1"
    };

    (void)state;
    for (int style = 0; style < 2; style++) {
        struct model m = inferred(&(struct gpt_spec)DECODER((enum gpt_style)style, 8, 1, 4, 3, 9, 2, 5));
        size_t n = style ? COUNT(llama) : COUNT(gpt);
        assert_int_equal(m.nlayers, n);
        for (size_t i = 0; i < n; i++)
            assert_string_equal(m.layers[i].name, (style ? llama : gpt)[i]);
        const struct layer *attention = &m.layers[style ? 2 : 3], *words = &m.layers[n - 2];
        assert_true(attention->causal && attention->heads == 4 && attention->kv_heads == 2);
        assert_int_equal(attention->biases, style ? 0 : 2 * 8 + 2 * 4);
        assert_int_equal(words->shares, style ? LAYER_NO_LAYER : 0);
        model_free(&m);
    }
}

static void dimensions_that_do_not_fit_are_refused(void **state)
{
    static const struct {
        struct gpt_spec g;
        const char *why;
    } cases[] = {
        { DECODER(GPT_GPT, 1, 2, 1, 8, 9, 0, 0), "gpt.hidden: expected 2 or more, got 1" },
        { DECODER(GPT_GPT, 8, 0, 2, 8, 9, 0, 0), "gpt.layers: expected 1 or more, got 0" },
        { DECODER(GPT_GPT, 8, 2, 3, 8, 9, 0, 0), "gpt.heads: expected heads that divide the hidden size of 8, got 3" },
        { DECODER(GPT_GPT, 8, 2, 0, 8, 9, 0, 0), "gpt.heads: " },
        { DECODER(GPT_GPT, 8, 2, 2, 0, 9, 0, 0), "gpt.sequence: expected 1 or more, got 0" },
        { DECODER(GPT_GPT, 8, 2, 2, 8, -1, 0, 0), "gpt.vocabulary: expected 1 or more, got -1" },
        { DECODER(GPT_LLAMA, 8, 2, 4, 8, 9, 3, 0), "gpt.kv_heads: expected a number that divides the 4 heads, got 3" },
        { DECODER(GPT_LLAMA, 8, 2, 4, 8, 9, 0, -1), "gpt.feed_forward: expected 1 or more, got -1" },
        { DECODER(GPT_GPT, 1 << 24, 2, 4, 1 << 24, 9, 0, 0),
          "gpt.layers[2].layers[0].layers[1]: layer block2.attention: too" },
    };
    struct layer_spec relu[] = { { .kind = LAYER_RELU } };
    struct model_spec both = { .name = "m", .gpt = known[0].g, .layers = relu, .nlayers = 1 };
    struct model m;
    char why[300] = "";

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct model_spec spec = { .name = "m", .gpt = cases[i].g };
        assert_true(model_infer(&spec, &m, why, sizeof(why)) != E_OK);
        if (strncmp(why, cases[i].why, strlen(cases[i].why)) != 0)
            fail_msg("case %d: %s", (int)i, why);
    }
    assert_int_equal(model_infer(&both, &m, why, sizeof(why)), E_INVAL);
    assert_string_equal(why, "gpt.hidden: expected layers or gpt, got both");
    both = (struct model_spec){ .name = "m" };
    assert_int_equal(model_infer(&both, &m, why, sizeof(why)), E_INVAL);
    assert_string_equal(why, "expected layers or gpt, got neither");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decoders_have_the_published_parameters),
        cmocka_unit_test(gpt_does_the_flops_of_megatrons_formula),
        cmocka_unit_test(long_sequences_are_counted),
        cmocka_unit_test(layers_stand_in_their_order),
        cmocka_unit_test(dimensions_that_do_not_fit_are_refused),
    };
    return cmocka_run_group_tests_name("gpt", tests, NULL, NULL);
}
