/* The training graph: order, needs and costs of small networks by hand; what is refused. */

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "model/graph/graph.h"
#include "model/status.h"
#include "tests/model/graph_nets.h"
#include "tests/test.h"

static const struct split_net unsplit = { .rows = 1, .columns = 1 };

static struct model infer(struct layer_spec *list, size_t n)
{
    struct model_spec spec = {
        .name = "m", .channels = 4, .height = 8, .width = 8, .classes = 10, .layers = list, .nlayers = n
    };
    struct model m;
    char why[200] = "";

    if (model_infer(&spec, &m, why, sizeof(why)) != E_OK)
        fail_msg("%s", why);
    return m;
}

static struct graph build(const struct model *m, const struct split_net *split, const struct graph_options *options)
{
    struct graph g;
    char why[200] = "";

    if (graph_build(m, split, 2, options, &g, why, sizeof(why)) != E_OK)
        fail_msg("%s", why);
    return g;
}

/* An operation as text: its name, then its tensors, each as the layer (i: the images, j: the joined one) and '' behind
 * it for an error, ' for what is computed again; of a patch its number behind a dot. */
static void tensor_text(const struct graph *g, const char *place, int32_t tensor, char *text, size_t size)
{
    static const char *const marks[] = { "", "", "''", "'" };
    const struct tensor *t = &g->tensors[tensor < 0 ? 0 : tensor];
    size_t used = strlen(text);

    if (tensor == NO_TENSOR)
        return;
    if (t->layer == LAYER_NO_LAYER)
        snprintf(text + used, size - used, " %s=i", place);
    else
        snprintf(text + used, size - used, " %s=%d%s", place, (int)t->layer, marks[t->role]);
    used = strlen(text);
    if (t->patch != NO_PATCH)
        snprintf(text + used, size - used, ".%d", (int)t->patch);
}

static void check_operations(const struct graph *g, const struct split_net *split, const char *const *want, size_t n,
                             size_t nforward)
{
    for (size_t i = 0; i < g->noperations && i < n; i++) {
        const struct operation *o = &g->operations[i];
        char text[200];
        graph_operation_name(g, split, (int32_t)i, text, sizeof(text));
        size_t used = strlen(text);
        snprintf(text + used, sizeof(text) - used, ":");
        tensor_text(g, "x", o->x, text, sizeof(text));
        tensor_text(g, "x2", o->x2, text, sizeof(text));
        tensor_text(g, "y", o->y, text, sizeof(text));
        tensor_text(g, "dy", o->dy, text, sizeof(text));
        tensor_text(g, "dx", o->dx, text, sizeof(text));
        tensor_text(g, "dx2", o->dx2, text, sizeof(text));
        if (strcmp(text, want[i]))
            fail_msg("operation %d: got '%s', want '%s'", (int)i, text, want[i]);
        if (o->backward != (i >= nforward))
            fail_msg("operation %d (%s): which pass", (int)i, text);
    }
    assert_int_equal(g->noperations, n);
    assert_int_equal(g->nforward, nforward);
}

/* Twins are each other's, groups follow them, producers come first; backward is the exact reverse. */
static void check_structure(const struct graph *g)
{
    int32_t last_twin = (int32_t)g->nforward;

    for (int32_t i = 0; i < (int32_t)g->noperations; i++) {
        const struct operation *o = &g->operations[i];
        int32_t tensors[OPERATION_PLACES];
        for (int k = 0, n = operation_writes(o, tensors); k < n; k++)
            assert_true(g->tensors[tensors[k]].producer == i || o->kind == OPERATION_JOIN);
        for (int k = 0, n = operation_reads(o, tensors); k < n; k++)
            assert_true(g->tensors[tensors[k]].producer <= i);
        if (o->twin != NO_OPERATION) {
            assert_int_equal(g->operations[o->twin].twin, i);
            assert_int_equal(g->operations[o->twin].group, o->group);
            assert_int_equal(g->operations[o->twin].backward, !o->backward);
        }
        if (o->backward && o->twin != NO_OPERATION) {
            assert_true(o->twin < last_twin);
            last_twin = o->twin;
        }
        if (o->kind == OPERATION_SUM)
            assert_int_equal(o->group, g->operations[i - 1].group);
        if (o->kind == OPERATION_RECOMPUTE)
            assert_int_equal(o->group, g->operations[i + 1].group);
        if (i)
            assert_true(o->backward ? i == (int32_t)g->nforward || o->group <= g->operations[i - 1].group
                                    : o->group >= g->operations[i - 1].group);
        assert_in_range(o->group, 0, g->ngroups - 1);
    }
}

