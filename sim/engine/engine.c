/* engine.c - plays the graph of tasks that build.c put together. */
#include "sim/engine/engine.h"

#include <assert.h>
#include <stdlib.h>

#include "model/status.h"
#include "sim/engine/graph.h"

enum notice_kind { TASK_DUE, TASK_ENDS, FLOW_STARTS };

/* The task begins (by 1) or ends (by -1). */
static int slow(struct engine *e, const struct task *t, int by)
{
    int rc = E_OK;

    for (int32_t k = t->first_slow; !rc && k >= 0; k = e->slows[k].next) {
        struct channel_name *c = &e->channels[e->slows[k].channel];
        bool before = c->slowed > 0;
        c->slowed += by;
        if (before != (c->slowed > 0))
            rc = fabric_capacity(e->fabric, (uint32_t)e->slows[k].channel,
                                 c->slowed ? c->share * c->capacity_Bps : c->capacity_Bps, e->now_ps);
    }
    return rc;
}

static int begin(struct engine *e, int id)
{
    struct task *t = &e->tasks[id];

    if (t->duration_ps > INT64_MAX - e->now_ps)
        return E_RANGE;
    t->state = RUNNING;
    t->start_ps = e->now_ps;
    int rc = slow(e, t, 1);
    return rc ? rc
              : calendar_post(&e->calendar, e->now_ps + t->duration_ps, t->route < 0 ? TASK_ENDS : FLOW_STARTS,
                              (uint32_t)id, 0);
}

/* Makes a task of a cancelled group take nothing from now on. */
static bool gives_up(struct engine *e, struct task *t)
{
    if (t->group < 0 || !e->groups[t->group].is_void)
        return false;
    assert(t->until < 0 && t->gives_back < 0);
    t->is_void = 1;
    t->duration_ps = 0;
    t->bytes = t->route = -1;
    t->resource = ENGINE_NO_RESOURCE;
    t->label = ENGINE_NO_LABEL;
    return true;
}

/* Behind all of the same or a lower priority: nearly always the last in line. */
static void enqueue(struct engine *e, struct resource *r, int id)
{
    struct task *t = &e->tasks[id];
    int before = r->tail;

    if (before >= 0 && e->tasks[before].priority > t->priority) {
        before = -1;
        for (int k = r->head; e->tasks[k].priority <= t->priority; k = e->tasks[k].next_queued)
            before = k;
    }
    t->next_queued = before < 0 ? r->head : e->tasks[before].next_queued;
    if (before < 0)
        r->head = id;
    else
        e->tasks[before].next_queued = id;
    if (before == r->tail)
        r->tail = id;
}

/* All dependencies have ended: take a slot, or stand in line for one. */
static int ready(struct engine *e, int id)
{
    struct task *t = &e->tasks[id];

    if (t->not_before_ps > e->now_ps)
        return calendar_post(&e->calendar, t->not_before_ps, TASK_DUE, (uint32_t)id, 0);
    if (gives_up(e, t) || t->resource == ENGINE_NO_RESOURCE)
        return begin(e, id);
    struct resource *r = &e->resources[t->resource];
    if (r->free_slots > 0) {
        r->free_slots--;
        return begin(e, id);
    }
    t->state = QUEUED;
    enqueue(e, r, id);
    return E_OK;
}

static int first_in_line(struct engine *e, struct resource *r)
{
    int id = r->head;

    r->head = id < 0 ? -1 : e->tasks[id].next_queued;
    if (r->head < 0)
        r->tail = -1;
    return id;
}

/* The slot that 'holder' took goes, at the end of task 'by', to the first task in the queue that can use it. */
static int release(struct engine *e, int holder, int by)
{
    struct resource *r = &e->resources[e->tasks[holder].resource];
    int rc = E_OK;

    /* Of several slots the sum may be what no time is. */
    if (__builtin_add_overflow(r->busy_ps, e->now_ps - e->tasks[holder].start_ps, &r->busy_ps))
        return E_RANGE;
    for (int id; !rc && (id = first_in_line(e, r)) >= 0;) {
        bool useless = gives_up(e, &e->tasks[id]);
        e->tasks[id].cause = by;
        rc = begin(e, id);
        if (!useless)
            return rc;
    }
    r->free_slots++;
    return rc;
}

