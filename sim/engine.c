#include "sim/engine.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "sim/calendar.h"
#include "sim/status.h"
#include "sim/vec.h"

enum task_state { WAITING, QUEUED, RUNNING, ENDED };
enum notice_kind { TASK_ENDS, FLOW_STARTS, FLOW_ENDS };

struct task {
    int64_t duration_ps; /* compute: how long; transfer: its latency */
    int64_t start_ps, end_ps;
    int32_t resource, label;
    int32_t flow;        /* -1: not a transfer */
    int32_t first_edge;  /* into edges: who waits for this task */
    int32_t next_queued; /* in its resource's queue */
    uint32_t waits_for;
    enum task_state state;
};

struct edge {
    int32_t to, next;
};
struct resource {
    int32_t free_slots, head, tail;
};

struct engine {
    struct calendar calendar;
    struct fabric fabric;
    struct task *tasks;
    size_t ntasks, task_capacity;
    struct edge *edges;
    size_t nedges, edge_capacity;
    struct resource *resources;
    size_t nresources, resource_capacity;
    int32_t *task_of_flow;
    size_t flow_capacity;
    uint64_t nended;
    int64_t now_ps;
    int rc;
};

struct engine *engine_new(void)
{
    return calloc(1, sizeof(struct engine));
}

void engine_free(struct engine *e)
{
    if (!e)
        return;
    calendar_clear(&e->calendar);
    fabric_clear(&e->fabric);
    free(e->tasks);
    free(e->edges);
    free(e->resources);
    free(e->task_of_flow);
    free(e);
}

static int fail(struct engine *e, int rc)
{
    if (!e->rc)
        e->rc = rc;
    return -1;
}

int engine_resource(struct engine *e, int slots)
{
    if (e->rc || slots < 1)
        return fail(e, SIM_EINVAL);
    if (!VEC_RESERVE(e->resources, e->resource_capacity, e->nresources))
        return fail(e, SIM_ENOMEM);
    e->resources[e->nresources] = (struct resource){ .free_slots = slots, .head = -1, .tail = -1 };
    return (int)e->nresources++;
}

int engine_channel(struct engine *e, double capacity_Bps)
{
    int64_t id = e->rc ? SIM_EINVAL : fabric_channel(&e->fabric, capacity_Bps);

    return id < 0 ? fail(e, (int)id) : (int)id;
}

static int add_task(struct engine *e, int resource, int64_t duration_ps, int flow, int label)
{
    if (e->rc || resource < ENGINE_NO_RESOURCE || resource >= (int)e->nresources || duration_ps < 0)
        return fail(e, SIM_EINVAL);
    if (!VEC_RESERVE(e->tasks, e->task_capacity, e->ntasks))
        return fail(e, SIM_ENOMEM);
    e->tasks[e->ntasks] = (struct task){ .duration_ps = duration_ps,
                                         .resource = resource,
                                         .label = label,
                                         .flow = flow,
                                         .first_edge = -1,
                                         .next_queued = -1 };
    return (int)e->ntasks++;
}

int engine_compute(struct engine *e, int resource, int64_t duration_ps, int label)
{
    return add_task(e, resource, duration_ps, -1, label);
}

int engine_sync(struct engine *e)
{
    return add_task(e, ENGINE_NO_RESOURCE, 0, -1, ENGINE_NO_LABEL);
}

int engine_transfer(struct engine *e, int resource, const uint32_t *path, size_t npath, int64_t bytes,
                    int64_t latency_ps, int label)
{
    int64_t flow = e->rc ? SIM_EINVAL : fabric_flow(&e->fabric, path, npath, bytes);

    if (flow < 0)
        return fail(e, (int)flow);
    if (!VEC_RESERVE(e->task_of_flow, e->flow_capacity, (size_t)flow))
        return fail(e, SIM_ENOMEM);
    int task = add_task(e, resource, latency_ps, (int)flow, label);
    e->task_of_flow[flow] = task;
    return task;
}

void engine_after(struct engine *e, int task, int earlier)
{
    if (e->rc || task < 0 || earlier < 0 || task >= (int)e->ntasks || earlier >= (int)e->ntasks) {
        fail(e, SIM_EINVAL);
        return;
    }
    if (!VEC_RESERVE(e->edges, e->edge_capacity, e->nedges)) {
        fail(e, SIM_ENOMEM);
        return;
    }
    e->edges[e->nedges] = (struct edge){ .to = task, .next = e->tasks[earlier].first_edge };
    e->tasks[earlier].first_edge = (int32_t)e->nedges++;
    e->tasks[task].waits_for++;
}

