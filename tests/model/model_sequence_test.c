/* Sequences: shapes, parameters and FLOPs of a small Transformer by hand, what an attention may read, what is
 * refused. */

#include <stdio.h>
#include <string.h>

#include "model/model.h"
#include "model/status.h"
#include "tests/test.h"

enum { SOURCE = 3, TARGET = 2, DIM = 4, ROWS = 7 };

static struct layer_spec attention[] = { { .kind = LAYER_ATTENTION, .bias = 1, .name = "self", .heads = 2 },
                                         { .kind = LAYER_DROPOUT, .rate = 0.25 } };
static struct layer_spec forward[] = { { .kind = LAYER_LINEAR, .name = "wide", .units = 6, .bias = 1 },
                                       { .kind = LAYER_RELU },
                                       { .kind = LAYER_LINEAR, .name = "narrow", .units = DIM, .bias = 1 } };
static struct layer_spec cross[] = {
    { .kind = LAYER_ATTENTION, .bias = 1, .name = "cross", .heads = 2, .memory = "block2.norm" }
};
static struct layer_spec causal[] = { { .kind = LAYER_ATTENTION, .bias = 1, .name = "self", .heads = 1, .causal = 1 } };

#define RESIDUAL(list)                                                                                          \
    {                                                                                                           \
        .kind = LAYER_BLOCK, .repeat = 1, .shortcut = SHORTCUT_IDENTITY, .layers = list, .nlayers = COUNT(list) \
    }

static struct layer_spec encoder[] = { RESIDUAL(forward), { .kind = LAYER_LAYERNORM, .name = "norm" } };
static struct layer_spec list[] = {
    { .kind = LAYER_TOKENS, .name = "source", .rows = ROWS, .dim = DIM, .positions = SOURCE },        /* 0 */
    RESIDUAL(attention),                                                                              /* 1 2 add 3 */
    { .kind = LAYER_BLOCK, .repeat = 1, .shortcut = SHORTCUT_NONE, .layers = encoder, .nlayers = 2 }, /* 4-6 add 7, 8 */
    { .kind = LAYER_TOKENS, .stream = STREAM_TARGET, .rows = ROWS, .dim = DIM, .positions = TARGET }, /* 9 */
    RESIDUAL(causal),                                                                                 /* 10 add 11 */
    RESIDUAL(cross),                                                                                  /* 12 add 13 */
    { .kind = LAYER_LINEAR, .name = "words", .units = ROWS },                                         /* 14 */
    { .kind = LAYER_SOFTMAX },                                                                        /* 15 */
};

static int infer(struct layer_spec *layers, size_t n, struct shape input, struct model *m, char *why, size_t nwhy)
{
    struct model_spec spec = { .name = "m",
                               .channels = input.channels,
                               .height = input.height,
                               .width = input.width,
                               .classes = 10,
                               .layers = layers,
                               .nlayers = n };

    return model_infer(&spec, m, why, nwhy);
}

