#include "tests/model/graph/graph_player.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/draw.h"
#include "tests/test.h"

enum { WEIGHTS = 1000, LOSS, ERROR_OF, SECOND_ERROR_OF, STRIDE, GARBAGE, IMAGES };

/* What each layer of each patch (the last one: the whole) puts out, its error and its gradient. */
struct truth {
    const struct model *m;
    const struct split_net *split;
    int64_t patches;
    size_t nsplit;
    uint64_t *value, *error, *gradient; /* [layer * (patches + 1) + patch] */
    uint64_t joined, joined_error;
};

struct player {
    const struct graph *g;
    const struct storage_list *s;
    struct truth truth;
    uint64_t *memory; /* [storages] */
    uint64_t *seen;   /* [layer * (patches + 1) + patch] gradients that came out */
    char *why;
    size_t nwhy;
    bool wrong;
};

static uint64_t mix(uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
    uint64_t state = 17;
    const uint64_t parts[] = { a, b, c, d };

    for (size_t i = 0; i < COUNT(parts); i++) {
        state ^= parts[i];
        state = draw(&state);
    }
    return state;
}

static size_t at(const struct truth *t, int l, int64_t patch)
{
    return (size_t)l * (size_t)(t->patches + 1) + (size_t)(patch == NO_PATCH ? t->patches : patch);
}

static uint64_t images_of(const struct truth *t, int64_t patch)
{
    uint64_t images = mix(IMAGES, 0, 0, 0);

    (void)t;
    return patch == NO_PATCH ? images : mix(OPERATION_CUT, (uint64_t)patch, images, 0);
}

static uint64_t part_of_join(int64_t patch, uint64_t value)
{
    return mix(OPERATION_JOIN, (uint64_t)patch, value, 0);
}

static uint64_t part_of_unjoin(int64_t patch, uint64_t error)
{
    return mix(OPERATION_UNJOIN, (uint64_t)patch, error, 0);
}

static bool crosses(const struct truth *t, int from, int64_t patch)
{
    return patch == NO_PATCH && t->nsplit && from == (int)t->nsplit - 1;
}

static uint64_t input_value(const struct truth *t, int from, int64_t patch)
{
    if (from == LAYER_NO_LAYER)
        return images_of(t, patch);
    return crosses(t, from, patch) ? t->joined : t->value[at(t, from, patch)];
}

/* Tokens read no tensor at all. */
static uint64_t first_value(const struct truth *t, const struct layer *l, int64_t patch)
{
    return l->kind == LAYER_TOKENS ? 0 : input_value(t, l->input, patch);
}

static uint64_t second_value(const struct truth *t, const struct layer *l, int64_t patch)
{
    return layer_has_second(l) ? input_value(t, l->second, patch) : 0;
}

static void give_error(struct truth *t, int from, int64_t patch, uint64_t error)
{
    if (from == LAYER_NO_LAYER)
        return;
    *(crosses(t, from, patch) ? &t->joined_error : &t->error[at(t, from, patch)]) += error;
}

static uint64_t forward_value(int l, int64_t patch, uint64_t x, uint64_t x2)
{
    return mix((uint64_t)l, (uint64_t)(patch + 1), x, x2);
}

/* The error that a layer gives its input; which of its values it computes that from does not matter here. */
static uint64_t error_value(int l, int64_t patch, uint64_t x, uint64_t error)
{
    return mix(ERROR_OF, (uint64_t)l, (uint64_t)(patch + 1), mix(x, error, 0, 0));
}

/* ... and its second one: what joins channels, or gives keys and values. */
static uint64_t second_error_value(int l, int64_t patch, uint64_t x2, uint64_t error)
{
    return mix(SECOND_ERROR_OF, (uint64_t)l, (uint64_t)(patch + 1), mix(x2, error, 0, 0));
}

static uint64_t gradient_value(int l, int64_t patch, uint64_t x, uint64_t error)
{
    return mix(WEIGHTS, (uint64_t)l, (uint64_t)(patch + 1), mix(x, error, 0, 0));
}

static uint64_t strided_value(int l, int64_t patch, uint64_t error)
{
    return mix(STRIDE, (uint64_t)l, (uint64_t)(patch + 1), error);
}

/* A sum's second input gets the error as it is only if all of it was added everywhere. */
static bool passes_whole(const struct layer *l, struct shape second)
{
    return l->stride <= 1 && second.channels == l->out.channels && second.height == l->out.height &&
           second.width == l->out.width;
}

static struct shape output_shape(const struct model *m, int l)
{
    return l == LAYER_NO_LAYER ? m->input : m->layers[l].out;
}

