/* fill.c - the rate of each flow, by progressive filling of the channels that a change affects. Water rises over all
 * channels at once; a channel's level is the height of the water when the channel is full. A change at one channel
 * affects, through the flows that it limits, only channels of higher level. So the level of each channel at which flows
 * started or ended becomes unknown, and the water rises from the lowest of them. A channel of unknown level
 *   - raises its flows when the water passes its previous level and it is not full yet: they become faster, and the
 *     other channels on their way count on the level that it has by now, until the water passes that one as well;
 *   - gets its new level when it is full: its flows are as fast as that.
 * Either makes the level of every other channel of every flow whose rate changes unknown. A level that was found stays,
 * since later events happen at higher water: each channel is found once.
 * A channel waits for its turn at the bound that its estimate gives (private.h), which every change of a rate keeps up,
 * and is solved when that turn comes, since by then the rates of all slower flows are found. */
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
    struct level *l = &f->levels[channel];

    if (l->state == UNAFFECTED)
        channel_set_add(&f->affected, channel);
    l->state = (uint8_t)state;
}

static void set_level(struct fabric *f, uint32_t channel, double level_Bps, int64_t now_ps)
{
    set_state(f, channel, FOUND);
    fabric_set_level(f, channel, level_Bps, now_ps);
    f->levels[channel].assumed_Bps = level_Bps;
    f->ceiling_Bps[channel] = level_Bps;
    f->gathered = NO_CHANNEL;
}

/* The water level of the channel's next event: it is full, or the water passes the level assumed of its flows. */
static double event_Bps(const struct fabric *f, uint32_t channel)
{
    const struct level *l = &f->levels[channel];
    double full_Bps = l->stale ? bound_Bps(l) : f->channels[channel].share_Bps;

    return l->rising ? smaller(full_Bps, l->assumed_Bps) : full_Bps;
}

static void queue_event(struct fabric *f, uint32_t channel)
{
    double at_Bps = event_Bps(f, channel);

    if (isinf(at_Bps))
        heap_drop(&f->events, f->event_place, channel);
    else
        heap_put(&f->events, f->event_place, channel, heap_key(at_Bps));
}

/* The estimate became lower, and its event perhaps earlier. */
static void advance_event(struct fabric *f, uint32_t channel)
{
    const struct level *l = &f->levels[channel];
    uint32_t place = f->event_place[channel];

    if (!place || l->left_Bps - l->doubt_Bps < heap_value(f->events.items[place - 1].key) * l->rising)
        queue_event(f, channel);
}

/* Its level is unknown from now on. */
static void reopen(struct fabric *f, uint32_t channel)
{
    set_state(f, channel, UNKNOWN);
    f->levels[channel].stale = 1;
    f->ceiling_Bps[channel] = INFINITY;
    f->gathered = NO_CHANNEL;
    queue_event(f, channel);
}

/* The lowest found channel of a route. */
static uint32_t tightest(const struct fabric *f, uint32_t route)
{
    const uint32_t *hop = f->hops + f->routes[route].first;
    uint32_t where = hop[0];

    for (uint32_t i = 1, n = f->routes[route].n; i < n; i++)
        if (f->ceiling_Bps[hop[i]] < f->ceiling_Bps[where])
            where = hop[i];
    return where;
}

/* What a flow's new rate changes in the estimates of the other channels on its way. */
struct rerated {
    double left_Bps; /* what was assumed of it, less what it is */
    uint32_t risen;  /* it was rising there */
    bool changed;    /* it is not what it was before the division */
    bool faster;     /* than was assumed */
};

static void withdraw(struct fabric *f, uint32_t channel, uint32_t width, const struct rerated *r)
{
    struct level *l = &f->levels[channel];

    l->left_Bps += (double)width * r->left_Bps;
    l->rising -= width * r->risen;
    if (l->state == UNKNOWN) {
        l->stale = 1;
        if (r->faster) {
            l->raised = 1;
            advance_event(f, channel);
        }
    } else if (l->state == UNAFFECTED && r->changed) {
        reopen(f, channel);
    }
}

