#include "model/storage/storage.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "model/numbers.h"
#include "model/status.h"

/* Operations are visited in order. Of each TSO, 'needed' is the last operation so far known to use one of its tensors;
 * what that operation writes may take the TSO over. */
struct assignment {
    struct graph *g;
    const struct storage_options *options;
    struct storage *items;
    size_t n;
    int32_t *last_use; /* [tensors] last operation that reads or writes it, or until which the definition keeps it */
    int32_t *needed;   /* [storages] last use of its tensors */
};

static void use(struct assignment *a, int32_t tensor, int32_t operation)
{
    if (a->last_use[tensor] < operation)
        a->last_use[tensor] = operation;
}

/* Last uses of the tensors; OUTPUTS keeps each until its layer's own backward operation. */
static void note_uses(struct assignment *a)
{
    const struct graph *g = a->g;
    int32_t tensors[OPERATION_PLACES];

    for (size_t i = 0; i < g->noperations; i++) {
        const struct operation *o = &g->operations[i];
        for (int k = 0, n = operation_reads(o, tensors); k < n; k++)
            use(a, tensors[k], (int32_t)i);
        for (int k = 0, n = operation_writes(o, tensors); k < n; k++)
            use(a, tensors[k], (int32_t)i);
        if (g->generated == GENERATED_OUTPUTS && !o->backward && o->kind == OPERATION_LAYER)
            use(a, o->y, o->twin);
    }
}

static void put(struct assignment *a, int32_t tensor, int32_t storage)
{
    a->g->tensors[tensor].storage = storage;
    a->items[storage].references++;
    if (a->needed[storage] < a->last_use[tensor])
        a->needed[storage] = a->last_use[tensor];
}

static void put_alone(struct assignment *a, int32_t tensor, int32_t operation)
{
    int32_t storage = (int32_t)a->n++;

    a->items[storage] = (struct storage){ .bytes = a->g->tensors[tensor].bytes,
                                          .tensor = tensor,
                                          .first = operation,
                                          .last_write = NO_OPERATION,
                                          .last_forward = NO_OPERATION,
                                          .first_backward = NO_OPERATION };
    put(a, tensor, storage);
}

/* May this operation write over what it reads? Nothing in that storage may be used later. */
static bool may_overwrite(const struct assignment *a, int32_t tensor, size_t operation)
{
    const struct tensor *t = &a->g->tensors[tensor];

    return a->options->in_place && t->role != TENSOR_INPUT && a->needed[t->storage] == (int32_t)operation;
}

static bool element_wise(const struct graph *g, const struct operation *o)
{
    enum layer_kind kind = o->kind == OPERATION_LAYER ? g->model->layers[o->layer].kind : LAYER_BLOCK;

    return o->kind == OPERATION_SUM || kind == LAYER_RELU || kind == LAYER_DROPOUT;
}

/* The tensor that this operation may overwrite: backward its error (of a sum the first), else its input; or
 * NO_TENSOR. */
static int32_t replaced(const struct assignment *a, size_t i)
{
    const struct operation *o = &a->g->operations[i];

    if (!element_wise(a->g, o))
        return NO_TENSOR;
    int32_t tensor = o->kind == OPERATION_LAYER && o->backward ? o->dy : o->x;
    return may_overwrite(a, tensor, i) ? tensor : NO_TENSOR;
}

static bool same_shape(const struct graph *g, int32_t a, int32_t b)
{
    const struct shape *s = &g->tensors[a].shape, *t = &g->tensors[b].shape;

    return s->channels == t->channels && s->height == t->height && s->width == t->width;
}

/* The errors of a sum's inputs equal that of its output: they share its TSO, or are copies. */
static void assign_sum_backward(struct assignment *a, int32_t i)
{
    struct operation *o = &a->g->operations[i];
    const struct layer *l = &a->g->model->layers[o->layer];
    const int32_t errors[] = { o->dx, o->dx2 };
    bool read = false;

    o->bytes = 0;
    for (int k = 0; k < 2; k++) {
        int32_t error = errors[k];
        if (error == NO_TENSOR)
            continue;
        bool same = same_shape(a->g, error, o->dy) && (k == 0 || l->stride <= 1);
        if (a->options->share_sums && same) {
            put(a, error, a->g->tensors[o->dy].storage);
            continue;
        }
        put_alone(a, error, i);
        const struct tensor *from = &a->g->tensors[o->dy], *to = &a->g->tensors[error];
        double channels = (double)min64(to->shape.channels, from->shape.channels);
        o->bytes += (double)to->bytes;
        if (!read)
            o->bytes += (double)from->bytes * (k ? channels / (double)from->shape.channels : 1);
        read = 1;
    }
}

