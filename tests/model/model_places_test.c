/* What BERT, gated networks and vision transformers are made of: shapes, parameters and FLOPs of small ones by hand,
 * and what is refused. */

#include <stdio.h>
#include <string.h>

#include "model/model.h"
#include "model/status.h"
#include "sim/cost.h"
#include "tests/test.h"

enum { POSITIONS = 3, DIM = 4, WORDS = 7 };

static int infer(struct layer_spec *layers, size_t n, struct model *m, char *why, size_t nwhy)
{
    struct model_spec spec = { .name = "m", .layers = layers, .nlayers = n };

    return model_infer(&spec, m, why, nwhy);
}

#define TOKENS                                                                                                        \
    {                                                                                                                 \
        .kind = LAYER_TOKENS, .name = "words", .rows = WORDS, .dim = DIM, .positions = POSITIONS, .place = PLACE_NONE \
    }

static struct layer_spec next[] = { { .kind = LAYER_FIRST },
                                    { .kind = LAYER_LINEAR, .name = "pooler", .units = DIM, .bias = 1 },
                                    { .kind = LAYER_TANH },
                                    { .kind = LAYER_LINEAR, .name = "next", .units = 2 },
                                    { .kind = LAYER_SOFTMAX } };

/* A network by its layers: shape, parameters, FLOPs. */
struct known {
    const char *name;
    int input, second;
    int64_t positions, width, weights, biases, forward, backward;
};

static void check(const struct model *m, const struct known *want, size_t n)
{
    assert_int_equal(m->nlayers, n);
    for (size_t i = 0; i < n; i++) {
        const struct layer *l = &m->layers[i];
        if (strcmp(l->name, want[i].name) || l->input != want[i].input || l->second != want[i].second ||
            l->out.channels != want[i].positions || l->out.width != want[i].width || l->weights != want[i].weights ||
            l->biases != want[i].biases || l->flops_forward != want[i].forward || l->flops_backward != want[i].backward)
            fail_msg("%d %s: reads %d %d, puts out %lld x %lld, has %lld weights, %lld biases, %lld and %lld FLOPs",
                     (int)i, l->name, l->input, l->second, (long long)l->out.channels, (long long)l->out.width,
                     (long long)l->weights, (long long)l->biases, (long long)l->flops_forward,
                     (long long)l->flops_backward);
    }
}

static void a_bert_by_hand(void **state)
{
    struct layer_spec list[] = {
        TOKENS,
        { .kind = LAYER_PLACE, .name = "positions", .rows = 5 },
        { .kind = LAYER_PLACE, .name = "segments", .rows = 2, .by = PLACE_BY_SEGMENT },
        { .kind = LAYER_SIDE, .layers = next, .nlayers = COUNT(next) },
        { .kind = LAYER_GELU },
        { .kind = LAYER_LINEAR, .name = "predictions", .units = WORDS, .bias = 1, .shared = "words" },
        { .kind = LAYER_SOFTMAX },
    };
    static const struct known want[] = {
        { "words", -1, -1, POSITIONS, DIM, WORDS * DIM, 0, 0, 12 }, /* rows are copied; their errors are added up */
        { "positions", 0, -1, POSITIONS, DIM, 5 * DIM, 0, 12, 12 },
        { "segments", 1, -1, POSITIONS, DIM, 2 * DIM, 0, 12, 12 },
        { "first1", 2, -1, 1, DIM, 0, 0, 0, 0 },
        { "pooler", 3, -1, 1, DIM, 16, 4, 2 * 16 + 4, 2 * 36 },
        { "tanh1", 4, -1, 1, DIM, 0, 0, 4 * 4, 4 * 4 },
        { "next", 5, -1, 1, 2, 8, 0, 16, 32 },
        { "softmax1", 6, -1, 1, 2, 0, 0, 6, 6 },
        { "gelu1", 2, -1, POSITIONS, DIM, 0, 0, 5 * 12, 5 * 12 },
        { "predictions", 8, -1, POSITIONS, WORDS, 0, 7, 2 * 84 + 21, 2 * 189 },
        { "softmax2", 9, -1, POSITIONS, WORDS, 0, 0, 63, 63 },
    };
    struct model m;
    char why[300] = "";

    (void)state;
    if (infer(list, COUNT(list), &m, why, sizeof(why)))
        fail_msg("%s", why);
    check(&m, want, COUNT(want));
    for (size_t i = 0; i < m.nlayers; i++)
        assert_int_equal(m.layers[i].ends_side, i == 7);
    assert_int_equal(m.layers[9].shares, 0);
    assert_int_equal(m.layers[9].shared_weights, WORDS * DIM);
    assert_int_equal(m.layers[8].shares, LAYER_NO_LAYER);
    assert_int_equal(layer_weight_row(&m.layers[1]), DIM);
    assert_int_equal(model_ids(&m), 2 * POSITIONS);                             /* words and segments */
    assert_true(work_forward(&m.layers[9], 1).bytes == 4 * (12 + 21 + 28 + 7)); /* it reads the words' table */
    assert_true(work_backward(&m.layers[9], 1).bytes == 2 * 4 * (12 + 21 + 28 + 7));
    model_free(&m);
}