/* A channel takes the flows of a route from any other, or none. */
static void take(struct fabric *f, uint32_t route, uint32_t channel, double level_Bps, int64_t now_ps)
{
    const uint32_t *hop = f->hops + f->routes[route].first;
    uint32_t holds = f->bottleneck[route];
    const struct level *h = holds == NO_CHANNEL ? NULL : &f->levels[holds];

    for (uint32_t i = 0; i < f->routes[route].n; i++) {
        bool risen = !h || hop[i] == holds;
        struct rerated r = { .left_Bps = risen ? -level_Bps : h->assumed_Bps - level_Bps,
                             .risen = risen,
                             .changed = !h || !same(h->level_Bps, level_Bps) };
        if (hop[i] != channel)
            withdraw(f, hop[i], f->width[route], &r);
    }
    fabric_hold(f, route, channel, now_ps);
}

/* The flows of a route remain its own. */
static void withdraw_elsewhere(struct fabric *f, uint32_t route, uint32_t channel, const struct rerated *r)
{
    const uint32_t *hop = f->hops + f->routes[route].first;

    for (uint32_t i = 0; i < f->routes[route].n; i++)
        if (hop[i] != channel)
            withdraw(f, hop[i], f->width[route], r);
}

static size_t flows_held(const struct fabric *f, const struct channel *c)
{
    size_t flows = 0;

    if (c->live == c->listed)
        return c->finishes.count;
    for (size_t i = 0; i < c->finishes.count; i++)
        flows += f->width[c->finishes.items[i].id];
    return flows;
}

/* The channel is full: it limits every flow that no lower channel does. */
static void fix_level(struct fabric *f, uint32_t channel, double level_Bps, int64_t now_ps)
{
    const struct channel *c = &f->channels[channel];
    struct level *l = &f->levels[channel];
    const struct rerated r = { .left_Bps = l->assumed_Bps - level_Bps, .changed = !same(l->level_Bps, level_Bps) };
    size_t n = fabric_own(f, channel, level_Bps);
    bool single = c->live == c->listed;

    heap_drop(&f->events, f->event_place, channel);
    set_level(f, channel, level_Bps, now_ps);
    for (size_t i = 0; i < n; i++) {
        uint32_t k = f->own[i], other = c->others[k];
        if (!c->held[k])
            take(f, c->routes[k], channel, level_Bps, now_ps);
        else if (other != NO_CHANNEL)
            withdraw(f, other, single ? 1 : f->width[c->routes[k]], &r);
        else
            withdraw_elsewhere(f, c->routes[k], channel, &r);
    }
    l->rising = (uint32_t)flows_held(f, c);
    l->left_Bps = (double)l->rising * level_Bps;
}

/* Another channel is as low as the one that limited the route's flows: it limits them from now on. */
static void hand_over(struct fabric *f, uint32_t route, uint32_t channel, int64_t now_ps)
{
    uint32_t to = tightest(f, route), width = f->width[route];
    struct level *l = &f->levels[channel], *t = &f->levels[to];

    l->left_Bps -= (double)width * f->ceiling_Bps[to];
    l->rising -= width;
    t->left_Bps += (double)width * l->assumed_Bps;
    t->rising += width;
    fabric_hold(f, route, to, now_ps);
}

/* The water passes the level that was assumed: every flow that the channel limits becomes faster, unless another
 * channel is as low. From now on the level is assumed at which it would be full. Is it full below that in the end, the
 * others have waited at lower bounds than they could; no level is above the capacity. */
static void raise(struct fabric *f, uint32_t channel, double level_Bps, double water_Bps, int64_t now_ps)
{
    const struct channel *c = &f->channels[channel];
    struct level *l = &f->levels[channel];
    double assumed_Bps = smaller(level_Bps, c->capacity_Bps);
    const struct rerated r = { .left_Bps = l->assumed_Bps - assumed_Bps, .changed = 1, .faster = 1 };
    size_t n = fabric_held(f, channel);
    bool single = c->live == c->listed;

    for (size_t i = 0; i < n; i++) {
        uint32_t k = f->own[i], other = c->others[k];
        if (f->limits_Bps[k] <= water_Bps) /* as before the loop: what that reopens was higher than the water */
            hand_over(f, c->routes[k], channel, now_ps);
        else if (other != NO_CHANNEL)
            withdraw(f, other, single ? 1 : f->width[c->routes[k]], &r);
        else
            withdraw_elsewhere(f, c->routes[k], channel, &r);
    }
    l->assumed_Bps = assumed_Bps;
    l->stale = 1;
    queue_event(f, channel);
}

