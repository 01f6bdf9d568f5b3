/* Shape inference: window arithmetic by hand, blocks, and what does not fit. */

#include <stdio.h>
#include <string.h>

#include "model/model.h"
#include "model/status.h"
#include "tests/test.h"

#define MODEL(list)                                                                                                  \
    {                                                                                                                \
        .name = "m", .channels = 3, .height = 32, .width = 32, .classes = 10, .layers = list, .nlayers = COUNT(list) \
    }

static void windows(void **state)
{
    static const struct {
        int64_t size, kernel, stride, pad, want;
    } cases[] = {
        { 224, 11, 4, 2, 55 }, { 224, 7, 2, 3, 112 }, { 55, 3, 2, 0, 27 }, { 112, 3, 2, 1, 56 }, { 5, 5, 1, 0, 1 },
        { 6, 2, 2, 0, 3 },     { 7, 2, 2, 0, 3 },     { 1, 1, 1, 0, 1 },   { 8, 3, 1, 1, 8 },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct layer_spec list[] = { { .kind = LAYER_CONV,
                                       .channels = 4,
                                       .kernel = cases[i].kernel,
                                       .stride = cases[i].stride,
                                       .pad = cases[i].pad } };
        struct model_spec spec = MODEL(list);
        struct model m;
        char why[200];
        spec.height = spec.width = cases[i].size;
        assert_int_equal(model_infer(&spec, &m, why, sizeof(why)), E_OK);
        if (m.layers[0].out.height != cases[i].want || m.layers[0].out.width != cases[i].want)
            fail_msg("size %d kernel %d: got %d, want %d", (int)cases[i].size, (int)cases[i].kernel,
                     (int)m.layers[0].out.height, (int)cases[i].want);
        model_free(&m);
    }
}

