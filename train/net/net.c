#include "train/net/net.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/placement/placement.h"
#include "model/status.h"
#include "model/storage/lifetime.h"
#include "model/storage/storage.h"
#include "train/net/call.h"
#include "train/net/shapes.h"

enum { ALIGNMENT = 256 }; /* what the libraries of a GPU ask of memory */

/* What the operations lack of a kind that they have; NULL: nothing. */
static const char *untrained(const struct layer *l)
{
    if (l->shares != LAYER_NO_LAYER)
        return "weights of its own, for training";
    if (l->ends_side)
        return "no side, for training";
    if (l->kernel != l->kernel_width)
        return "a square window, for training";
    if (l->kind == LAYER_TOKENS && l->place == PLACE_NONE)
        return "place sinusoid, for training";
    if (l->past || l->relative)
        return "no past and no relative positions, for training";
    if (l->kind == LAYER_ATTENTION && (!l->biases || l->kv_heads != l->heads))
        return "biases and as many kv_heads as heads, for training";
    return NULL;
}

int net_check(const struct model *m, char *why, size_t nwhy)
{
    const struct layer *end = m->nlayers ? &m->layers[m->nlayers - 1] : NULL;

    for (size_t l = 0; l < m->nlayers; l++) {
        const struct layer *y = &m->layers[l];

        if (!call_computes(y->kind)) {
            snprintf(why, nwhy, "model.layers: layer %s (%s) has no operation to train it with", y->name,
                     layer_kind_name(y->kind));
            return E_INVAL;
        }
        if (untrained(y)) {
            snprintf(why, nwhy, "model.layers: layer %s: expected %s", y->name, untrained(y));
            return E_INVAL;
        }
        if (y->kind == LAYER_AVGPOOL && !y->kernel && y->in.height != y->in.width) {
            snprintf(why, nwhy, "model.layers: layer %s: expected a square plane, got %lld x %lld", y->name,
                     (long long)y->in.height, (long long)y->in.width);
            return E_INVAL;
        }
        if (y != end && y->kind == LAYER_SOFTMAX) {
            snprintf(why, nwhy, "model.layers: layer %s: expected a softmax at the end only", y->name);
            return E_INVAL;
        }
    }
    if (end && (end->kind == LAYER_SOFTMAX || (end->kind == LAYER_SIGMOID && end->activations == 1)))
        return E_OK;
    snprintf(why, nwhy,
             "model.layers: expected a softmax, or a sigmoid of one value, at the end, whose loss is known, got %s",
             end ? layer_kind_name(end->kind) : "no layer");
    return E_INVAL;
}

static int split_step(struct net *n, const struct split_spec *split, char *why, size_t nwhy)
{
    char reason[256] = "";
    int rc = split_net_make(split, n->model, &n->split, reason, sizeof(reason));

    if (rc == E_INVAL)
        snprintf(why, nwhy, "split.%s", reason);
    return rc;
}

/* Workspace as the backend wants it, where forward and both backward calls of a layer each take theirs in turn. */
static void ask_workspace(struct net *n, const struct ops_backend *backend, struct ops *handle)
{
    for (size_t i = 0; i < n->graph.noperations; i++) {
        struct operation *o = &n->graph.operations[i];
        enum layer_kind kind = o->kind == OPERATION_LAYER ? n->model->layers[o->layer].kind : LAYER_RELU;

        o->workspace_bytes = 0;
        if (kind == LAYER_CONV) {
            struct conv_shape s = shapes_window(&n->graph, &n->split, o);
            o->workspace_bytes = (int64_t)backend->conv_workspace(handle, &s);
        } else if (kind == LAYER_ATTENTION) {
            struct attention_shape s = shapes_attention(&n->graph, (size_t)o->layer);
            o->workspace_bytes = (int64_t)backend->attention_workspace(handle, &s);
        }
    }
}

/* A layer norm has statistics of each position of each sample, a batch norm of each channel and patch. */
static int64_t statistics_of(const struct net *n, size_t layer)
{
    const struct layer *l = &n->model->layers[layer];

    if (l->kind == LAYER_BATCHNORM)
        return 2 * net_patches(n, layer) * l->in.channels;
    return l->kind == LAYER_LAYERNORM ? 2 * n->batch * l->in.channels : 0;
}

/* Places in the arrays outside the pool, layer by layer. */
static int place_arrays(struct net *n)
{
    size_t layers = n->model->nlayers;
    int64_t ids = 0, errors = 0;

    n->statistics_at = calloc(layers + 1, sizeof(*n->statistics_at));
    n->ids_at = calloc(layers + 1, sizeof(*n->ids_at));
    n->row_errors_at = calloc(layers + 1, sizeof(*n->row_errors_at));
    if (!n->statistics_at || !n->ids_at || !n->row_errors_at)
        return E_NOMEM;
    for (size_t l = 0; l < layers; l++) {
        n->statistics_at[l] = n->nstatistics;
        n->ids_at[l] = ids;
        n->row_errors_at[l] = errors;
        n->nstatistics += statistics_of(n, l);
        ids += n->batch * layer_ids(&n->model->layers[l]);
        errors += n->model->layers[l].kind == LAYER_EMBEDDING ? n->batch * n->model->layers[l].activations : 0;
    }
    return E_OK;
}