/* Llama's layers: RMSNorm, attention whose heads share keys and values, SwiGLU. */
static void gated_layers_by_hand(void **state)
{
    struct layer_spec gate[] = { { .kind = LAYER_LINEAR, .name = "gate", .units = 6 }, { .kind = LAYER_SILU } };
    struct layer_spec factors[] = {
        { .kind = LAYER_BLOCK, .repeat = 1, .shortcut = SHORTCUT_NONE, .layers = gate, .nlayers = 2 },
        { .kind = LAYER_LINEAR, .name = "up", .units = 6 },
    };
    struct layer_spec list[] = {
        TOKENS,
        { .kind = LAYER_RMSNORM },
        { .kind = LAYER_ATTENTION, .name = "shared", .heads = 4, .kv_heads = 2, .causal = 1 },
        { .kind = LAYER_ATTENTION, .name = "biased", .heads = 2, .kv_heads = 1, .bias = 1 },
        { .kind = LAYER_PRODUCT, .name = "swiglu", .layers = factors, .nlayers = 2 },
        { .kind = LAYER_LINEAR, .units = DIM },
    };
    static const struct known want[] = {
        { "words", -1, -1, POSITIONS, DIM, WORDS * DIM, 0, 0, 12 },
        { "rmsnorm1", 0, -1, POSITIONS, DIM, 0, DIM, 3 * 12, 3 * 12 },
        /* queries and output of 4 values, keys and values of 2; 3 x 3 products twice, softmaxes of 4 heads */
        { "shared", 1, -1, POSITIONS, DIM, 2 * 16 + 2 * 8, 0, 2 * 96 + 2 * 48 + 2 * 72 + 4 * 36, 2 * 576 },
        { "biased", 2, -1, POSITIONS, DIM, 48, 2 * 4 + 2 * 2, 2 * 108 + 2 * 54 + 2 * 72 + 4 * 18, 2 * 540 },
        { "block1.gate", 3, -1, POSITIONS, 6, 24, 0, 144, 288 },
        { "silu1", 4, -1, POSITIONS, 6, 0, 0, 4 * 18, 4 * 18 },
        { "up", 3, -1, POSITIONS, 6, 24, 0, 144, 288 },
        { "swiglu", 5, 6, POSITIONS, 6, 0, 0, 18, 2 * 18 },
        { "linear3", 7, -1, POSITIONS, DIM, 24, 0, 144, 288 },
    };
    struct model m;
    char why[300] = "";

    (void)state;
    if (infer(list, COUNT(list), &m, why, sizeof(why)))
        fail_msg("%s", why);
    check(&m, want, COUNT(want));
    assert_true(!layer_is_norm(&m.layers[1])); /* it has no shifts */
    assert_int_equal(m.layers[2].kv_heads, 2);
    model_free(&m);
}

/* Queries of 3 positions, keys of these and of 2 before. */
static void segments_by_hand(void **state)
{
    struct layer_spec list[] = {
        TOKENS,
        { .kind = LAYER_ATTENTION, .name = "one", .heads = 2, .causal = 1, .past = 2, .relative = 1 },
        { .kind = LAYER_ATTENTION, .name = "two", .heads = 2, .causal = 1, .past = 2, .relative = 1 },
        { .kind = LAYER_ATTENTION, .name = "past", .heads = 2, .past = 2, .bias = 1 },
    };
    /* projections of 3 queries, 3 contexts and twice 5 keys, products with keys and distances and of values, softmaxes,
       two vectors added to the queries */
    enum { RELATIVE = 2 * 96 + 2 * 160 + 3 * 120 + 4 * 30 + 24, PAST = 2 * 108 + 2 * 180 + 2 * 120 + 4 * 30 };
    static const struct known want[] = {
        { "words", -1, -1, POSITIONS, DIM, WORDS * DIM, 0, 0, 12 },
        { "one", 0, -1, POSITIONS, DIM, 5 * 16, 2 * DIM, RELATIVE, 2 * RELATIVE },
        { "two", 1, -1, POSITIONS, DIM, 5 * 16, 0, RELATIVE, 2 * RELATIVE }, /* shares the first one's vectors */
        { "past", 2, -1, POSITIONS, DIM, 4 * 16, 4 * DIM, PAST, 2 * PAST },
    };
    struct model m;
    char why[300] = "";

    (void)state;
    if (infer(list, COUNT(list), &m, why, sizeof(why)))
        fail_msg("%s", why);
    check(&m, want, COUNT(want));
    assert_int_equal(m.layers[1].memory_positions, 5);
    model_free(&m);
}