static void learn_forward(struct truth *t, int l, int64_t patch)
{
    const struct layer *layer = &t->m->layers[l];

    t->value[at(t, l, patch)] = forward_value(l, patch, first_value(t, layer, patch), second_value(t, layer, patch));
    if (patch != NO_PATCH && l == (int)t->nsplit - 1)
        t->joined += part_of_join(patch, t->value[at(t, l, patch)]);
}

static void learn_backward(struct truth *t, int l, int64_t patch)
{
    const struct layer *layer = &t->m->layers[l];
    uint64_t error = t->error[at(t, l, patch)];
    uint64_t x = first_value(t, layer, patch), x2 = second_value(t, layer, patch);

    t->gradient[at(t, l, patch)] = gradient_value(l, patch, x, error);
    if (layer->kind != LAYER_ADD) {
        if (layer->kind != LAYER_TOKENS)
            give_error(t, layer->input, patch, error_value(l, patch, x, error));
        if (layer_has_second(layer))
            give_error(t, layer->second, patch, second_error_value(l, patch, x2, error));
        return;
    }
    give_error(t, layer->input, patch, error);
    bool whole = passes_whole(layer, output_shape(t->m, layer->second));
    give_error(t, layer->second, patch, whole ? error : strided_value(l, patch, error));
}

static void learn(struct truth *t)
{
    int n = (int)t->m->nlayers, nsplit = (int)t->nsplit;
    enum layer_kind end = t->m->layers[n - 1].kind;
    bool known = (end == LAYER_SOFTMAX || end == LAYER_SIGMOID) && nsplit < n;

    for (int64_t p = 0; nsplit && p < t->patches; p++)
        for (int l = 0; l < nsplit; l++)
            learn_forward(t, l, p);
    for (int l = nsplit; l < n; l++)
        learn_forward(t, l, NO_PATCH);
    if (nsplit == n)
        t->joined_error = LOSS;
    else
        t->error[at(t, n - 1, NO_PATCH)] = known ? 0 : LOSS;
    for (int l = nsplit; l < n; l++)
        t->error[at(t, l, NO_PATCH)] += t->m->layers[l].ends_side ? LOSS : 0;
    for (int l = n; l-- > nsplit;)
        learn_backward(t, l, NO_PATCH);
    for (int64_t p = 0; nsplit && p < t->patches; p++) {
        t->error[at(t, nsplit - 1, p)] += part_of_unjoin(p, t->joined_error);
        for (int l = nsplit; l-- > 0;)
            learn_backward(t, l, p);
    }
}

static void complain(struct player *r, int32_t operation, const char *what)
{
    char name[96];

    if (r->wrong)
        return;
    r->wrong = 1;
    graph_operation_name(r->g, r->truth.split, operation, name, sizeof(name));
    snprintf(r->why, r->nwhy, "operation %d (%s): %s", operation, name, what);
}

static uint64_t *held(struct player *r, int32_t tensor)
{
    return &r->memory[r->g->tensors[tensor].storage];
}

static void expect(struct player *r, int32_t i, int32_t tensor, uint64_t value, const char *what)
{
    if (tensor == NO_TENSOR)
        complain(r, i, what);
    else if (*held(r, tensor) != value)
        complain(r, i, what);
}

static bool element_wise(const struct player *r, const struct operation *o)
{
    enum layer_kind kind = o->kind == OPERATION_LAYER ? r->g->model->layers[o->layer].kind : LAYER_BLOCK;

    return o->kind == OPERATION_SUM || kind == LAYER_RELU || kind == LAYER_DROPOUT;
}

/* Only what works value by value may write where it reads, and only over its first input. */
static void check_places(struct player *r, int32_t i)
{
    const struct operation *o = &r->g->operations[i];
    int32_t reads[OPERATION_PLACES], writes[OPERATION_PLACES];
    int nreads = operation_reads(o, reads), nwrites = operation_writes(o, writes);
    bool sum_back = o->backward && o->kind == OPERATION_LAYER && r->g->model->layers[o->layer].kind == LAYER_ADD;

    for (int a = 0; a < nwrites; a++)
        for (int b = 0; b < nreads; b++) {
            int32_t s = r->g->tensors[writes[a]].storage;
            if (r->g->tensors[reads[b]].storage != s)
                continue;
            int32_t over = o->backward && o->kind == OPERATION_LAYER ? o->dy : o->x;
            if (!sum_back && (!element_wise(r, o) || r->g->tensors[over].storage != s))
                complain(r, i, "writes over what it reads");
            if (r->g->tensors[reads[b]].bytes != r->g->tensors[writes[a]].bytes)
                complain(r, i, "writes over a tensor of another size");
        }
}

