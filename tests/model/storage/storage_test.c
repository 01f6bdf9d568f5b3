/* Storage objects of small networks by hand, and those of the papers. */
#include "tests/model/storage/storage_rig.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/status.h"
#include "model/storage/storage.h"
#include "tests/draw.h"
#include "tests/model/graph/graph_nets.h"
#include "tests/model/graph/graph_player.h"
#include "tests/test.h"

static bool together(const struct built *b, int32_t one, int32_t other)
{
    return b->g.tensors[one].storage == b->g.tensors[other].storage;
}

static const struct storage *storage_of(const struct built *b, int32_t tensor)
{
    return &b->s.items[b->g.tensors[tensor].storage];
}

/* What Algorithm 1 keeps besides what is stored: norms' outputs that a sum reads, and what a softmax does. */
static int64_t inputs_bytes(const struct model *m)
{
    int64_t values = 0;

    for (size_t l = 0; l < m->nlayers; l++) {
        const int readings[] = { m->layers[l].input, m->layers[l].second };
        for (int k = 0; k < 2; k++) {
            enum layer_kind kind = m->layers[l].kind;
            const struct layer *from = readings[k] < 0 ? NULL : &m->layers[readings[k]];
            if (from && ((kind == LAYER_ADD && from->kind == LAYER_BATCHNORM) || kind == LAYER_SOFTMAX))
                values += from->activations;
        }
    }
    return 4 * values;
}

/* GB at batch 64 of an independent count, without VGG's two dropouts and without a softmax. */
static void generated_data_of_the_papers_networks(void **state)
{
    enum { DROPOUTS = 2 * 4096 * 4, SOFTMAX = 1000 * 4 };
    static const struct {
        int64_t depth; /* 0: VGG-19 */
        double gb[GENERATED_KINDS];
    } cases[] = {
        { 0, { 4.196, 4.196, 8.000, 8.000 } },
        { 18, { 1.278, 1.516, 1.869, 2.107 } },
        { 50, { 5.357, 7.155, 7.817, 9.615 } },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct built b = { .m = cases[i].depth ? nets_resnet(cases[i].depth) : nets_vgg_19() };
        for (int k = 0; k < GENERATED_KINDS; k++) {
            enum generated generated = (enum generated)k;
            int64_t want = kept_bytes(&b.m, generated == GENERATED_ALGORITHM ? GENERATED_STORED : generated);
            int64_t others = SOFTMAX;
            if (!cases[i].depth && k >= GENERATED_CUDNN)
                others += DROPOUTS;
            if (k == GENERATED_ALGORITHM)
                want += inputs_bytes(&b.m);
            if (k == GENERATED_ALGORITHM || k == GENERATED_OUTPUTS)
                others += SOFTMAX; /* its input */
            assign(&b, &unsplit, 64, &(struct graph_options){ .generated = generated }, &sharing);
            double gb = (double)(b.s.generated_bytes - 64 * others) / 1e9;
            if (b.s.generated_bytes != 64 * want || gb < cases[i].gb[k] - 0.00051 || gb > cases[i].gb[k] + 0.00051)
                fail_msg("network %d, %s: %lld bytes per image, want %lld; %.4f GB", (int)i, generated_name(generated),
                         (long long)(b.s.generated_bytes / 64), (long long)want, gb);
            release(&b);
        }
        model_free(&b.m);
    }
}