/* A field-weighted sum of products: vectors of two values from six. */
static void values_become_vectors_and_one(void **state)
{
    struct layer_spec pair[] = { { .kind = LAYER_CONV, .channels = 3, .kernel = 1 },
                                 { .kind = LAYER_SEQUENCE, .name = "same", .dim = 2 } };
    struct layer_spec list[] = { { .kind = LAYER_SEQUENCE, .dim = 2 },
                                 { .kind = LAYER_PRODUCT, .layers = pair, .nlayers = 2 },
                                 { .kind = LAYER_SUM } };
    static const struct known want[] = {
        { "sequence1", -1, -1, 3, 2, 0, 0, 0, 0 }, { "conv1", 0, -1, 3, 2, 9, 0, 36, 36 },
        { "same", 0, -1, 3, 2, 0, 0, 0, 0 },       { "product1", 1, 2, 3, 2, 0, 0, 6, 12 },
        { "sum1", 3, -1, 1, 1, 0, 0, 5, 0 },
    };
    struct model_spec spec = {
        .name = "m", .channels = 6, .height = 1, .width = 1, .layers = list, .nlayers = COUNT(list)
    };
    struct model m;
    char why[300] = "";

    (void)state;
    if (model_infer(&spec, &m, why, sizeof(why)))
        fail_msg("%s", why);
    check(&m, want, COUNT(want));
    model_free(&m);
    list[0].dim = 4;
    assert_int_equal(model_infer(&spec, &m, why, sizeof(why)), E_INVAL);
    assert_non_null(strstr(why, "layer sequence1: expected a dim >= 2 that divides its 6 values, got 4"));
}

/* ViT's beginning: patches of 2 x 2 pixels, a class token. */
static void an_image_becomes_a_sequence(void **state)
{
    struct layer_spec list[] = {
        { .kind = LAYER_CONV, .name = "patches", .channels = 5, .kernel = 2, .stride = 2, .bias = 1 },
        { .kind = LAYER_SEQUENCE },
        { .kind = LAYER_PREPEND, .name = "class" },
        { .kind = LAYER_PLACE, .rows = 7 }
    };
    static const struct known want[] = {
        { "patches", -1, -1, 5, 3, 60, 5, 2 * 60 * 6 + 30, 2 * 60 * 6 + 30 },
        { "sequence1", 0, -1, 6, 5, 0, 0, 0, 0 },
        { "class", 1, -1, 7, 5, 0, 5, 0, 5 },
        { "place1", 2, -1, 7, 5, 35, 0, 35, 35 },
    };
    struct model_spec spec = {
        .name = "m", .channels = 3, .height = 4, .width = 6, .layers = list, .nlayers = COUNT(list)
    };
    struct model m;
    char why[300] = "";

    (void)state;
    if (model_infer(&spec, &m, why, sizeof(why)))
        fail_msg("%s", why);
    check(&m, want, COUNT(want));
    model_free(&m);
}

