#include "harness/executor/program/private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/status.h"

struct builder {
    const struct memory_plan *plan;
    struct program *p;
    struct spot *spots;
    int32_t *tensor_value; /* [graph.ntensors] */
};

int program_refuse(const char *what, long long a, long long b)
{
    return status_error(NW_EINPUT, "executor: the plan cannot run: %s (%lld, %lld)\n", what, a, b);
}

static int find_spots(struct builder *b)
{
    const struct memory_plan *plan = b->plan;

    for (size_t s = 0; s < plan->storages.n; s++)
        b->spots[s] = (struct spot){ { NOWHERE, NOWHERE }, NOWHERE, INT32_MAX, 0, NO_VALUE };
    for (size_t i = 0; i < plan->transfers.n; i++)
        b->spots[plan->transfers.items[i].storage].free_after = plan->transfers.items[i].free_after;
    for (size_t i = 0; i < plan->device.n; i++) {
        const struct resident *r = &plan->device.residents[i];
        const struct buffer *f = &plan->device.buffers[i];

        if (f->offset < 0 || f->bytes < 0 || f->offset > b->p->height - f->bytes)
            return program_refuse("a buffer reaches past the device's pool: offset, bytes", f->offset, f->bytes);
        if (r->storage != NO_STORAGE) {
            b->spots[r->storage].at[r->part] = f->offset;
        } else {
            b->p->operations[r->operation].workspace_at = f->offset;
            b->p->operations[r->operation].workspace_bytes = f->bytes;
        }
    }
    for (size_t i = 0; i < plan->host.n; i++) {
        const struct buffer *f = &plan->host.buffers[i];

        if (f->offset < 0 || f->bytes < 0 || f->offset > b->p->homes - f->bytes)
            return program_refuse("a home reaches past the host's pool: offset, bytes", f->offset, f->bytes);
        b->spots[plan->host.residents[i].storage].home = f->offset;
    }
    return NW_OK;
}

static int locate(struct builder *b, int32_t operation, int32_t tensor, struct place *out)
{
    const struct tensor *t = &b->plan->graph.tensors[tensor];
    const struct spot *s;

    if (t->storage < 0 || (size_t)t->storage >= b->plan->storages.n)
        return program_refuse("a tensor has no storage: operation, tensor", operation, tensor);
    s = &b->spots[t->storage];
    *out = (struct place){ .tensor = tensor, .storage = t->storage, .bytes = t->bytes, .shares = 1 };
    out->at = s->at[operation > s->free_after];
    if (out->at == NOWHERE)
        return program_refuse("a storage has no place in the pool: operation, storage", operation, t->storage);
    if (out->bytes < 0 || out->bytes > b->plan->storages.items[t->storage].bytes || out->at > b->p->height - out->bytes)
        return program_refuse("a tensor is larger than its storage: operation, tensor", operation, tensor);
    return NW_OK;
}

static void new_value(struct builder *b, int32_t tensor, int32_t writer)
{
    int32_t storage = b->plan->graph.tensors[tensor].storage;
    struct spot *s = &b->spots[storage];

    s->value = (int32_t)b->p->nvalues++;
    b->p->values[s->value] = (struct value){ storage, ++s->version, tensor, writer };
}

/* One of the parts of a joined tensor. */
static void take_share(const struct builder *b, const struct operation *o, struct place *at)
{
    at->shares = (int32_t)(b->plan->split.rows * b->plan->split.columns);
    at->share = o->patch;
}

/* The loss's error, which is read without having been written. */
static void give_error(struct builder *b, struct program_operation *to, const struct place *at)
{
    new_value(b, at->tensor, NO_OPERATION);
    b->tensor_value[at->tensor] = b->spots[at->storage].value;
    to->given = at->tensor;
}

static int add_reads(struct builder *b, int32_t index)
{
    const struct operation *o = &b->plan->graph.operations[index];
    struct program_operation *to = &b->p->operations[index];
    int32_t tensors[OPERATION_PLACES];
    int n = operation_reads(o, tensors), rc = NW_OK;

    for (int i = 0; i < n && !rc; i++) {
        struct place *at = &to->reads[to->nreads++];
        rc = locate(b, index, tensors[i], at);
        if (rc)
            break;
        if (b->plan->graph.tensors[tensors[i]].producer == index && tensors[i] == o->dy)
            give_error(b, to, at);
        at->value = b->tensor_value[tensors[i]];
        if (o->kind == OPERATION_UNJOIN && tensors[i] == o->dy)
            take_share(b, o, at);
    }
    to->first_use = b->p->nuses;
    b->p->nuses += 2 * (size_t)to->nreads;
    return rc;
}

/* The backward pass of a sum passes its error on: where its outputs share its input's memory, nothing is written. */
static bool handed_on(const struct builder *b, const struct operation *o, int32_t tensor)
{
    const struct tensor *t = b->plan->graph.tensors;

    return o->backward && o->kind == OPERATION_LAYER && b->plan->model->layers[o->layer].kind == LAYER_ADD &&
           o->dy != NO_TENSOR && t[tensor].storage == t[o->dy].storage;
}