/* A forward value of the ReLU, or of dropouts that alone stand behind it. */
static bool tells_relu(struct player *r, int l, int64_t patch, uint64_t value)
{
    const struct truth *t = &r->truth;

    if (value == t->value[at(t, l, patch)])
        return true;
    for (int next = l + 1; next < (int)t->m->nlayers; next++)
        if (t->m->layers[next].kind == LAYER_DROPOUT && t->m->layers[next].input == l &&
            (patch == NO_PATCH) == (next >= (int)t->nsplit))
            return tells_relu(r, next, patch, value);
    return false;
}

static void layer_forward(struct player *r, int32_t i)
{
    const struct operation *o = &r->g->operations[i];
    const struct layer *l = &r->g->model->layers[o->layer];

    if (layer_has_second(l) != (o->x2 != NO_TENSOR))
        complain(r, i, "a second input");
    if ((l->kind != LAYER_TOKENS) != (o->x != NO_TENSOR))
        complain(r, i, "an input");
    *held(r, o->y) = forward_value(o->layer, o->patch, o->x == NO_TENSOR ? 0 : *held(r, o->x),
                                   o->x2 == NO_TENSOR ? 0 : *held(r, o->x2));
}

/* What layers compute their errors and gradients from, of their inputs. */
static bool multiplies(enum layer_kind kind)
{
    switch (kind) {
    case LAYER_CONV:
    case LAYER_FC:
    case LAYER_CLASSIFIER:
    case LAYER_BATCHNORM:
    case LAYER_INTERACTION:
    case LAYER_LINEAR:
    case LAYER_LAYERNORM:
    case LAYER_RMSNORM:
    case LAYER_GELU:
    case LAYER_SILU:
    case LAYER_PRODUCT:
    case LAYER_ATTENTION: return true;
    default: return false;
    }
}

static void check_needs(struct player *r, int32_t i, uint64_t x, uint64_t x2, uint64_t y)
{
    const struct operation *o = &r->g->operations[i];
    const struct layer *l = &r->g->model->layers[o->layer];
    enum layer_kind kind = l->kind;
    bool cudnn = r->g->generated == GENERATED_CUDNN;
    bool pool = kind == LAYER_MAXPOOL || (cudnn && kind == LAYER_AVGPOOL);
    bool gate = kind == LAYER_RELU || kind == LAYER_SIGMOID;
    bool loss = kind == LAYER_SIGMOID && o->dy == NO_TENSOR;

    if ((kind == LAYER_ATTENTION || kind == LAYER_PRODUCT) && layer_has_second(l))
        expect(r, i, o->x2, x2, "its x2");
    else if (o->x2 != NO_TENSOR)
        complain(r, i, "an x2 that it does not need");
    if (multiplies(kind) || pool || (gate && cudnn && !loss))
        expect(r, i, o->x, x, "its x");
    else if (o->x != NO_TENSOR)
        complain(r, i, "an x that it does not need");
    if (kind == LAYER_RELU) {
        if (o->y == NO_TENSOR || !tells_relu(r, o->layer, o->patch, *held(r, o->y)))
            complain(r, i, "its y");
    } else if (gate || kind == LAYER_SOFTMAX || kind == LAYER_TANH || (pool && cudnn))
        expect(r, i, o->y, y, "its y");
    else if (o->y != NO_TENSOR)
        complain(r, i, "a y that it does not need");
}

static void layer_backward(struct player *r, int32_t i)
{
    const struct operation *o = &r->g->operations[i];
    const struct truth *t = &r->truth;
    const struct layer *l = &t->m->layers[o->layer];
    uint64_t x = first_value(t, l, o->patch), x2 = second_value(t, l, o->patch);
    uint64_t y = t->value[at(t, o->layer, o->patch)];
    uint64_t error = o->dy == NO_TENSOR ? 0 : *held(r, o->dy);

    check_needs(r, i, x, x2, y);
    r->seen[at(t, o->layer, o->patch)] = gradient_value(o->layer, o->patch, x, error);
    if (l->kind != LAYER_ADD) {
        if (o->dx != NO_TENSOR)
            *held(r, o->dx) = error_value(o->layer, o->patch, x, error);
        if (o->dx2 != NO_TENSOR)
            *held(r, o->dx2) = second_error_value(o->layer, o->patch, x2, error);
        return;
    }
    bool whole = passes_whole(l, output_shape(t->m, l->second));
    if (o->dx != NO_TENSOR)
        *held(r, o->dx) = error;
    if (o->dx2 != NO_TENSOR)
        *held(r, o->dx2) = whole ? error : strided_value(o->layer, o->patch, error);
}