/* Algorithm 1 keeps what an operation of a layer reads, unless it is overwritten or recomputed. */
static void keep_inputs(struct assignment *a, const struct operation *o)
{
    const int32_t inputs[] = { o->x, o->x2 };

    if (o->kind != OPERATION_LAYER || o->backward || a->g->tensors[o->y].again != NO_TENSOR)
        return;
    for (int k = 0; k < 2; k++) {
        const struct tensor *t = inputs[k] == NO_TENSOR ? NULL : &a->g->tensors[inputs[k]];
        if (!t || t->again != NO_TENSOR || t->storage == a->g->tensors[o->y].storage)
            continue;
        if (a->needed[t->storage] < o->twin)
            a->needed[t->storage] = o->twin;
    }
}

static void assign(struct assignment *a)
{
    struct graph *g = a->g;
    int32_t tensors[OPERATION_PLACES];

    for (size_t t = 0; t < g->ntensors; t++)
        g->tensors[t].storage = -1;
    put_alone(a, 0, 0); /* the input images */
    for (size_t i = 0; i < g->noperations; i++) {
        struct operation *o = &g->operations[i];
        if (o->dy != NO_TENSOR && g->tensors[o->dy].storage < 0)
            put_alone(a, o->dy, (int32_t)i); /* the loss's error, from outside */
        if (o->backward && o->kind == OPERATION_LAYER && g->model->layers[o->layer].kind == LAYER_ADD) {
            assign_sum_backward(a, (int32_t)i);
            continue;
        }
        int32_t over = replaced(a, i);
        for (int k = 0, n = operation_writes(o, tensors); k < n; k++) {
            if (g->tensors[tensors[k]].storage >= 0)
                continue; /* a joined tensor, from the second patch on */
            if (over != NO_TENSOR)
                put(a, tensors[k], g->tensors[over].storage);
            else
                put_alone(a, tensors[k], (int32_t)i);
        }
        if (g->generated == GENERATED_ALGORITHM)
            keep_inputs(a, o);
    }
}

/* The moments of each TSO, from its readers and writers and the definition that keeps it. */
static void note_moments(struct assignment *a)
{
    const struct graph *g = a->g;
    int32_t tensors[OPERATION_PLACES], nforward = (int32_t)g->nforward;

    for (int32_t i = 0; i < (int32_t)g->noperations; i++) {
        const struct operation *o = &g->operations[i];
        for (int k = 0, n = operation_reads(o, tensors); k < n; k++) {
            struct storage *s = &a->items[g->tensors[tensors[k]].storage];
            if (i < nforward)
                s->last_forward = i;
            else if (s->first_backward == NO_OPERATION)
                s->first_backward = i;
        }
        for (int k = 0, n = operation_writes(o, tensors); k < n; k++) {
            struct storage *s = &a->items[g->tensors[tensors[k]].storage];
            if (i < nforward)
                s->last_write = s->last_forward = i;
        }
    }
    for (size_t i = 0; i < a->n; i++) {
        struct storage *s = &a->items[i];
        s->last = a->needed[i];
        if (s->first_backward == NO_OPERATION && s->last >= nforward)
            s->first_backward = s->last;
    }
}

int storage_assign(struct graph *g, const struct storage_options *options, struct storage_list *out)
{
    size_t n = g->ntensors ? g->ntensors : 1;
    struct assignment a = { .g = g, .options = options };
    struct storage_list list = { 0 };

    a.items = calloc(n, sizeof(*a.items));
    a.last_use = calloc(n, sizeof(*a.last_use));
    a.needed = calloc(n, sizeof(*a.needed));
    int rc = a.items && a.last_use && a.needed ? E_OK : E_NOMEM;
    if (!rc) {
        note_uses(&a);
        assign(&a);
        note_moments(&a);
    }
    free(a.last_use);
    free(a.needed);
    if (rc) {
        free(a.items);
        return rc;
    }
    list.items = a.items;
    list.n = a.n;
    for (size_t i = 0; i < list.n; i++) {
        struct storage *s = &list.items[i];
        s->generated = s->first < (int32_t)g->nforward && s->first_backward != NO_OPERATION &&
                       g->tensors[s->tensor].role != TENSOR_INPUT;
        list.generated_bytes += s->generated ? s->bytes : 0;
    }
    *out = list;
    return E_OK;
}

void storage_free(struct storage_list *s)
{
    free(s->items);
    memset(s, 0, sizeof(*s));
}
