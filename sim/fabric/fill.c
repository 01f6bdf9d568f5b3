/* fill.c - the rate of each flow, by progressive filling of the channels that a change affects. Water rises over all
 * channels at once; a channel's level is the height of the water when the channel is full. A change at one channel
 * affects, through the flows that it limits, only channels of higher level. So the level of each channel at which flows
 * started or ended becomes unknown, and the water rises from the lowest of them. A channel of unknown level
 *   - releases its flows when the water passes its previous level and it is not full yet: they become faster; - gets
 *   its new level when it is full: its flows are as fast as that.
 * Either makes the level of every other channel of every flow whose rate changes unknown. A level that was found stays,
 * since later events happen at higher water: each channel is released at most once and found once. */
#include <assert.h>
#include <math.h>

#include "sim/fabric/private.h"

/* Rates that differ relatively by no more than this are equal but for rounding. */
static const double indistinct = 1e-15;

static bool same(double a, double b)
{
    return a == b || fabs(a - b) <= indistinct * (a < b ? a : b);
}

static void set_state(struct fabric *f, uint32_t channel, enum fill_state state)
{
    struct channel *c = &f->channels[channel];

    if (c->state == UNAFFECTED)
        channel_set_add(&f->affected, channel);
    c->state = state;
}

static void set_level(struct fabric *f, uint32_t channel, double level_Bps, int64_t now_ps)
{
    set_state(f, channel, FOUND);
    fabric_set_level(f, channel, level_Bps, now_ps);
    f->ceiling_Bps[channel] = level_Bps;
}

/* Queue the next event of a channel: it is full, or the water passes its previous level. */
static void queue_event(struct fabric *f, uint32_t channel)
{
    struct channel *c = &f->channels[channel];
    double at_Bps = share_Bps(c);

    if (!c->released && c->level_Bps < at_Bps)
        at_Bps = c->level_Bps;
    if (isinf(at_Bps))
        heap_drop(&f->events, f->event_place, channel);
    else
        heap_put(&f->events, f->event_place, channel, heap_key(at_Bps));
}

/* Its level is unknown from now on. What was solved for it before is only a bound: stale. */
static void reopen(struct fabric *f, uint32_t channel)
{
    struct channel *c = &f->channels[channel];

    set_state(f, channel, UNKNOWN);
    c->released = 0;
    c->stale = 1;
    f->ceiling_Bps[channel] = INFINITY;
    queue_event(f, channel);
}

/* Flows that a released channel limited rise again in the other channels of their route. */
static void rejoin_elsewhere(struct fabric *f, const struct crossing *x, uint32_t channel, double rate_Bps)
{
    uint32_t width = f->width[x->route];

    for (uint32_t i = 0; i < x->n; i++) {
        uint32_t id = f->hops[x->first + i];
        struct channel *other = &f->channels[id];
        if (id == channel || other->state == FOUND)
            continue;
        if (other->state == UNAFFECTED)
            reopen(f, id);
        /* a lower bound of the water at which it is full, found without solving */
        other->left_Bps += (double)width * rate_Bps;
        other->rising += width;
        other->stale = 1;
        queue_event(f, id);
    }
}

static uint32_t tightest(const struct fabric *f, const struct crossing *x)
{
    const uint32_t *hop = f->hops + x->first;
    uint32_t where = hop[0];

    for (uint32_t i = 1; i < x->n; i++)
        if (f->ceiling_Bps[hop[i]] < f->ceiling_Bps[where])
            where = hop[i];
    return where;
}

/* The water passes the channel's previous level: every flow it still limits becomes faster, unless another channel is
 * as low. The limits of these flows elsewhere are void, so the channel is solved again at once. */
static void release(struct fabric *f, uint32_t channel, double water_Bps, int64_t now_ps)
{
    struct channel *c = &f->channels[channel];

    for (size_t i = 0; i < c->listed; i++) {
        const struct crossing *x = &c->routes[i];
        if (f->bottleneck[x->route] != channel)
            continue;
        if (limit_Bps(f, x) <= water_Bps)
            fabric_hold(f, x->route, tightest(f, x), now_ps);
        else
            rejoin_elsewhere(f, x, channel, c->level_Bps);
    }
    c->released = 1;
    fabric_solve(f, c);
    queue_event(f, channel);
}

/* A channel whose level is found limits the route's flows: they no longer rise in the route's other channels. */
static void withdraw_elsewhere(struct fabric *f, const struct crossing *x, uint32_t channel, bool changed)
{
    for (uint32_t i = 0; i < x->n; i++) {
        uint32_t id = f->hops[x->first + i];
        struct channel *other = &f->channels[id];
        if (id == channel)
            continue;
        if (other->state == UNKNOWN)
            other->stale = 1; /* it is full no earlier than was solved */
        else if (changed && other->state == UNAFFECTED)
            reopen(f, id);
    }
}

