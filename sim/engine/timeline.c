#include "sim/engine/timeline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/status.h"
#include "model/vec.h"

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

static const char *entry(const char *const *names, size_t n, int i)
{
    return names && i >= 0 && (size_t)i < n ? names[i] : NULL;
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

/* A slot and when it is free again; of those that are free already, at 0. */
struct turn {
    int64_t until_ps;
    int slot;
};

/* What is free first stands first, of equals the lowest slot. */
struct turns {
    struct turn *heap;
    size_t n, capacity;
};

static bool sooner(const struct turn *a, const struct turn *b)
{
    return a->until_ps != b->until_ps ? a->until_ps < b->until_ps : a->slot < b->slot;
}

static int turns_put(struct turns *t, struct turn turn)
{
    if (!VEC_RESERVE(t->heap, t->capacity, t->n))
        return E_NOMEM;
    size_t i = t->n++;
    for (size_t up; i && sooner(&turn, &t->heap[up = (i - 1) / 2]); i = up)
        t->heap[i] = t->heap[up];
    t->heap[i] = turn;
    return E_OK;
}

/* Of at least one. */
static struct turn turns_take(struct turns *t)
{
    struct turn first = t->heap[0], last = t->heap[--t->n];
    size_t i = 0;

    for (size_t down; (down = 2 * i + 1) < t->n; i = down) {
        if (down + 1 < t->n && sooner(&t->heap[down + 1], &t->heap[down]))
            down++;
        if (!sooner(&t->heap[down], &last))
            break;
        t->heap[i] = t->heap[down];
    }
    t->heap[i] = last;
    return first;
}

/* The slots of one track. */
struct slots {
    struct turns taken, spare;
};

static int slot_take(struct slots *l, struct span *s)
{
    int rc = E_OK;

    while (!rc && l->taken.n && l->taken.heap[0].until_ps <= s->start_ps)
        rc = turns_put(&l->spare, (struct turn){ 0, turns_take(&l->taken).slot });
    s->slot = l->spare.n ? turns_take(&l->spare).slot : (int)l->taken.n;
    return rc ? rc : turns_put(&l->taken, (struct turn){ s->end_ps, s->slot });
}

/* Spans of one track that overlap go to different slots: each takes the lowest that is free when it starts. */
int timeline_spread(struct timeline *t)
{
    struct slots *slots = calloc(t->ntracks + 1, sizeof(*slots));
    int rc = slots ? E_OK : E_NOMEM;

    for (size_t i = 0; !rc && i < t->nspans; i++)
        rc = slot_take(&slots[t->spans[i].track], &t->spans[i]);
    for (size_t i = 0; slots && i < t->ntracks; i++) {
        free(slots[i].taken.heap);
        free(slots[i].spare.heap);
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
                  const char *const *item, size_t nitems)
{
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
        name_span(s, entry(row, nrows, v.label), entry(item, nitems, v.item));
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
