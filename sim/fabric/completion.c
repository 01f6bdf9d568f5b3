/* completion.c - which flow ends next: a clock in bytes for each channel, as private.h explains. */
#include <assert.h>
#include <math.h>

#include "model/status.h"
#include "sim/fabric/private.h"

/* A clock that has run this far starts again from 0 when it next gets a level, so that it keeps resolving parts of a
 * byte by which no end could move a picosecond. */
static const double clock_range_B = 1048576;

/* What a division and a clock's additions may be off, in picoseconds: so much, and so much of the clock, but never as
 * much as half of one. A flow that is done but for that is done: an exact number of picoseconds must not become one
 * more. */
static const double slack_least_ps = 1e-3, slack_share = 1e-15, slack_most_ps = 0.4;

/* Ends later than this do not fit; 2^63 ps, a little less. */
static const double most_ps = 9e18;

double fabric_clock_B(const struct fabric *f, uint32_t channel, int64_t now_ps)
{
    const struct channel *c = &f->channels[channel];

    return c->clock_B + f->levels[channel].level_Bps * ((double)(now_ps - c->clock_ps) / ps_per_s);
}

static void retimed(struct fabric *f, uint32_t channel)
{
    struct channel *c = &f->channels[channel];

    if (!c->retimed)
        channel_set_add(&f->retimed, channel);
    c->retimed = 1;
}

/* What the clock of the channel that holds a route back will show when the route's first flow is done. */
static uint64_t route_key(const struct fabric *f, uint32_t route)
{
    const struct route *r = &f->routes[route];

    return heap_key(fmax(f->flows[r->soonest].finish_B - r->ahead_B, 0));
}

/* The same order, but for rounding: every key becomes smaller by what the clock shows. */
static void clock_restart(struct fabric *f, struct channel *c)
{
    for (size_t i = 0; i < c->finishes.count; i++) {
        uint32_t route = c->finishes.items[i].id;
        f->routes[route].ahead_B += c->clock_B;
        c->finishes.items[i].key = route_key(f, route);
    }
    c->clock_B = 0;
    heap_order(&c->finishes, f->finish_place);
}

void fabric_set_level(struct fabric *f, uint32_t channel, double level_Bps, int64_t now_ps)
{
    struct channel *c = &f->channels[channel];

    assert(isfinite(level_Bps) || !c->finishes.count);
    if (c->finishes.count) {
        double now_B = fabric_clock_B(f, channel, now_ps);
        if (level_Bps == f->levels[channel].level_Bps && now_B <= clock_range_B)
            return;
        c->clock_B = now_B;
        if (now_B > clock_range_B)
            clock_restart(f, c);
        retimed(f, channel);
    } else {
        c->clock_B = 0;
    }
    c->clock_ps = now_ps;
    f->levels[channel].level_Bps = level_Bps;
    f->levels[channel].assumed_Bps = level_Bps;
}

/* Note in the channel's list whether it is the route's bottleneck. */
static void note_held(struct fabric *f, uint32_t route, uint32_t channel, bool held)
{
    uint32_t hop = f->routes[route].first;

    while (f->hops[hop] != channel)
        hop++;
    f->channels[channel].held[f->list_place[hop]] = held;
}

void fabric_hold(struct fabric *f, uint32_t route, uint32_t channel, int64_t now_ps)
{
    struct route *r = &f->routes[route];
    uint32_t before = f->bottleneck[route];
    double clock_B = 0;

    if (before != NO_CHANNEL) {
        struct channel *from = &f->channels[before];
        clock_B = fabric_clock_B(f, before, now_ps) + r->ahead_B;
        note_held(f, route, before, 0);
        heap_drop(&from->finishes, f->finish_place, route);
        retimed(f, before);
    }
    struct channel *to = &f->channels[channel];
    r->ahead_B = clock_B - fabric_clock_B(f, channel, now_ps);
    note_held(f, route, channel, 1);
    heap_put(&to->finishes, f->finish_place, route, route_key(f, route));
    retimed(f, channel);
    f->bottleneck[route] = channel;
}

void fabric_join(struct fabric *f, uint32_t flow, int64_t now_ps)
{
    uint32_t route = f->flows[flow].route, held_by = f->bottleneck[route];
    struct route *r = &f->routes[route];

    f->width[route]++;
    if (held_by == NO_CHANNEL) {
        fabric_order_add(f, flow);
        return;
    }
    struct channel *c = &f->channels[held_by];
    double clock_B = fabric_clock_B(f, held_by, now_ps) + r->ahead_B;
    if (clock_B > clock_range_B) {
        fabric_order_restart(f, route, clock_B);
        r->ahead_B = -fabric_clock_B(f, held_by, now_ps);
        clock_B = 0;
    }
    f->flows[flow].finish_B += clock_B;
    fabric_order_add(f, flow);
    heap_put(&c->finishes, f->finish_place, route, route_key(f, route));
    retimed(f, held_by);
}

/* In how many picoseconds from clock_ps the clock will show finish_B. */
static double finish_ps(const struct fabric *f, uint32_t channel, double finish_B)
{
    double level_Bps = f->levels[channel].level_Bps;
    double left_ps = (finish_B - f->channels[channel].clock_B) * ps_per_s / level_Bps;
    double slack_ps = slack_least_ps + slack_share * (finish_B * ps_per_s / level_Bps);

    return fmax(ceil(left_ps - fmin(slack_ps, slack_most_ps)), 0);
}

void fabric_take_ended(struct fabric *f, int64_t now_ps, void (*ended)(struct fabric *f, uint32_t flow, int64_t now_ps))
{
    while (f->ends.count && f->ends.items[0].key <= (uint64_t)now_ps) {
        uint32_t channel = f->ends.items[0].id;
        struct channel *c = &f->channels[channel];
        assert(f->ends.items[0].key == (uint64_t)now_ps);
        heap_drop(&f->ends, f->end_place, channel);
        retimed(f, channel);
        while (c->finishes.count) {
            struct heap_item first = c->finishes.items[0];
            if (finish_ps(f, channel, heap_value(first.key)) > (double)(now_ps - c->clock_ps))
                break;
            uint32_t flow = fabric_order_take(f, first.id);
            if (--f->width[first.id]) {
                heap_put(&c->finishes, f->finish_place, first.id, route_key(f, first.id));
            } else {
                heap_drop(&c->finishes, f->finish_place, first.id);
                f->bottleneck[first.id] = NO_CHANNEL; /* the channel's list follows when the route has a flow again */
            }
            ended(f, flow, now_ps);
        }
    }
}

int fabric_retime(struct fabric *f, int64_t now_ps)
{
    int rc = E_OK;

    for (size_t i = 0; i < f->retimed.count; i++) {
        uint32_t id = f->retimed.ids[i];
        struct channel *c = &f->channels[id];
        c->retimed = 0;
        if (!c->finishes.count) {
            heap_drop(&f->ends, f->end_place, id);
            continue;
        }
        double ps = finish_ps(f, id, heap_value(c->finishes.items[0].key));
        if (ps > most_ps - (double)c->clock_ps) {
            rc = E_RANGE;
            continue;
        }
        int64_t end_ps = c->clock_ps + (int64_t)ps;
        heap_put(&f->ends, f->end_place, id, (uint64_t)(end_ps > now_ps ? end_ps : now_ps));
    }
    f->retimed.count = 0;
    return rc;
}