/* Raise the water until no event is left. */
static void rise(struct fabric *f, int64_t now_ps)
{
    double water_Bps = 0;

    while (f->events.count) {
        uint32_t id = f->events.items[0].id;
        const struct level *l = &f->levels[id];
        if (l->stale) {
            if (heap_key(event_Bps(f, id)) <= f->events.items[0].key)
                fabric_solve(f, id);
            queue_event(f, id);
            continue;
        }
        double share_Bps = f->channels[id].share_Bps;
        assert(share_Bps >= water_Bps * (1 - rounding));
        double level_Bps = larger(share_Bps, water_Bps); /* below the water only by rounding */
        if (same(level_Bps, l->level_Bps))
            level_Bps = l->level_Bps;
        if (level_Bps > l->assumed_Bps) {
            water_Bps = larger(water_Bps, l->assumed_Bps);
            raise(f, id, level_Bps, water_Bps, now_ps);
            continue;
        }
        water_Bps = larger(water_Bps, level_Bps);
        fix_level(f, id, level_Bps, now_ps);
    }
}

/* A route that shares no channel needs no search; most are like that on an idle network. */
static bool settle_alone(struct fabric *f, uint32_t route, int64_t now_ps)
{
    const uint32_t *hop = f->hops + f->routes[route].first;
    uint32_t least = hop[0], n = f->routes[route].n;

    for (uint32_t i = 0; i < n; i++) {
        if (f->channels[hop[i]].listed != 1)
            return false;
        if (f->channels[hop[i]].capacity_Bps < f->channels[least].capacity_Bps)
            least = hop[i];
    }
    f->levels[least].left_Bps = f->channels[least].capacity_Bps;
    f->levels[least].rising = (uint32_t)f->channels[least].live;
    set_level(f, least, f->channels[least].capacity_Bps / (double)f->channels[least].live, now_ps);
    if (f->bottleneck[route] != least)
        fabric_hold(f, route, least, now_ps);
    for (uint32_t i = 0; i < n; i++)
        if (hop[i] != least)
            set_level(f, hop[i], INFINITY, now_ps);
    return true;
}

/* Estimate afresh, from the rates before: of flows that are new none is known. */
static void estimate(struct fabric *f, uint32_t channel)
{
    const struct channel *c = &f->channels[channel];
    struct level *l = &f->levels[channel];

    l->left_Bps = c->capacity_Bps;
    l->rising = 0;
    for (size_t i = 0; i < c->listed; i++) {
        uint32_t width = f->width[c->routes[i]], holds = f->bottleneck[c->routes[i]];
        if (holds == NO_CHANNEL || holds == channel)
            l->rising += width;
        else
            l->left_Bps -= (double)width * f->levels[holds].assumed_Bps;
    }
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
        else if (f->levels[id].state == UNAFFECTED && !(c->listed == 1 && settle_alone(f, c->routes[0], now_ps)))
            reopen(f, id);
    }
    for (size_t i = 0; i < f->dirty.count; i++) {
        if (f->levels[f->dirty.ids[i]].state != UNKNOWN)
            continue;
        estimate(f, f->dirty.ids[i]);
        fabric_solve(f, f->dirty.ids[i]);
        queue_event(f, f->dirty.ids[i]);
    }
    f->dirty.count = 0;
}

void fabric_divide(struct fabric *f, int64_t now_ps)
{
    open_dirty(f, now_ps);
    rise(f, now_ps);
    for (size_t i = 0; i < f->affected.count; i++)
        if (f->levels[f->affected.ids[i]].state == UNKNOWN)
            set_level(f, f->affected.ids[i], INFINITY, now_ps);
    for (size_t i = 0; i < f->affected.count; i++) {
        fabric_channel_load(f, f->affected.ids[i], now_ps);
        f->levels[f->affected.ids[i]].state = UNAFFECTED;
    }
    f->affected.count = 0;
}
