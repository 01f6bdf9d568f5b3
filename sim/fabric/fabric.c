#include "sim/fabric/fabric.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "model/numbers.h"
#include "model/status.h"
#include "model/vec.h"
#include "sim/fabric/private.h"

struct fabric *fabric_new(void)
{
    return calloc(1, sizeof(struct fabric));
}

void fabric_free(struct fabric *f)
{
    if (!f)
        return;
    for (size_t i = 0; i < f->nchannels; i++) {
        free(f->channels[i].routes);
        free(f->channels[i].others);
        free(f->channels[i].held);
        free(f->channels[i].finishes.items);
    }
    void *owned[] = { f->channels,     f->levels,       f->ceiling_Bps, f->dirty.ids, f->affected.ids, f->retimed.ids,
                      f->events.items, f->event_place,  f->ends.items,  f->end_place, f->routes,       f->bottleneck,
                      f->width,        f->finish_place, f->limits_Bps,  f->weights,   f->hops,         f->list_place,
                      f->own,          f->flows,        f->spare,       f->instant,   f->due };
    for (size_t i = 0; i < COUNT(owned); i++)
        free(owned[i]);
    free(f);
}

/* Everything that one channel more can be entered into. */
static bool room_for_channel(struct fabric *f)
{
    size_t n = f->nchannels;

    return VEC_RESERVE(f->channels, f->channel_capacity, n) && VEC_RESERVE(f->levels, f->level_capacity, n) &&
           VEC_RESERVE(f->ceiling_Bps, f->ceiling_capacity, n) && VEC_RESERVE(f->dirty.ids, f->dirty.capacity, n) &&
           VEC_RESERVE(f->affected.ids, f->affected.capacity, n) &&
           VEC_RESERVE(f->retimed.ids, f->retimed.capacity, n) && VEC_RESERVE(f->events.items, f->events.capacity, n) &&
           VEC_RESERVE(f->event_place, f->event_place_capacity, n) && VEC_RESERVE(f->ends.items, f->ends.capacity, n) &&
           VEC_RESERVE(f->end_place, f->end_place_capacity, n);
}

int64_t fabric_channel(struct fabric *f, double capacity_Bps)
{
    if (!(capacity_Bps > 0) || !isfinite(capacity_Bps))
        return E_INVAL;
    if (f->nchannels >= NO_CHANNEL)
        return E_RANGE;
    if (!room_for_channel(f))
        return E_NOMEM;
    f->channels[f->nchannels] =
        (struct channel){ .capacity_Bps = capacity_Bps, .share_Bps = INFINITY, .most_Bps = capacity_Bps };
    f->levels[f->nchannels] = (struct level){
        .level_Bps = INFINITY, .assumed_Bps = INFINITY, .left_Bps = capacity_Bps, .doubt_Bps = doubt * capacity_Bps
    };
    f->ceiling_Bps[f->nchannels] = INFINITY;
    f->event_place[f->nchannels] = f->end_place[f->nchannels] = 0;
    return (int64_t)f->nchannels++;
}

/* All known and all different? Marks the channels on the way, and takes the marks off again. */
static bool sound_route(struct fabric *f, const uint32_t *channels, size_t n)
{
    size_t known = 0;
    bool sound = true;

    for (; sound && known < n; known += sound) {
        sound = channels[known] < f->nchannels && !f->channels[channels[known]].marked;
        if (sound)
            f->channels[channels[known]].marked = 1;
    }
    while (known)
        f->channels[channels[--known]].marked = 0;
    return sound;
}

/* Everything but its hops and the channels' lists, which most routes are never in at once. */
static bool room_for_route(struct fabric *f)
{
    size_t n = f->nroutes;

    return VEC_RESERVE(f->routes, f->route_capacity, n) && VEC_RESERVE(f->bottleneck, f->bottleneck_capacity, n) &&
           VEC_RESERVE(f->width, f->width_capacity, n) && VEC_RESERVE(f->finish_place, f->finish_place_capacity, n) &&
           VEC_RESERVE(f->limits_Bps, f->limit_capacity, n + 1) && /* which is filled by twos */
           VEC_RESERVE(f->weights, f->weight_capacity, n) && VEC_RESERVE(f->own, f->own_capacity, n);
}