static int begin(struct engine *e, int id)
{
    struct task *t = &e->tasks[id];

    if (t->duration_ps > INT64_MAX - e->now_ps)
        return SIM_ERANGE;
    t->state = RUNNING;
    t->start_ps = e->now_ps;
    return calendar_post(&e->calendar, e->now_ps + t->duration_ps, t->flow < 0 ? TASK_ENDS : FLOW_STARTS, (uint32_t)id,
                         0);
}

/* All dependencies have ended: take a slot, or stand in line for one. */
static int ready(struct engine *e, int id)
{
    struct task *t = &e->tasks[id];

    if (t->resource == ENGINE_NO_RESOURCE)
        return begin(e, id);
    struct resource *r = &e->resources[t->resource];
    if (r->free_slots > 0) {
        r->free_slots--;
        return begin(e, id);
    }
    t->state = QUEUED;
    if (r->tail < 0)
        r->head = id;
    else
        e->tasks[r->tail].next_queued = id;
    r->tail = id;
    return SIM_OK;
}

static int release(struct engine *e, struct resource *r)
{
    int id = r->head;

    if (id < 0) {
        r->free_slots++;
        return SIM_OK;
    }
    r->head = e->tasks[id].next_queued;
    if (r->head < 0)
        r->tail = -1;
    return begin(e, id);
}

static int end(struct engine *e, int id)
{
    struct task *t = &e->tasks[id];
    int rc = SIM_OK;

    assert(t->state == RUNNING);
    t->state = ENDED;
    t->end_ps = e->now_ps;
    e->nended++;
    if (t->resource != ENGINE_NO_RESOURCE)
        rc = release(e, &e->resources[t->resource]);
    for (int32_t k = t->first_edge; !rc && k >= 0; k = e->edges[k].next)
        if (--e->tasks[e->edges[k].to].waits_for == 0)
            rc = ready(e, e->edges[k].to);
    return rc;
}

static int handle(struct engine *e, const struct notice *n)
{
    if (n->kind == TASK_ENDS)
        return end(e, (int)n->subject);
    if (n->kind == FLOW_STARTS)
        return fabric_start(&e->fabric, (uint32_t)e->tasks[n->subject].flow, e->now_ps);
    if (e->fabric.flows[n->subject].version != n->version)
        return SIM_OK; /* its rate changed since: a later notice replaced this one */
    int rc = fabric_end(&e->fabric, n->subject, e->now_ps);
    return rc ? rc : end(e, e->task_of_flow[n->subject]);
}

static int post_flow_ends(struct engine *e)
{
    int rc = fabric_settle(&e->fabric, e->now_ps);

    for (size_t i = 0; !rc && i < e->fabric.nchanged; i++) {
        uint32_t id = e->fabric.changed[i];
        const struct flow *fl = &e->fabric.flows[id];
        rc = calendar_post(&e->calendar, fl->end_ps, FLOW_ENDS, id, fl->version);
    }
    return rc;
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

int engine_run(struct engine *e)
{
    int rc = e->rc;

    if (!rc)
        reverse_edges(e);
    for (size_t i = 0; !rc && i < e->ntasks; i++)
        if (e->tasks[i].state == WAITING && !e->tasks[i].waits_for)
            rc = ready(e, (int)i);
    for (int64_t at_ps; !rc && calendar_peek(&e->calendar, &at_ps);) {
        struct notice n;
        e->now_ps = at_ps;
        /* Everything that happens at this instant, then one new division of the links. */
        while (!rc && calendar_peek(&e->calendar, &at_ps) && at_ps == e->now_ps && calendar_next(&e->calendar, &n))
            rc = handle(e, &n);
        if (!rc)
            rc = post_flow_ends(e);
    }
    if (!rc && e->nended < e->ntasks)
        rc = SIM_ECYCLE;
    if (!rc)
        fabric_close(&e->fabric, e->now_ps);
    return rc;
}

int64_t engine_end_ps(const struct engine *e)
{
    return e->now_ps;
}

uint64_t engine_ntasks(const struct engine *e)
{
    return e->ntasks;
}

void engine_task(const struct engine *e, int task, int64_t *start_ps, int64_t *end_ps)
{
    *start_ps = e->tasks[task].start_ps;
    *end_ps = e->tasks[task].end_ps;
}

const struct channel *engine_channel_state(const struct engine *e, int channel)
{
    return &e->fabric.channels[channel];
}

static int by_start(const void *a, const void *b)
{
    const struct task *const *x = a, *const *y = b;

    return ((*x)->start_ps > (*y)->start_ps) - ((*x)->start_ps < (*y)->start_ps);
}

int engine_row_ps(const struct engine *e, int label, int64_t *ps)
{
    size_t n = 0;
    const struct task **row = malloc(sizeof(*row) * (e->ntasks + 1));

    if (!row)
        return SIM_ENOMEM;
    for (size_t i = 0; i < e->ntasks; i++)
        if (e->tasks[i].label == label)
            row[n++] = &e->tasks[i];
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
    return SIM_OK;
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