static struct layer_spec plain[] = {
    { .kind = LAYER_CONV, .channels = 8, .kernel = 3, .pad = 1, .bias = 1 },
    { .kind = LAYER_RELU },
    { .kind = LAYER_MAXPOOL, .kernel = 2 },
    { .kind = LAYER_SIGMOID },
    { .kind = LAYER_AVGPOOL },
    { .kind = LAYER_FC, .units = 6, .bias = 1 },
    { .kind = LAYER_RELU },
    { .kind = LAYER_DROPOUT },
    { .kind = LAYER_CLASSIFIER },
    { .kind = LAYER_SOFTMAX },
};

static void a_plain_network_backward_is_its_reverse(void **state)
{
    static const char *const want[] = {
        "conv1: x=i y=0",
        "relu1: x=0 y=1",
        "maxpool1: x=1 y=2",
        "sigmoid1: x=2 y=3",
        "avgpool1: x=3 y=4",
        "fc1: x=4 y=5",
        "relu2: x=5 y=6",
        "dropout1: x=6 y=7",
        "classifier1: x=7 y=8",
        "softmax1: x=8 y=9",
        "softmax1 backward: y=9 dx=8''",
        "classifier1 backward: x=7 dy=8'' dx=7''",
        "dropout1 backward: dy=7'' dx=6''",
        "relu2 backward: y=7 dy=6'' dx=5''", /* what the dropout left of its y */
        "fc1 backward: x=4 dy=5'' dx=4''",
        "avgpool1 backward: dy=4'' dx=3''",
        "sigmoid1 backward: y=3 dy=3'' dx=2''",
        "maxpool1 backward: x=1 dy=2'' dx=1''",
        "relu1 backward: y=1 dy=1'' dx=0''",
        "conv1 backward: x=i dy=0''",
    };
    static const int32_t groups[] = { 0, 0, 0, 0, 0, 1, 1, 1, 2, 2 };
    struct model m = infer(plain, COUNT(plain));
    struct graph g = build(&m, &unsplit, &(struct graph_options){ .generated = GENERATED_STORED });

    (void)state;
    check_operations(&g, &unsplit, want, COUNT(want), 10);
    check_structure(&g);
    assert_int_equal(g.ngroups, 3);
    for (size_t i = 0; i < COUNT(groups); i++)
        assert_int_equal(g.operations[i].group, groups[i]);
    assert_int_equal(g.parameter_bytes, 4 * (4 * 8 * 9 + 8 + 8 * 6 + 6 + 6 * 10));
    assert_int_equal(g.tensors[0].bytes, 2 * 4 * 4 * 64);
    assert_int_equal(g.tensors[g.operations[2].y].bytes, 2 * 4 * 8 * 16);
    assert_int_equal(g.tensors[0].producer, NO_OPERATION);
    graph_free(&g);
    model_free(&m);
}

static void definitions_differ_in_what_backward_reads(void **state)
{
    static const struct {
        enum generated generated;
        size_t operation;
        const char *name;
        int x, y; /* of which layer */
    } cases[] = {
        { GENERATED_ALGORITHM, 13, "relu2 backward", -1, 7 },  { GENERATED_ALGORITHM, 17, "maxpool1 backward", 1, -1 },
        { GENERATED_CUDNN, 13, "relu2 backward", 5, 6 },       { GENERATED_CUDNN, 15, "avgpool1 backward", 3, 4 },
        { GENERATED_CUDNN, 16, "sigmoid1 backward", 2, 3 },    { GENERATED_CUDNN, 17, "maxpool1 backward", 1, 2 },
        { GENERATED_CUDNN, 18, "relu1 backward", 0, 1 },       { GENERATED_OUTPUTS, 13, "relu2 backward", -1, 6 },
        { GENERATED_OUTPUTS, 17, "maxpool1 backward", 1, -1 },
    };
    struct model m = infer(plain, COUNT(plain));

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct graph g = build(&m, &unsplit, &(struct graph_options){ .generated = cases[i].generated });
        const struct operation *o = &g.operations[cases[i].operation];
        char name[64];
        graph_operation_name(&g, &unsplit, (int32_t)cases[i].operation, name, sizeof(name));
        assert_string_equal(name, cases[i].name);
        assert_int_equal(o->x == NO_TENSOR ? -1 : g.tensors[o->x].layer, cases[i].x);
        assert_int_equal(o->y == NO_TENSOR ? -1 : g.tensors[o->y].layer, cases[i].y);
        graph_free(&g);
    }
    assert_string_equal(generated_name(GENERATED_STORED), "stored");
    assert_string_equal(generated_name(GENERATED_ALGORITHM), "algorithm-1");
    assert_string_equal(generated_name(GENERATED_CUDNN), "cudnn");
    assert_string_equal(generated_name(GENERATED_OUTPUTS), "outputs");
    model_free(&m);
}

