#include "sim/timeline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/status.h"
#include "sim/vec.h"

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
        return SIM_ENOMEM;
    for (size_t i = 0; i < t->ntracks; i++) {
        int number;
        const char *kind = i < nresources ? engine_resource_name(e, (int)i, &number)
                                          : engine_channel_name(e, (int)(i - nresources), &number);
        snprintf(t->tracks[i].name, sizeof(t->tracks[i].name), "%.30s %d", kind, number);
    }
    return SIM_OK;
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

static _Bool wanted(const struct timeline *t, const struct task_view *v)
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

/* Spans of one track that overlap go to different slots: each takes the lowest that is free when it starts. */
int timeline_spread(struct timeline *t)
{
    struct lane {
        int64_t *until_ps;
        size_t n, capacity;
    } *lanes = calloc(t->ntracks + 1, sizeof(*lanes));
    int rc = lanes ? SIM_OK : SIM_ENOMEM;

    for (size_t i = 0; !rc && i < t->nspans; i++) {
        struct span *s = &t->spans[i];
        struct lane *l = &lanes[s->track];
        size_t slot = 0;
        while (slot < l->n && l->until_ps[slot] > s->start_ps)
            slot++;
        if (slot == l->n) {
            if (!VEC_RESERVE(l->until_ps, l->capacity, l->n)) {
                rc = SIM_ENOMEM;
                break;
            }
            l->n++;
        }
        l->until_ps[slot] = s->end_ps;
        s->slot = (int)slot;
    }
    for (size_t i = 0; lanes && i < t->ntracks; i++)
        free(lanes[i].until_ps);
    free(lanes);
    return rc;
}

int timeline_take(struct timeline *t, const struct engine *e, const char *const *row, size_t nrows,
                  const char *const *item, size_t nitems)
{
    size_t capacity = 0, all = (size_t)engine_ntasks(e);
    int rc = name_tracks(t, e);

    for (size_t i = 0; !rc && i < all; i++) {
        struct task_view v;
        engine_view(e, (int)i, &v);
        int track = track_of(e, &v);
        if (track < 0 || !wanted(t, &v))
            continue;
        if (!VEC_RESERVE(t->spans, capacity, t->nspans)) {
            rc = SIM_ENOMEM;
            break;
        }
        struct span *s = &t->spans[t->nspans++];
        *s =
            (struct span){ .start_ps = v.start_ps, .end_ps = v.end_ps, .bytes = v.bytes, .track = track, .id = (int)i };
        name_span(s, entry(row, nrows, v.label), entry(item, nitems, v.item));
    }
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
