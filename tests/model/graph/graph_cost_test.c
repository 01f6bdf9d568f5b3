/* The training graph: costs by hand, networks of other kinds, and what is refused. */
#include "tests/model/graph/graph_rig.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "model/graph/graph.h"
#include "model/status.h"
#include "tests/draw.h"
#include "tests/model/graph/graph_nets.h"
#include "tests/test.h"

static void bytes_and_flops_by_hand(void **state)
{
    enum { IMAGE = 2 * 4 * 4 * 64, WIDE = 2 * 4 * 8 * 64, QUARTER = WIDE / 4, WEIGHTS = 4 * (4 * 8 * 9 + 8) };
    static const struct {
        const char *name;
        double bytes, flops;
        bool compute_bound;
    } cases[] = {
        { "conv1", IMAGE + WIDE + WEIGHTS, 2.0 * (2 * 288 * 64 + 512), 1 },
        { "batchnorm1", 3 * WIDE, 2.0 * 4 * 512, 0 },
        { "relu1", 2 * WIDE, 2.0 * 512, 0 },
        { "dropout1", 2 * WIDE, 2.0 * 512, 0 },
        { "maxpool1", WIDE + QUARTER, 2.0 * 4 * 128, 0 },
        { "classifier1", QUARTER + 80 + 4 * 1280, 2.0 * 2560, 1 },
        { "softmax1", 2 * 80, 2.0 * 30, 0 },
        { "softmax1 backward", 2 * 80, 2.0 * 30, 0 },
        { "classifier1 backward", QUARTER + 80 + 5120 + 80 + QUARTER + 5120, 2.0 * 5120, 1 },
        { "maxpool1 backward", WIDE + QUARTER + WIDE, 2.0 * 4 * 128, 0 },
        { "dropout1 backward", 2 * WIDE, 2.0 * 512, 0 },
        { "relu1 backward", 3 * WIDE, 2.0 * 512, 0 },
        { "batchnorm1 backward", 5 * WIDE, 2.0 * 4 * 512, 0 },
        { "conv1 backward", IMAGE + WIDE + WEIGHTS, 2.0 * (2 * 288 * 64 + 512), 1 },
    };
    struct layer_spec list[] = {
        { .kind = LAYER_CONV, .channels = 8, .kernel = 3, .pad = 1, .bias = 1 },
        { .kind = LAYER_BATCHNORM },
        { .kind = LAYER_RELU },
        { .kind = LAYER_DROPOUT },
        { .kind = LAYER_MAXPOOL, .kernel = 2 },
        { .kind = LAYER_CLASSIFIER },
        { .kind = LAYER_SOFTMAX },
    };
    struct model m = infer(list, COUNT(list));
    struct graph g = build(&m, &unsplit, &(struct graph_options){ .workspace_factor = 1.5 });

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct operation *o = &g.operations[i];
        char name[64];
        graph_operation_name(&g, &unsplit, (int32_t)i, name, sizeof(name));
        assert_string_equal(name, cases[i].name);
        if (o->bytes != cases[i].bytes || o->flops != cases[i].flops || o->compute_bound != cases[i].compute_bound)
            fail_msg("%s: %g bytes (want %g), %g FLOPs (want %g)", name, o->bytes, cases[i].bytes, o->flops,
                     cases[i].flops);
        bool conv = !strncmp(name, "conv", 4);
        assert_int_equal(o->workspace_bytes, conv ? (IMAGE + WIDE) * 3 / 2 : 0);
    }
    graph_free(&g);
    g = build(&m, &unsplit, &(struct graph_options){ .workspace_factor = 1.5, .workspace_limit = 1000 });
    assert_int_equal(g.operations[0].workspace_bytes, 1000);
    assert_int_equal(g.operations[13].workspace_bytes, 1000);
    graph_free(&g);
    model_free(&m);
}