static struct layer_spec path[] = {
    { .kind = LAYER_CONV, .name = "conv1", .channels = 8, .kernel = 3, .pad = 1 },
    { .kind = LAYER_BATCHNORM, .name = "norm1" },
    { .kind = LAYER_RELU, .name = "relu1" },
    { .kind = LAYER_CONV, .name = "conv2", .channels = 8, .kernel = 3, .pad = 1 },
    { .kind = LAYER_BATCHNORM, .name = "norm2" },
};
static struct layer_spec residual[] = {
    { .kind = LAYER_CONV, .channels = 4, .kernel = 3, .pad = 1 }, /* 0 */
    { .kind = LAYER_BLOCK,                                        /* 1-5, projection 6, its norm 7, sum 8, ReLU 9 */
      .repeat = 2,                                                /* 10-14, sum 15, ReLU 16 */
      .downsample = 2,
      .shortcut = SHORTCUT_PROJECTION,
      .shortcut_norm = 1,
      .relu = 1,
      .layers = path,
      .nlayers = COUNT(path) },
    { .kind = LAYER_CLASSIFIER },
    { .kind = LAYER_SOFTMAX },
};

static void errors_of_what_was_read_twice_are_summed(void **state)
{
    static const char *const want[] = {
        "softmax1 backward: y=18 dx=17''",
        "classifier1 backward: x=16 dy=17'' dx=16''",
        "block2.relu backward: y=16 dy=16'' dx=15''",
        "add2 backward: dy=15'' dx=14'' dx2=9''",
        "block2.norm2 backward: x=13 dy=14'' dx=13''",
        "block2.conv2 backward: x=12 dy=13'' dx=12''",
        "block2.relu1 backward: y=12 dy=12'' dx=11''",
        "block2.norm1 backward: x=10 dy=11'' dx=10''",
        "block2.conv1 backward: x=9 dy=10'' dx=9''",
        "sum block1.relu: x=9'' x2=9'' y=9''",
        "block1.relu backward: y=9 dy=9'' dx=8''",
        "add1 backward: dy=8'' dx=5'' dx2=7''",
        "block1.projection-norm backward: x=6 dy=7'' dx=6''",
        "block1.projection backward: x=0 dy=6'' dx=0''",
        "block1.norm2 backward: x=4 dy=5'' dx=4''",
        "block1.conv2 backward: x=3 dy=4'' dx=3''",
        "block1.relu1 backward: y=3 dy=3'' dx=2''",
        "block1.norm1 backward: x=1 dy=2'' dx=1''",
        "block1.conv1 backward: x=0 dy=1'' dx=0''",
        "sum conv1: x=0'' x2=0'' y=0''",
        "conv1 backward: x=i dy=0''",
    };
    struct model m = infer(residual, COUNT(residual));
    struct graph g = build(&m, &unsplit, &(struct graph_options){ .generated = GENERATED_STORED });
    const char *all[64];
    char names[19][96];

    (void)state;
    for (int l = 0; l < 19; l++) { /* forward is the model's order */
        const struct layer *layer = &m.layers[l];
        char x[16] = "i", x2[24] = "";
        if (layer->input >= 0)
            snprintf(x, sizeof(x), "%d", layer->input);
        if (layer->second >= 0)
            snprintf(x2, sizeof(x2), " x2=%d", layer->second);
        snprintf(names[l], sizeof(names[l]), "%.28s: x=%s%s y=%d", layer->name, x, x2, l);
        all[l] = names[l];
    }
    memcpy(&all[19], want, sizeof(want));
    check_operations(&g, &unsplit, all, 19 + COUNT(want), 19);
    check_structure(&g);
    /* The sum takes the error that was there first, then the new one. */
    assert_int_equal(g.operations[28].x, g.operations[22].dx2);
    assert_int_equal(g.operations[28].x2, g.operations[27].dx);
    assert_int_equal(g.operations[29].dy, g.operations[28].y);
    assert_true(g.operations[28].flops == 2.0 * 8 * 16 && g.operations[28].bytes == 3 * 2 * 4.0 * 8 * 16);
    assert_int_equal(g.statistics_bytes, 2 * 4 * 8 * 5);
    graph_free(&g);
    model_free(&m);
}

