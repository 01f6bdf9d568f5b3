/* build.c - puts an engine together: resources, channels, routes, and the graph of tasks. */
#include "sim/engine/engine.h"
#include <stdlib.h>
#include <string.h>

#include "model/status.h"
#include "model/vec.h"
#include "sim/engine/graph.h"

struct engine *engine_new(void)
{
    struct engine *e = calloc(1, sizeof(*e));

    if (e && !(e->fabric = fabric_new())) {
        free(e);
        return NULL;
    }
    return e;
}

void engine_free(struct engine *e)
{
    if (!e)
        return;
    calendar_clear(&e->calendar);
    fabric_free(e->fabric);
    free(e->tasks);
    free(e->places);
    free(e->edges);
    free(e->groups);
    free(e->resources);
    free(e->slows);
    free(e->channels);
    free(e->routes);
    free(e->pool);
    free(e->states);
    free(e);
}

static int fail(struct engine *e, int rc)
{
    if (!e->rc)
        e->rc = rc;
    return -1;
}

int engine_resource(struct engine *e, const char *kind, int number, int slots)
{
    if (e->rc || slots < 1)
        return fail(e, E_INVAL);
    if (!VEC_RESERVE(e->resources, e->resource_capacity, e->nresources))
        return fail(e, E_NOMEM);
    e->resources[e->nresources] = (struct resource){
        .kind = kind, .number = number, .slots = slots, .free_slots = slots, .head = -1, .tail = -1
    };
    return (int)e->nresources++;
}

int engine_channel(struct engine *e, const char *kind, int number, double capacity_Bps)
{
    if (!e->rc && !VEC_RESERVE(e->channels, e->channel_capacity, e->nchannels))
        return fail(e, E_NOMEM);
    int64_t id = e->rc ? E_INVAL : fabric_channel(e->fabric, capacity_Bps);
    if (id < 0)
        return fail(e, (int)id);
    e->channels[e->nchannels++] =
        (struct channel_name){ .kind = kind, .number = number, .capacity_Bps = capacity_Bps, .share = 1 };
    return (int)id;
}

void engine_bucket(struct engine *e, int channel, double bytes)
{
    int rc = e->rc || channel < 0 ? E_INVAL : fabric_bucket(e->fabric, (uint32_t)channel, bytes);

    if (rc)
        fail(e, rc);
}

int engine_route(struct engine *e, const uint32_t *channels, size_t n)
{
    int64_t id = e->rc ? E_INVAL : fabric_route(e->fabric, channels, n);

    if (id < 0)
        return fail(e, (int)id);
    if (!VEC_RESERVE(e->routes, e->route_capacity, e->nroutes))
        return fail(e, E_NOMEM);
    e->routes[e->nroutes] = (struct route){ .first = e->npool, .n = n };
    for (size_t i = 0; i < n; i++) {
        if (!VEC_RESERVE(e->pool, e->pool_capacity, e->npool))
            return fail(e, E_NOMEM);
        e->pool[e->npool++] = channels[i];
    }
    return (int)e->nroutes++;
}

static int add_task(struct engine *e, int resource, int64_t duration_ps, int label)
{
    if (e->rc || resource < ENGINE_NO_RESOURCE || resource >= (int)e->nresources || duration_ps < 0)
        return fail(e, E_INVAL);
    if (e->ntasks >= INT32_MAX)
        return fail(e, E_RANGE);
    if (!VEC_RESERVE(e->tasks, e->task_capacity, e->ntasks))
        return fail(e, E_NOMEM);
    e->tasks[e->ntasks] = (struct task){ .duration_ps = duration_ps,
                                         .bytes = -1,
                                         .resource = resource,
                                         .label = label,
                                         .item = ENGINE_NO_ITEM,
                                         .route = -1,
                                         .first_edge = -1,
                                         .next_queued = -1,
                                         .cause = -1,
                                         .until = -1,
                                         .gives_back = -1,
                                         .first_slow = -1,
                                         .group = -1,
                                         .decides = -1 };
    if (e->keeps_places) {
        if (!VEC_RESERVE(e->places, e->place_capacity, e->nplaces))
            return fail(e, E_NOMEM);
        e->places[e->nplaces++] = (struct task_place){
            .work = resource < 0 && !duration_ps ? WORK_ORDER : WORK_CLOCK, .rank = RANK_NONE, .peer = -1, .tensor = -1
        };
    }
    return (int)e->ntasks++;
}

void engine_keep_places(struct engine *e)
{
    if (e->ntasks)
        fail(e, E_INVAL);
    e->keeps_places = true;
}

bool engine_keeps_places(const struct engine *e)
{
    return e->keeps_places;
}