static void what_does_not_fit_is_refused(void **state)
{
    struct layer_spec few[] = { TOKENS, { .kind = LAYER_PLACE, .rows = 2 } };
    struct layer_spec none[] = { TOKENS, { .kind = LAYER_PLACE, .by = PLACE_BY_SEGMENT } };
    struct layer_spec vast[] = { TOKENS, { .kind = LAYER_PLACE, .rows = (int64_t)1 << 47 } };
    struct layer_spec flat[] = { TOKENS, { .kind = LAYER_FC, .units = 3 }, { .kind = LAYER_FIRST } };
    struct layer_spec image[] = { TOKENS, { .kind = LAYER_FC, .units = 3 }, { .kind = LAYER_PLACE, .rows = 9 } };
    struct layer_spec lost[] = { TOKENS, { .kind = LAYER_LINEAR, .units = WORDS, .shared = "table" } };
    struct layer_spec other[] = { TOKENS, { .kind = LAYER_LINEAR, .name = "a", .units = 8, .shared = "words" } };
    struct layer_spec again[] = { TOKENS,
                                  { .kind = LAYER_LINEAR, .name = "a", .units = WORDS, .shared = "words" },
                                  { .kind = LAYER_LINEAR, .units = DIM },
                                  { .kind = LAYER_LINEAR, .name = "b", .units = WORDS, .shared = "a" } };
    struct layer_spec empty[] = { TOKENS, { .kind = LAYER_SIDE } };
    struct layer_spec last[] = { TOKENS, { .kind = LAYER_SIDE, .layers = next, .nlayers = COUNT(next) } };
    struct layer_spec twice[] = { { .kind = LAYER_TANH }, last[1] };
    struct layer_spec nested[] = { TOKENS, { .kind = LAYER_SIDE, .layers = twice, .nlayers = 2 } };
    struct layer_spec kv[] = { TOKENS, { .kind = LAYER_ATTENTION, .heads = 4, .kv_heads = 3 } };
    struct layer_spec uneven[] = { { .kind = LAYER_LINEAR, .units = 2 }, { .kind = LAYER_LINEAR, .units = 3 } };
    struct layer_spec product[] = { TOKENS, { .kind = LAYER_PRODUCT, .layers = uneven, .nlayers = 2 } };
    struct layer_spec alone[] = { TOKENS, { .kind = LAYER_PRODUCT, .layers = uneven, .nlayers = 1 } };
    struct layer_spec one[] = { TOKENS, { .kind = LAYER_FC, .units = 1 }, { .kind = LAYER_SEQUENCE } };
    struct layer_spec before[] = { TOKENS, { .kind = LAYER_FC, .units = 3 }, { .kind = LAYER_PREPEND } };
    struct layer_spec rms[] = { TOKENS, { .kind = LAYER_FC, .units = 3 }, { .kind = LAYER_RMSNORM } };
    struct layer_spec past[] = { TOKENS,
                                 { .kind = LAYER_RELU },
                                 { .kind = LAYER_ATTENTION, .heads = 2, .past = 1, .memory = "words" } };
    struct layer_spec relu[] = { { .kind = LAYER_RELU } };
    struct layer_spec strides[] = { { .kind = LAYER_SIDE, .layers = relu, .nlayers = 1 } };
    struct layer_spec block[] = {
        TOKENS, { .kind = LAYER_BLOCK, .repeat = 1, .downsample = 2, .layers = strides, .nlayers = 1 }
    };
    const struct {
        struct layer_spec *list;
        size_t n;
        int rc;
        const char *why;
    } cases[] = {
        { few, 2, E_INVAL, "layers[1]: layer place1: expected rows >= 3, got 2" },
        { none, 2, E_INVAL, "expected rows >= 1, got 0" },
        { vast, 2, E_RANGE, "layer place1: too large to count" },
        { flat, 3, E_INVAL, "layer first1: expected a sequence" },
        { image, 3, E_INVAL, "layer place1: expected a sequence" },
        { lost, 2, E_INVAL, "layer linear1: shared: expected the name of tokens or of a linear layer before it" },
        { other, 2, E_INVAL, "with a matrix of 8x4 of its own, got 'words'" },
        { again, 4, E_INVAL, "layer b: shared" },
        { empty, 2, E_INVAL, "layers[1]: a side needs layers" },
        { last, 2, E_INVAL, "expected a layer after the last side" },
        { nested, 2, E_INVAL, "layers[1]: a side needs a layer after the side in it" },
        { kv, 2, E_INVAL, "expected kv_heads that divide its 4 heads, got 3" },
        { product, 2, E_INVAL, "layer product1: expected factors of one shape, got 3x1x2 and 3x1x3" },
        { alone, 2, E_INVAL, "layers[1]: a product needs two layers" },
        { one, 3, E_INVAL, "layer sequence1: expected an image of 2 channels or more, got 1" },
        { before, 3, E_INVAL, "layer prepend1: expected a sequence" },
        { rms, 3, E_INVAL, "layer rmsnorm1: expected a sequence" },
        { past, 3, E_INVAL, "layer attention1: expected a past of 0 or more and without a memory, got 1" },
        { block, 2, E_INVAL, "a side may not stand before what downsamples its block" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct model m;
        char why[400] = "";
        int rc = infer(cases[i].list, cases[i].n, &m, why, sizeof(why));
        if (rc != cases[i].rc || !strstr(why, cases[i].why))
            fail_msg("case %d: got %d '%s', want %d '%s'", (int)i, rc, why, cases[i].rc, cases[i].why);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bert_by_hand),
        cmocka_unit_test(gated_layers_by_hand),
        cmocka_unit_test(segments_by_hand),
        cmocka_unit_test(values_become_vectors_and_one),
        cmocka_unit_test(an_image_becomes_a_sequence),
        cmocka_unit_test(what_does_not_fit_is_refused),
    };
    return cmocka_run_group_tests_name("places", tests, NULL, NULL);
}