/* Two blocks that begin at one tensor: three errors, two sums. The identity shortcut strides. */
static void nested_blocks_sum_more_than_twice(void **state)
{
    struct layer_spec conv[] = { { .kind = LAYER_CONV, .name = "conv", .channels = 8, .kernel = 3, .pad = 1 } };
    struct layer_spec inner[] = {
        { .kind = LAYER_BLOCK, .repeat = 1, .shortcut = SHORTCUT_IDENTITY, .layers = conv, .nlayers = 1 },
    };
    struct layer_spec list[] = {
        { .kind = LAYER_CONV, .channels = 4, .kernel = 1 },
        { .kind = LAYER_BLOCK,
          .repeat = 1,
          .downsample = 2,
          .shortcut = SHORTCUT_IDENTITY,
          .layers = inner,
          .nlayers = 1 },
        { .kind = LAYER_CLASSIFIER },
    };
    static const char *const want[] = {
        "conv1: x=i y=0",
        "block2.conv: x=0 y=1",
        "add1: x=1 x2=0 y=2",
        "add2: x=2 x2=0 y=3",
        "classifier1: x=3 y=4",
        "classifier1 backward: x=3 dy=4'' dx=3''", /* no softmax: its error comes from outside */
        "add2 backward: dy=3'' dx=2'' dx2=0''",
        "add1 backward: dy=2'' dx=1'' dx2=0''",
        "sum conv1: x=0'' x2=0'' y=0''",
        "block2.conv backward: x=0 dy=1'' dx=0''",
        "sum conv1: x=0'' x2=0'' y=0''",
        "conv1 backward: x=i dy=0''",
    };
    struct model m = infer(list, COUNT(list));
    struct graph g = build(&m, &unsplit, &(struct graph_options){ .generated = GENERATED_STORED });

    (void)state;
    check_operations(&g, &unsplit, want, COUNT(want), 5);
    assert_int_equal(g.operations[10].x, g.operations[8].y);
    assert_int_equal(g.tensors[g.operations[5].dy].producer, 5);
    check_structure(&g);
    graph_free(&g);
    model_free(&m);
}

/* Nothing is computed for those in front of the first weights. */
static void layers_before_the_first_weights_have_no_backward(void **state)
{
    struct layer_spec list[] = {
        { .kind = LAYER_RELU },
        { .kind = LAYER_MAXPOOL, .kernel = 2 },
        { .kind = LAYER_CONV, .channels = 4, .kernel = 1 },
        { .kind = LAYER_SOFTMAX },
        { .kind = LAYER_RELU },
    };
    static const char *const want[] = {
        "relu1: x=i y=0",
        "maxpool1: x=0 y=1",
        "conv1: x=1 y=2",
        "softmax1: x=2 y=3",
        "relu2: x=3 y=4",
        "relu2 backward: y=4 dy=4'' dx=3''",
        "softmax1 backward: y=3 dy=3'' dx=2''", /* not at the end: its error is another's */
        "conv1 backward: x=1 dy=2''",
    };
    struct model m = infer(list, COUNT(list));
    struct graph g = build(&m, &unsplit, &(struct graph_options){ .generated = GENERATED_STORED });

    (void)state;
    check_operations(&g, &unsplit, want, COUNT(want), 5);
    assert_int_equal(g.operations[0].twin, NO_OPERATION);
    assert_int_equal(g.operations[1].twin, NO_OPERATION);
    graph_free(&g);
    model_free(&m);
}

