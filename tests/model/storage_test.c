/* Storage: what shares, what is kept; the paper's networks; random ones run by the player. */

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/status.h"
#include "model/storage/storage.h"
#include "tests/draw.h"
#include "tests/model/graph_nets.h"
#include "tests/model/graph_player.h"
#include "tests/test.h"

static const struct split_net unsplit = { .rows = 1, .columns = 1 };
static const struct storage_options sharing = { .in_place = 1, .share_sums = 1 };

struct built {
    struct model m;
    struct graph g;
    struct storage_list s;
};

static void assign(struct built *b, const struct split_net *split, int64_t batch, const struct graph_options *options,
                   const struct storage_options *storage)
{
    char why[200] = "";

    if (graph_build(&b->m, split, batch, options, &b->g, why, sizeof(why)) != E_OK)
        fail_msg("%s", why);
    assert_int_equal(storage_assign(&b->g, storage, &b->s), E_OK);
}

static void release(struct built *b)
{
    storage_free(&b->s);
    graph_free(&b->g);
}

static struct built infer(struct layer_spec *list, size_t n)
{
    struct model_spec spec = {
        .name = "m", .channels = 4, .height = 8, .width = 8, .classes = 10, .layers = list, .nlayers = n
    };
    struct built b = { .s = { 0 } };
    char why[200] = "";

    if (model_infer(&spec, &b.m, why, sizeof(why)) != E_OK)
        fail_msg("%s", why);
    return b;
}

static int32_t find(const struct built *b, const char *name)
{
    char text[64];

    for (int32_t i = 0; i < (int32_t)b->g.noperations; i++) {
        graph_operation_name(&b->g, &unsplit, i, text, sizeof(text));
        if (!strcmp(text, name))
            return i;
    }
    fail_msg("no operation %s", name);
    return NO_OPERATION;
}

static const struct operation *named(const struct built *b, const char *name)
{
    return &b->g.operations[find(b, name)];
}

static bool together(const struct built *b, int32_t one, int32_t other)
{
    return b->g.tensors[one].storage == b->g.tensors[other].storage;
}

static const struct storage *storage_of(const struct built *b, int32_t tensor)
{
    return &b->s.items[b->g.tensors[tensor].storage];
}

/* What the definition keeps, from the model alone (not split, nothing computed again): every tensor that backward
 * reads, and what OUTPUTS adds. */
