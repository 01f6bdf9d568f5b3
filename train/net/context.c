#include "train/net/context.h"

#include <stdio.h>
#include <string.h>

#include "model/status.h"
#include "train/draw.h"
#include "train/net/call.h"

static int failed(struct context *context)
{
    snprintf(context->why, sizeof(context->why), "%s", context->backend->error(context->handle));
    return E_FAILED;
}

int context_open(const struct ops_backend *backend, struct context *out)
{
    struct context context = { .backend = backend };

    context.handle = backend->open(context.why, sizeof(context.why));
    if (context.handle) {
        context.loss = backend->alloc(context.handle, sizeof(*context.loss));
        if (!context.loss)
            failed(&context);
    }
    *out = context;
    if (context.handle && context.loss)
        return 0;
    context_close(out);
    memcpy(out->why, context.why, sizeof(context.why));
    return E_FAILED;
}

void context_close(struct context *context)
{
    if (context->handle) {
        context->backend->release(context->handle, context->pool);
        context->backend->release(context->handle, context->statistics);
        context->backend->release(context->handle, context->labels);
        context->backend->release(context->handle, context->ids);
        context->backend->release(context->handle, context->loss);
        context->backend->close(context->handle);
    }
    *context = (struct context){ 0 };
}

/* *memory holds at least 'need' bytes; what it held is lost if it grows. */
static int grow(struct context *context, void **memory, size_t *held, size_t need)
{
    if (*held >= need)
        return 0;
    context->backend->release(context->handle, *memory);
    *held = 0;
    *memory = context->backend->alloc(context->handle, need);
    if (!*memory)
        return failed(context);
    *held = need;
    return 0;
}

#define GROW(context, member, count, need) grow((context), (void **)&(context)->member, &(context)->count, (need))

int context_reserve(struct context *context, const struct net *n)
{
    size_t batch = (size_t)n->batch;
    int rc = GROW(context, pool, npool, (size_t)n->pool_bytes);

    rc = rc ? rc : GROW(context, statistics, nstatistics, 4 * (size_t)n->nstatistics + 4);
    rc = rc ? rc : GROW(context, labels, nlabels, 4 * batch * (size_t)model_labels(n->model));
    return rc ? rc : GROW(context, ids, nids, 4 * batch * (size_t)model_ids(n->model) + 4);
}

int context_upload(struct context *context, void *to, const void *from, size_t nbytes)
{
    return context->backend->upload(context->handle, to, from, nbytes, NULL) ? failed(context) : 0;
}

int context_download(struct context *context, void *to, const void *from, size_t nbytes)
{
    return context->backend->download(context->handle, to, from, nbytes, NULL) ? failed(context) : 0;
}

float *context_tensor(const struct context *context, const struct net *n, int32_t tensor)
{
    return tensor == NO_TENSOR ? NULL : (float *)(void *)(context->pool + n->tensor_at[tensor]);
}

int context_feed(struct context *context, const struct net *n, const struct batch *b)
{
    size_t batch = (size_t)n->batch;
    int32_t images = net_images(n);
    int rc =
        context_upload(context, context_tensor(context, n, images), b->images, (size_t)n->graph.tensors[images].bytes);

    rc = rc ? rc : context_upload(context, context->labels, b->labels, 4 * batch * (size_t)model_labels(n->model));
    return rc ? rc : context_upload(context, context->ids, b->ids, 4 * batch * (size_t)model_ids(n->model));
}

void batch_put_ids(const struct model *m, int64_t batch, int64_t i, const int32_t *sample, int32_t *ids)
{
    for (size_t l = 0; l < m->nlayers; l++) {
        int64_t n = layer_ids(&m->layers[l]);

        if (!n)
            continue;
        memcpy(ids + i * n, sample, 4 * (size_t)n);
        ids += batch * n;
        sample += n;
    }
}

static void set_parameters(const struct pass *p, const struct context *context, struct call *c)
{
    const struct operation *o = c->operation;
    const struct layer_place *at = &p->map->layers[o->layer];
    const struct layer *layer = &p->net->model->layers[o->layer];
    int64_t patch = o->patch == NO_PATCH ? 0 : o->patch;

    if (at->weights != NO_PARAMETERS) {
        c->w = p->dense + at->weights;
        c->dw = p->gradients ? p->gradients + at->weights : NULL;
    }
    if (at->table != NO_PARAMETERS)
        c->table = p->tables + at->table;
    if (at->biases != NO_PARAMETERS) {
        c->b = p->dense + at->biases;
        c->db = p->gradients ? p->gradients + at->biases : NULL;
    }
    c->ids = context->ids + p->net->ids_at[o->layer];
    c->row_errors = p->row_errors ? p->row_errors + p->net->row_errors_at[o->layer] : NULL;
    c->mean = context->statistics + p->net->statistics_at[o->layer] + 2 * patch * layer->in.channels;
    c->inv_std = c->mean + (layer->kind == LAYER_LAYERNORM ? p->net->batch : 1) * layer->in.channels;
    c->dropout_seed = draw_seed(p->seed, (uint32_t)o->layer, (uint32_t)o->patch, p->step);
}

static struct call call_of(const struct pass *p, struct context *context, size_t i)
{
    const struct net *n = p->net;
    const struct operation *o = &n->graph.operations[i];
    struct call c = {
        .graph = &n->graph,
        .split = &n->split,
        .operation = o,
        .backend = context->backend,
        .handle = context->handle,
        .x = context_tensor(context, n, o->x),
        .x2 = context_tensor(context, n, o->x2),
        .y = context_tensor(context, n, o->y),
        .dy = context_tensor(context, n, o->dy),
        .dx = context_tensor(context, n, o->dx),
        .dx2 = context_tensor(context, n, o->dx2),
        .labels = context->labels,
        .loss = context->loss,
        .inference = n->purpose == NET_INFER,
        .workspace = n->workspace_at[i] < 0 ? NULL : context->pool + n->workspace_at[i],
        .nworkspace = n->workspace_at[i] < 0 ? 0 : (size_t)o->workspace_bytes,
    };

    if (o->layer != LAYER_NO_LAYER)
        set_parameters(p, context, &c);
    return c;
}

int pass_run(const struct pass *p, struct context *context)
{
    int rc = context->backend->zero(context->handle, context->loss, sizeof(*context->loss), NULL) ? failed(context) : 0;

    for (size_t i = 0; i < p->net->noperations && !rc; i++) {
        struct call c = call_of(p, context, i);

        if (p->hook && p->hook->before)
            rc = p->hook->before(p->hook->own, c.operation, context);
        if (!rc && call_run(&c))
            rc = failed(context);
        if (!rc && p->hook && p->hook->after)
            rc = p->hook->after(p->hook->own, c.operation, context);
    }
    return rc;
}