static void a_pass_costs_what_the_model_says(void **state)
{
    struct model models[] = { nets_vgg_19(), nets_resnet(18), nets_resnet(50), nets_recommender(1) };

    (void)state;
    for (size_t i = 0; i < COUNT(models); i++) {
        struct graph g = build(&models[i], &unsplit, &(struct graph_options){ .generated = GENERATED_STORED });
        double flops[2] = { 0, 0 };
        for (size_t k = 0; k < g.noperations; k++)
            flops[g.operations[k].backward] += g.operations[k].kind == OPERATION_LAYER ? g.operations[k].flops : 0;
        assert_true(flops[0] == 2.0 * (double)models[i].flops_forward);
        assert_true(flops[1] == 2.0 * (double)models[i].flops_backward);
        check_structure(&g);
        graph_free(&g);
        model_free(&models[i]);
    }
}

enum { SOURCE = 3, TARGET = 2, DIM = 4, WORDS = 7 };

/* Two attentions read what the encoder puts out, and so does the layer behind it. */
static struct layer_spec translator[] = {
    { .kind = LAYER_TOKENS, .name = "source", .rows = WORDS, .dim = DIM, .positions = SOURCE },              /* 0 */
    { .kind = LAYER_LINEAR, .name = "mix", .units = DIM, .bias = 1 },                                        /* 1 */
    { .kind = LAYER_LAYERNORM, .name = "memory" },                                                           /* 2 */
    { .kind = LAYER_ATTENTION, .bias = 1, .name = "self", .heads = 1 },                                      /* 3 */
    { .kind = LAYER_TOKENS, .name = "target", .rows = WORDS, .dim = DIM, .positions = TARGET },              /* 4 */
    { .kind = LAYER_ATTENTION, .bias = 1, .name = "cross1", .heads = 2, .memory = "memory" },                /* 5 */
    { .kind = LAYER_ATTENTION, .bias = 1, .name = "cross2", .heads = 2, .kv_heads = 1, .memory = "memory" }, /* 6 */
    { .kind = LAYER_ATTENTION, .bias = 1, .name = "cross3", .heads = 1, .memory = "self" },                  /* 7 */
    { .kind = LAYER_LINEAR, .name = "words", .units = WORDS },                                               /* 8 */
    { .kind = LAYER_SOFTMAX },                                                                               /* 9 */
};

static struct model infer_translator(void)
{
    struct model_spec spec = { .name = "m", .layers = translator, .nlayers = COUNT(translator) };
    struct model m;
    char why[200] = "";

    if (model_infer(&spec, &m, why, sizeof(why)) != E_OK)
        fail_msg("%s", why);
    return m;
}

static void sequences_and_their_readers(void **state)
{
    static const char *const want[] = {
        "source: y=0",
        "mix: x=0 y=1",
        "memory: x=1 y=2",
        "self: x=2 y=3",
        "target: y=4",
        "cross1: x=4 x2=2 y=5",
        "cross2: x=5 x2=2 y=6",
        "cross3: x=6 x2=3 y=7",
        "words: x=7 y=8",
        "softmax1: x=8 y=9",
        "softmax1 backward: y=9 dx=8''",
        "words backward: x=7 dy=8'' dx=7''",
        "cross3 backward: x=6 x2=3 dy=7'' dx=6'' dx2=3''",
        "cross2 backward: x=5 x2=2 dy=6'' dx=5'' dx2=2''",
        "cross1 backward: x=4 x2=2 dy=5'' dx=4'' dx2=2''",
        "sum memory: x=2'' x2=2'' y=2''",
        "target backward: dy=4''",
        "self backward: x=2 dy=3'' dx=2''",
        "sum memory: x=2'' x2=2'' y=2''",
        "memory backward: x=1 dy=2'' dx=1''",
        "mix backward: x=0 dy=1'' dx=0''",
        "source backward: dy=0''",
    };
    static const int32_t groups[] = { 0, 0, 0, 1, 1, 2, 3, 4, 5, 5 };
    struct model m = infer_translator();

    (void)state;
    for (int k = 0; k < GENERATED_KINDS; k++) {
        struct graph g = build(&m, &unsplit, &(struct graph_options){ .generated = (enum generated)k });
        check_operations(&g, &unsplit, want, COUNT(want), 10);
        check_structure(&g);
        assert_int_equal(g.tensors[0].bytes, 0); /* there are no images, and nothing reads them */
        for (size_t i = 0; i < COUNT(groups); i++)
            assert_int_equal(g.operations[i].group, groups[i]);
        /* All three errors are summed, in the order in which they come. */
        assert_int_equal(g.operations[15].x, g.operations[13].dx2);
        assert_int_equal(g.operations[15].x2, g.operations[14].dx2);
        assert_int_equal(g.operations[18].x, g.operations[15].y);
        assert_int_equal(g.operations[18].x2, g.operations[17].dx);
        assert_int_equal(g.operations[19].dy, g.operations[18].y);
        assert_int_equal(g.statistics_bytes, 2 * 2 * 4 * SOURCE); /* of a batch of 2 */
        assert_int_equal(g.parameter_bytes, 4 * (m.weights + m.biases));
        graph_free(&g);
    }
    model_free(&m);
}