/* Height and width of windows, of planes of 17 x 17; what does not fit. */
static void windows_that_are_not_square(void **state)
{
    static const struct {
        int64_t kernel, width, stride, pad, pad_width, out_height, out_width, weights;
        const char *why;
    } cases[] = {
        { 1, 7, 1, 0, 3, 17, 17, 4 * 3 * 7, NULL },
        { 7, 1, 1, 3, 0, 17, 17, 4 * 3 * 7, NULL },
        { 3, 2, 2, 0, 1, 8, 9, 4 * 3 * 6, NULL },
        { 3, 3, 1, 1, 0, 17, 15, 4 * 3 * 9, NULL }, /* with a width, the padding of columns is its own */
        { 3, 0, 1, 1, 0, 17, 17, 4 * 3 * 9, NULL },
        { 1, 18, 1, 0, 0, 0, 0, 0, "layer conv1: a 1x18 window does not fit its 17x17 input (pad 0)" },
        { 7, 1, 1, 3, 1, 0, 0, 0,
          "layer conv1: expected kernel >= 1, stride >= 1 and 0 <= pad < kernel, got kernel 1" },
        { 7, 0, 1, 3, 3, 0, 0, 0, "layer conv1: expected a kernel_width with the pad_width of 3" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct layer_spec list[] = { { .kind = LAYER_CONV,
                                       .channels = 4,
                                       .kernel = cases[i].kernel,
                                       .kernel_width = cases[i].width,
                                       .stride = cases[i].stride,
                                       .pad = cases[i].pad,
                                       .pad_width = cases[i].pad_width } };
        struct model_spec spec = MODEL(list);
        struct model m;
        char why[200] = "";
        spec.height = spec.width = 17;
        int rc = model_infer(&spec, &m, why, sizeof(why));
        if ((rc != E_OK) != (cases[i].why != NULL) || (cases[i].why && !strstr(why, cases[i].why)))
            fail_msg("case %d: %s", (int)i, why);
        if (rc)
            continue;
        const struct layer *l = &m.layers[0];
        if (l->out.height != cases[i].out_height || l->out.width != cases[i].out_width ||
            l->weights != cases[i].weights || l->flops_forward != 2 * l->weights * l->out.height * l->out.width)
            fail_msg("case %d: %lldx%lld, %lld weights", (int)i, (long long)l->out.height, (long long)l->out.width,
                     (long long)l->weights);
        model_free(&m);
    }
}

static void counts_of_a_small_network(void **state)
{
    struct layer_spec list[] = {
        { .kind = LAYER_CONV,
          .channels = 8,
          .kernel = 3,
          .pad = 1,
          .bias = 1 }, /* 3*8*9 = 216 weights, 32x32 positions */
        { .kind = LAYER_BATCHNORM },
        { .kind = LAYER_MAXPOOL, .kernel = 2 },             /* 16x16 */
        { .kind = LAYER_CONV, .channels = 4, .kernel = 1 }, /* 32 weights */
        { .kind = LAYER_CLASSIFIER, .bias = 1 },            /* 4*16*16*10 = 10240 weights */
    };
    struct model_spec spec = MODEL(list);
    struct model m;
    char why[200];

    (void)state;
    assert_int_equal(model_infer(&spec, &m, why, sizeof(why)), E_OK);
    assert_int_equal(m.weights, 216 + 32 + 10240);
    assert_int_equal(m.biases, 8 + 16 + 10);
    assert_int_equal(m.layers[0].flops_forward, 2 * 216 * 1024 + 8 * 1024);
    assert_int_equal(m.layers[0].flops_backward, m.layers[0].flops_forward); /* no input gradient */
    assert_int_equal(m.layers[3].flops_forward, 2 * 32 * 256);
    assert_int_equal(m.layers[3].flops_backward, 2 * m.layers[3].flops_forward);
    assert_int_equal(m.layers[4].flops_forward, 2 * 10240 + 10);
    assert_int_equal(m.activations, 8 * 1024 + 8 * 1024 + 8 * 256 + 4 * 256 + 10);
    assert_string_equal(m.layers[3].name, "conv2");
    model_free(&m);
}

static void residual_blocks(void **state)
{
    static const struct {
        enum shortcut_kind shortcut;
        int64_t weights;
        size_t nlayers;
    } cases[] = {
        { SHORTCUT_NONE, 3 * 8 * 9 + 8 * 16 * 9 + 16 * 16 * 9, 3 },
        { SHORTCUT_IDENTITY, 3 * 8 * 9 + 8 * 16 * 9 + 16 * 16 * 9, 5 },            /* an add a repetition */
        { SHORTCUT_PROJECTION, 3 * 8 * 9 + 8 * 16 * 9 + 8 * 16 + 16 * 16 * 9, 6 }, /* 1x1 where the shape changes */
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct layer_spec inner[] = { { .kind = LAYER_CONV, .channels = 16, .kernel = 3, .pad = 1 } };
        struct layer_spec list[] = {
            { .kind = LAYER_CONV, .channels = 8, .kernel = 3, .pad = 1 },
            { .kind = LAYER_BLOCK,
              .repeat = 2,
              .downsample = 2,
              .shortcut = cases[i].shortcut,
              .layers = inner,
              .nlayers = 1 },
        };
        struct model_spec spec = MODEL(list);
        struct model m;
        char why[200];
        assert_int_equal(model_infer(&spec, &m, why, sizeof(why)), E_OK);
        assert_int_equal(m.weights, cases[i].weights);
        assert_int_equal(m.nlayers, cases[i].nlayers);
        assert_int_equal(m.layers[0].block, -1);
        assert_int_equal(m.layers[1].block, 0);
        assert_int_equal(m.layers[m.nlayers - 1].block, 1);
        assert_int_equal(m.layers[m.nlayers - 1].out.height, 16); /* only the first repetition strides */
        model_free(&m);
    }
}

/* Each of 3 groups sees a third of the channels: 12 x 2 x 9 weights at 32 x 32 positions. */
static void groups_divide_weights_and_flops(void **state)
{
    struct layer_spec list[] = {
        { .kind = LAYER_CONV, .channels = 6, .kernel = 1, .groups = 3 },
        { .kind = LAYER_CONV, .channels = 12, .kernel = 3, .pad = 1, .groups = 3 },
        { .kind = LAYER_CONV, .channels = 12, .kernel = 3, .pad = 1 },
    };
    struct model_spec spec = MODEL(list);
    struct model m;
    char why[200];

    (void)state;
    assert_int_equal(model_infer(&spec, &m, why, sizeof(why)), E_OK);
    assert_int_equal(m.layers[0].weights, 6);
    assert_int_equal(m.layers[1].weights, 12 * 2 * 9);
    assert_int_equal(layer_weight_row(&m.layers[1]), 2 * 9);
    assert_int_equal(m.layers[1].flops_forward, 2 * 12 * 2 * 9 * 1024);
    assert_int_equal(m.layers[1].flops_backward, 4 * 12 * 2 * 9 * 1024);
    assert_true(m.layers[1].groups == 3 && m.layers[2].groups == 1);
    assert_int_equal(m.layers[2].weights, 12 * 12 * 9);
    model_free(&m);
    list[0].groups = 2;
    assert_int_equal(model_infer(&spec, &m, why, sizeof(why)), E_INVAL);
    assert_non_null(strstr(why, "expected groups that divide its channels, 3 in and 6 out, got 2 groups"));
    list[0].groups = 3;
    list[1].channels = 13;
    assert_int_equal(model_infer(&spec, &m, why, sizeof(why)), E_INVAL);
    assert_non_null(strstr(why, "layer conv2: expected groups that divide its channels, 6 in and 13 out, got 3"));
}

/* An outer block's stride reaches the first convolution inside an inner one, and no further than the block. */
static void nested_blocks_downsample_once(void **state)
{
    struct layer_spec conv[] = { { .kind = LAYER_CONV, .channels = 8, .kernel = 3, .pad = 1 } };
    struct layer_spec inner[] = {
        { .kind = LAYER_BLOCK, .repeat = 2, .shortcut = SHORTCUT_NONE, .layers = conv, .nlayers = 1 }
    };
    struct layer_spec list[] = {
        { .kind = LAYER_BLOCK,
          .repeat = 1,
          .downsample = 2,
          .shortcut = SHORTCUT_PROJECTION,
          .layers = inner,
          .nlayers = 1 },
        { .kind = LAYER_CONV, .channels = 8, .kernel = 3, .pad = 1 },
    };
    struct model_spec spec = MODEL(list);
    struct model m;
    char why[200];

    (void)state;
    assert_int_equal(model_infer(&spec, &m, why, sizeof(why)), E_OK);
    assert_int_equal(m.layers[0].out.height, 16);
    assert_int_equal(m.layers[1].out.height, 16);
    assert_int_equal(m.layers[m.nlayers - 1].out.height, 16);
    model_free(&m);
}

/* 13 dense features, 3 tables of dimension 4 with 2 lookups each: a small DLRM. */
static void recommender(void **state)
{
    struct layer_spec list[] = {
        { .kind = LAYER_FC, .units = 4, .bias = 1 },                                    /* 13*4 = 52 weights */
        { .kind = LAYER_EMBEDDING, .tables = 3, .rows = 1000, .dim = 4, .lookups = 2 }, /* 4 + 3*4 = 16 values */
        { .kind = LAYER_INTERACTION, .dim = 4 },                                        /* 4 + 4*3/2 = 10 values */
        { .kind = LAYER_FC, .units = 1 },                                               /* 10 weights */
        { .kind = LAYER_SIGMOID },
    };
    struct model_spec spec = MODEL(list);
    struct model m;
    char why[200];

    (void)state;
    spec.channels = 13;
    spec.height = spec.width = 1;
    assert_int_equal(model_infer(&spec, &m, why, sizeof(why)), E_OK);
    assert_int_equal(m.weights, 52 + 10);
    assert_int_equal(m.biases, 4);
    assert_int_equal(m.table_values, 4000);
    assert_int_equal(m.layers[1].weights, 0);
    assert_int_equal(m.layers[1].table_values, 4000);
    assert_int_equal(m.layers[1].sparse_values, 3 * 2 * 4);
    assert_int_equal(m.layers[1].out.channels, 16);
    assert_int_equal(m.layers[1].flops_forward, 3 * 1 * 4);  /* one addition for the second of two rows */
    assert_int_equal(m.layers[1].flops_backward, 3 * 2 * 4); /* the gradient goes to both */
    assert_int_equal(m.layers[2].out.channels, 10);
    assert_int_equal(m.layers[2].activations, 10);
    assert_int_equal(m.layers[2].flops_forward, 6 * 2 * 4);
    assert_int_equal(m.layers[2].flops_backward, 2 * 6 * 2 * 4);
    assert_int_equal(m.layers[3].flops_backward, 2 * 2 * 10);
    assert_int_equal(m.layers[4].flops_forward, 3);
    assert_string_equal(m.layers[1].name, "embedding1");
    assert_string_equal(m.layers[2].name, "interaction1");
    model_free(&m);

    /* Rows have gradients of their own, so the layer after an embedding computes its input's, even if it is the first
     * with weights; one lookup by default. */
    spec.layers = &list[1];
    spec.nlayers = 3;
    spec.channels = 4;
    list[1].lookups = 0;
    assert_int_equal(model_infer(&spec, &m, why, sizeof(why)), E_OK);
    assert_int_equal(m.layers[0].sparse_values, 3 * 4);
    assert_int_equal(m.layers[0].flops_forward, 0);
    assert_int_equal(m.layers[2].flops_backward, 2 * m.layers[2].flops_forward);
    model_free(&m);
}

/* Branches read the same tensor and stride alike; two layers join three of them. Those of the images compute no
 * error. */
static void branches(void **state)
{
    struct layer_spec chain[] = { { .kind = LAYER_CONV, .channels = 8, .kernel = 1 },
                                  { .kind = LAYER_CONV, .name = "wide", .channels = 6, .kernel = 3, .pad = 1 } };
    struct layer_spec parallel[] = {
        { .kind = LAYER_CONV, .name = "narrow", .channels = 4, .kernel = 1 },
        { .kind = LAYER_BLOCK, .repeat = 1, .shortcut = SHORTCUT_NONE, .layers = chain, .nlayers = 2 },
        { .kind = LAYER_MAXPOOL, .kernel = 3, .stride = 1, .pad = 1 },
    };
    struct layer_spec inner[] = { { .kind = LAYER_CONCAT, .layers = parallel, .nlayers = 3 } };
    struct layer_spec pair[] = { { .kind = LAYER_RELU }, { .kind = LAYER_SIGMOID } };
    struct layer_spec nested[] = { { .kind = LAYER_RELU }, { .kind = LAYER_CONCAT, .layers = pair, .nlayers = 2 } };
    struct layer_spec list[] = {
        { .kind = LAYER_CONCAT, .name = "module", .layers = parallel, .nlayers = 3 }, /* 0-4, joined by 3 and 5 */
        { .kind = LAYER_BLOCK,                                                        /* 6-11 the same */
          .repeat = 1,
          .downsample = 2,
          .shortcut = SHORTCUT_NONE,
          .layers = inner,
          .nlayers = 1 },
        { .kind = LAYER_CONCAT, .layers = nested, .nlayers = 2 }, /* 12; 13 14, joined by 15; 16 */
        { .kind = LAYER_CLASSIFIER },
    };
    static const struct {
        const char *name;
        enum layer_kind kind;
        int input, second;
        int64_t channels, side;
    } want[] = {
        { "narrow", LAYER_CONV, -1, -1, 4, 32 },       { "conv2", LAYER_CONV, -1, -1, 8, 32 },
        { "block1.wide", LAYER_CONV, 1, -1, 6, 32 },   { "module.1", LAYER_CONCAT, 0, 2, 10, 32 },
        { "maxpool1", LAYER_MAXPOOL, -1, -1, 3, 32 },  { "module", LAYER_CONCAT, 3, 4, 13, 32 },
        { "block2.narrow", LAYER_CONV, 5, -1, 4, 16 }, { "conv5", LAYER_CONV, 5, -1, 8, 16 },
        { "block3.wide", LAYER_CONV, 7, -1, 6, 16 },   { "concat3", LAYER_CONCAT, 6, 8, 10, 16 },
        { "maxpool2", LAYER_MAXPOOL, 5, -1, 13, 16 },  { "concat4", LAYER_CONCAT, 9, 10, 23, 16 },
        { "relu1", LAYER_RELU, 11, -1, 23, 16 },       { "relu2", LAYER_RELU, 11, -1, 23, 16 },
        { "sigmoid1", LAYER_SIGMOID, 11, -1, 23, 16 }, { "concat5", LAYER_CONCAT, 13, 14, 46, 16 },
        { "concat6", LAYER_CONCAT, 12, 15, 69, 16 },   { "classifier1", LAYER_CLASSIFIER, 16, -1, 10, 1 },
    };
    struct model_spec spec = MODEL(list);
    struct model m;
    char why[200] = "";

    (void)state;
    if (model_infer(&spec, &m, why, sizeof(why)))
        fail_msg("%s", why);
    assert_int_equal(m.nlayers, COUNT(want));
    for (size_t i = 0; i < m.nlayers; i++) {
        const struct layer *l = &m.layers[i];
        if (strcmp(l->name, want[i].name) || l->kind != want[i].kind || l->input != want[i].input ||
            l->second != want[i].second || l->out.channels != want[i].channels || l->out.height != want[i].side ||
            l->out.width != want[i].side || l->activations != want[i].channels * want[i].side * want[i].side)
            fail_msg("%d %s: reads %d %d, puts out %lldx%lldx%lld", (int)i, l->name, l->input, l->second,
                     (long long)l->out.channels, (long long)l->out.height, (long long)l->out.width);
    }
    assert_int_equal(m.layers[3].flops_forward + m.layers[5].flops_backward, 0); /* copies */
    for (size_t i = 0; i < m.nlayers; i++)
        if (m.layers[i].weights)
            assert_int_equal(m.layers[i].flops_backward, (i < 2 ? 1 : 2) * m.layers[i].flops_forward);
    model_free(&m);
}

static void what_does_not_fit_is_refused_with_its_name(void **state)
{
    struct layer_spec wide[] = { { .kind = LAYER_CONV, .channels = 1, .kernel = 33 } };
    struct layer_spec pad[] = { { .kind = LAYER_CONV, .channels = 1, .kernel = 3, .pad = 3 } };
    struct layer_spec none[] = { { .kind = LAYER_RELU } };
    struct layer_spec huge[] = { { .kind = LAYER_FC, .units = (int64_t)1 << 60 } };
    struct layer_spec block[] = { { .kind = LAYER_BLOCK, .repeat = 1 } };
    struct layer_spec relu[] = { { .kind = LAYER_RELU } };
    struct layer_spec still[] = { { .kind = LAYER_BLOCK, .repeat = 1, .downsample = 2, .layers = relu, .nlayers = 1 } };
    struct layer_spec flat[] = { { .kind = LAYER_MAXPOOL, .kernel = 16777216, .stride = 1, .pad = 16777215 } };
    struct layer_spec narrow[] = { { .kind = LAYER_CONV, .channels = 1, .kernel = 1 } };
    struct layer_spec fewer[] = { { .kind = LAYER_BLOCK, .repeat = 1, .layers = narrow, .nlayers = 1 } };
    struct layer_spec wide_fc[] = { { .kind = LAYER_FC, .units = (int64_t)1 << 23 } };
    struct layer_spec many[] = {
        { .kind = LAYER_BLOCK, .repeat = 50000, .shortcut = SHORTCUT_NONE, .layers = wide_fc, .nlayers = 1 }
    };
    struct layer_spec rows[] = { { .kind = LAYER_EMBEDDING, .tables = 2, .rows = 1, .dim = 4 } };
    struct layer_spec tables[] = { { .kind = LAYER_EMBEDDING, .rows = 9, .dim = 4 } };
    struct layer_spec dim[] = { { .kind = LAYER_EMBEDDING, .tables = 1, .rows = 9 } };
    struct layer_spec only[] = { { .kind = LAYER_EMBEDDING, .tables = 1, .rows = 9, .dim = 4 } };
    struct layer_spec vast[] = { { .kind = LAYER_EMBEDDING, .tables = 1, .rows = (int64_t)1 << 47, .dim = 4 } };
    struct layer_spec uneven[] = { { .kind = LAYER_INTERACTION, .dim = 7 } }; /* of 3 x 32 x 32 values */
    struct layer_spec alone[] = { { .kind = LAYER_INTERACTION, .dim = 3072 } };
    struct layer_spec pairs[] = { { .kind = LAYER_FC, .units = 1 << 25 }, { .kind = LAYER_INTERACTION, .dim = 1 } };
    struct layer_spec crowd[] = {
        { .kind = LAYER_BLOCK, .repeat = 1, .shortcut = SHORTCUT_NONE, .layers = pairs, .nlayers = 2 }
    };
    struct layer_spec edge[] = { { .kind = LAYER_EMBEDDING, .tables = 1 << 24, .rows = 1 << 24, .dim = 1 << 24 } };
    struct layer_spec no_dim[] = { { .kind = LAYER_INTERACTION } };
    struct layer_spec one[] = { { .kind = LAYER_CONCAT, .layers = relu, .nlayers = 1 } };
    struct layer_spec uneven_planes[] = { { .kind = LAYER_RELU }, { .kind = LAYER_MAXPOOL, .kernel = 2 } };
    struct layer_spec ragged[] = { { .kind = LAYER_CONCAT, .name = "c", .layers = uneven_planes, .nlayers = 2 } };
    struct layer_spec some_stride[] = { { .kind = LAYER_MAXPOOL, .kernel = 2 }, { .kind = LAYER_RELU } };
    struct layer_spec strides[] = { { .kind = LAYER_CONCAT, .layers = some_stride, .nlayers = 2 } };
    struct layer_spec half[] = { { .kind = LAYER_BLOCK,
                                   .repeat = 1,
                                   .downsample = 2,
                                   .shortcut = SHORTCUT_NONE,
                                   .layers = strides,
                                   .nlayers = 1 } };
    struct layer_spec deep[17];
    const struct {
        struct layer_spec *list;
        int rc;
        const char *why;
    } cases[] = {
        { one, E_INVAL, "layers[0]: a concat needs two" },
        { ragged, E_INVAL, "layers[0].layers[1]: layer c: expected planes of 32x32, as those before have, got 16x16" },
        { half, E_INVAL, "layers[0].layers[0].layers[1]: it cannot downsample" },
        { deep, E_INVAL, "a block needs layers, repeat >= 1, and" },
        { wide, E_INVAL, "conv1" },
        { pad, E_INVAL, "pad" },
        { none, E_INVAL, "weights" },
        { huge, E_RANGE, "fc1" },
        { block, E_INVAL, "block" },
        { still, E_INVAL, "downsample" },
        { flat, E_RANGE, "maxpool1" },
        { fewer, E_INVAL, "identity" },
        { many, E_RANGE, "together" },
        { rows, E_INVAL, "rows 1" },
        { tables, E_INVAL, "tables 0" },
        { dim, E_INVAL, "dim 0" },
        { only, E_INVAL, "weights" },
        { vast, E_RANGE, "embedding1" },
        { uneven, E_INVAL, "dim 7" },
        { alone, E_INVAL, "two or" },
        { no_dim, E_INVAL, "dim 0" },
        { crowd, E_RANGE, "interaction1" },
        { edge, E_RANGE, "embedding1" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(deep); i++)
        deep[i] = (struct layer_spec){ .kind = LAYER_BLOCK,
                                       .repeat = 1,
                                       .shortcut = SHORTCUT_NONE,
                                       .layers = i + 1 < COUNT(deep) ? &deep[i + 1] : relu,
                                       .nlayers = 1 };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct model_spec spec = {
            .name = "m", .channels = 3, .height = 32, .width = 32, .classes = 10, .layers = cases[i].list, .nlayers = 1
        };
        struct model m;
        char why[200];
        assert_int_equal(model_infer(&spec, &m, why, sizeof(why)), cases[i].rc);
        if (!strstr(why, cases[i].why))
            fail_msg("case %d: '%s' does not name '%s'", (int)i, why, cases[i].why);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(windows),
        cmocka_unit_test(windows_that_are_not_square),
        cmocka_unit_test(counts_of_a_small_network),
        cmocka_unit_test(residual_blocks),
        cmocka_unit_test(groups_divide_weights_and_flops),
        cmocka_unit_test(nested_blocks_downsample_once),
        cmocka_unit_test(branches),
        cmocka_unit_test(recommender),
        cmocka_unit_test(what_does_not_fit_is_refused_with_its_name),
    };
    return cmocka_run_group_tests_name("model", tests, NULL, NULL);
}