static void operate(struct player *r, int32_t i)
{
    const struct operation *o = &r->g->operations[i];

    switch (o->kind) {
    case OPERATION_LAYER: (o->backward ? layer_backward : layer_forward)(r, i); break;
    case OPERATION_CUT: *held(r, o->y) = mix(OPERATION_CUT, (uint64_t)o->patch, *held(r, o->x), 0); break;
    case OPERATION_JOIN:
        if (r->g->tensors[o->y].producer == i)
            *held(r, o->y) = 0;
        *held(r, o->y) += part_of_join(o->patch, *held(r, o->x));
        break;
    case OPERATION_UNJOIN: *held(r, o->dx) = part_of_unjoin(o->patch, *held(r, o->dy)); break;
    case OPERATION_SUM: *held(r, o->y) = *held(r, o->x) + *held(r, o->x2); break;
    case OPERATION_RECOMPUTE: {
        int last = r->g->tensors[o->y].layer;
        uint64_t y = forward_value(o->layer, o->patch, *held(r, o->x), 0);
        *held(r, o->y) = last == o->layer ? y : forward_value(last, o->patch, y, 0);
        break;
    }
    }
}

static void step(struct player *r, int32_t i, size_t *born)
{
    const struct operation *o = &r->g->operations[i];
    int32_t touched[2 * OPERATION_PLACES];
    int n = operation_reads(o, touched);

    n += operation_writes(o, touched + n);
    for (; *born < r->s->n && r->s->items[*born].first <= i; ++*born)
        if (r->g->tensors[r->s->items[*born].tensor].producer != NO_OPERATION)
            r->memory[*born] = mix(GARBAGE, (uint64_t)*born, 1, 0);
    if (o->dy != NO_TENSOR && r->g->tensors[o->dy].producer == i)
        *held(r, o->dy) = LOSS;
    for (int k = 0; k < n; k++)
        if (r->s->items[r->g->tensors[touched[k]].storage].first > i)
            complain(r, i, "touches a storage before its first operation");
    check_places(r, i);
    operate(r, i);
    for (int k = 0; k < n; k++)
        if (r->s->items[r->g->tensors[touched[k]].storage].last <= i)
            *held(r, touched[k]) = mix(GARBAGE, (uint64_t)touched[k], 2, 0);
}

/* A layer has gradients, and an operation to compute them, if it has weights. */
static void check_gradients(struct player *r)
{
    const struct truth *t = &r->truth;

    for (int l = 0; l < (int)t->m->nlayers; l++)
        for (int64_t p = 0; p <= t->patches; p++) {
            bool there = l < (int)t->nsplit ? p < t->patches : p == t->patches;
            size_t k = (size_t)l * (size_t)(t->patches + 1) + (size_t)p;
            const struct layer *layer = &t->m->layers[l];
            bool weighs = layer->weights + layer->biases + layer->table_values > 0;
            if (there && weighs && r->seen[k] != t->gradient[k] && !r->wrong) {
                r->wrong = 1;
                snprintf(r->why, r->nwhy, "gradient of %s, patch %d", t->m->layers[l].name, (int)p);
            }
        }
}

bool player_run(const struct graph *g, const struct split_net *split, const struct storage_list *s, char *why,
                size_t nwhy)
{
    size_t patches = split->nlayers ? (size_t)(split->rows * split->columns) : 0, n = g->model->nlayers * (patches + 1);
    struct player r = { .g = g, .s = s, .why = why, .nwhy = nwhy };
    size_t born = 0;

    r.truth = (struct truth){ .m = g->model, .split = split, .patches = (int64_t)patches, .nsplit = split->nlayers };
    r.truth.value = calloc(n, sizeof(uint64_t));
    r.truth.error = calloc(n, sizeof(uint64_t));
    r.truth.gradient = calloc(n, sizeof(uint64_t));
    r.seen = calloc(n, sizeof(uint64_t));
    r.memory = calloc(s->n, sizeof(uint64_t));
    learn(&r.truth);
    *held(&r, 0) = images_of(&r.truth, NO_PATCH);
    for (int32_t i = 0; i < (int32_t)g->noperations && !r.wrong; i++)
        step(&r, i, &born);
    if (!r.wrong)
        check_gradients(&r);
    free(r.truth.value);
    free(r.truth.error);
    free(r.truth.gradient);
    free(r.seen);
    free(r.memory);
    return !r.wrong;
}
