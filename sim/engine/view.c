/* view.c - what can be asked of an engine that was played. */
#include <stdlib.h>
#include <string.h>

#include "model/status.h"
#include "sim/engine/graph.h"

int64_t engine_end_ps(const struct engine *e)
{
    return e->now_ps;
}

uint64_t engine_ntasks(const struct engine *e)
{
    return e->ntasks;
}

int64_t engine_ended_ps(const struct engine *e, int task)
{
    return e->tasks[task].end_ps;
}

void engine_task(const struct engine *e, int task, int64_t *start_ps, int64_t *end_ps)
{
    *start_ps = e->tasks[task].start_ps;
    *end_ps = e->tasks[task].end_ps;
}

bool engine_was_void(const struct engine *e, int task)
{
    return e->tasks[task].is_void;
}

void engine_channel_state(const struct engine *e, int channel, struct channel_state *out)
{
    *out = e->states[channel];
}

int64_t engine_resource_busy_ps(const struct engine *e, int resource)
{
    return e->resources[resource].busy_ps;
}

int engine_nresources(const struct engine *e)
{
    return (int)e->nresources;
}

int engine_nchannels(const struct engine *e)
{
    return (int)e->nchannels;
}

const char *engine_resource_name(const struct engine *e, int resource, int *number)
{
    *number = e->resources[resource].number;
    return e->resources[resource].kind;
}

const char *engine_channel_name(const struct engine *e, int channel, int *number)
{
    *number = e->channels[channel].number;
    return e->channels[channel].kind;
}

/* The channel of a route that was the most loaded over the whole run; the first of equals. */
static int busiest_channel(const struct engine *e, const struct route *r)
{
    int busiest = -1;
    double most = -1;

    for (size_t i = r->first; i < r->first + r->n; i++) {
        const struct channel_state *c = &e->states[e->pool[i]];
        if (c->carried_B / c->capacity_Bps > most) {
            most = c->carried_B / c->capacity_Bps;
            busiest = (int)e->pool[i];
        }
    }
    return busiest;
}

void engine_view(const struct engine *e, int task, struct task_view *out)
{
    const struct task *t = &e->tasks[task];

    *out = (struct task_view){
        .start_ps = t->start_ps,
        .end_ps = t->end_ps,
        .bytes = t->bytes,
        .resource = t->resource,
        .channel = t->route < 0 ? -1 : busiest_channel(e, &e->routes[t->route]),
        .label = t->label,
        .item = t->item,
        .cause = t->cause,
    };
}

static int by_start(const void *a, const void *b)
{
    const struct task *const *x = a, *const *y = b;

    return ((*x)->start_ps > (*y)->start_ps) - ((*x)->start_ps < (*y)->start_ps);
}

int engine_row_ps(const struct engine *e, int label, int64_t *ps)
{
    bool sorted = true; /* as tasks of one resource that were added in their order are */
    size_t n = 0;
    const struct task **row = malloc(sizeof(*row) * (e->ntasks + 1));

    if (!row)
        return E_NOMEM;
    for (size_t i = 0; i < e->ntasks; i++)
        if (e->tasks[i].label == label) {
            sorted &= !n || row[n - 1]->start_ps <= e->tasks[i].start_ps;
            row[n++] = &e->tasks[i];
        }
    if (!sorted)
        qsort(row, n, sizeof(*row), by_start);
    int64_t busy_ps = 0, until_ps = 0;
    for (size_t i = 0; i < n; i++) {
        int64_t from_ps = row[i]->start_ps > until_ps ? row[i]->start_ps : until_ps;
        if (row[i]->end_ps > from_ps) {
            busy_ps += row[i]->end_ps - from_ps;
            until_ps = row[i]->end_ps;
        }
    }
    free(row);
    *ps = busy_ps;
    return E_OK;
}

uint64_t engine_digest(const struct engine *e)
{
    uint64_t h = 0xcbf29ce484222325; /* FNV-1a over 64-bit words, folded so that high bits reach low ones */

    for (size_t i = 0; i < e->ntasks; i++) {
        h = (h ^ (uint64_t)e->tasks[i].start_ps) * 0x100000001b3;
        h = (h ^ (uint64_t)e->tasks[i].end_ps) * 0x100000001b3;
        h ^= h >> 29;
    }
    return h;
}

/* Time attributed to each kind. Kinds are compared by content: a link's name may be in memory twice. */
struct ledger {
    const char **kinds;
    int64_t *ps;
    size_t n;
};

static const char waiting[] = "wait";

static size_t ledger_entry(struct ledger *l, const char *kind)
{
    size_t i = 0;

    while (i < l->n && strcmp(l->kinds[i], kind) != 0)
        i++;
    if (i == l->n) {
        l->kinds[l->n] = kind;
        l->ps[l->n++] = 0;
    }
    return i;
}

static const char *kind_of(const struct engine *e, int task)
{
    struct task_view v;

    engine_view(e, task, &v);
    if (v.channel >= 0)
        return e->channels[v.channel].kind;
    return v.resource >= 0 ? e->resources[v.resource].kind : waiting;
}

/* The task that ended last at or before to_ps; of equals the one built last: it is the furthest down the graph. */
static int last_before(const struct engine *e, int64_t to_ps)
{
    int last = -1;

    for (size_t i = 0; i < e->ntasks; i++)
        if (e->tasks[i].end_ps <= to_ps && (last < 0 || e->tasks[i].end_ps >= e->tasks[last].end_ps))
            last = (int)i;
    return last;
}

static void attribute(struct ledger *l, const char *kind, int64_t from_ps, int64_t until_ps)
{
    if (until_ps > from_ps)
        l->ps[ledger_entry(l, kind)] += until_ps - from_ps;
}

static void walk(const struct engine *e, int64_t from_ps, int64_t to_ps, struct ledger *l)
{
    int64_t at_ps = to_ps;

    for (int t = last_before(e, to_ps); t >= 0 && at_ps > from_ps; t = e->tasks[t].cause) {
        int64_t start_ps = e->tasks[t].start_ps > from_ps ? e->tasks[t].start_ps : from_ps;
        int64_t end_ps = e->tasks[t].end_ps > from_ps ? e->tasks[t].end_ps : from_ps;
        attribute(l, waiting, end_ps, at_ps);
        at_ps = end_ps < at_ps ? end_ps : at_ps;
        attribute(l, kind_of(e, t), start_ps, at_ps);
        at_ps = start_ps < at_ps ? start_ps : at_ps;
    }
    attribute(l, waiting, from_ps, at_ps);
}

int engine_critical(const struct engine *e, int64_t from_ps, int64_t to_ps,
                    void (*visit)(void *context, const char *kind, int64_t ps), void *context)
{
    size_t most = e->nresources + e->nchannels + 1;
    struct ledger l = { .kinds = calloc(most, sizeof(*l.kinds)), .ps = calloc(most, sizeof(*l.ps)) };
    int rc = l.kinds && l.ps ? E_OK : E_NOMEM;

    for (size_t i = 0; !rc && i < e->nresources; i++)
        ledger_entry(&l, e->resources[i].kind);
    for (size_t i = 0; !rc && i < e->nchannels; i++)
        ledger_entry(&l, e->channels[i].kind);
    if (!rc) {
        ledger_entry(&l, waiting);
        walk(e, from_ps, to_ps, &l);
    }
    for (size_t i = 0; !rc && i < l.n; i++)
        visit(context, l.kinds[i], l.ps[i]);
    free(l.kinds);
    free(l.ps);
    return rc;
}