static void dropped_norms_are_computed_again_before_their_first_use(void **state)
{
    static const char *const want[] = {
        "softmax1 backward: y=18 dx=17''",
        "classifier1 backward: x=16 dy=17'' dx=16''",
        "block2.relu backward: y=16 dy=16'' dx=15''",
        "add2 backward: dy=15'' dx=14'' dx2=9''",
        "block2.norm2 backward: x=13 dy=14'' dx=13''",
        "recompute block2.norm1: x=10 y=12'",
        "block2.conv2 backward: x=12' dy=13'' dx=12''",
        "block2.relu1 backward: y=12' dy=12'' dx=11''",
    };
    struct model m = infer(residual, COUNT(residual));
    struct graph g = build(&m, &unsplit, &(struct graph_options){ .generated = GENERATED_STORED, .recompute_norm = 1 });
    char text[64];

    (void)state;
    assert_int_equal(g.nforward, 19);
    assert_int_equal(g.noperations, 19 + 21 + 2); /* norm2 and the projection's norm end paths */
    for (size_t i = 0; i < COUNT(want); i++) {
        graph_operation_name(&g, &unsplit, (int32_t)(19 + i), text, sizeof(text));
        assert_memory_equal(text, want[i], strlen(text));
        assert_int_equal(want[i][strlen(text)], ':');
    }
    const struct operation *again = &g.operations[24];
    assert_int_equal(again->x, g.operations[10].y);
    assert_int_equal(g.operations[25].x, again->y);
    assert_int_equal(g.operations[26].y, again->y);
    assert_int_equal(g.tensors[g.operations[12].y].again, again->y);
    assert_int_equal(g.tensors[g.operations[11].y].again, NO_TENSOR);
    assert_int_equal(g.tensors[again->y].layer, 12);
    assert_int_equal(again->bytes, 2 * 2 * 4 * 8 * 16);
    assert_int_equal(again->flops, 2 * (4 + 1) * 8 * 16); /* the norm, then its ReLU */
    check_structure(&g);
    graph_free(&g);
    model_free(&m);
}

/* Norms in a row: the first is dropped, the second would need it and is kept. One whose output two layers read is
 * dropped alone. Nothing needs the last one's. */
static void which_norms_are_dropped(void **state)
{
    struct layer_spec inner[] = { { .kind = LAYER_CONV, .name = "conv", .channels = 4, .kernel = 1 } };
    struct layer_spec end[] = { { .kind = LAYER_CONV, .name = "conv", .channels = 4, .kernel = 1 },
                                { .kind = LAYER_BATCHNORM, .name = "norm" },
                                { .kind = LAYER_RELU, .name = "relu" } }; /* needed, but it ends the path */
    struct layer_spec list[] = {
        { .kind = LAYER_CONV, .channels = 4, .kernel = 1 }, /* 0 */
        { .kind = LAYER_BATCHNORM },                        /* 1 dropped: the next norm reads it */
        { .kind = LAYER_BATCHNORM },                        /* 2 kept */
        { .kind = LAYER_CONV, .channels = 4, .kernel = 1 }, /* 3 */
        { .kind = LAYER_BATCHNORM },                        /* 4 dropped, read by a block and its shortcut */
        { .kind = LAYER_BLOCK, .repeat = 1, .shortcut = SHORTCUT_IDENTITY, .layers = inner, .nlayers = 1 }, /* 5, 6 */
        { .kind = LAYER_BLOCK, .repeat = 1, .shortcut = SHORTCUT_IDENTITY, .layers = end, .nlayers = 3 },   /* 7-10 */
        { .kind = LAYER_BATCHNORM }, /* 11 is read by an average pool alone */
        { .kind = LAYER_AVGPOOL },
        { .kind = LAYER_CLASSIFIER },
        { .kind = LAYER_SOFTMAX },
    };
    static const bool dropped[] = { 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 };
    struct model m = infer(list, COUNT(list));
    struct graph g =
        build(&m, &unsplit, &(struct graph_options){ .generated = GENERATED_ALGORITHM, .recompute_norm = 1 });

    (void)state;
    for (size_t i = 0; i < COUNT(dropped); i++)
        if ((g.tensors[g.operations[i].y].again != NO_TENSOR) != dropped[i])
            fail_msg("layer %d: expected it %s", (int)i, dropped[i] ? "dropped" : "kept");
    for (size_t i = g.nforward; i < g.noperations; i++)
        if (g.operations[i].kind == OPERATION_RECOMPUTE)
            assert_true(g.operations[i].flops == 2.0 * 4 * 4 * 64); /* no ReLU follows */
    check_structure(&g);
    graph_free(&g);
    model_free(&m);

    struct layer_spec first[] = { { .kind = LAYER_BATCHNORM }, { .kind = LAYER_CLASSIFIER } };
    m = infer(first, COUNT(first));
    g = build(&m, &unsplit, &(struct graph_options){ .generated = GENERATED_STORED, .recompute_norm = 1 });
    assert_true(g.tensors[g.operations[0].y].again != NO_TENSOR);
    graph_free(&g);
    model_free(&m);
}