static int add_writes(struct builder *b, int32_t index)
{
    const struct operation *o = &b->plan->graph.operations[index];
    struct program_operation *to = &b->p->operations[index];
    const struct tensor *all = b->plan->graph.tensors;
    int32_t tensors[OPERATION_PLACES];
    int n = operation_writes(o, tensors), rc = NW_OK;

    for (int i = 0; i < n && !rc; i++) {
        int32_t t = tensors[i];
        struct place *at = &to->writes[to->nwrites];
        bool seen = false;

        if (handed_on(b, o, t)) {
            b->tensor_value[t] = b->tensor_value[o->dy];
            continue;
        }
        rc = locate(b, index, t, at);
        if (rc)
            break;
        for (int j = 0; j < to->nwrites; j++)
            seen |= to->writes[j].storage == at->storage;
        for (int j = 0; j < to->nreads; j++)
            to->reads[j].replaced |= to->reads[j].storage == at->storage;
        if (o->kind == OPERATION_JOIN)
            take_share(b, o, at);
        at->adds = o->kind == OPERATION_JOIN && all[t].producer != index;
        if (!at->adds && !seen)
            new_value(b, t, index);
        at->value = at->adds ? b->tensor_value[t] : b->spots[at->storage].value;
        b->tensor_value[t] = at->value;
        b->p->nuses += at->adds;
        if (at->value != NO_VALUE)
            b->p->values[at->value].writer = index;
        to->nwrites++;
    }
    return rc;
}

static int add_images(struct builder *b)
{
    const struct graph *g = &b->plan->graph;

    b->p->images.tensor = NO_TENSOR;
    for (size_t t = 0; t < g->ntensors; t++)
        if (g->tensors[t].role == TENSOR_INPUT && g->tensors[t].producer == NO_OPERATION) {
            int rc = locate(b, 0, (int32_t)t, &b->p->images);

            if (rc)
                return rc;
            new_value(b, (int32_t)t, NO_OPERATION);
            b->p->images.value = b->tensor_value[t] = b->spots[b->p->images.storage].value;
        }
    return NW_OK;
}

static bool allocate(struct builder *b)
{
    const struct graph *g = &b->plan->graph;
    struct program *p = b->p;
    size_t most = g->noperations * OPERATION_PLACES + g->ntensors + 1;

    p->noperations = g->noperations;
    p->ncopies = b->plan->transfers.n;
    p->operations = calloc(g->noperations + 1, sizeof(*p->operations));
    p->values = calloc(most, sizeof(*p->values));
    p->copies = calloc(p->ncopies + 1, sizeof(*p->copies));
    p->events = calloc(4 * p->ncopies + 1, sizeof(*p->events));
    b->spots = calloc(b->plan->storages.n + 1, sizeof(*b->spots));
    b->tensor_value = calloc(g->ntensors + 1, sizeof(*b->tensor_value));
    for (size_t i = 0; p->operations && i < p->noperations; i++)
        p->operations[i].given = NO_TENSOR;
    for (size_t t = 0; b->tensor_value && t < g->ntensors; t++)
        b->tensor_value[t] = NO_VALUE;
    return p->operations && p->values && p->copies && p->events && b->spots && b->tensor_value;
}

/* Every read needs a value that was written before it. */
static int check_written(const struct builder *b)
{
    for (size_t i = 0; i < b->p->noperations; i++)
        for (int r = 0; r < b->p->operations[i].nreads; r++)
            if (b->p->operations[i].reads[r].value == NO_VALUE) {
                char name[128];

                program_tensor_name(b->plan, b->p->operations[i].reads[r].tensor, name, sizeof(name));
                return status_error(
                    NW_EINPUT, "executor: the plan cannot run: operation %zu reads what nobody wrote, %s\n", i, name);
            }
    return NW_OK;
}

static int build(struct builder *b)
{
    struct program *p = b->p;
    int rc = find_spots(b);

    rc = rc ? rc : add_images(b);
    for (size_t i = 0; i < p->noperations && !rc; i++) {
        rc = add_reads(b, (int32_t)i);
        rc = rc ? rc : add_writes(b, (int32_t)i);
    }
    rc = rc ? rc : check_written(b);
    return rc ? rc : program_add_copies(p, b->spots);
}

int program_make(const struct memory_plan *plan, struct program *out)
{
    struct program p = { .plan = plan, .height = plan->device_pool.height, .homes = plan->host_pool.height };
    struct builder b = { .plan = plan, .p = &p };
    int rc = NW_ENOMEM;

    if (allocate(&b))
        rc = build(&b);
    else
        fprintf(stderr, "executor: out of memory\n");
    free(b.spots);
    free(b.tensor_value);
    if (rc)
        program_free(&p);
    else
        *out = p;
    return rc;
}

void program_free(struct program *p)
{
    free(p->operations);
    free(p->values);
    free(p->copies);
    free(p->events);
    memset(p, 0, sizeof(*p));
}

const struct place *program_place(const struct program *p, size_t operation, int32_t tensor)
{
    const struct program_operation *o = &p->operations[operation];

    for (int i = 0; i < o->nwrites; i++)
        if (o->writes[i].tensor == tensor)
            return &o->writes[i];
    for (int i = 0; i < o->nreads; i++)
        if (o->reads[i].tensor == tensor)
            return &o->reads[i];
    return NULL;
}