static void a_transformer_by_hand(void **state)
{
    static const struct {
        const char *name;
        int input, second;
        int64_t positions, width, weights, biases, forward, backward;
    } want[] = {
        { "source", -1, -1, SOURCE, DIM, ROWS * DIM, 0, 2 * 12, 2 * 12 },
        /* four projections of 3 x 4 x 4 and their biases, 3 x 3 products twice, softmaxes of 2 heads */
        { "block1.self", 0, -1, SOURCE, DIM, 64, 16, 4 * (96 + 12) + 2 * 72 + 4 * 18, 2 * (432 + 144 + 72) },
        { "dropout1", 1, -1, SOURCE, DIM, 0, 0, 12, 12 },
        { "add1", 2, 0, SOURCE, DIM, 0, 0, 12, 12 },
        { "block3.wide", 3, -1, SOURCE, 6, 24, 6, 2 * 72 + 18, 2 * 162 },
        { "relu1", 4, -1, SOURCE, 6, 0, 0, 18, 18 },
        { "block3.narrow", 5, -1, SOURCE, DIM, 24, DIM, 2 * 72 + 12, 2 * 156 },
        { "add2", 6, 3, SOURCE, DIM, 0, 0, 12, 12 },
        { "block2.norm", 7, -1, SOURCE, DIM, 0, 2 * DIM, 4 * 12, 4 * 12 },
        { "tokens2", -1, -1, TARGET, DIM, ROWS * DIM, 0, 2 * 8, 2 * 8 },
        { "block4.self", 9, -1, TARGET, DIM, 64, 16, 4 * (64 + 8) + 2 * 32 + 4 * 4, 2 * (288 + 64 + 16) },
        { "add3", 10, 9, TARGET, DIM, 0, 0, 8, 8 },
        /* queries and output of 2 positions, keys and values of 3 */
        { "block5.cross", 11, 8, TARGET, DIM, 64, 16, 2 * (64 + 8) + 2 * (96 + 12) + 2 * 48 + 4 * 12, 2 * 504 },
        { "add4", 12, 11, TARGET, DIM, 0, 0, 8, 8 },
        { "words", 13, -1, TARGET, ROWS, 28, 0, 2 * 56, 4 * 56 },
        { "softmax1", 14, -1, TARGET, ROWS, 0, 0, 3 * 14, 3 * 14 },
    };
    struct model m;
    char why[300] = "";

    (void)state;
    if (infer(list, COUNT(list), (struct shape){ 0, 0, 0 }, &m, why, sizeof(why)))
        fail_msg("%s", why);
    assert_int_equal(m.nlayers, COUNT(want));
    for (size_t i = 0; i < m.nlayers; i++) {
        const struct layer *l = &m.layers[i];
        if (strcmp(l->name, want[i].name) || l->input != want[i].input || l->second != want[i].second ||
            l->out.channels != want[i].positions || l->out.height != 1 || l->out.width != want[i].width ||
            l->activations != want[i].positions * want[i].width || l->weights != want[i].weights ||
            l->biases != want[i].biases || l->flops_forward != want[i].forward || l->flops_backward != want[i].backward)
            fail_msg("%d %s: reads %d %d, puts out %lld x %lld, has %lld weights, %lld biases, %lld and %lld FLOPs",
                     (int)i, l->name, l->input, l->second, (long long)l->out.channels, (long long)l->out.width,
                     (long long)l->weights, (long long)l->biases, (long long)l->flops_forward,
                     (long long)l->flops_backward);
    }
    assert_int_equal(m.table_values, 0);
    assert_int_equal(m.layers[0].stream, STREAM_SOURCE);
    assert_int_equal(m.layers[9].stream, STREAM_TARGET);
    assert_int_equal(m.layers[0].rows, ROWS);
    assert_int_equal(m.layers[1].heads, 2);
    assert_int_equal(m.layers[1].memory_positions, SOURCE);
    assert_int_equal(m.layers[12].memory_positions, SOURCE);
    assert_true(m.layers[10].causal && !m.layers[12].causal);
    assert_true(m.layers[2].rate == 0.25);
    assert_int_equal(layer_weight_row(&m.layers[9]), DIM);
    assert_int_equal(layer_weight_row(&m.layers[4]), DIM);
    assert_int_equal(layer_weight_row(&m.layers[6]), 6);
    assert_int_equal(layer_weight_row(&m.layers[12]), DIM);
    assert_true(layer_is_norm(&m.layers[8]) && !layer_is_norm(&m.layers[9]));
    assert_int_equal(model_ids(&m), SOURCE + TARGET);
    assert_int_equal(model_labels(&m), TARGET);
    assert_int_equal(model_softmax_rows(&m.layers[15]), TARGET);
    model_free(&m);
}

