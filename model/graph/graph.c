#include "model/graph/graph.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/graph/private.h"
#include "model/refuse.h"
#include "model/status.h"

static const int64_t max_forward = (int64_t)1 << 24; /* operations: those of all passes then fit int32_t */
static const int64_t max_bytes = (int64_t)1 << 62;   /* of all tensors together */

int32_t graph_add_tensor(struct graph_builder *b, enum tensor_role role, int32_t layer, int32_t patch,
                         struct shape shape)
{
    __int128 bytes = (__int128)shape.channels * shape.height * shape.width * b->g->batch * 4;
    int32_t id = (int32_t)b->g->ntensors++;

    assert(b->g->ntensors <= b->max_tensors);
    if (bytes > max_bytes - b->total_bytes)
        b->rc = E_RANGE, bytes = 0;
    b->total_bytes += (int64_t)bytes;
    b->g->tensors[id] = (struct tensor){ .role = role,
                                         .layer = layer,
                                         .patch = patch,
                                         .shape = shape,
                                         .bytes = (int64_t)bytes,
                                         .producer = NO_OPERATION,
                                         .again = NO_TENSOR,
                                         .storage = -1 };
    return id;
}

int32_t graph_add_operation(struct graph_builder *b, const struct operation *o)
{
    int32_t id = (int32_t)b->g->noperations++, writes[OPERATION_PLACES];

    assert(b->g->noperations <= b->max_operations);
    b->g->operations[id] = *o;
    for (int i = 0, n = operation_writes(o, writes); i < n; i++)
        if (b->g->tensors[writes[i]].producer == NO_OPERATION)
            b->g->tensors[writes[i]].producer = id;
    return id;
}

static int check(int64_t batch, const struct graph_options *o, char *why, size_t nwhy)
{
    if (batch < 1)
        return refuse(why, nwhy, "batch: expected 1 or more, got %lld", (long long)batch);
    if ((unsigned)o->generated >= GENERATED_KINDS)
        return refuse(why, nwhy, "generated: expected one of %d definitions, got %d", GENERATED_KINDS,
                      (int)o->generated);
    if (o->recompute_norm && o->generated != GENERATED_STORED && o->generated != GENERATED_ALGORITHM)
        return refuse(why, nwhy, "recompute_norm: the definition '%s' keeps what would be dropped",
                      generated_name(o->generated));
    if (!(o->workspace_factor >= 0 && isfinite(o->workspace_factor)))
        return refuse(why, nwhy, "workspace_factor: expected 0 or more, got %g", o->workspace_factor);
    if (o->workspace_limit < 0)
        return refuse(why, nwhy, "workspace_limit: expected 0 or more bytes, got %lld", (long long)o->workspace_limit);
    return E_OK;
}

static void note_reading(struct graph_builder *b, int from, size_t reader)
{
    struct graph_use *u = from == LAYER_NO_LAYER ? NULL : &b->uses[from];

    if (u) /* also across the join: there it is a convolution's output or a sum, whose readers do not matter */
        u->reader = !u->readers++ ? (int32_t)reader : LAYER_NO_LAYER;
}

static void note_uses(struct graph_builder *b)
{
    const struct model *m = b->g->model;

    for (size_t l = 0; l < m->nlayers; l++) {
        const struct layer *layer = &m->layers[l];
        struct graph_use *u = &b->uses[l];
        int second = layer->second;
        u->reader = LAYER_NO_LAYER;
        u->has_error = layer->weights + layer->shared_weights + layer->biases + layer->table_values > 0;
        u->has_error |= layer->input != LAYER_NO_LAYER && b->uses[layer->input].has_error;
        u->has_error |= second != LAYER_NO_LAYER && b->uses[second].has_error;
        note_reading(b, layer->input, l);
        note_reading(b, second, l);
        if (layer->kind == LAYER_ADD && layer->input != LAYER_NO_LAYER)
            b->uses[layer->input].ends_path = true; /* a shortcut ends in a norm that nothing needs, or in no norm */
    }
}

