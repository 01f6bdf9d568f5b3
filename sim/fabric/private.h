/* private.h - shared by the fabric's files: fabric.c (flows start and end), fill.c and share.c (the rate of each flow),
 * completion.c and order.c (which flow ends next), account.c (what the channels carried), bucket.c (what passes at
 * once).
 * Levels     in a max-min fair division one channel, its bottleneck, limits each flow, and all flows that a channel
 *            limits have the same rate: the channel's level. A channel that is not full limits no flow; its level is
 *            infinite. A flow's rate is the lowest level along its route.
 * Estimates  of each channel the capacity is known less the rates of the flows that others limit, and the number of
 *            the other flows: new ones, and those that it limits itself. The rate of a flow is the level assumed of its
 *            bottleneck: the level, once it is found, and before that no less than the water. What is left over the
 *            number of the others is then never more than the level, and mostly it is the level. A new rate changes
 *            the estimate of each channel on the flow's way by one addition. But sums kept up in this way depend on
 *            their history; so a level is always the result of summing all limits of a channel, in the order of its
 *            list, and the estimate only tells when to do that.
 * Routes     all flows of a route have the same rate, so channels list routes, and how many flows each has.
 * Clocks     a channel's clock counts the bytes moved by each flow that it limits: it runs at the level. A route's
 *            clock is its bottleneck's clock minus a constant, 'ahead'. A flow ends when the route's clock shows
 *            'finish': its value at the flow's start plus the flow's bytes. A new level therefore changes no entry of a
 *            queue, and a new bottleneck changes one for each route: that of its flow which ends first.
 * Memory     all that dividing rates and ending flows can need is reserved when channels and flows are added. */
#ifndef NARROWS_SIM_FABRIC_PRIVATE_H
#define NARROWS_SIM_FABRIC_PRIVATE_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/fabric/fabric.h"
#include "sim/fabric/heap.h"

static const double ps_per_s = 1e12;

/* Rates are sums of doubles: this much relative slack separates rounding from a wrong rate. */
static const double rounding = 1e-9;

/* What sums that are kept up by differences may be off, of the capacity: much more than they are, and much less than
 * levels differ. */
static const double doubt = 1e-9;

/* None: as the bottleneck of a route; as a flow; as the route of a flow that has ended. */
#define NO_CHANNEL UINT32_MAX
#define NO_FLOW UINT32_MAX
#define NO_ROUTE UINT32_MAX

/* A channel while rates are divided: no rate on it has changed so far; its level is not known yet; its new level is
 * known. */
enum fill_state { UNAFFECTED, UNKNOWN, FOUND };

/* What dividing rates reads and writes of a channel again and again: small, so that those of many channels stay in the
 * cache. */
struct level {
    double level_Bps;   /* while UNKNOWN: the previous one */
    double assumed_Bps; /* what the estimates of others take to be its level */
    double left_Bps;    /* see Estimates: capacity minus the rates of the flows that others limit ... */
    double doubt_Bps;   /* ... which rounding may put so far off ... */
    uint32_t rising;    /* ... and the number of other flows */
    uint8_t state;      /* enum fill_state */
    bool stale;         /* while UNKNOWN: share_Bps does not hold any more */
    bool raised;        /* flows of others became faster since that was solved */
};

struct channel {
    double capacity_Bps;
    double share_Bps; /* while UNKNOWN and not stale: the level, unless some other channel changes first */

    uint32_t *routes; /* those whose last flow has ended stay until fabric_settle() */
    uint32_t *others; /* of each the other channel, if it has two; else NO_CHANNEL */
    bool *held;       /* this channel is its bottleneck */
    size_t listed, route_capacity, other_capacity, held_capacity;
    size_t long_routes; /* of more or fewer channels than two */
    size_t idle;        /* how many of them have no flow */
    size_t live;        /* flows over all of them */

    double load_Bps;
    double most_Bps; /* the largest capacity that it had */
    double clock_B;  /* at clock_ps */
    int64_t clock_ps;
    struct heap finishes; /* the routes that it limits, by the clock at the end of the first flow of each */
    bool dirty, retimed, marked;

    double carried_B;
    int64_t busy_ps, counted_ps; /* counted up to */
    uint64_t sent_bytes, flows_ended;

    double burst_B, tokens_B; /* its bucket, and what is in it at counted_ps; 0: it has none */
    double passed_B;          /* of carried_B: at once */
};

struct route {
    uint32_t first, n; /* in hops */
    uint32_t soonest;  /* the flow that ends first: the root of their heap (order.c) */
    bool listed;       /* by its channels */
    double ahead_B;    /* see Clocks */
};

struct flow {
    uint64_t sequence; /* order of starting */
    int64_t bytes;
    double finish_B; /* the route's clock at its end; negative: it ends as it starts, and enters no channel */
    uint32_t route, tag;
    uint32_t child, sibling; /* in the heap of its route's flows */
};

/* A flow that ends now. */
struct due {
    uint64_t sequence;
    uint32_t tag;
};

/* Channels, each at most once. */
struct channel_set {
    uint32_t *ids;
    size_t count, capacity;
};

