/* Who gets which rate. Water rises over all channels at once; a channel's level is how high it stands when the channel is
 * full. What changes at one channel changes, through the flows it holds back, only channels of higher level. So the
 * channels at which flows came or went are opened, the water rises from the lowest of them, and of an open channel
 *   - its flows are released when the water passes its old level and it is not full yet: they will be faster;
 *   - its new level is found when it is full: its flows are as fast as that.
 * Either opens every other channel of every flow whose rate changes. A channel whose level is found is done with, for all
 * that comes later comes at higher water; so each is released and shut once. */
#include <assert.h>
#include <math.h>
#include <stdbool.h>

#include "sim/fabric/private.h"

/* A rate that differs by so little is the same: rounding. */
static const double indistinct = 1e-15;

static bool same(double a, double b)
{
    return a == b || fabs(a - b) <= indistinct * (a < b ? a : b);
}

static void meet(struct fabric *f, uint32_t channel, enum tide tide)
{
    struct channel *c = &f->channels[channel];

    if (c->tide == CALM)
        channel_set_add(&f->met, channel);
    c->tide = tide;
}

/* Its level is found. */
static void set_level(struct fabric *f, uint32_t channel, double level_Bps, int64_t now_ps)
{
    meet(f, channel, SHUT);
    fabric_set_level(f, channel, level_Bps, now_ps);
    f->ceiling_Bps[channel] = level_Bps;
}

/* (Re)enter an open channel into the queue: it has its turn when it is full or when the water passes its old level. */
static void take_turn(struct fabric *f, uint32_t channel)
{
    struct channel *c = &f->channels[channel];
    double at_Bps = share_Bps(c);

    if (!c->released && c->level_Bps < at_Bps)
        at_Bps = c->level_Bps;
    if (isinf(at_Bps))
        heap_drop(&f->turns, f->turn_place, channel);
    else
        heap_put(&f->turns, f->turn_place, channel, heap_key(at_Bps));
}

/* From here on its level is unknown. What it was solved to before is no more than a bound: stale. */
static void open_channel(struct fabric *f, uint32_t channel)
{
    struct channel *c = &f->channels[channel];

    meet(f, channel, OPEN);
    c->released = 0;
    c->stale = 1;
    f->ceiling_Bps[channel] = INFINITY;
    take_turn(f, channel);
}

/* Flows that counted elsewhere at the rate of a channel now released take part there again. */
static void tell_released(struct fabric *f, const struct crossing *x, uint32_t channel, double rate_Bps)
{
    uint32_t width = f->width[x->route];

    for (uint32_t i = 0; i < x->n; i++) {
        uint32_t id = f->hops[x->first + i];
        struct channel *other = &f->channels[id];
        if (id == channel || other->tide == SHUT)
            continue;
        if (other->tide == CALM)
            open_channel(f, id);
        /* When it is full now, at the earliest: found without solving. */
        other->left_Bps += (double)width * rate_Bps;
        other->rising += width;
        other->stale = 1;
        take_turn(f, id);
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

/* The water passes the channel's old level: every flow it still holds back will be faster, unless another channel is as
 * low. The limits that these flows had elsewhere hold no longer, so when it is full has to be found anew at once. */
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
            tell_released(f, x, channel, c->level_Bps);
    }
    c->released = 1;
    fabric_solve(f, c);
    take_turn(f, channel);
}

/* A channel that is shut holds the route's flows back: they take no part elsewhere any more. */
static void tell_held(struct fabric *f, const struct crossing *x, uint32_t channel, bool changed)
{
    for (uint32_t i = 0; i < x->n; i++) {
        uint32_t id = f->hops[x->first + i];
        struct channel *other = &f->channels[id];
        if (id == channel)
            continue;
        if (other->tide == OPEN)
            other->stale = 1; /* full no earlier than it was said to be */
        else if (changed && other->tide == CALM)
            open_channel(f, id);
    }
}

/* The channel is full: it holds back every flow that no lower one does. */
static void shut(struct fabric *f, uint32_t channel, double level_Bps, int64_t now_ps)
{
    struct channel *c = &f->channels[channel];
    double before_Bps = c->level_Bps;

    heap_drop(&f->turns, f->turn_place, channel);
    set_level(f, channel, level_Bps, now_ps);
    f->ceiling_Bps[channel] = INFINITY; /* not to be taken for a limit of its own flows */
    for (size_t i = 0; i < c->listed; i++) {
        const struct crossing *x = &c->routes[i];
        uint32_t holds = f->bottleneck[x->route];
        if (limit_Bps(f, x) <= level_Bps)
            continue;
        double rate_Bps = holds == NO_CHANNEL ? 0 : holds == channel ? before_Bps : f->channels[holds].level_Bps;
        tell_held(f, x, channel, !same(rate_Bps, level_Bps));
        if (holds != channel)
            fabric_hold(f, x->route, channel, now_ps);
    }
    f->ceiling_Bps[channel] = level_Bps;
}

/* Let the water rise until no open channel has a turn left. */
static void rise(struct fabric *f, int64_t now_ps)
{
    double water_Bps = 0;

    while (f->turns.count) {
        uint32_t id = f->turns.items[0].id;
        struct channel *c = &f->channels[id];
        if (c->stale) {
            fabric_solve(f, c);
            take_turn(f, id);
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
        shut(f, id, level_Bps, now_ps);
    }
}

/* A route that has all its channels to itself, as most have on an idle network, needs no search. */
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

/* Open the channels at which flows came or went; what they were solved to before says nothing about them. */
static void open_dirty(struct fabric *f, int64_t now_ps)
{
    for (size_t i = 0; i < f->dirty.count; i++) {
        uint32_t id = f->dirty.ids[i];
        struct channel *c = &f->channels[id];
        c->dirty = 0;
        if (!c->live)
            set_level(f, id, INFINITY, now_ps);
        else if (c->tide == CALM && !(c->listed == 1 && settle_alone(f, &c->routes[0], now_ps)))
            open_channel(f, id);
    }
    for (size_t i = 0; i < f->dirty.count; i++) {
        struct channel *c = &f->channels[f->dirty.ids[i]];
        if (c->tide != OPEN)
            continue;
        fabric_solve(f, c);
        take_turn(f, f->dirty.ids[i]);
    }
    f->dirty.count = 0;
}

void fabric_divide(struct fabric *f, int64_t now_ps)
{
    open_dirty(f, now_ps);
    rise(f, now_ps);
    for (size_t i = 0; i < f->met.count; i++)
        if (f->channels[f->met.ids[i]].tide == OPEN)
            set_level(f, f->met.ids[i], INFINITY, now_ps);
    for (size_t i = 0; i < f->met.count; i++) {
        fabric_channel_load(f, &f->channels[f->met.ids[i]], now_ps);
        f->channels[f->met.ids[i]].tide = CALM;
    }
    f->met.count = 0;
}
