/* The training graph: order and needs of small networks by hand. */
#include "tests/model/graph/graph_rig.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "model/graph/graph.h"
#include "model/status.h"
#include "tests/draw.h"
#include "tests/model/graph/graph_nets.h"
#include "tests/test.h"

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
    };

    return cmocka_run_group_tests_name("graph", tests, NULL, NULL);
}