static int end(struct engine *e, int id)
{
    struct task *t = &e->tasks[id];
    int rc = slow(e, t, -1);

    assert(t->state == RUNNING);
    t->state = ENDED;
    t->end_ps = e->now_ps;
    e->nended++;
    if (t->decides >= 0 && e->tasks[e->groups[t->decides].over].state == ENDED)
        e->groups[t->decides].is_void = 1;
    if (!rc && t->resource != ENGINE_NO_RESOURCE && (t->until < 0 || e->tasks[t->until].state == ENDED))
        rc = release(e, id, id);
    if (!rc && t->gives_back >= 0 && e->tasks[t->gives_back].state == ENDED)
        rc = release(e, t->gives_back, id);
    for (int32_t k = t->first_edge; !rc && k >= 0; k = e->edges[k].next) {
        struct task *next = &e->tasks[e->edges[k].to];
        if (--next->waits_for == 0) {
            next->cause = id;
            rc = ready(e, e->edges[k].to);
        }
    }
    return rc;
}

static int handle(struct engine *e, const struct notice *n)
{
    const struct task *t = &e->tasks[n->subject];

    switch (n->kind) {
    case TASK_DUE: return ready(e, (int)n->subject);
    case TASK_ENDS: return end(e, (int)n->subject);
    default: return fabric_start(e->fabric, (uint32_t)t->route, t->bytes, e->now_ps, n->subject);
    }
}

/* Everything that happens at this instant, then one new division of the links. */
static int play_instant(struct engine *e)
{
    int64_t at_ps;
    struct notice n;
    uint32_t task;
    int rc = E_OK;

    while (!rc && fabric_next(e->fabric, &at_ps) && at_ps == e->now_ps && fabric_end(e->fabric, e->now_ps, &task))
        rc = end(e, (int)task);
    while (!rc && calendar_peek(&e->calendar, &at_ps) && at_ps == e->now_ps && calendar_next(&e->calendar, &n))
        rc = handle(e, &n);
    return rc ? rc : fabric_settle(e->fabric, e->now_ps);
}

/* When something happens next; false if nothing does. */
static bool next_instant(struct engine *e, int64_t *at_ps)
{
    int64_t notice_ps = INT64_MAX, flow_ps = INT64_MAX;
    bool notice = calendar_peek(&e->calendar, &notice_ps), flow = fabric_next(e->fabric, &flow_ps);

    *at_ps = notice_ps < flow_ps ? notice_ps : flow_ps;
    return notice || flow;
}

/* Edges were pushed to the front of each list; turn the lists round so that ties resolve in the order of building. */
static void reverse_edges(struct engine *e)
{
    for (size_t i = 0; i < e->ntasks; i++) {
        int32_t reversed = -1;
        for (int32_t k = e->tasks[i].first_edge, next; k >= 0; k = next) {
            next = e->edges[k].next;
            e->edges[k].next = reversed;
            reversed = k;
        }
        e->tasks[i].first_edge = reversed;
    }
}

static int start_all(struct engine *e)
{
    int rc = E_OK;

    reverse_edges(e);
    for (size_t i = 0; i < e->ntasks; i++)
        e->tasks[i].waits_for -= e->tasks[i].missing;
    for (size_t i = 0; !rc && i < e->ntasks; i++) {
        struct task *t = &e->tasks[i];
        if (t->state != WAITING || t->waits_for > 0)
            continue;
        t->waits_for = 0;
        rc = ready(e, (int)i);
    }
    return rc ? rc : fabric_settle(e->fabric, 0);
}

static int keep_states(struct engine *e)
{
    e->states = calloc(e->nchannels + 1, sizeof(*e->states));
    if (!e->states)
        return E_NOMEM;
    for (size_t i = 0; i < e->nchannels; i++)
        fabric_channel_state(e->fabric, (uint32_t)i, e->now_ps, &e->states[i]);
    fabric_close(e->fabric, e->now_ps);
    return E_OK;
}

int engine_run(struct engine *e)
{
    int rc = e->rc ? e->rc : start_all(e);

    for (int64_t at_ps; !rc && next_instant(e, &at_ps);) {
        e->now_ps = at_ps;
        rc = play_instant(e);
    }
    if (!rc && e->nended < e->ntasks)
        rc = E_CYCLE;
    return rc ? rc : keep_states(e);
}