int64_t fabric_route(struct fabric *f, const uint32_t *channels, size_t n)
{
    if (!sound_route(f, channels, n))
        return E_INVAL;
    if (f->nroutes >= UINT32_MAX || n > UINT32_MAX - f->nhops)
        return E_RANGE;
    if (!room_for_route(f))
        return E_NOMEM;
    for (size_t i = 0; i < n; i++) {
        if (!VEC_RESERVE(f->hops, f->hop_capacity, f->nhops + i) ||
            !VEC_RESERVE(f->list_place, f->list_place_capacity, f->nhops + i))
            return E_NOMEM;
        f->hops[f->nhops + i] = channels[i];
    }
    f->routes[f->nroutes] = (struct route){ .first = (uint32_t)f->nhops, .n = (uint32_t)n, .soonest = NO_FLOW };
    f->bottleneck[f->nroutes] = NO_CHANNEL;
    f->width[f->nroutes] = f->finish_place[f->nroutes] = 0;
    f->nhops += n;
    return (int64_t)f->nroutes++;
}

/* A flow came or went, or the capacity changed. */
static void touch(struct fabric *f, uint32_t channel)
{
    struct channel *c = &f->channels[channel];

    if (!c->dirty)
        channel_set_add(&f->dirty, channel);
    c->dirty = 1;
}

int fabric_capacity(struct fabric *f, uint32_t channel, double capacity_Bps, int64_t now_ps)
{
    if (channel >= f->nchannels || !(capacity_Bps > 0) || !isfinite(capacity_Bps) || f->channels[channel].burst_B > 0)
        return E_INVAL;
    struct channel *c = &f->channels[channel];
    fabric_channel_count(c, now_ps);
    c->capacity_Bps = capacity_Bps;
    f->levels[channel].doubt_Bps = doubt * capacity_Bps;
    c->most_Bps = larger(c->most_Bps, capacity_Bps);
    touch(f, channel);
    return E_OK;
}

/* A slot for one flow more, and everything that it can be entered into but for the channels. */
static bool room_for_flow(struct fabric *f)
{
    size_t n = f->nflows;

    if (f->nspare)
        return true;
    if (!VEC_RESERVE(f->flows, f->flow_capacity, n) || !VEC_RESERVE(f->spare, f->spare_capacity, n) ||
        !VEC_RESERVE(f->instant, f->instant_capacity, n) || !VEC_RESERVE(f->due, f->due_capacity, n))
        return false;
    f->spare[f->nspare++] = (uint32_t)f->nflows++;
    return true;
}

/* The channels on the way list the route from its first flow on. */
static int list(struct fabric *f, uint32_t route)
{
    const struct route *r = &f->routes[route];

    for (size_t i = 0; i < r->n; i++) {
        struct channel *c = &f->channels[f->hops[r->first + i]];
        if (!VEC_RESERVE(c->routes, c->route_capacity, c->listed) ||
            !VEC_RESERVE(c->others, c->other_capacity, c->listed) ||
            !VEC_RESERVE(c->held, c->held_capacity, c->listed) ||
            !VEC_RESERVE(c->finishes.items, c->finishes.capacity, c->listed))
            return E_NOMEM;
        c->others[c->listed] = r->n == 2 ? f->hops[r->first + !i] : NO_CHANNEL;
        c->long_routes += r->n != 2;
        f->list_place[r->first + i] = (uint32_t)c->listed;
        c->routes[c->listed++] = route;
        c->idle++;
    }
    f->routes[route].listed = 1;
    return E_OK;
}

static int enter_channels(struct fabric *f, uint32_t flow, int64_t now_ps)
{
    uint32_t route = f->flows[flow].route;
    const struct route *r = &f->routes[route];
    int rc = r->listed ? E_OK : list(f, route);

    for (size_t i = 0; !rc && i < r->n; i++) {
        struct channel *c = &f->channels[f->hops[r->first + i]];
        fabric_channel_count(c, now_ps);
        c->live++;
        if (!f->width[route]) {
            c->idle--;
            c->held[f->list_place[r->first + i]] = 0;
        }
        touch(f, f->hops[r->first + i]);
    }
    if (!rc)
        fabric_join(f, flow, now_ps);
    return rc;
}

int fabric_start(struct fabric *f, uint32_t route, int64_t bytes, int64_t now_ps, uint32_t tag)
{
    if (route >= f->nroutes || bytes < 0)
        return E_INVAL;
    if (f->nflows >= UINT32_MAX)
        return E_RANGE;
    if (!room_for_flow(f))
        return E_NOMEM;
    uint32_t flow = f->spare[--f->nspare];
    f->flows[flow] = (struct flow){ .sequence = f->started++, .bytes = bytes, .route = route, .tag = tag };
    f->flows[flow].finish_B = (double)bytes - fabric_pass(f, route, bytes, now_ps);
    if (f->flows[flow].finish_B > 0 && f->routes[route].n)
        return enter_channels(f, flow, now_ps);
    f->flows[flow].finish_B = -1;
    f->instant[f->ninstant++] = flow;
    f->due_ps = now_ps;
    return E_OK;
}