/* What a sequence's operations move, of a batch of 2. */
static void costs_of_sequences_by_hand(void **state)
{
    enum {
        BATCH = 2,
        S = 4 * BATCH * SOURCE * DIM, /* bytes of the source's vectors, of the target's */
        T = 4 * BATCH * TARGET * DIM,
        SELF = 4 * BATCH * (4 * SOURCE * DIM + SOURCE * SOURCE),
        CROSS = 4 * BATCH * (2 * TARGET * DIM + 2 * SOURCE * DIM + 2 * TARGET * SOURCE),
        SQUARE = 4 * (4 * DIM * DIM + 4 * DIM),
        /* FLOPs of a sample: the output's projection, the whole */
        OUT = 2 * TARGET * DIM * DIM + TARGET * DIM,
        CROSS_FLOPS =
            2 * OUT + 2 * (2 * SOURCE * DIM * DIM + SOURCE * DIM) + 4 * TARGET * SOURCE * DIM + 8 * TARGET * SOURCE,
    };
    static const struct {
        size_t operation;
        double bytes, flops;
        int64_t workspace;
        bool compute_bound;
    } cases[] = {
        { 0, 2 * S, BATCH * 2 * SOURCE * DIM, 0, 0 },
        { 1, 2 * S + 4 * 20, BATCH * SOURCE * (2 * 16 + 4), 0, 1 },
        { 2, 3 * S, BATCH * 4 * SOURCE * DIM, 0, 0 },
        { 3, 2 * S + SQUARE + 2 * SELF, BATCH * (4 * (96 + 12) + 144 + 36), SELF, 1 },
        { 5, 2 * T + S + SQUARE + 2 * CROSS, BATCH * CROSS_FLOPS, CROSS, 1 },
        { 14, 3 * T + 2 * S + 2 * SQUARE + 4 * CROSS, BATCH * (3 * CROSS_FLOPS - OUT), 2 * CROSS, 1 },
        { 16, 3 * T, BATCH * 2 * TARGET * DIM, 0, 0 },
        { 17, 3 * S + 2 * SQUARE + 4 * SELF, BATCH * (3 * 612 - 108), 2 * SELF, 1 },
        { 19, 5 * S, BATCH * 4 * SOURCE * DIM, 0, 0 },
        { 20, 4 * S + 2 * 4 * 20, BATCH * 2 * SOURCE * 36, 0, 1 },
    };
    struct model m = infer_translator();
    struct graph g = build(&m, &unsplit, &(struct graph_options){ .workspace_factor = 5, .workspace_limit = 10 });

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct operation *o = &g.operations[cases[i].operation];
        if (o->bytes != cases[i].bytes || o->flops != cases[i].flops || o->workspace_bytes != cases[i].workspace ||
            o->compute_bound != cases[i].compute_bound)
            fail_msg("operation %d: %g bytes (want %g), %g FLOPs (want %g), workspace %lld (want %lld)",
                     (int)cases[i].operation, o->bytes, cases[i].bytes, o->flops, cases[i].flops,
                     (long long)o->workspace_bytes, (long long)cases[i].workspace);
    }
    assert_int_equal(graph_attention_bytes(&m.layers[5], 2, 0), CROSS);
    assert_int_equal(graph_attention_bytes(&m.layers[5], 2, 1), 2 * CROSS);
    assert_int_equal(graph_attention_bytes(&m.layers[6], 2, 0), CROSS - S); /* half the keys and values */
    assert_true(graph_attention_bytes(&m.layers[5], INT64_MAX / 400, 1) == INT64_MAX);
    graph_free(&g);
    model_free(&m);
}