static int32_t *fresh(size_t n)
{
    int32_t *ids = malloc((n ? n : 1) * sizeof(*ids));

    if (ids)
        memset(ids, 0xff, n * sizeof(*ids)); /* NO_TENSOR, NO_OPERATION */
    return ids;
}

/* Allocates for the largest possible graph, and notes which layer reads which. */
static int prepare(struct graph_builder *b, char *why, size_t nwhy)
{
    const struct model *m = b->g->model;
    int64_t patches = b->split->rows * b->split->columns;
    size_t nforward, seconds = 0, norms = 0;

    if (b->split->nlayers && patches > 1)
        b->nsplit = b->split->nlayers;
    if (b->nsplit && (patches > max_forward || (int64_t)(b->nsplit + 2) * patches > max_forward))
        return refuse(why, nwhy, "split: %zu layers of %lld patches are more than %lld operations", b->nsplit,
                      (long long)patches, (long long)max_forward);
    b->patches = b->nsplit ? (int32_t)patches : 1;
    for (size_t l = 0; l < m->nlayers; l++) {
        size_t times = l < b->nsplit ? (size_t)b->patches : 1;
        seconds += times * layer_has_second(&m->layers[l]);
        norms += times * (m->layers[l].kind == LAYER_BATCHNORM);
    }
    nforward = b->nsplit * (size_t)b->patches + m->nlayers - b->nsplit + (b->nsplit ? 2 * (size_t)b->patches : 0);
    b->max_operations = 2 * nforward + (nforward + seconds) + norms;      /* ... sums, recomputed ones */
    b->max_tensors = nforward + 2 + 2 * (nforward + seconds) + norms + 1; /* ... errors and their sums */
    b->uses = calloc(m->nlayers, sizeof(*b->uses));
    b->outputs = fresh(b->nsplit * (size_t)b->patches + m->nlayers - b->nsplit);
    b->cuts = fresh((size_t)b->patches);
    b->errors = fresh(nforward + 2);
    b->norms = fresh(nforward + 2);
    b->g->operations = calloc(b->max_operations, sizeof(*b->g->operations));
    b->g->tensors = calloc(b->max_tensors, sizeof(*b->g->tensors));
    if (!b->uses || !b->outputs || !b->cuts || !b->errors || !b->norms || !b->g->operations || !b->g->tensors)
        return E_NOMEM;
    note_uses(b);
    return E_OK;
}

/* Gives back the memory that was not needed. */
static void shrink(struct graph *g)
{
    void *operations = realloc(g->operations, g->noperations * sizeof(*g->operations));
    void *tensors = realloc(g->tensors, g->ntensors * sizeof(*g->tensors));

    g->operations = operations ? operations : g->operations;
    g->tensors = tensors ? tensors : g->tensors;
}

int graph_build(const struct model *m, const struct split_net *split, int64_t batch,
                const struct graph_options *options, struct graph *out, char *why, size_t nwhy)
{
    struct graph g = { .model = m, .batch = batch, .generated = options->generated };
    struct graph_builder b = { .g = &g, .split = split, .options = options, .joined = NO_TENSOR };
    __int128 parameters = 4 * ((__int128)m->weights + m->biases + m->table_values);
    int rc = check(batch, options, why, nwhy);

    if (!rc && parameters > max_bytes) {
        snprintf(why, nwhy, "model: its parameters are more than 2^62 bytes");
        rc = E_RANGE;
    }
    rc = rc ? rc : prepare(&b, why, nwhy);
    if (!rc) {
        graph_forward(&b);
        graph_drop_norms(&b);
        graph_backward(&b);
        rc = b.rc;
    }
    if (rc == E_RANGE && b.rc)
        snprintf(why, nwhy, "batch: the tensors of %lld samples are more than 2^62 bytes", (long long)batch);
    free(b.uses);
    free(b.outputs);
    free(b.cuts);
    free(b.errors);
    free(b.norms);
    if (rc) {
        graph_free(&g);
        return rc;
    }
    g.parameter_bytes = (int64_t)parameters;
    shrink(&g);
    *out = g;
    return E_OK;
}

void graph_free(struct graph *g)
{
    free(g->operations);
    free(g->tensors);
    memset(g, 0, sizeof(*g));
}
