#include "train/net/context.h"

#include <stdio.h>
#include <string.h>

#include "model/status.h"
#include "train/draw.h"
#include "train/net/call.h"

static int failed(struct lane *l)
{
    snprintf(l->why, sizeof(l->why), "%s", l->backend->error(l->handle));
    return E_FAILED;
}

int lane_open(const struct ops_backend *backend, struct lane *out)
{
    struct lane l = { .backend = backend };

    l.handle = backend->open(l.why, sizeof(l.why));
    if (l.handle) {
        l.loss = backend->alloc(l.handle, sizeof(*l.loss));
        if (!l.loss)
            failed(&l);
    }
    *out = l;
    if (l.handle && l.loss)
        return 0;
    lane_close(out);
    memcpy(out->why, l.why, sizeof(l.why));
    return E_FAILED;
}

void lane_close(struct lane *l)
{
    if (l->handle) {
        l->backend->release(l->handle, l->pool);
        l->backend->release(l->handle, l->statistics);
        l->backend->release(l->handle, l->labels);
        l->backend->release(l->handle, l->ids);
        l->backend->release(l->handle, l->loss);
        l->backend->close(l->handle);
    }
    *l = (struct lane){ 0 };
}

/* *memory holds at least 'need' bytes; what it held is lost if it grows. */
static int grow(struct lane *l, void **memory, size_t *held, size_t need)
{
    if (*held >= need)
        return 0;
    l->backend->release(l->handle, *memory);
    *held = 0;
    *memory = l->backend->alloc(l->handle, need);
    if (!*memory)
        return failed(l);
    *held = need;
    return 0;
}

#define GROW(lane, member, count, need) grow((lane), (void **)&(lane)->member, &(lane)->count, (need))

int lane_reserve(struct lane *l, const struct net *n)
{
    size_t batch = (size_t)n->batch;
    int rc = GROW(l, pool, npool, (size_t)n->pool_bytes);

    rc = rc ? rc : GROW(l, statistics, nstatistics, 4 * (size_t)n->nstatistics + 4);
    rc = rc ? rc : GROW(l, labels, nlabels, 4 * batch * (size_t)model_labels(n->model));
    return rc ? rc : GROW(l, ids, nids, 4 * batch * (size_t)model_ids(n->model) + 4);
}

int lane_upload(struct lane *l, void *to, const void *from, size_t nbytes)
{
    return l->backend->upload(l->handle, to, from, nbytes, NULL) ? failed(l) : 0;
}

int lane_download(struct lane *l, void *to, const void *from, size_t nbytes)
{
    return l->backend->download(l->handle, to, from, nbytes, NULL) ? failed(l) : 0;
}

float *lane_tensor(const struct lane *l, const struct net *n, int32_t tensor)
{
    return tensor == NO_TENSOR ? NULL : (float *)(void *)(l->pool + n->tensor_at[tensor]);
}

int lane_feed(struct lane *l, const struct net *n, const struct batch *b)
{
    size_t batch = (size_t)n->batch;
    int32_t images = net_images(n);
    int rc = lane_upload(l, lane_tensor(l, n, images), b->images, (size_t)n->graph.tensors[images].bytes);

    rc = rc ? rc : lane_upload(l, l->labels, b->labels, 4 * batch * (size_t)model_labels(n->model));
    return rc ? rc : lane_upload(l, l->ids, b->ids, 4 * batch * (size_t)model_ids(n->model));
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

static void set_parameters(const struct pass *p, const struct lane *l, struct call *c)
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
    c->ids = l->ids + p->net->ids_at[o->layer];
    c->row_errors = p->row_errors ? p->row_errors + p->net->row_errors_at[o->layer] : NULL;
    c->mean = l->statistics + p->net->statistics_at[o->layer] + 2 * patch * layer->in.channels;
    c->inv_std = c->mean + (layer->kind == LAYER_LAYERNORM ? p->net->batch : 1) * layer->in.channels;
    c->dropout_seed = draw_seed(p->seed, (uint32_t)o->layer, (uint32_t)o->patch, p->step);
}

static struct call call_of(const struct pass *p, struct lane *l, size_t i)
{
    const struct net *n = p->net;
    const struct operation *o = &n->graph.operations[i];
    struct call c = {
        .graph = &n->graph,
        .split = &n->split,
        .operation = o,
        .backend = l->backend,
        .handle = l->handle,
        .x = lane_tensor(l, n, o->x),
        .x2 = lane_tensor(l, n, o->x2),
        .y = lane_tensor(l, n, o->y),
        .dy = lane_tensor(l, n, o->dy),
        .dx = lane_tensor(l, n, o->dx),
        .dx2 = lane_tensor(l, n, o->dx2),
        .labels = l->labels,
        .loss = l->loss,
        .inference = n->purpose == NET_INFER,
        .workspace = n->workspace_at[i] < 0 ? NULL : l->pool + n->workspace_at[i],
        .nworkspace = n->workspace_at[i] < 0 ? 0 : (size_t)o->workspace_bytes,
    };

    if (o->layer != LAYER_NO_LAYER)
        set_parameters(p, l, &c);
    return c;
}

int pass_run(const struct pass *p, struct lane *lane)
{
    int rc = lane->backend->zero(lane->handle, lane->loss, sizeof(*lane->loss), NULL) ? failed(lane) : 0;

    for (size_t i = 0; i < p->net->noperations && !rc; i++) {
        struct call c = call_of(p, lane, i);

        if (p->hook && p->hook->before)
            rc = p->hook->before(p->hook->context, c.operation, lane);
        if (!rc && call_run(&c))
            rc = failed(lane);
        if (!rc && p->hook && p->hook->after)
            rc = p->hook->after(p->hook->context, c.operation, lane);
    }
    return rc;
}