static void what_else_may_stand_with_sequences(void **state)
{
    /* A memory that is the very input is none; the nearest of two names; values as a sequence, whose error nobody asks
       for. */
    struct layer_spec own[] = { { .kind = LAYER_LAYERNORM, .name = "n" },
                                { .kind = LAYER_LAYERNORM, .name = "n" },
                                { .kind = LAYER_ATTENTION, .bias = 1, .heads = 1, .memory = "n" } };
    struct layer_spec far[] = { { .kind = LAYER_ATTENTION, .bias = 1, .heads = 1 },
                                { .kind = LAYER_ATTENTION, .bias = 1, .heads = 4 },
                                { .kind = LAYER_FC, .units = 3 },
                                { .kind = LAYER_SIGMOID } };
    struct layer_spec flat[] = { { .kind = LAYER_CLASSIFIER }, { .kind = LAYER_SOFTMAX } };
    struct layer_spec rows[] = { { .kind = LAYER_EMBEDDING, .tables = 3, .rows = 9, .dim = 2, .lookups = 5 },
                                 { .kind = LAYER_CLASSIFIER } };
    const struct shape values = { 5, 1, 8 }, image = { 3, 8, 8 };
    struct model m;
    char why[300] = "";

    (void)state;
    assert_int_equal(infer(own, 3, values, &m, why, sizeof(why)), E_OK);
    assert_int_equal(m.layers[2].second, LAYER_NO_LAYER);
    model_free(&m);
    assert_int_equal(infer(far, 4, values, &m, why, sizeof(why)), E_OK);
    /* Backward of the first, the projections of queries, keys and values make no error. */
    assert_int_equal(m.layers[0].flops_forward - m.layers[1].flops_forward, -4 * 25 * 3);
    assert_int_equal(2 * m.layers[0].flops_forward - m.layers[0].flops_backward, 3 * (2 * 5 * 64 + 40));
    assert_int_equal(2 * m.layers[1].flops_forward, m.layers[1].flops_backward);
    assert_int_equal(m.layers[2].weights, 3 * 40); /* of all positions */
    assert_int_equal(model_labels(&m), 1);
    assert_int_equal(model_ids(&m), 0);
    model_free(&m);
    assert_int_equal(infer(flat, 2, image, &m, why, sizeof(why)), E_OK);
    assert_int_equal(model_labels(&m), 1);
    assert_int_equal(model_softmax_rows(&m.layers[1]), 1);
    model_free(&m);
    assert_int_equal(infer(rows, 2, image, &m, why, sizeof(why)), E_OK);
    assert_int_equal(model_ids(&m), 15);
    assert_int_equal(layer_ids(&m.layers[0]), 15);
    model_free(&m);
}