/* The channel is full: it limits every flow that no lower channel does. */
static void fix_level(struct fabric *f, uint32_t channel, double level_Bps, int64_t now_ps)
{
    struct channel *c = &f->channels[channel];
    double before_Bps = c->level_Bps;

    heap_drop(&f->events, f->event_place, channel);
    set_level(f, channel, level_Bps, now_ps);
    f->ceiling_Bps[channel] = INFINITY; /* so that it does not limit its own flows */
    for (size_t i = 0; i < c->listed; i++) {
        const struct crossing *x = &c->routes[i];
        uint32_t holds = f->bottleneck[x->route];
        if (limit_Bps(f, x) <= level_Bps)
            continue;
        double rate_Bps = holds == NO_CHANNEL ? 0 : f->channels[holds].level_Bps;
        if (holds == channel)
            rate_Bps = before_Bps;
        withdraw_elsewhere(f, x, channel, !same(rate_Bps, level_Bps));
        if (holds != channel)
            fabric_hold(f, x->route, channel, now_ps);
    }
    f->ceiling_Bps[channel] = level_Bps;
}

/* Raise the water until no event is left. */
static void rise(struct fabric *f, int64_t now_ps)
{
    double water_Bps = 0;

    while (f->events.count) {
        uint32_t id = f->events.items[0].id;
        struct channel *c = &f->channels[id];
        if (c->stale) {
            fabric_solve(f, c);
            queue_event(f, id);
            continue;
        }
        assert(share_Bps(c) >= water_Bps * (1 - rounding));
        double level_Bps = larger(share_Bps(c), water_Bps); /* below the water only by rounding */
        if (same(level_Bps, c->level_Bps))
            level_Bps = c->level_Bps;
        if (!c->released && level_Bps > c->level_Bps) {
            water_Bps = larger(water_Bps, c->level_Bps);
            release(f, id, water_Bps, now_ps);
            continue;
        }
        water_Bps = larger(water_Bps, level_Bps);
        fix_level(f, id, level_Bps, now_ps);
    }
}

/* A route that shares no channel needs no search; most are like that on an idle network. */
static bool settle_alone(struct fabric *f, const struct crossing *x, int64_t now_ps)
{
    const uint32_t *hop = f->hops + x->first;
    uint32_t least = hop[0];

    for (uint32_t i = 0; i < x->n; i++) {
        if (f->channels[hop[i]].listed != 1)
            return false;
        if (f->channels[hop[i]].capacity_Bps < f->channels[least].capacity_Bps)
            least = hop[i];
    }
    f->channels[least].left_Bps = f->channels[least].capacity_Bps;
    f->channels[least].rising = f->channels[least].live;
    set_level(f, least, share_Bps(&f->channels[least]), now_ps);
    if (f->bottleneck[x->route] != least)
        fabric_hold(f, x->route, least, now_ps);
    for (uint32_t i = 0; i < x->n; i++)
        if (hop[i] != least)
            set_level(f, hop[i], INFINITY, now_ps);
    return true;
}

/* Mark the channels at which flows started or ended; previous solutions do not bound them. */
static void open_dirty(struct fabric *f, int64_t now_ps)
{
    for (size_t i = 0; i < f->dirty.count; i++) {
        uint32_t id = f->dirty.ids[i];
        struct channel *c = &f->channels[id];
        c->dirty = 0;
        if (!c->live)
            set_level(f, id, INFINITY, now_ps);
        else if (c->state == UNAFFECTED && !(c->listed == 1 && settle_alone(f, &c->routes[0], now_ps)))
            reopen(f, id);
    }
    for (size_t i = 0; i < f->dirty.count; i++) {
        struct channel *c = &f->channels[f->dirty.ids[i]];
        if (c->state != UNKNOWN)
            continue;
        fabric_solve(f, c);
        queue_event(f, f->dirty.ids[i]);
    }
    f->dirty.count = 0;
}

void fabric_divide(struct fabric *f, int64_t now_ps)
{
    open_dirty(f, now_ps);
    rise(f, now_ps);
    for (size_t i = 0; i < f->affected.count; i++)
        if (f->channels[f->affected.ids[i]].state == UNKNOWN)
            set_level(f, f->affected.ids[i], INFINITY, now_ps);
    for (size_t i = 0; i < f->affected.count; i++) {
        fabric_channel_load(f, &f->channels[f->affected.ids[i]], now_ps);
        f->channels[f->affected.ids[i]].state = UNAFFECTED;
    }
    f->affected.count = 0;
}