/* Tensors that could be counted, a workspace that could not: heads x positions x positions is more than positions x
 * dim. */
static void a_workspace_past_counting_is_refused(void **state)
{
    struct layer_spec list[] = { { .kind = LAYER_TOKENS, .rows = 2, .dim = 2, .positions = 1 << 20 },
                                 { .kind = LAYER_ATTENTION, .bias = 1, .heads = 1 } };
    struct model_spec spec = { .name = "m", .layers = list, .nlayers = 2 };
    struct model m;
    struct graph g;
    char why[200] = "";

    (void)state;
    assert_int_equal(model_infer(&spec, &m, why, sizeof(why)), E_OK);
    for (int i = 0; i < 2; i++) {
        int64_t batch = (int64_t)1 << (17 + i); /* 2^43 bytes a sample backward, and a little */
        assert_int_equal(
            graph_build(&m, &unsplit, batch, &(struct graph_options){ .workspace_factor = 0 }, &g, why, sizeof(why)),
            i ? E_RANGE : E_OK);
        if (!i)
            graph_free(&g);
    }
    assert_non_null(strstr(why, "batch: "));
    model_free(&m);
}

static void a_recommender(void **state)
{
    enum { ROWS = 2 * 4 * 3 * 2 * 4 }; /* bytes: a batch of 2, 3 tables, 2 rows of 4 values */
    static const char *const want[] = {
        "fc1: x=i y=0",
        "relu1: x=0 y=1",
        "embedding1: x=1 y=2",
        "interaction1: x=2 y=3",
        "fc2: x=3 y=4",
        "relu2: x=4 y=5",
        "fc3: x=5 y=6",
        "sigmoid1: x=6 y=7",
        "sigmoid1 backward: y=7 dx=6''", /* the loss: its error is not another's */
        "fc3 backward: x=5 dy=6'' dx=5''",
        "relu2 backward: y=5 dy=5'' dx=4''",
        "fc2 backward: x=3 dy=4'' dx=3''",
        "interaction1 backward: x=2 dy=3'' dx=2''",
        "embedding1 backward: dy=2'' dx=1''",
        "relu1 backward: y=1 dy=1'' dx=0''",
        "fc1 backward: x=i dy=0''",
    };
    static const char *const tables_first[] = {
        "embedding1: x=i y=0",
        "interaction1: x=0 y=1",
        "fc1: x=1 y=2",
        "relu1: x=2 y=3",
        "fc2: x=3 y=4",
        "sigmoid1: x=4 y=5",
        "sigmoid1 backward: y=5 dx=4''",
        "fc2 backward: x=3 dy=4'' dx=3''",
        "relu1 backward: y=3 dy=3'' dx=2''",
        "fc1 backward: x=1 dy=2'' dx=1''",
        "interaction1 backward: x=0 dy=1'' dx=0''",
        "embedding1 backward: dy=0''", /* rows have gradients, the images have not */
    };
    struct model m = nets_recommender(1), first = nets_recommender(0);
    struct graph g;

    (void)state;
    for (int k = 0; k < GENERATED_KINDS; k++) {
        if (k == GENERATED_CUDNN)
            continue; /* relu and sigmoid ask for x, too */
        g = build(&m, &unsplit, &(struct graph_options){ .generated = (enum generated)k });
        check_operations(&g, &unsplit, want, COUNT(want), 8);
        check_structure(&g);
        assert_int_equal(g.parameter_bytes, 4 * (m.weights + m.biases + 120));
        assert_true(g.operations[2].bytes == 2 * 4 * (4 + 16) + ROWS);
        assert_true(g.operations[13].bytes == 2 * 4 * (4 + 16) + 2 * ROWS);
        assert_true(g.operations[13].flops == 2 * 24);
        assert_true(g.operations[12].bytes == 2 * 4 * (16 + 10 + 16));
        graph_free(&g);
        g = build(&first, &unsplit, &(struct graph_options){ .generated = (enum generated)k });
        check_operations(&g, &unsplit, tables_first, COUNT(tables_first), 6);
        check_structure(&g);
        graph_free(&g);
    }
    g = build(&m, &unsplit, &(struct graph_options){ .generated = GENERATED_CUDNN });
    assert_int_equal(g.operations[8].x, NO_TENSOR);
    assert_int_equal(g.operations[8].dy, NO_TENSOR);
    graph_free(&g);
    model_free(&m);
    model_free(&first);
}

