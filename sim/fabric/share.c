/* share.c - the fair share of one channel. */
#include <string.h>

#include "sim/fabric/private.h"

/* Levels that differ relatively by no more than this may be one. */
static const double tie = 1e-12;

/* The lowest level found on a route but for that of the channel, which is unknown. Channels of unknown level do not
 * count: it is not below the present water. */
static double limit_Bps(const struct fabric *f, uint32_t route, uint32_t but)
{
    const uint32_t *hop = f->hops + f->routes[route].first;
    double least = INFINITY;

    for (uint32_t i = 0, n = f->routes[route].n; i < n; i++)
        if (hop[i] != but && f->ceiling_Bps[hop[i]] < least)
            least = f->ceiling_Bps[hop[i]];
    return least;
}

/* The limits of a channel's routes, and how many flows each has. */
static void gather(struct fabric *f, uint32_t channel)
{
    const struct channel *c = &f->channels[channel];

    for (size_t i = 0; i < c->listed; i++) {
        uint32_t other = c->others[i];
        f->limits_Bps[i] = other != NO_CHANNEL ? f->ceiling_Bps[other] : limit_Bps(f, c->routes[i], channel);
        f->weights[i] = c->live == c->listed ? 1 : (double)f->width[c->routes[i]];
    }
    f->gathered = channel;
}

/* The flows that a limit below some level keeps slower, and what they leave of an equal share each. Summing what they
 * leave, not what they take, avoids rounding errors where thousands of flows have nearly their equal share. */
struct slower {
    size_t flows;
    double left_over_Bps;
};

typedef double pair __attribute__((vector_size(2 * sizeof(double))));
typedef int64_t pair_mask __attribute__((vector_size(2 * sizeof(int64_t))));

/* Where each route is one flow's and has one other channel, as mostly. Two limits at a time are compared, since no
 * processor could foresee the branches; what is left is added in its order. */
static struct slower slower_of_pairs(struct fabric *f, const struct channel *c, double level_Bps, double equal_Bps)
{
    const uint32_t *others = c->others;
    const double *ceilings = f->ceiling_Bps;
    const pair level = { level_Bps, level_Bps }, equal = { equal_Bps, equal_Bps };
    double left_over = 0;
    size_t n = c->listed, nown = 0;

    for (size_t i = 0; i < n; i += 2) {
        pair limit = { ceilings[others[i]], i + 1 < n ? ceilings[others[i + 1]] : 0 };
        pair_mask below = limit < level;
        pair term = (pair)((pair_mask)(equal - limit) & below);
        memcpy(f->limits_Bps + i, &limit, sizeof(limit));
        left_over += term[0];
        f->own[nown] = (uint32_t)i;
        nown += (size_t)(1 + below[0]);
        if (i + 1 == n)
            break;
        left_over += term[1];
        f->own[nown] = (uint32_t)i + 1;
        nown += (size_t)(1 + below[1]);
    }
    f->nown = nown;
    return (struct slower){ n - nown, left_over };
}

static struct slower slower_of_any(struct fabric *f, const struct channel *c, double level_Bps, double equal_Bps)
{
    const double *limits = f->limits_Bps, *weights = f->weights;
    struct slower s = { 0, 0 };
    size_t nown = 0;

    for (size_t i = 0; i < c->listed; i++) {
        bool below = limits[i] < level_Bps;
        s.left_over_Bps += below ? weights[i] * (equal_Bps - limits[i]) : 0;
        s.flows += below ? (size_t)weights[i] : 0;
        f->own[nown] = (uint32_t)i;
        nown += !below;
    }
    f->nown = nown;
    return s;
}

/* Notes the limits, and which routes have none below the level. */
static struct slower slower(struct fabric *f, uint32_t channel, double level_Bps, double equal_Bps)
{
    const struct channel *c = &f->channels[channel];
    bool pairs = !c->long_routes && c->live == c->listed;

    if (!pairs && f->gathered != channel)
        gather(f, channel);
    f->gathered = channel;
    f->own_level_Bps = level_Bps;
    return pairs ? slower_of_pairs(f, c, level_Bps, equal_Bps) : slower_of_any(f, c, level_Bps, equal_Bps);
}

size_t fabric_own(struct fabric *f, uint32_t channel, double level_Bps)
{
    bool noted = f->gathered == channel && f->own_level_Bps <= level_Bps;
    size_t n = 0, all = noted ? f->nown : f->channels[channel].listed;

    if (f->gathered != channel)
        gather(f, channel);
    for (size_t i = 0; i < all; i++) {
        uint32_t place = noted ? f->own[i] : (uint32_t)i;
        f->own[n] = place;
        n += f->limits_Bps[place] > level_Bps;
    }
    f->nown = n;
    f->own_level_Bps = level_Bps;
    return n;
}

size_t fabric_held(struct fabric *f, uint32_t channel)
{
    const struct channel *c = &f->channels[channel];
    size_t n = 0;

    if (f->gathered != channel)
        gather(f, channel);
    for (size_t i = 0; i < c->listed; i++) {
        f->own[n] = (uint32_t)i;
        n += c->held[i];
    }
    f->own_level_Bps = INFINITY;
    return n;
}

/* Has none of the routes that were noted a limit below the level? */
static bool none_below(const struct fabric *f, double level_Bps)
{
    size_t below = 0;

    for (size_t i = 0; i < f->nown; i++)
        below += f->limits_Bps[f->own[i]] < level_Bps;
    return !below;
}

/* Where to begin: at the bound; or at the previous solution, if that is the estimate but for rounding and no flow of
 * others became faster since. Of limits that equal the level but for rounding the same ones are then taken to be below
 * it. */
static double guess_Bps(const struct channel *c, const struct level *l)
{
    double estimate_Bps = l->rising ? l->left_Bps / (double)l->rising : INFINITY;

    return !l->raised && fabs(estimate_Bps - c->share_Bps) <= tie * estimate_Bps ? c->share_Bps : bound_Bps(l);
}

/* The sum is concave in the level, so from any first guess Newton's method lands at or below the solution and then
 * climbs to it exactly, in as many steps as it finds further slower flows. An equal share is never too much. */
void fabric_solve(struct fabric *f, uint32_t channel)
{
    struct channel *c = &f->channels[channel];
    struct level *l = &f->levels[channel];
    double equal_Bps = c->capacity_Bps / (double)c->live;
    double at_Bps = larger(guess_Bps(c, l), equal_Bps);
    struct slower s = slower(f, channel, at_Bps, equal_Bps);

    if (s.flows == c->live && s.left_over_Bps < 0) {
        at_Bps = equal_Bps;
        s = slower(f, channel, at_Bps, equal_Bps);
    }
    for (bool first = 1;; first = 0) {
        size_t before = s.flows, rising = c->live - s.flows;
        c->share_Bps = rising ? ((double)rising * equal_Bps + s.left_over_Bps) / (double)rising : INFINITY;
        if (!rising || (c->share_Bps >= at_Bps && none_below(f, c->share_Bps)))
            break;
        at_Bps = c->share_Bps;
        s = slower(f, channel, at_Bps, equal_Bps);
        if (first ? s.flows == before : s.flows <= before)
            break;
    }
    l->stale = l->raised = 0;
}