int engine_compute(struct engine *e, int resource, int64_t duration_ps, int label)
{
    return add_task(e, resource, duration_ps, label);
}

int engine_sync(struct engine *e)
{
    return add_task(e, ENGINE_NO_RESOURCE, 0, ENGINE_NO_LABEL);
}

int engine_transfer(struct engine *e, int resource, int route, int64_t bytes, int64_t latency_ps, int label)
{
    if (e->rc || route < 0 || route >= (int)e->nroutes || bytes < 0)
        return fail(e, E_INVAL);
    int task = add_task(e, resource, latency_ps, label);
    if (task >= 0) {
        e->tasks[task].route = route;
        e->tasks[task].bytes = bytes;
    }
    return task;
}

static bool known(struct engine *e, int task)
{
    if (!e->rc && task >= 0 && task < (int)e->ntasks)
        return true;
    fail(e, E_INVAL);
    return false;
}

void engine_after(struct engine *e, int task, int earlier)
{
    if (!known(e, task) || !known(e, earlier))
        return;
    if (e->nedges >= INT32_MAX) {
        fail(e, E_RANGE);
        return;
    }
    if (!VEC_RESERVE(e->edges, e->edge_capacity, e->nedges)) {
        fail(e, E_NOMEM);
        return;
    }
    e->edges[e->nedges] = (struct edge){ .to = task, .next = e->tasks[earlier].first_edge };
    e->tasks[earlier].first_edge = (int32_t)e->nedges++;
    e->tasks[task].waits_for++;
}

void engine_slows(struct engine *e, int task, int channel, double share)
{
    if (!known(e, task))
        return;
    struct task *t = &e->tasks[task];
    bool sound = t->route < 0 && channel >= 0 && channel < (int)e->nchannels && share > 0 && share <= 1;
    if (!sound || (e->channels[channel].share != 1 && e->channels[channel].share != share)) {
        fail(e, E_INVAL);
        return;
    }
    if (e->nslows >= INT32_MAX || !VEC_RESERVE(e->slows, e->slow_capacity, e->nslows)) {
        fail(e, e->nslows >= INT32_MAX ? E_RANGE : E_NOMEM);
        return;
    }
    e->channels[channel].share = share;
    e->slows[e->nslows] = (struct slow){ .channel = channel, .next = t->first_slow };
    t->first_slow = (int32_t)e->nslows++;
}

void engine_all_but(struct engine *e, int task, int missing)
{
    if (missing < 0)
        fail(e, E_INVAL);
    else if (known(e, task))
        e->tasks[task].missing = missing;
}

void engine_not_before(struct engine *e, int task, int64_t at_ps)
{
    if (at_ps < 0)
        fail(e, E_INVAL);
    else if (known(e, task))
        e->tasks[task].not_before_ps = at_ps;
}

void engine_priority(struct engine *e, int task, int priority)
{
    if (known(e, task))
        e->tasks[task].priority = priority;
}

void engine_hold(struct engine *e, int task, int until)
{
    if (!known(e, task) || !known(e, until))
        return;
    if (task == until || e->tasks[task].resource == ENGINE_NO_RESOURCE || e->tasks[task].until >= 0 ||
        e->tasks[until].gives_back >= 0) {
        fail(e, E_INVAL);
        return;
    }
    e->tasks[task].until = until;
    e->tasks[until].gives_back = task;
}

int engine_group(struct engine *e)
{
    if (e->rc || e->ngroups >= INT32_MAX)
        return fail(e, E_RANGE);
    if (!VEC_RESERVE(e->groups, e->group_capacity, e->ngroups))
        return fail(e, E_NOMEM);
    e->groups[e->ngroups] = (struct group){ .over = -1 };
    return (int)e->ngroups++;
}

void engine_in_group(struct engine *e, int task, int group)
{
    if (!known(e, task))
        return;
    if (group < 0 || group >= (int)e->ngroups || e->tasks[task].group >= 0)
        fail(e, E_INVAL);
    else
        e->tasks[task].group = group;
}

void engine_void_if(struct engine *e, int gate, int group, int over)
{
    if (!known(e, gate) || !known(e, over))
        return;
    if (group < 0 || group >= (int)e->ngroups || e->groups[group].over >= 0 || e->tasks[gate].decides >= 0) {
        fail(e, E_INVAL);
        return;
    }
    e->groups[group].over = over;
    e->tasks[gate].decides = group;
}

void engine_place(struct engine *e, int task, const struct task_place *place)
{
    if (e->keeps_places && known(e, task))
        e->places[task] = *place;
}

void engine_item(struct engine *e, int task, int item)
{
    if (known(e, task))
        e->tasks[task].item = item;
}
