#include "sim/engine/timeline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/status.h"
#include "model/vec.h"
#include "sim/fabric/heap.h"

/* A resource's track comes first, then the channels'. A task on neither is not shown. */
static int track_of(const struct engine *e, const struct task_view *v)
{
    if (v->resource >= 0)
        return v->resource;
    return v->channel >= 0 ? engine_nresources(e) + v->channel : -1;
}

static int name_tracks(struct timeline *t, const struct engine *e)
{
    size_t nresources = (size_t)engine_nresources(e), nchannels = (size_t)engine_nchannels(e);

    t->ntracks = nresources + nchannels;
    t->tracks = calloc(t->ntracks + 1, sizeof(*t->tracks));
    if (!t->tracks)
        return E_NOMEM;
    for (size_t i = 0; i < t->ntracks; i++) {
        int number;
        const char *kind = i < nresources ? engine_resource_name(e, (int)i, &number)
                                          : engine_channel_name(e, (int)(i - nresources), &number);
        snprintf(t->tracks[i].name, sizeof(t->tracks[i].name), "%.30s %d", kind, number);
    }
    return E_OK;
}

static void name_span(struct span *s, const char *row, const char *item)
{
    snprintf(s->name, sizeof(s->name), "%.24s%s%.36s", row ? row : "", row && item ? " " : "", item ? item : "");
    if (!*s->name)
        snprintf(s->name, sizeof(s->name), "task %d", s->id);
}

static bool wanted(const struct timeline *t, const struct task_view *v)
{
    return v->end_ps > v->start_ps && v->end_ps > t->from_ps && (!t->to_ps || v->start_ps < t->to_ps);
}

static int by_start(const void *a, const void *b)
{
    const struct span *x = a, *y = b;

    if (x->start_ps != y->start_ps)
        return (x->start_ps > y->start_ps) - (x->start_ps < y->start_ps);
    return (x->id > y->id) - (x->id < y->id);
}

/* The slots of one track: those that are taken, by when they are free again, and those that are free. */
struct slots {
    struct heap taken, spare;
    uint32_t *place; /* of a slot in the one heap or the other */
    size_t n, capacity;
};

static int slots_add(struct slots *l)
{
    if (!VEC_RESERVE(l->taken.items, l->taken.capacity, l->n) ||
        !VEC_RESERVE(l->spare.items, l->spare.capacity, l->n) || !VEC_RESERVE(l->place, l->capacity, l->n))
        return E_NOMEM;
    l->place[l->n] = 0;
    heap_put(&l->spare, l->place, (uint32_t)l->n, 0);
    l->n++;
    return E_OK;
}

static uint32_t heap_pop(struct heap *h, uint32_t *place)
{
    uint32_t first = h->items[0].id;

    heap_drop(h, place, first);
    return first;
}

static int slot_take(struct slots *l, struct span *s)
{
    while (l->taken.count && l->taken.items[0].key <= (uint64_t)s->start_ps)
        heap_put(&l->spare, l->place, heap_pop(&l->taken, l->place), 0);
    if (!l->spare.count && slots_add(l))
        return E_NOMEM;
    s->slot = (int)heap_pop(&l->spare, l->place);
    heap_put(&l->taken, l->place, (uint32_t)s->slot, (uint64_t)s->end_ps);
    return E_OK;
}

/* Spans of one track that overlap go to different slots: each takes the lowest that is free when it starts. */
int timeline_spread(struct timeline *t)
{
    struct slots *slots = calloc(t->ntracks + 1, sizeof(*slots));
    int rc = slots ? E_OK : E_NOMEM;

    for (size_t i = 0; !rc && i < t->nspans; i++)
        rc = slot_take(&slots[t->spans[i].track], &t->spans[i]);
    for (size_t i = 0; slots && i < t->ntracks; i++) {
        free(slots[i].taken.items);
        free(slots[i].spare.items);
        free(slots[i].place);
    }
    free(slots);
    return rc;
}

/* The task that it waited for last, those that take no time passed over; -1: none. */
static int cause_of(const struct engine *e, int task)
{
    struct task_view v;

    engine_view(e, task, &v);
    for (int cause = v.cause; cause >= 0; cause = v.cause) {
        engine_view(e, cause, &v);
        if (v.end_ps > v.start_ps && track_of(e, &v) >= 0)
            return cause;
    }
    return -1;
}

/* A mark for each task from the one that ends last back along the causes. NULL if memory ran out. */
static bool *critical_tasks(const struct engine *e, size_t all)
{
    bool *critical = calloc(all + 1, sizeof(*critical));
    struct task_view v, last = { .end_ps = -1 };
    int task = -1;

    for (size_t i = 0; critical && i < all; i++) {
        engine_view(e, (int)i, &v);
        if (v.end_ps > last.end_ps) {
            last = v;
            task = (int)i;
        }
    }
    for (; critical && task >= 0; task = v.cause) {
        critical[task] = 1;
        engine_view(e, task, &v);
    }
    return critical;
}

int timeline_take(struct timeline *t, const struct engine *e, const char *const *row, size_t nrows,
                  name_item_fn *name_item, const void *context)
{
    char item[64];
    size_t capacity = 0, all = (size_t)engine_ntasks(e);
    int rc = name_tracks(t, e);
    bool *critical = rc ? NULL : critical_tasks(e, all);

    rc = rc || critical ? rc : E_NOMEM;
    for (size_t i = 0; !rc && i < all; i++) {
        struct task_view v;
        engine_view(e, (int)i, &v);
        int track = track_of(e, &v);
        if (track < 0 || !wanted(t, &v))
            continue;
        if (!VEC_RESERVE(t->spans, capacity, t->nspans)) {
            rc = E_NOMEM;
            break;
        }
        struct span *s = &t->spans[t->nspans++];
        *s = (struct span){ .start_ps = v.start_ps,
                            .end_ps = v.end_ps,
                            .bytes = v.bytes,
                            .track = track,
                            .id = (int)i,
                            .after = 1 + cause_of(e, (int)i),
                            .critical = critical[i] };
        if (v.item >= 0)
            name_item(context, (size_t)v.item, item, sizeof(item));
        name_span(s, v.label >= 0 && (size_t)v.label < nrows ? row[v.label] : NULL, v.item >= 0 ? item : NULL);
    }
    free(critical);
    if (!rc && t->nspans)
        qsort(t->spans, t->nspans, sizeof(*t->spans), by_start);
    if (t->most && t->nspans > t->most) {
        t->left_out = t->nspans - t->most;
        t->nspans = t->most;
    }
    if (!rc)
        rc = timeline_spread(t);
    if (rc)
        timeline_free(t);
    return rc;
}

void timeline_free(struct timeline *t)
{
    free(t->spans);
    free(t->tracks);
    memset(t, 0, sizeof(*t));
}