struct fabric {
    struct channel *channels;
    size_t nchannels, channel_capacity;
    struct level *levels; /* per channel */
    size_t level_capacity;
    double *ceiling_Bps; /* per channel: level, or infinite while UNKNOWN */
    size_t ceiling_capacity;
    struct channel_set dirty;    /* a flow came or went since the last fabric_settle() */
    struct channel_set affected; /* not UNAFFECTED */
    struct channel_set retimed;  /* the next end of a flow that they limit may have changed */
    struct heap events;          /* UNKNOWN channels by the water level of their next event (fill.c) */
    uint32_t *event_place;
    size_t event_place_capacity;
    struct heap ends; /* channels by the next end of a flow that they limit */
    uint32_t *end_place;
    size_t end_place_capacity;

    struct route *routes;
    size_t nroutes, route_capacity;
    uint32_t *bottleneck; /* per route */
    size_t bottleneck_capacity;
    uint32_t *width; /* per route: flows in flight */
    size_t width_capacity;
    uint32_t *finish_place; /* per route, in its bottleneck's finishes */
    size_t finish_place_capacity;
    double *limits_Bps, *weights; /* scratch: one for each route of a channel */
    uint32_t *own;                /* places of routes that no channel below some level limits ... */
    size_t nown;
    double own_level_Bps; /* ... that level; infinite: they are not noted */
    size_t limit_capacity, weight_capacity, own_capacity;
    uint32_t gathered; /* the channel whose routes' limits are in limits_Bps[], or NO_CHANNEL */
    uint32_t *hops;
    uint32_t *list_place; /* per hop: where the channel lists the route, while it does */
    size_t nhops, hop_capacity, list_place_capacity;

    struct flow *flows;
    size_t nflows, flow_capacity;
    uint32_t *spare; /* flow slots to use again */
    size_t nspare, spare_capacity;
    uint64_t started;

    uint32_t *instant; /* flows that end as they start, not yet due */
    size_t ninstant, instant_capacity;
    struct due *due;
    size_t ndue, next_due, due_capacity;
    int64_t due_ps; /* of 'instant' and 'due' */

    bool buckets; /* some channel has one */
};

static inline void channel_set_add(struct channel_set *set, uint32_t id)
{
    set->ids[set->count++] = id;
}

static inline double larger(double a, double b)
{
    return a > b ? a : b;
}

static inline double smaller(double a, double b)
{
    return a < b ? a : b;
}

/* What the level of an UNKNOWN channel is not below, going by the estimate. */
static inline double bound_Bps(const struct level *l)
{
    if (!l->rising)
        return l->left_Bps > l->doubt_Bps ? INFINITY : 0;
    return larger((l->left_Bps - l->doubt_Bps) / (double)l->rising, 0);
}

/* account.c */

/* Count what the channel has carried since the last count, at its present load. */
void fabric_channel_count(struct channel *c, int64_t now_ps);

/* Compute the channel's load from now on and check it against its capacity and level. */
void fabric_channel_load(struct fabric *f, uint32_t channel, int64_t now_ps);

/* completion.c */

/* What the channel's clock shows now, at its present level. */
double fabric_clock_B(const struct fabric *f, uint32_t channel, int64_t now_ps);

/* Set the level of the channel from now on. */
void fabric_set_level(struct fabric *f, uint32_t channel, double level_Bps, int64_t now_ps);

/* Make a channel the bottleneck of a route. */
void fabric_hold(struct fabric *f, uint32_t route, uint32_t channel, int64_t now_ps);

/* Add a flow, whose route is set and whose finish_B is what it has to move, to those of its route. */
void fabric_join(struct fabric *f, uint32_t flow, int64_t now_ps);

/* Take the flows that end by now_ps out of their routes, calling ended() for each. */
void fabric_take_ended(struct fabric *f, int64_t now_ps,
                       void (*ended)(struct fabric *f, uint32_t flow, int64_t now_ps));

/* Find the next end under the channels in 'retimed' again. E_RANGE if one is past 2^63 ps. */
int fabric_retime(struct fabric *f, int64_t now_ps);

/* order.c: which of a route's flows ends first. */
void fabric_order_add(struct fabric *f, uint32_t flow);
uint32_t fabric_order_take(struct fabric *f, uint32_t route); /* the first, of at least one */

/* Reset the route's clock, which shows clock_B, to 0. */
void fabric_order_restart(struct fabric *f, uint32_t route, double clock_B);

/* bucket.c: let pass at once what a new flow finds tokens for; how many bytes that is. */
double fabric_pass(struct fabric *f, uint32_t route, int64_t bytes, int64_t now_ps);

/* share.c: the level at which an UNKNOWN channel is full: the sum over its flows of min(level, limit on other channels)
 * is its capacity. */
void fabric_solve(struct fabric *f, uint32_t channel);

/* Which of a channel's routes no lower channel than level_Bps limits: so many, their places in own[]. */
size_t fabric_own(struct fabric *f, uint32_t channel, double level_Bps);

/* The same of the routes that it holds: their places in own[], their limits in limits_Bps[]. */
size_t fabric_held(struct fabric *f, uint32_t channel);

/* fill.c: find the levels after flows started or ended at the channels in 'dirty', whose lists are up to date. */
void fabric_divide(struct fabric *f, int64_t now_ps);

#endif