/* Forward alone: nothing waits for backward, and backward's own storages are none. */
static void forget_backward(struct storage_list *s, const struct graph *g)
{
    for (size_t i = 0; i < s->n; i++) {
        struct storage *t = &s->items[i];

        if (t->first >= (int32_t)g->nforward)
            t->first = t->last = 0, t->bytes = 0;
        else if (t->last_forward != NO_OPERATION)
            t->last = t->last_forward;
    }
}

static int place(struct net *n, struct storage_list *s)
{
    struct transfer_list none = { 0 };
    struct lifetimes l = { 0 };
    struct placement_options options = { .method = PLACEMENT_GREEDY_SIZE, .alignment = ALIGNMENT };
    struct placement placed = { 0 };
    int rc = lifetimes_of(&n->graph, s, &none, &l);

    for (size_t i = 0; !rc && i < l.n; i++)
        if (l.residents[i].storage == NO_STORAGE && l.residents[i].operation >= (int32_t)n->noperations)
            l.buffers[i].bytes = 0;
    rc = rc ? rc : placement_make(l.buffers, l.n, &options, &placed);
    n->tensor_at = calloc(n->graph.ntensors + 1, sizeof(*n->tensor_at));
    n->workspace_at = malloc((n->graph.noperations + 1) * sizeof(*n->workspace_at));
    int64_t *storage_at = calloc(s->n + 1, sizeof(*storage_at));
    if (!rc && (!n->tensor_at || !n->workspace_at || !storage_at))
        rc = E_NOMEM;
    for (size_t i = 0; !rc && i < n->graph.noperations; i++)
        n->workspace_at[i] = -1;
    for (size_t i = 0; !rc && i < l.n; i++) {
        if (l.residents[i].storage == NO_STORAGE)
            n->workspace_at[l.residents[i].operation] = l.buffers[i].offset;
        else
            storage_at[l.residents[i].storage] = l.buffers[i].offset;
    }
    for (size_t t = 0; !rc && t < n->graph.ntensors; t++)
        if (n->graph.tensors[t].storage >= 0)
            n->tensor_at[t] = storage_at[n->graph.tensors[t].storage];
    n->pool_bytes = placed.height;
    n->kept_bytes = placed.bound;
    free(storage_at);
    lifetimes_free(&l);
    return rc;
}

static int lay_out(struct net *n, const struct ops_backend *backend, struct ops *handle, char *why, size_t nwhy)
{
    struct graph_options options = { .generated = GENERATED_STORED };
    struct storage_options storage = { .in_place = 1, .share_sums = 1 };
    struct storage_list s = { 0 };
    int rc = graph_build(n->model, &n->split, n->batch, &options, &n->graph, why, nwhy);

    rc = rc ? rc : storage_assign(&n->graph, &storage, &s);
    if (rc)
        return rc;
    n->noperations = n->purpose == NET_INFER ? n->graph.nforward : n->graph.noperations;
    if (n->purpose == NET_INFER)
        forget_backward(&s, &n->graph);
    ask_workspace(n, backend, handle);
    rc = place_arrays(n);
    rc = rc ? rc : place(n, &s);
    storage_free(&s);
    return rc;
}

int net_make(const struct model *m, enum net_purpose purpose, int64_t batch, const struct split_spec *split,
             const struct ops_backend *backend, struct ops *handle, struct net *out, char *why, size_t nwhy)
{
    static const struct split_spec whole = { .rows = 1, .columns = 1 };
    struct net n = { .model = m, .purpose = purpose, .batch = batch };
    int rc;

    if (nwhy)
        why[0] = 0;
    rc = net_check(m, why, nwhy);
    rc = rc ? rc : split_step(&n, split ? split : &whole, why, nwhy);
    rc = rc ? rc : lay_out(&n, backend, handle, why, nwhy);
    if (rc == E_NOMEM)
        snprintf(why, nwhy, "out of memory");
    if (rc)
        net_free(&n);
    else
        *out = n;
    return rc;
}

void net_free(struct net *n)
{
    split_net_free(&n->split);
    graph_free(&n->graph);
    free(n->tensor_at);
    free(n->workspace_at);
    free(n->statistics_at);
    free(n->ids_at);
    free(n->row_errors_at);
    memset(n, 0, sizeof(*n));
}

int32_t net_images(const struct net *n)
{
    (void)n;
    return 0; /* graph_build() makes it first */
}

int32_t net_output(const struct net *n)
{
    return n->graph.operations[n->graph.nforward - 1].y;
}

int64_t net_patches(const struct net *n, size_t layer)
{
    return layer < n->split.nlayers ? n->split.rows * n->split.columns : 1;
}