static int64_t kept_bytes(const struct model *m, enum generated generated)
{
    int n = (int)m->nlayers;
    bool *error = calloc(m->nlayers, sizeof(*error)), *kept = calloc(m->nlayers, sizeof(*kept));
    int64_t bytes = 0;

    for (int l = 0; l < n; l++) {
        const struct layer *k = &m->layers[l];
        bool cudnn = generated == GENERATED_CUDNN, x = false, y = 0;
        error[l] = k->weights + k->biases + k->table_values > 0 || (k->input >= 0 && error[k->input]) ||
                   (k->second >= 0 && error[k->second]);
        if (!error[l])
            continue;
        switch (k->kind) {
        case LAYER_CONV:
        case LAYER_FC:
        case LAYER_CLASSIFIER:
        case LAYER_BATCHNORM:
        case LAYER_INTERACTION:
        case LAYER_LINEAR:
        case LAYER_LAYERNORM:
        case LAYER_ATTENTION: x = 1; break;
        case LAYER_MAXPOOL: x = 1, y = cudnn; break;
        case LAYER_AVGPOOL: x = y = cudnn; break;
        case LAYER_RELU: x = cudnn, y = 1; break;
        case LAYER_SIGMOID: x = cudnn && l < n - 1, y = 1; break; /* at the end it begins with y */
        case LAYER_SOFTMAX: y = 1; break;
        default: break;
        }
        int last = l; /* a dropout behind a ReLU tells what it was */
        for (int d = l + 1; k->kind == LAYER_RELU && generated == GENERATED_STORED && d < n; d++) {
            int readers = 0;
            for (int r = 0; r < n; r++)
                readers += (m->layers[r].input == last) + (m->layers[r].second == last);
            if (m->layers[d].kind == LAYER_DROPOUT && m->layers[d].input == last && readers == 1)
                last = d;
        }
        if (x && k->input >= 0)
            kept[k->input] = 1;
        if (k->kind == LAYER_ATTENTION && k->second >= 0)
            kept[k->second] = 1;
        if (y || generated == GENERATED_OUTPUTS)
            kept[last] = 1;
    }
    for (int l = 0; l < n; l++)
        bytes += kept[l] ? 4 * m->layers[l].activations : 0;
    free(error);
    free(kept);
    return bytes;
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

static struct layer_spec block_path[] = {
    { .kind = LAYER_CONV, .name = "conv1", .channels = 4, .kernel = 1 },
    { .kind = LAYER_BATCHNORM, .name = "norm1" },
    { .kind = LAYER_RELU, .name = "relu1" },
    { .kind = LAYER_CONV, .name = "conv2", .channels = 4, .kernel = 1 },
    { .kind = LAYER_BATCHNORM, .name = "norm2" },
};
static struct layer_spec residual[] = {
    { .kind = LAYER_CONV, .channels = 4, .kernel = 1 },
    { .kind = LAYER_BLOCK,
      .repeat = 1,
      .shortcut = SHORTCUT_IDENTITY,
      .relu = 1,
      .layers = block_path,
      .nlayers = COUNT(block_path) },
    { .kind = LAYER_AVGPOOL },
    { .kind = LAYER_CLASSIFIER },
    { .kind = LAYER_SOFTMAX },
};

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

/* The moments by brute force, from the tensors alone. */
static void check_moments(const struct built *b)
{
    const struct graph *g = &b->g;
    struct storage *want = calloc(b->s.n, sizeof(*want));
    int64_t generated = 0;

    for (size_t i = 0; i < b->s.n; i++)
        want[i] = (struct storage){ .first = NO_OPERATION,
                                    .last_write = NO_OPERATION,
                                    .last_forward = NO_OPERATION,
                                    .first_backward = NO_OPERATION };
    want[0].first = 0; /* the images are there, even if tokens are all that is read */
    for (size_t t = 0; t < g->ntensors; t++) {
        assert_in_range(g->tensors[t].storage, 0, b->s.n - 1);
        assert_int_equal(b->s.items[g->tensors[t].storage].bytes, g->tensors[t].bytes);
        want[g->tensors[t].storage].references++;
    }
    for (int32_t i = 0; i < (int32_t)g->noperations; i++) {
        int32_t touched[2 * OPERATION_PLACES];
        int reads = operation_reads(&g->operations[i], touched);
        int all = reads + operation_writes(&g->operations[i], touched + reads);
        for (int k = 0; k < all; k++) {
            struct storage *w = &want[g->tensors[touched[k]].storage];
            w->first = w->first == NO_OPERATION ? i : w->first;
            w->last = i;
            w->last_write = k >= reads && i < (int32_t)g->nforward ? i : w->last_write;
            w->last_forward = i < (int32_t)g->nforward ? i : w->last_forward;
            if (k < reads && i >= (int32_t)g->nforward && w->first_backward == NO_OPERATION)
                w->first_backward = i;
        }
    }
    for (size_t i = 0; i < b->s.n; i++) {
        const struct storage *s = &b->s.items[i], *w = &want[i];
        assert_int_equal(s->first, w->first);
        assert_int_equal(s->last_write, w->last_write);
        assert_int_equal(s->last_forward, w->last_forward);
        assert_int_equal(s->references, w->references);
        assert_true(i == 0 || s->first >= b->s.items[i - 1].first);
        if (g->generated == GENERATED_STORED || g->generated == GENERATED_CUDNN)
            assert_int_equal(s->last, w->last);
        assert_true(s->last >= w->last);
        if (w->first_backward != NO_OPERATION)
            assert_int_equal(s->first_backward, w->first_backward);
        else
            assert_int_equal(s->first_backward, s->last >= (int32_t)g->nforward && s->last > w->last ? s->last : -1);
        assert_int_equal(s->generated, s->first < (int32_t)g->nforward && s->first_backward != NO_OPERATION &&
                                           g->tensors[s->tensor].role == TENSOR_ACTIVATION);
        generated += s->generated ? s->bytes : 0;
    }
    assert_true(generated == b->s.generated_bytes);
    free(want);
}

static bool same_storages(const struct storage_list *a, const struct storage_list *b)
{
    for (size_t i = 0; i < a->n && i < b->n; i++) {
        const struct storage *s = &a->items[i], *t = &b->items[i];
        if (s->tensor != t->tensor || s->first != t->first || s->last != t->last || s->references != t->references)
            return false;
    }
    return a->n == b->n && a->generated_bytes == b->generated_bytes;
}

/* Options may be tried one after another on one graph. */
static void assigning_again_forgets_what_was(void **state)
{
    struct built b = infer(residual, COUNT(residual));
    struct storage_list again;

    (void)state;
    assign(&b, &unsplit, 2, &(struct graph_options){ .generated = GENERATED_STORED }, &sharing);
    assert_int_equal(storage_assign(&b.g, &(struct storage_options){ .in_place = 1 }, &again), E_OK);
    assert_false(same_storages(&b.s, &again));
    assert_true(named(&b, "add1 backward")->bytes > 0);
    storage_free(&again);
    assert_int_equal(storage_assign(&b.g, &sharing, &again), E_OK);
    assert_true(same_storages(&b.s, &again));
    assert_true(named(&b, "add1 backward")->bytes == 0);
    storage_free(&again);
    release(&b);
    model_free(&b.m);
}

/* Cutting and joining keeps nothing. */
static void patches_generate_as_much_as_the_whole(void **state)
{
    struct model models[] = { nets_vgg_19(), nets_resnet(18) };
    struct split_spec spec = { .depth = 0.75, .rows = 2, .columns = 2 };
    char why[200];

    (void)state;
    for (size_t i = 0; i < COUNT(models); i++) {
        struct built whole = { .m = models[i] }, parts = { .m = models[i] };
        struct split_net split;
        assert_int_equal(split_net_make(&spec, &models[i], &split, why, sizeof(why)), E_OK);
        for (int k = 0; k < GENERATED_KINDS; k++) {
            struct graph_options options = { .generated = (enum generated)k };
            assign(&whole, &unsplit, 1, &options, &sharing);
            assign(&parts, &split, 1, &options, &sharing);
            assert_true(parts.s.generated_bytes == whole.s.generated_bytes);
            release(&whole);
            release(&parts);
        }
        split_net_free(&split);
        model_free(&models[i]);
    }
}

static int splits_tried, nets_tried, dropped_tried;

static void try_network(struct built *b, const struct split_net *split)
{
    for (int k = 0; k < GENERATED_KINDS * 8; k++) {
        struct graph_options options = { .generated = (enum generated)(k / 8), .recompute_norm = k % 8 / 4 };
        struct storage_options storage = { .in_place = k % 4 / 2, .share_sums = k % 2 };
        char why[200];
        if (options.recompute_norm && options.generated > GENERATED_ALGORITHM)
            continue;
        assign(b, split, 1, &options, &storage);
        if (!player_run(&b->g, split, &b->s, why, sizeof(why)))
            fail_msg("network %d, split %d, %s, recompute %d, in place %d, sharing %d: %s", nets_tried,
                     (int)split->nlayers, generated_name(options.generated), options.recompute_norm, storage.in_place,
                     storage.share_sums, why);
        check_moments(b);
        if (!split->nlayers && !options.recompute_norm && options.generated != GENERATED_ALGORITHM)
            assert_int_equal(b->s.generated_bytes, kept_bytes(&b->m, options.generated));
        for (size_t t = 0; t < b->g.ntensors; t++)
            dropped_tried += b->g.tensors[t].again != NO_TENSOR;
        release(b);
    }
}

static bool try_some_split(struct built *b, uint64_t *seed)
{
    struct split_spec spec = { .depth = (double)(1 + draw(seed) % 4) / 4,
                               .rows = 1 + (int64_t)(draw(seed) % 3),
                               .columns = 1 + (int64_t)(draw(seed) % 3) };
    struct split_net split;
    char why[200];
    bool tried;

    if (split_net_make(&spec, &b->m, &split, why, sizeof(why)) != E_OK)
        return false;
    tried = split.nlayers > 0;
    if (tried)
        try_network(b, &split);
    split_net_free(&split);
    return tried;
}

static int readers_of(const struct model *m, int l)
{
    int readers = 0;

    for (size_t r = 0; r < m->nlayers; r++)
        readers += (m->layers[r].input == l) + (m->layers[r].second == l);
    return readers;
}

/* Joined channels, and tensors that several attentions read. */
static void networks_of_other_kinds_compute_what_their_layers_say(void **state)
{
    uint64_t seed = 9;
    int tried[LAYER_ADD + 1] = { 0 }, memories = 0, splits = 0;

    (void)state;
    for (int round = 0; round < 600; round++) {
        struct built b = { .s = { 0 } };
        if (round < 2)
            b.m = nets_recommender(round);
        else if (!(round % 2 ? nets_random_branches : nets_random_sequences)(&seed, &b.m))
            continue;
        nets_tried = round;
        try_network(&b, &unsplit);
        splits += try_some_split(&b, &seed);
        for (size_t l = 0; l < b.m.nlayers; l++)
            tried[b.m.layers[l].kind]++;
        for (size_t l = 0; l < b.m.nlayers; l++)
            memories += b.m.layers[l].second >= 0 && b.m.layers[l].kind == LAYER_ATTENTION &&
                        readers_of(&b.m, b.m.layers[l].second) > 3;
        model_free(&b.m);
    }
    nets_tried = 0;
    assert_in_range(splits, 60, 1000);
    for (int kind = LAYER_TOKENS; kind <= LAYER_CONCAT; kind++)
        assert_in_range(tried[kind], 100, 100000);
    assert_in_range(memories, 50, 100000);
}

static void random_networks_compute_what_their_layers_say(void **state)
{
    uint64_t seed = 5;

    (void)state;
    while (nets_tried < 250) {
        struct built b = { .s = { 0 } };
        if (!nets_random(&seed, &b.m))
            continue;
        nets_tried++;
        try_network(&b, &unsplit);
        splits_tried += try_some_split(&b, &seed);
        model_free(&b.m);
    }
    assert_in_range(splits_tried, 60, 250);
    assert_in_range(dropped_tried, 500, 1000000);
}

static void the_papers_networks_compute_what_their_layers_say(void **state)
{
    struct model models[] = { nets_vgg_19(), nets_resnet(18), nets_resnet(50) };
    char why[200];

    (void)state;
    for (size_t i = 0; i < COUNT(models); i++) {
        struct built b = { .m = models[i] };
        struct split_net split;
        struct split_spec spec = { .depth = 0.75, .rows = 2, .columns = 2 };
        assert_int_equal(split_net_make(&spec, &b.m, &split, why, sizeof(why)), E_OK);
        try_network(&b, &unsplit);
        try_network(&b, &split);
        split_net_free(&split);
        model_free(&b.m);
    }
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
        cmocka_unit_test(assigning_again_forgets_what_was),
        cmocka_unit_test(patches_generate_as_much_as_the_whole),
        cmocka_unit_test(networks_of_other_kinds_compute_what_their_layers_say),
        cmocka_unit_test(random_networks_compute_what_their_layers_say),
        cmocka_unit_test(the_papers_networks_compute_what_their_layers_say),
    };
    return cmocka_run_group_tests_name("storage", tests, NULL, NULL);
}
