#include "sim/method/flows/flows_timeline.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "model/status.h"
#include "model/vec.h"

/* A flow in the order of starts. */
struct order {
    int64_t start_ps;
    size_t flow;
};

static int by_start(const void *a, const void *b)
{
    const struct order *x = a, *y = b;

    if (x->start_ps != y->start_ps)
        return (x->start_ps > y->start_ps) - (x->start_ps < y->start_ps);
    return (x->flow > y->flow) - (x->flow < y->flow);
}

static void name_end(char *name, size_t n, struct end e)
{
    if (e.gpu == END_HOST)
        snprintf(name, n, "%" PRId64, e.machine);
    else
        snprintf(name, n, "%" PRId64 ".gpu%" PRId64, e.machine, e.gpu);
}

/* The source's track, made when it is first seen: track_of[] has 1 more than its index, and 0 for none yet. */
static int track(struct timeline *t, size_t *capacity, int track_of[], const struct platform *p, struct end e)
{
    int *at = &track_of[e.machine * (p->gpu.count + 1) + e.gpu + 1];
    char end[44];

    if (*at)
        return *at - 1;
    if (!VEC_RESERVE(t->tracks, *capacity, t->ntracks))
        return E_NOMEM;
    name_end(end, sizeof(end), e);
    snprintf(t->tracks[t->ntracks].name, sizeof(t->tracks->name), "machine %.39s", end);
    *at = (int)++t->ntracks;
    return *at - 1;
}

static bool wanted(const struct timeline *t, int64_t start_ps, int64_t end_ps)
{
    return end_ps >= t->from_ps && (!t->to_ps || start_ps < t->to_ps);
}

static int add_span(struct timeline *t, size_t capacity[2], int track_of[], const struct platform *p,
                    const struct flows *flows, const struct flow_times *times, size_t i)
{
    const struct flow_spec *f = &flows->list[i];
    int64_t start_ps = times->ready_ps[i], end_ps = times->end_ps[i];
    char to[44];
    int at;

    if (!wanted(t, start_ps, end_ps))
        return E_OK;
    if (t->most && t->nspans == t->most) {
        t->left_out++;
        return E_OK;
    }
    at = track(t, &capacity[1], track_of, p, f->src);
    if (at < 0 || !VEC_RESERVE(t->spans, capacity[0], t->nspans))
        return E_NOMEM;
    struct span *s = &t->spans[t->nspans++];
    *s = (struct span){ .start_ps = start_ps, .end_ps = end_ps, .bytes = f->bytes, .track = at, .id = (int)f->id };
    name_end(to, sizeof(to), f->dst);
    snprintf(s->name, sizeof(s->name), "to %s", to);
    if (times->cause[i] != FLOW_NO_CAUSE && flows->list[times->cause[i]].id < INT_MAX)
        s->after = (int)flows->list[times->cause[i]].id + 1;
    return E_OK;
}

int flows_timeline(struct timeline *t, const struct platform *p, const struct flows *f, const struct flow_times *times)
{
    int *track_of = calloc((size_t)p->machines * (size_t)(p->gpu.count + 1), sizeof(*track_of));
    struct order *order = malloc(f->n * sizeof(*order));
    size_t capacity[2] = { 0, 0 };
    int rc = track_of && order ? E_OK : E_NOMEM;

    for (size_t i = 0; !rc && i < f->n; i++)
        order[i] = (struct order){ times->ready_ps[i], i };
    if (!rc)
        qsort(order, f->n, sizeof(*order), by_start);
    for (size_t i = 0; !rc && i < f->n; i++)
        rc = add_span(t, capacity, track_of, p, f, times, order[i].flow);
    if (!rc)
        rc = timeline_spread(t);
    if (rc)
        timeline_free(t);
    free(track_of);
    free(order);
    return rc;
}
