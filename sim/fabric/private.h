/* fabric_private.h - what the fabric's own files share: fabric.c (flows come and go), fabric_tide.c and fabric_share.c (who
 * gets which rate), fabric_clock.c (who ends next) and fabric_account.c (what the channels carried).
 * Levels     in a max-min fair division every flow is held back by one channel, its bottleneck, and all flows that one
 *            channel holds back have the same rate: the channel's level. A channel that is not full holds nobody back; its
 *            level is infinite. A flow's rate is the least level along its route.
 * Routes     all flows of one route have the same rate, so channels know them as one, and how many they are.
 * Clocks     a channel's clock counts the bytes that each of the flows it holds back has moved: it runs at the level. A
 *            route's clock is the channel's that holds it back and a constant 'ahead' of it; a flow is done when it shows
 *            what it showed when the flow set out, plus the flow's bytes. So a new level changes no entry, and another
 *            channel one for each route: that of its flow which is done first.
 * Memory     everything that dividing and ending can need is reserved when channels and flows are added. */
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

/* In place of a route's bottleneck, of a flow, and of the route of a flow that has ended. */
#define NO_CHANNEL UINT32_MAX
#define NO_FLOW UINT32_MAX
#define NO_ROUTE UINT32_MAX

/* While rates are being divided: untouched; concerned, its level not yet known; its new level found. */
enum tide { CALM, OPEN, SHUT };

/* A route with flows on their way, as the channels list it: with its hops, since rates are found by looking at those. */
struct crossing {
    uint32_t route;
    uint32_t first, n;
};

struct channel {
    double capacity_Bps, load_Bps;
    double level_Bps; /* while OPEN the one before */
    double left_Bps;  /* capacity less what slower flows take, */
    size_t rising;    /* for so many others: the level is left / rising */
    enum tide tide;
    bool dirty, released, stale, retimed, marked;

    struct crossing *routes; /* those whose last flow has ended stay until fabric_settle() */
    size_t listed, route_capacity;
    size_t idle; /* of them, without a flow */
    size_t live; /* flows over all of them */

    double clock_B; /* at clock_ps */
    int64_t clock_ps;
    struct heap
        finishes; /* routes that it holds back, by what the clock will show when the first flow of each is done */

    double carried_B;
    int64_t busy_ps, counted_ps; /* counted up to */
    uint64_t sent_bytes, flows_ended;
};

struct route {
    uint32_t first, n; /* in hops */
    uint32_t soonest;  /* of its flows: the root of their heap (fabric_order.c) */
    bool listed;       /* by its channels */
    double ahead_B;    /* of the clock of the channel that holds it back */
};

struct flow {
    uint64_t sequence; /* of starting */
    int64_t bytes;
    double finish_B; /* what the route's clock will show when it is done */
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
    double *ceiling_Bps; /* per channel: level, or infinite while OPEN */
    size_t ceiling_capacity;
    struct channel_set dirty;   /* a flow came or went since the last fabric_settle() */
    struct channel_set met;     /* not CALM */
    struct channel_set retimed; /* the next end under it may have changed */
    struct heap turns;          /* OPEN channels by the rate at which something is known to happen to them */
    uint32_t *turn_place;
    size_t turn_place_capacity;
    struct heap ends; /* channels by the next end of a flow they hold back */
    uint32_t *end_place;
    size_t end_place_capacity;

    struct route *routes;
    size_t nroutes, route_capacity;
    uint32_t *bottleneck; /* per route */
    size_t bottleneck_capacity;
    uint32_t *width; /* per route: flows on their way */
    size_t width_capacity;
    uint32_t *finish_place; /* per route, in its bottleneck's finishes */
    size_t finish_place_capacity;
    double *limits_Bps, *weights; /* scratch: one for each route of a channel */
    size_t limit_capacity, weight_capacity;
    uint32_t *hops;
    size_t nhops, hop_capacity;

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
};

static inline void channel_set_add(struct channel_set *set, uint32_t id)
{
    set->ids[set->count++] = id;
}

/* The least level on a route. Open channels do not count: theirs is at or above the water. */
static inline double limit_Bps(const struct fabric *f, const struct crossing *x)
{
    const uint32_t *hop = f->hops + x->first;
    double least = INFINITY;

    for (uint32_t i = 0; i < x->n; i++) {
        double ceiling = f->ceiling_Bps[hop[i]];
        least = ceiling < least ? ceiling : least;
    }
    return least;
}

/* The rate at which the channel is full if no limit changes. */
static inline double share_Bps(const struct channel *c)
{
    return c->rising ? c->left_Bps / (double)c->rising : INFINITY;
}

static inline double larger(double a, double b)
{
    return a > b ? a : b;
}

/* fabric_account.c */

/* Count what the channel carried up to now at the load it has had since. */
void fabric_channel_count(struct channel *c, int64_t now_ps);

/* Add up the channel's load from now on and check it against its capacity and level. */
void fabric_channel_load(struct fabric *f, struct channel *c, int64_t now_ps);

/* fabric_clock.c */

/* What the clock shows now, at its present level. */
double fabric_clock_B(const struct channel *c, int64_t now_ps);

/* Give the channel a level from now on. */
void fabric_set_level(struct fabric *f, uint32_t channel, double level_Bps, int64_t now_ps);

/* Let a channel hold a route's flows back, instead of the one that did. */
void fabric_hold(struct fabric *f, uint32_t route, uint32_t channel, int64_t now_ps);

/* A flow joins those of its route, whose bytes and route are set. */
void fabric_join(struct fabric *f, uint32_t flow, int64_t now_ps);

/* Take the flows that end by now_ps out of their routes, calling ended() for each. */
void fabric_take_ended(struct fabric *f, int64_t now_ps,
                       void (*ended)(struct fabric *f, uint32_t flow, int64_t now_ps));

/* Find the next end anew under the channels in 'retimed'. E_RANGE if one is past 2^63 ps. */
int fabric_retime(struct fabric *f, int64_t now_ps);

/* fabric_order.c: which of a route's flows is done first. */
void fabric_order_add(struct fabric *f, uint32_t flow);
uint32_t fabric_order_take(struct fabric *f, uint32_t route); /* the first, of at least one */

/* The route's clock starts again from 0 where it showed clock_B. */
void fabric_order_restart(struct fabric *f, uint32_t route, double clock_B);

/* fabric_share.c: solve sum of min(level, limit) = capacity for an open channel, by its routes' limits elsewhere. */
void fabric_solve(struct fabric *f, struct channel *c);

/* fabric_tide.c: find the levels after flows have come and gone at the channels in 'dirty', whose lists are up to date. */
void fabric_divide(struct fabric *f, int64_t now_ps);

#endif