/* Move an entry of the channel's list to an earlier place. */
static void relist(struct fabric *f, uint32_t channel, size_t from, size_t to)
{
    struct channel *c = &f->channels[channel];
    const struct route *r = &f->routes[c->routes[from]];
    uint32_t hop = r->first;

    c->routes[to] = c->routes[from];
    c->others[to] = c->others[from];
    c->held[to] = c->held[from];
    while (f->hops[hop] != channel)
        hop++;
    f->list_place[hop] = (uint32_t)to;
}

/* Forget the routes that have no flow left. */
static void sweep(struct fabric *f)
{
    for (size_t i = 0; i < f->dirty.count; i++) {
        struct channel *c = &f->channels[f->dirty.ids[i]];
        size_t kept = 0, all = c->listed - c->idle;
        if (!c->idle)
            continue;
        for (size_t k = 0; k < c->listed; k++) {
            struct route *r = &f->routes[c->routes[k]];
            if (!f->width[c->routes[k]]) {
                r->listed = 0;
                c->long_routes -= r->n != 2;
            } else if (kept++ != k) {
                relist(f, f->dirty.ids[i], k, kept - 1);
            }
        }
        assert(kept == all);
        c->listed = kept;
        c->idle = 0;
    }
}

int fabric_settle(struct fabric *f, int64_t now_ps)
{
    sweep(f);
    if (f->dirty.count)
        fabric_divide(f, now_ps);
    return fabric_retime(f, now_ps);
}

bool fabric_next(struct fabric *f, int64_t *at_ps)
{
    if (f->ninstant || f->next_due < f->ndue)
        *at_ps = f->due_ps;
    else if (f->ends.count)
        *at_ps = (int64_t)f->ends.items[0].key;
    else
        return false;
    return true;
}

static void end_flow(struct fabric *f, uint32_t flow, int64_t now_ps)
{
    struct flow *fl = &f->flows[flow];
    const struct route *r = &f->routes[fl->route];

    for (size_t i = 0; i < r->n; i++) {
        struct channel *c = &f->channels[f->hops[r->first + i]];
        c->sent_bytes += (uint64_t)fl->bytes;
        c->flows_ended++;
        if (fl->finish_B < 0)
            continue;
        fabric_channel_count(c, now_ps);
        c->live--;
        c->idle += !f->width[fl->route];
        touch(f, f->hops[r->first + i]);
    }
    fl->route = NO_ROUTE;
    f->due[f->ndue++] = (struct due){ .sequence = fl->sequence, .tag = fl->tag };
    f->spare[f->nspare++] = flow;
}

static int by_sequence(const void *a, const void *b)
{
    const struct due *x = a, *y = b;

    return (x->sequence > y->sequence) - (x->sequence < y->sequence);
}

/* Find all that end now. Mostly they come in their order: all of one instant started at one instant. */
static void collect(struct fabric *f, int64_t now_ps)
{
    bool sorted = true;

    f->ndue = f->next_due = 0;
    for (size_t i = 0; i < f->ninstant; i++)
        end_flow(f, f->instant[i], now_ps);
    f->ninstant = 0;
    fabric_take_ended(f, now_ps, end_flow);
    for (size_t i = 1; sorted && i < f->ndue; i++)
        sorted = f->due[i - 1].sequence < f->due[i].sequence;
    if (!sorted)
        qsort(f->due, f->ndue, sizeof(*f->due), by_sequence);
    f->due_ps = now_ps;
}

bool fabric_end(struct fabric *f, int64_t now_ps, uint32_t *tag)
{
    if (f->next_due == f->ndue)
        collect(f, now_ps);
    if (f->next_due == f->ndue)
        return false;
    *tag = f->due[f->next_due++].tag;
    return true;
}

double fabric_rate_Bps(const struct fabric *f, uint32_t tag)
{
    for (size_t i = 0; i < f->nflows; i++) {
        const struct flow *fl = &f->flows[i];
        if (fl->tag == tag && fl->route != NO_ROUTE && fl->finish_B >= 0)
            return f->bottleneck[fl->route] == NO_CHANNEL ? 0 : f->levels[f->bottleneck[fl->route]].level_Bps;
    }
    return 0;
}

size_t fabric_nchannels(const struct fabric *f)
{
    return f->nchannels;
}