static void a_residual_block_shares_what_it_may(void **state)
{
    struct built b = infer(residual, COUNT(residual));

    (void)state;
    assign(&b, &unsplit, 2, &(struct graph_options){ .generated = GENERATED_STORED }, &sharing);
    const struct operation *add = named(&b, "add1"), *relu = named(&b, "block1.relu");
    const struct operation *back = named(&b, "add1 backward"), *relu_back = named(&b, "block1.relu backward");
    const struct operation *sum = named(&b, "sum conv1");
    assert_true(together(&b, relu->x, relu->y));
    assert_true(together(&b, named(&b, "block1.relu1")->x, named(&b, "block1.relu1")->y));
    assert_false(together(&b, add->x, add->y));
    assert_true(together(&b, relu_back->dx, relu_back->dy)); /* over the average pool's error */
    assert_true(together(&b, back->dx, back->dy));
    assert_true(together(&b, back->dx2, back->dy));
    assert_true(together(&b, sum->y, back->dx2)); /* no one else still reads it */
    assert_true(back->bytes == 0);
    /* Four tensors before and after the sum of values, two of them in it and its ReLU, and the sum of errors. */
    assert_int_equal(storage_of(&b, back->dy)->references, 5);
    /* The stem's output is read by the first convolution and the sum, then by the first convolution's backward
       operation. */
    const struct storage *stem = storage_of(&b, 1);
    assert_int_equal(stem->first, 0);
    assert_int_equal(stem->last_write, 0);
    assert_int_equal(stem->last_forward, find(&b, "add1"));
    assert_int_equal(stem->first_backward, find(&b, "block1.conv1 backward"));
    assert_int_equal(stem->last, find(&b, "block1.conv1 backward"));
    assert_true(stem->generated);
    const struct storage *joined = storage_of(&b, add->y);
    assert_int_equal(joined->first, find(&b, "add1"));
    assert_int_equal(joined->last_write, find(&b, "block1.relu"));
    assert_int_equal(joined->last_forward, find(&b, "avgpool1"));
    assert_int_equal(joined->first_backward, find(&b, "block1.relu backward"));
    const struct storage *norm = storage_of(&b, add->x);
    assert_int_equal(norm->first_backward, NO_OPERATION);
    assert_int_equal(norm->last, find(&b, "add1"));
    assert_false(norm->generated);
    assert_false(b.s.items[0].generated); /* the images */
    assert_int_equal(b.s.items[0].last, find(&b, "conv1 backward"));
    const struct storage *error = storage_of(&b, back->dy);
    assert_int_equal(error->last_forward, NO_OPERATION);
    assert_int_equal(error->last_write, NO_OPERATION);
    release(&b);

    assign(&b, &unsplit, 2, &(struct graph_options){ .generated = GENERATED_ALGORITHM }, &sharing);
    norm = storage_of(&b, named(&b, "add1")->x);
    assert_true(norm->generated);
    assert_int_equal(norm->first_backward, find(&b, "add1 backward"));
    assert_int_equal(norm->last, find(&b, "add1 backward"));
    release(&b);

    assign(&b, &unsplit, 2, &(struct graph_options){ .generated = GENERATED_OUTPUTS }, &sharing);
    relu = named(&b, "block1.relu");
    assert_false(together(&b, relu->x, relu->y));
    assert_int_equal(storage_of(&b, relu->x)->last, find(&b, "add1 backward"));
    norm = storage_of(&b, named(&b, "add1")->x);
    assert_int_equal(norm->last, find(&b, "block1.norm2 backward"));
    assert_int_equal(norm->first_backward, find(&b, "block1.norm2 backward"));
    release(&b);

    assign(&b, &unsplit, 2, &(struct graph_options){ .generated = GENERATED_STORED },
           &(struct storage_options){ .in_place = 0 });
    assert_int_equal(b.s.n, b.g.ntensors);
    for (size_t i = 0; i < b.s.n; i++)
        assert_int_equal(b.s.items[i].references, 1);
    assert_true(named(&b, "add1 backward")->bytes == 3.0 * 2 * 4 * 4 * 64);
    release(&b);
    model_free(&b.m);
}

/* The shortcut's error shares that of the sum, whose ReLU's error... must not be computed over it while the shortcut
 * waits. */
static void a_shared_error_is_not_overwritten(void **state)
{
    struct layer_spec path[] = { { .kind = LAYER_CONV, .name = "conv", .channels = 4, .kernel = 1 },
                                 { .kind = LAYER_RELU, .name = "last" } };
    struct layer_spec list[] = {
        { .kind = LAYER_CONV, .channels = 4, .kernel = 1 },
        { .kind = LAYER_BLOCK, .repeat = 1, .shortcut = SHORTCUT_IDENTITY, .layers = path, .nlayers = 2 },
        { .kind = LAYER_CLASSIFIER },
        { .kind = LAYER_SOFTMAX },
    };
    struct built b = infer(list, COUNT(list));

    (void)state;
    assign(&b, &unsplit, 1, &(struct graph_options){ .generated = GENERATED_STORED }, &sharing);
    const struct operation *last = named(&b, "block1.last backward");
    assert_false(together(&b, last->dy, last->dx));
    release(&b);
    assign(&b, &unsplit, 1, &(struct graph_options){ .generated = GENERATED_STORED },
           &(struct storage_options){ .in_place = 1 });
    last = named(&b, "block1.last backward");
    assert_true(together(&b, last->dy, last->dx)); /* a copy of its own */
    release(&b);
    model_free(&b.m);
}