static void patches_run_one_after_another(void **state)
{
    struct layer_spec list[] = {
        { .kind = LAYER_CONV, .channels = 8, .kernel = 3, .pad = 1, .bias = 1 },
        { .kind = LAYER_RELU },
        { .kind = LAYER_CONV, .channels = 8, .kernel = 3, .pad = 1 },
        { .kind = LAYER_RELU },
        { .kind = LAYER_CLASSIFIER },
        { .kind = LAYER_SOFTMAX },
    };
    static const char *const want[] = {
        "cut [0,0]: x=i y=i.0",
        "conv1 [0,0]: x=i.0 y=0.0",
        "relu1 [0,0]: x=0.0 y=1.0",
        "conv2 [0,0]: x=1.0 y=2.0",
        "join [0,0]: x=2.0 y=2",
        "cut [0,1]: x=i y=i.1",
        "conv1 [0,1]: x=i.1 y=0.1",
        "relu1 [0,1]: x=0.1 y=1.1",
        "conv2 [0,1]: x=1.1 y=2.1",
        "join [0,1]: x=2.1 y=2",
        "relu2: x=2 y=3",
        "classifier1: x=3 y=4",
        "softmax1: x=4 y=5",
        "softmax1 backward: y=5 dx=4''",
        "classifier1 backward: x=3 dy=4'' dx=3''",
        "relu2 backward: y=3 dy=3'' dx=2''",
        "unjoin [0,1]: dy=2'' dx=2''.1",
        "conv2 backward [0,1]: x=1.1 dy=2''.1 dx=1''.1",
        "relu1 backward [0,1]: y=1.1 dy=1''.1 dx=0''.1",
        "conv1 backward [0,1]: x=i.1 dy=0''.1",
        "unjoin [0,0]: dy=2'' dx=2''.0",
        "conv2 backward [0,0]: x=1.0 dy=2''.0 dx=1''.0",
        "relu1 backward [0,0]: y=1.0 dy=1''.0 dx=0''.0",
        "conv1 backward [0,0]: x=i.0 dy=0''.0",
    };
    /* Columns 0-2 and 3-7 throughout; rows whole. */
    struct split_part height[3], width[6];
    struct split_net split = { .nlayers = 3, .rows = 1, .columns = 2 };
    struct model m = infer(list, COUNT(list));

    (void)state;
    for (int l = 0; l < 3; l++) {
        height[l] = (struct split_part){ 0, 8, 0, 8, l != 1, l != 1 };
        width[2 * l] = (struct split_part){ 0, 3, 0, 3, l != 1, l != 1 };
        width[2 * l + 1] = (struct split_part){ 3, 5, 3, 5, l != 1, l != 1 };
    }
    split.height = (struct split_axis){ .parts = height, .n = 1 };
    split.width = (struct split_axis){ .parts = width, .n = 2 };
    struct graph g = build(&m, &split, &(struct graph_options){ .generated = GENERATED_STORED });
    check_operations(&g, &split, want, COUNT(want), 13);
    check_structure(&g);
    assert_int_equal(g.operations[9].y, g.operations[4].y);
    assert_int_equal(g.tensors[g.operations[4].y].producer, 4);
    assert_int_equal(g.tensors[g.operations[4].y].role, TENSOR_ACTIVATION);
    assert_int_equal(g.tensors[g.operations[0].y].role, TENSOR_INPUT);
    assert_int_equal(g.tensors[g.operations[0].y].bytes, 2 * 4 * 4 * 8 * 3);
    assert_int_equal(g.tensors[g.operations[6].y].bytes, 2 * 4 * 8 * 8 * 5);
    assert_int_equal(g.ngroups, 5);
    for (size_t i = 0; i < 2; i++) { /* both patches together cost what the layer does */
        size_t pass = i ? 1 : 0, first[] = { 1, 23 }, other[] = { 6, 19 };
        double flops = g.operations[first[pass]].flops + g.operations[other[pass]].flops;
        assert_true(flops == 2.0 * (double)(pass ? m.layers[0].flops_backward : m.layers[0].flops_forward));
        assert_true(g.operations[first[pass]].flops * 5 == g.operations[other[pass]].flops * 3);
    }
    assert_true(g.operations[4].flops + g.operations[5].flops + g.operations[20].flops == 0);
    assert_int_equal(g.operations[4].bytes, 2 * 2 * 4 * 8 * 8 * 3); /* join, unjoin: the patch alone */
    assert_int_equal(g.operations[20].bytes, 2 * 2 * 4 * 8 * 8 * 3);
    assert_int_equal(g.operations[5].bytes, 2 * 2 * 4 * 4 * 8 * 5);
    graph_free(&g);
    split.nlayers = m.nlayers; /* a grid of one patch is no split */
    split.columns = 1;
    g = build(&m, &split, &(struct graph_options){ .generated = GENERATED_STORED });
    assert_int_equal(g.noperations, 12);
    graph_free(&g);
    model_free(&m);
}

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
    { .kind = LAYER_TOKENS, .name = "source", .rows = WORDS, .dim = DIM, .positions = SOURCE }, /* 0 */
    { .kind = LAYER_LINEAR, .name = "mix", .units = DIM, .bias = 1 },                           /* 1 */
    { .kind = LAYER_LAYERNORM, .name = "memory" },                                              /* 2 */
    { .kind = LAYER_ATTENTION, .name = "self", .heads = 1 },                                    /* 3 */
    { .kind = LAYER_TOKENS, .name = "target", .rows = WORDS, .dim = DIM, .positions = TARGET }, /* 4 */
    { .kind = LAYER_ATTENTION, .name = "cross1", .heads = 2, .memory = "memory" },              /* 5 */
    { .kind = LAYER_ATTENTION, .name = "cross2", .heads = 2, .memory = "memory" },              /* 6 */
    { .kind = LAYER_ATTENTION, .name = "cross3", .heads = 1, .memory = "self" },                /* 7 */
    { .kind = LAYER_LINEAR, .name = "words", .units = WORDS },                                  /* 8 */
    { .kind = LAYER_SOFTMAX },                                                                  /* 9 */
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
    assert_true(graph_attention_bytes(&m.layers[5], INT64_MAX / 400, 1) == INT64_MAX);
    graph_free(&g);
    model_free(&m);
}