static void branches_share_their_input_and_join(void **state)
{
    struct layer_spec chain[] = { { .kind = LAYER_CONV, .channels = 2, .kernel = 1 }, { .kind = LAYER_RELU } };
    struct layer_spec parallel[] = {
        { .kind = LAYER_CONV, .channels = 3, .kernel = 1 },
        { .kind = LAYER_BLOCK, .repeat = 1, .shortcut = SHORTCUT_NONE, .layers = chain, .nlayers = 2 },
        { .kind = LAYER_MAXPOOL, .kernel = 3, .stride = 1, .pad = 1 },
    };
    struct layer_spec list[] = {
        { .kind = LAYER_CONV, .channels = 4, .kernel = 1 },
        { .kind = LAYER_CONCAT, .layers = parallel, .nlayers = 3 },
        { .kind = LAYER_CLASSIFIER },
    };
    static const char *const want[] = {
        "conv1: x=i y=0",
        "conv2: x=0 y=1",
        "conv3: x=0 y=2",
        "relu1: x=2 y=3",
        "concat1: x=1 x2=3 y=4",
        "maxpool1: x=0 y=5",
        "concat2: x=4 x2=5 y=6",
        "classifier1: x=6 y=7",
        "classifier1 backward: x=6 dy=7'' dx=6''",
        "concat2 backward: dy=6'' dx=4'' dx2=5''",
        "maxpool1 backward: x=0 dy=5'' dx=0''",
        "concat1 backward: dy=4'' dx=1'' dx2=3''",
        "relu1 backward: y=3 dy=3'' dx=2''",
        "conv3 backward: x=0 dy=2'' dx=0''",
        "sum conv1: x=0'' x2=0'' y=0''",
        "conv2 backward: x=0 dy=1'' dx=0''",
        "sum conv1: x=0'' x2=0'' y=0''",
        "conv1 backward: x=i dy=0''",
    };
    enum { CHANNEL = 2 * 4 * 64 };
    struct model m = infer(list, COUNT(list));
    struct graph g = build(&m, &unsplit, &(struct graph_options){ .generated = GENERATED_STORED });

    (void)state;
    check_operations(&g, &unsplit, want, COUNT(want), 8);
    check_structure(&g);
    assert_true(g.operations[6].bytes == CHANNEL * (5 + 4 + 9)); /* each is copied */
    assert_true(g.operations[9].bytes == CHANNEL * (9 + 5 + 4));
    assert_true(g.operations[6].flops + g.operations[9].flops == 0);
    graph_free(&g);
    model_free(&m);
}