/* A ReLU over what a shortcut reads later, over the images, and over what is needed backward. */
static void values_that_are_needed_are_not_overwritten(void **state)
{
    struct layer_spec path[] = { { .kind = LAYER_RELU, .name = "first" },
                                 { .kind = LAYER_CONV, .name = "conv", .channels = 4, .kernel = 1 } };
    struct layer_spec list[] = {
        { .kind = LAYER_RELU },
        { .kind = LAYER_CONV, .channels = 4, .kernel = 1 },
        { .kind = LAYER_BLOCK, .repeat = 1, .shortcut = SHORTCUT_IDENTITY, .layers = path, .nlayers = 2 },
        { .kind = LAYER_SIGMOID },
        { .kind = LAYER_RELU },
        { .kind = LAYER_DROPOUT },
        { .kind = LAYER_DROPOUT },
        { .kind = LAYER_CLASSIFIER },
        { .kind = LAYER_SOFTMAX },
    };
    static const struct {
        const char *name;
        bool in_place[GENERATED_KINDS];
    } cases[] = {
        { "relu1", { 0, 0, 0, 0 } },          /* the images */
        { "block1.first", { 0, 0, 0, 0 } },   /* the shortcut */
        { "relu3", { 0, 0, 0, 0 } },          /* the sigmoid's y */
        { "dropout1", { 1, 1, 0, 0 } },       /* over the ReLU's y, which it tells as well */
        { "dropout2", { 1, 1, 1, 0 } },       /* nothing needs a dropout's y */
        { "relu3 backward", { 1, 1, 1, 1 } }, /* errors: always */
        { "dropout1 backward", { 1, 1, 1, 1 } },
    };
    struct built b = infer(list, COUNT(list));

    (void)state;
    for (int k = 0; k < GENERATED_KINDS; k++) {
        assign(&b, &unsplit, 1, &(struct graph_options){ .generated = (enum generated)k }, &sharing);
        for (size_t i = 0; i < COUNT(cases); i++) {
            const struct operation *o = named(&b, cases[i].name);
            bool same = o->backward ? together(&b, o->dy, o->dx) : together(&b, o->x, o->y);
            if (same != cases[i].in_place[k])
                fail_msg("%s, %s", cases[i].name, generated_name((enum generated)k));
        }
        release(&b);
    }
    model_free(&b.m);
}

/* A strided shortcut gets an error of its own; the path's is still that of the sum. */
static void a_strided_shortcut_does_not_share(void **state)
{
    struct layer_spec path[] = { { .kind = LAYER_CONV, .name = "conv", .channels = 16, .kernel = 3, .pad = 1 } };
    struct layer_spec list[] = {
        { .kind = LAYER_CONV, .channels = 4, .kernel = 1 },
        { .kind = LAYER_BLOCK,
          .repeat = 1,
          .downsample = 2,
          .shortcut = SHORTCUT_IDENTITY,
          .layers = path,
          .nlayers = 1 },
        { .kind = LAYER_CLASSIFIER },
        { .kind = LAYER_SOFTMAX },
    };
    struct built b = infer(list, COUNT(list)); /* 4x8x8 and 16x4x4: as many bytes */

    (void)state;
    assign(&b, &unsplit, 1, &(struct graph_options){ .generated = GENERATED_STORED }, &sharing);
    const struct operation *back = named(&b, "add1 backward");
    assert_true(together(&b, back->dx, back->dy));
    assert_false(together(&b, back->dx2, back->dy));
    assert_true(back->bytes == 4.0 * 256 + 4.0 * 4 * 16); /* all of dx2 written, its channels of dy read */
    assert_true(named(&b, "add1")->bytes == 2 * 4.0 * 256 + 4.0 * 4 * 16);
    release(&b);
    assign(&b, &unsplit, 1, &(struct graph_options){ .generated = GENERATED_STORED },
           &(struct storage_options){ .in_place = 1 });
    back = named(&b, "add1 backward");
    assert_false(together(&b, back->dx, back->dy));
    assert_true(back->bytes == 3 * 4.0 * 256);
    release(&b);
    model_free(&b.m);
}

static void what_is_computed_again_is_not_kept(void **state)
{
    struct built b = infer(residual, COUNT(residual));

    (void)state;
    for (int k = GENERATED_STORED; k <= GENERATED_ALGORITHM; k++)
        for (int in_place = 0; in_place < 2; in_place++) {
            assign(&b, &unsplit, 2, &(struct graph_options){ .generated = (enum generated)k, .recompute_norm = 1 },
                   &(struct storage_options){ .in_place = in_place, .share_sums = 1 });
            const struct operation *relu = named(&b, "block1.relu1");
            const struct operation *again = named(&b, "recompute block1.norm1");
            assert_int_equal(storage_of(&b, relu->y)->last, find(&b, "block1.conv2"));
            assert_int_equal(storage_of(&b, relu->x)->last, find(&b, in_place ? "block1.conv2" : "block1.relu1"));
            assert_false(storage_of(&b, relu->y)->generated);
            assert_false(storage_of(&b, again->y)->generated);
            assert_int_equal(storage_of(&b, again->y)->first, find(&b, "recompute block1.norm1"));
            assert_int_equal(storage_of(&b, again->y)->last, find(&b, "block1.relu1 backward"));
            release(&b);
        }
    model_free(&b.m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(generated_data_of_the_papers_networks),
        cmocka_unit_test(a_residual_block_shares_what_it_may),
        cmocka_unit_test(a_shared_error_is_not_overwritten),
        cmocka_unit_test(values_that_are_needed_are_not_overwritten),
        cmocka_unit_test(a_strided_shortcut_does_not_share),
        cmocka_unit_test(what_is_computed_again_is_not_kept),
    };

    return cmocka_run_group_tests_name("storage", tests, NULL, NULL);
}