static void what_does_not_fit_is_refused(void **state)
{
    struct layer_spec line[] = { { .kind = LAYER_LINEAR, .units = 3 } };
    struct layer_spec no_units[] = { { .kind = LAYER_TOKENS, .rows = 5, .dim = 4, .positions = 3 },
                                     { .kind = LAYER_LINEAR } };
    struct layer_spec vast_units[] = { { .kind = LAYER_TOKENS, .rows = 5, .dim = 4, .positions = 3 },
                                       { .kind = LAYER_LINEAR, .units = (int64_t)1 << 48 } };
    struct layer_spec norm[] = { { .kind = LAYER_LAYERNORM } };
    struct layer_spec image[] = { { .kind = LAYER_ATTENTION, .bias = 1, .heads = 1 } };
    struct layer_spec no_rows[] = { { .kind = LAYER_TOKENS, .dim = 4, .positions = 3 } };
    struct layer_spec no_dim[] = { { .kind = LAYER_TOKENS, .rows = 4, .dim = 1, .positions = 3 } };
    struct layer_spec no_positions[] = { { .kind = LAYER_TOKENS, .rows = 4, .dim = 3 } };
    struct layer_spec vast[] = { { .kind = LAYER_TOKENS, .rows = (int64_t)1 << 47, .dim = 4, .positions = 3 } };
    struct layer_spec long_one[] = { { .kind = LAYER_TOKENS, .rows = 4, .dim = 4, .positions = (int64_t)1 << 47 } };
    struct layer_spec heads[] = { { .kind = LAYER_TOKENS, .rows = 5, .dim = 4, .positions = 3 },
                                  { .kind = LAYER_ATTENTION, .bias = 1, .heads = 3 } };
    struct layer_spec no_heads[] = { { .kind = LAYER_TOKENS, .rows = 5, .dim = 4, .positions = 3 },
                                     { .kind = LAYER_ATTENTION, .bias = 1 } };
    struct layer_spec lost[] = { { .kind = LAYER_TOKENS, .name = "t", .rows = 5, .dim = 4, .positions = 3 },
                                 { .kind = LAYER_ATTENTION, .bias = 1, .name = "a", .heads = 1, .memory = "norm" } };
    struct layer_spec self[] = { { .kind = LAYER_TOKENS, .rows = 5, .dim = 4, .positions = 3 },
                                 { .kind = LAYER_ATTENTION, .bias = 1, .name = "a", .heads = 1, .memory = "a" } };
    struct layer_spec later[] = { { .kind = LAYER_TOKENS, .name = "t", .rows = 5, .dim = 4, .positions = 3 },
                                  { .kind = LAYER_LAYERNORM },
                                  { .kind = LAYER_ATTENTION, .bias = 1, .heads = 1, .causal = 1, .memory = "t" } };
    struct layer_spec other_width[] = { { .kind = LAYER_TOKENS, .name = "t", .rows = 5, .dim = 4, .positions = 3 },
                                        { .kind = LAYER_LINEAR, .units = 6 },
                                        { .kind = LAYER_ATTENTION, .bias = 1, .heads = 1, .memory = "t" } };
    struct layer_spec no_sequence[] = { { .kind = LAYER_FC, .name = "flat", .units = 4 },
                                        { .kind = LAYER_TOKENS, .rows = 5, .dim = 4, .positions = 3 },
                                        { .kind = LAYER_ATTENTION, .bias = 1, .heads = 1, .memory = "flat" } };
    struct layer_spec many[] = { { .kind = LAYER_TOKENS, .rows = 5, .dim = 2, .positions = (int64_t)1 << 26 },
                                 { .kind = LAYER_ATTENTION, .bias = 1, .heads = 1 } };
    struct layer_spec unread[] = { { .kind = LAYER_TOKENS, .name = "first", .rows = 5, .dim = 4, .positions = 3 },
                                   { .kind = LAYER_TOKENS, .rows = 5, .dim = 4, .positions = 3 } };
    struct layer_spec tokens[] = { { .kind = LAYER_TOKENS, .rows = 5, .dim = 4, .positions = 3 } };
    struct layer_spec conv[] = { { .kind = LAYER_CONV, .channels = 3, .kernel = 1 } };
    struct layer_spec shortcut[] = { RESIDUAL(tokens) };
    struct layer_spec rate[] = { { .kind = LAYER_DROPOUT, .rate = 1 } };
    const struct shape none = { 0, 0, 0 }, values = { 3, 1, 4 }, planes = { 3, 4, 4 }, half = { 3, 0, 4 };
    const struct {
        struct layer_spec *list;
        size_t n;
        struct shape input;
        int rc;
        const char *why;
    } cases[] = {
        { line, 1, planes, E_INVAL, "layers[0]: layer linear1: expected a sequence, that is a height of 1" },
        { line, 1, { 3, 1, 1 }, E_INVAL, "vectors of 2 values or more, got 3x1x1" },
        { norm, 1, planes, E_INVAL, "layer layernorm1: expected a sequence" },
        { image, 1, planes, E_INVAL, "layer attention1: expected a sequence" },
        { no_units, 2, none, E_INVAL, "layer linear1: expected units >= 1, got 0" },
        { vast_units, 2, none, E_RANGE, "layer linear1" },
        { no_rows, 1, none, E_INVAL, "rows 0, dim 4, positions 3" },
        { no_dim, 1, none, E_INVAL, "expected rows >= 1, dim >= 2" },
        { no_positions, 1, none, E_INVAL, "positions 0" },
        { vast, 1, none, E_RANGE, "layer tokens1" },
        { long_one, 1, none, E_RANGE, "layer tokens1" },
        { heads, 2, none, E_INVAL,
          "layers[1]: layer attention1: expected heads that divide the 4 values of a vector, got 3" },
        { no_heads, 2, none, E_INVAL, "got 0" },
        { lost, 2, none, E_INVAL, "layer a: memory: expected the name of a layer before it, as 'narrows show model'" },
        { lost, 2, none, E_INVAL, "got 'norm'" },
        { self, 2, none, E_INVAL, "got 'a'" },
        { later, 3, none, E_INVAL, "layer attention1: expected no memory of a causal attention" },
        { other_width, 3, none, E_INVAL, "memory: expected a sequence with vectors of 6 values, got t with 3x1x4" },
        { no_sequence, 3, values, E_INVAL, "vectors of 4 values, got flat with 4x1x1" },
        { many, 2, none, E_RANGE, "layer attention1" },
        { unread, 2, none, E_INVAL, "layer first: expected another layer to read its output" },
        { tokens, 1, values, E_INVAL, "expected a layer that reads the input, or no input" },
        { conv, 1, none, E_INVAL, "layer conv1: expected an input to read, but the model has none" },
        { conv, 1, half, E_INVAL, "the input shape must be positive" },
        { shortcut, 1, none, E_INVAL, "block 1: an identity shortcut" },
        { rate, 1, values, E_INVAL, "layer dropout1: expected a rate below 1" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct model m;
        char why[400] = "";
        int rc = infer(cases[i].list, cases[i].n, cases[i].input, &m, why, sizeof(why));
        if (rc != cases[i].rc || !strstr(why, cases[i].why))
            fail_msg("case %d: got %d '%s', want %d '%s'", (int)i, rc, why, cases[i].rc, cases[i].why);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_transformer_by_hand),
        cmocka_unit_test(what_else_may_stand_with_sequences),
        cmocka_unit_test(what_does_not_fit_is_refused),
    };
    return cmocka_run_group_tests_name("sequences", tests, NULL, NULL);
}