static void what_cannot_be_built_is_refused(void **state)
{
    struct layer_spec tables[] = { { .kind = LAYER_EMBEDDING, .tables = 1, .rows = (int64_t)1 << 47, .dim = 2 },
                                   { .kind = LAYER_CLASSIFIER } };
    struct layer_spec many_tables[] = {
        { .kind = LAYER_BLOCK, .repeat = 8192, .shortcut = SHORTCUT_NONE, .layers = tables, .nlayers = 2 }
    };
    struct layer_spec good[] = { { .kind = LAYER_CLASSIFIER } };
    struct layer_spec long_list[] = {
        { .kind = LAYER_RELU }, { .kind = LAYER_RELU }, { .kind = LAYER_RELU },
        { .kind = LAYER_RELU }, { .kind = LAYER_RELU }, { .kind = LAYER_CLASSIFIER },
    };
    struct model models[] = { infer(many_tables, 1), infer(good, 1), infer(long_list, 6) };
    const int64_t many = (int64_t)1 << 51; /* images of 2^10 bytes: one tensor could be counted, all could not */
    static const struct {
        size_t model;
        int64_t batch;
        struct graph_options options;
        int rc;
        const char *why;
    } cases[] = {
        { 0, 1, { .workspace_factor = 0 }, E_RANGE, "model: " }, /* 2^63 bytes */
        { 1, 0, { .workspace_factor = 0 }, E_INVAL, "batch: " },
        { 1, -1, { .workspace_factor = 0 }, E_INVAL, "batch: " },
        { 1, 1, { .generated = GENERATED_KINDS }, E_INVAL, "generated: " },
        { 1, 1, { .generated = (enum generated) - 1 }, E_INVAL, "generated: " },
        { 1, 1, { .generated = GENERATED_CUDNN, .recompute_norm = 1 }, E_INVAL, "recompute_norm: " },
        { 1, 1, { .generated = GENERATED_OUTPUTS, .recompute_norm = 1 }, E_INVAL, "recompute_norm: " },
        { 1, 1, { .workspace_factor = -1 }, E_INVAL, "workspace_factor: " },
        { 1, 1, { .workspace_factor = 0.0 / 0.0 }, E_INVAL, "workspace_factor: " },
        { 1, 1, { .workspace_limit = -1 }, E_INVAL, "workspace_limit: " },
        { 1, (int64_t)1 << 60, { .workspace_factor = 0 }, E_RANGE, "batch: " },
        { 2, (int64_t)1 << 50, { .workspace_factor = 0 }, E_RANGE, "batch: " }, /* six of 2^60 bytes */
        { 1, INT64_MAX, { .workspace_factor = 0 }, E_RANGE, "batch: " },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct graph g = { .noperations = 77 };
        char why[200] = "";
        int rc =
            graph_build(&models[cases[i].model], &unsplit, cases[i].batch, &cases[i].options, &g, why, sizeof(why));
        if (rc != cases[i].rc || !strstr(why, cases[i].why))
            fail_msg("case %d: got %d '%s', want %d '%s'", (int)i, rc, why, cases[i].rc, cases[i].why);
        assert_int_equal(g.noperations, 77);
    }
    struct graph_options any = { .generated = GENERATED_STORED };
    struct graph g;
    char why[200] = "";
    assert_int_equal(graph_build(&models[1], &unsplit, many, &any, &g, why, sizeof(why)), E_OK);
    graph_free(&g);
    assert_int_equal(graph_build(&models[1], &unsplit, 2 * many - 1, &any, &g, why, sizeof(why)), E_RANGE);
    struct split_net fine = { .nlayers = 1, .rows = 1 << 12, .columns = 1 << 11 };
    assert_int_equal(graph_build(&models[1], &fine, 1, &cases[1].options, &g, why, sizeof(why)), E_INVAL);
    assert_non_null(strstr(why, "split: "));
    g = (struct graph){ 0 };
    graph_free(&g);
    for (size_t i = 0; i < COUNT(models); i++)
        model_free(&models[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_and_flops_by_hand),
        cmocka_unit_test(a_pass_costs_what_the_model_says),
        cmocka_unit_test(sequences_and_their_readers),
        cmocka_unit_test(costs_of_sequences_by_hand),
        cmocka_unit_test(a_workspace_past_counting_is_refused),
        cmocka_unit_test(a_recommender),
        cmocka_unit_test(branches_share_their_input_and_join),
        cmocka_unit_test(what_cannot_be_built_is_refused),
    };

    return cmocka_run_group_tests_name("graph_cost", tests, NULL, NULL);
}