/* Tensors that could be counted, a workspace that could not: heads x positions x positions is more than positions x
 * dim. */
static void a_workspace_past_counting_is_refused(void **state)
{
    struct layer_spec list[] = { { .kind = LAYER_TOKENS, .rows = 2, .dim = 2, .positions = 1 << 20 },
                                 { .kind = LAYER_ATTENTION, .heads = 1 } };
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
        cmocka_unit_test(a_plain_network_backward_is_its_reverse),
        cmocka_unit_test(definitions_differ_in_what_backward_reads),
        cmocka_unit_test(errors_of_what_was_read_twice_are_summed),
        cmocka_unit_test(nested_blocks_sum_more_than_twice),
        cmocka_unit_test(layers_before_the_first_weights_have_no_backward),
        cmocka_unit_test(dropped_norms_are_computed_again_before_their_first_use),
        cmocka_unit_test(which_norms_are_dropped),
        cmocka_unit_test(patches_run_one_after_another),
        cmocka_unit_test(bytes_and_flops_by_hand),
        cmocka_unit_test(a_pass_costs_what_the_model_says),
        cmocka_unit_test(sequences_and_their_readers),
        cmocka_unit_test(costs_of_sequences_by_hand),
        cmocka_unit_test(a_workspace_past_counting_is_refused),
        cmocka_unit_test(a_recommender),
        cmocka_unit_test(branches_share_their_input_and_join),
        cmocka_unit_test(what_cannot_be_built_is_refused),
    };
    return cmocka_run_group_tests_name("graph", tests, NULL, NULL);
}
