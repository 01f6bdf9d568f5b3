#include "model/storage/lifetime.h"

#include <stdlib.h>
#include <string.h>

#include "model/numbers.h"
#include "model/status.h"

/* A buffer and what it is, to be sorted together. */
struct lived {
    struct buffer buffer;
    struct resident resident;
};

/* By lower; workspaces after the storages of their step; then by storage. No two are equal. */
static int in_order(const void *left, const void *right)
{
    const struct lived *a = left, *b = right;
    int order = compare64(a->buffer.lower, b->buffer.lower);

    order = order ? order : compare64(a->resident.storage == NO_STORAGE, b->resident.storage == NO_STORAGE);
    order = order ? order : compare64(a->resident.storage, b->resident.storage);
    return order ? order : compare64(a->resident.part, b->resident.part);
}

static int finish(struct lived *lived, size_t n, struct lifetimes *out)
{
    struct lifetimes l = { .n = n };

    qsort(lived, n, sizeof(*lived), in_order);
    l.buffers = malloc((n + 1) * sizeof(*l.buffers));
    l.residents = malloc((n + 1) * sizeof(*l.residents));
    if (!l.buffers || !l.residents) {
        lifetimes_free(&l);
        return E_NOMEM;
    }
    for (size_t i = 0; i < n; i++) {
        l.buffers[i] = lived[i].buffer;
        l.residents[i] = lived[i].resident;
    }
    *out = l;
    return E_OK;
}

static struct lived storage_part(const struct storage_list *s, int32_t storage, int part, int64_t lower, int64_t upper)
{
    return (struct lived){ { .lower = lower, .upper = upper, .bytes = s->items[storage].bytes },
                           { .storage = storage, .operation = NO_OPERATION, .part = part } };
}

int lifetimes_of(const struct graph *g, const struct storage_list *s, const struct transfer_list *t,
                 struct lifetimes *out)
{
    struct lived *lived = malloc((s->n + t->n + g->noperations + 1) * sizeof(*lived));
    size_t n = s->n;
    int rc;

    if (!lived)
        return E_NOMEM;
    for (size_t i = 0; i < s->n; i++)
        lived[i] = storage_part(s, (int32_t)i, 0, s->items[i].first, (int64_t)s->items[i].last + 1);
    for (size_t i = 0; i < t->n; i++) {
        const struct transfer *move = &t->items[i];
        struct lived *before = &lived[move->storage];
        lived[n++] = storage_part(s, move->storage, 1, move->back, before->buffer.upper);
        before->buffer.upper = (int64_t)move->free_after + 1;
    }
    for (size_t i = 0; i < g->noperations; i++)
        if (g->operations[i].workspace_bytes)
            lived[n++] = (struct lived){
                { .lower = (int64_t)i, .upper = (int64_t)i + 1, .bytes = g->operations[i].workspace_bytes },
                { .storage = NO_STORAGE, .operation = (int32_t)i }
            };
    rc = finish(lived, n, out);
    free(lived);
    return rc;
}

void lifetimes_free(struct lifetimes *l)
{
    free(l->buffers);
    free(l->residents);
    memset(l, 0, sizeof(*l));
}

void lifetimes_live(const struct lifetimes *l, size_t nsteps, int64_t *live)
{
    int64_t sum = 0;

    memset(live, 0, nsteps * sizeof(*live));
    for (size_t i = 0; i < l->n; i++) {
        if (l->buffers[i].lower < (int64_t)nsteps)
            live[l->buffers[i].lower] += l->buffers[i].bytes;
        if (l->buffers[i].upper < (int64_t)nsteps)
            live[l->buffers[i].upper] -= l->buffers[i].bytes;
    }
    for (size_t i = 0; i < nsteps; i++)
        live[i] = sum += live[i];
}

int lifetimes_host(const struct storage_list *s, const struct transfer_list *t, struct lifetimes *out)
{
    struct lived *lived = malloc((t->n + 1) * sizeof(*lived));
    int rc;

    if (!lived)
        return E_NOMEM;
    for (size_t i = 0; i < t->n; i++)
        lived[i] = storage_part(s, t->items[i].storage, 0, t->items[i].start, (int64_t)t->items[i].need + 1);
    rc = finish(lived, t->n, out);
    free(lived);
    return rc;
}
