/* flows.c - rings and random flows over a star, straight on the fabric. */
#include <stdbool.h>
#include <stdlib.h>

#include "harness/bench/sim/case.h"
#include "harness/host/clock.h"
#include "harness/status.h"
#include "model/split/splitmix64.h"
#include "model/status.h"
#include "sim/collective/collective.h"
#include "sim/fabric/fabric.h"
#include "sim/fabric/flow_player.h"

const double star_rate_Bps = 1.25e9, star_latency_s = 5e-6;

static const int64_t hop_latency_ps = 10000000; /* two links */
static const double ps_per_s = 1e12;

/* Channels 2h and 2h + 1 are host h's link, leaving and arriving. */
static struct fabric *star(int64_t hosts)
{
    struct fabric *f = fabric_new();

    for (int64_t i = 0; f && i < 2 * hosts; i++)
        if (fabric_channel(f, star_rate_Bps) < 0) {
            fabric_free(f);
            return NULL;
        }
    return f;
}

static int64_t route(struct fabric *f, uint32_t src, uint32_t dst)
{
    const uint32_t channels[] = { 2 * src, 2 * dst + 1 };

    return fabric_route(f, channels, 2);
}

static struct collective_shape ring_shape(int64_t ranks)
{
    const struct hop hop = { .rate_Bps = star_rate_Bps, .latency_ps = hop_latency_ps };

    return (struct collective_shape){ .ranks = ranks, .ranks_per_machine = 1, .between = hop, .within = hop };
}

/* --- rings -------------------------------------------------------------------------------------------------------- */

static int play_ring(struct fabric *f, int64_t ranks, uint32_t *routes, int64_t *latency_ps, struct sim_result *r)
{
    int64_t end_ps;
    uint64_t n;

    for (int64_t i = 0; i < ranks; i++) {
        int64_t one = route(f, (uint32_t)i, (uint32_t)((i + 1) % ranks));

        if (one < 0)
            return (int)one;
        routes[i] = (uint32_t)one;
        latency_ps[i] = hop_latency_ps;
    }
    int rc = collective_ring_play(f, routes, latency_ps, ranks, RING_BYTES, &end_ps, &n);
    if (rc)
        return rc;
    r->events = (int64_t)n;
    r->end_s = (double)end_ps / ps_per_s;
    return E_OK;
}

int run_ring(const struct sim_case *c, struct sim_result *r)
{
    int64_t began = clock_ns();
    struct fabric *f = star(c->size);
    uint32_t *routes = calloc((size_t)c->size, sizeof(*routes));
    int64_t *latency_ps = calloc((size_t)c->size, sizeof(*latency_ps));
    int rc = f && routes && latency_ps ? play_ring(f, c->size, routes, latency_ps, r) : E_NOMEM;

    free(routes);
    free(latency_ps);
    fabric_free(f);
    r->elapsed_ns = clock_ns() - began;
    return rc ? NW_ESIM : NW_OK;
}

double ring_closed_s(const struct sim_case *c)
{
    struct collective_shape shape = ring_shape(c->size);

    return (double)collective_allreduce_ps(COLLECTIVE_RING, &shape, RING_BYTES) / ps_per_s;
}

/* One rank's transfers stand for all: a task graph of 2 (n - 1) transfers over its link and its neighbour's. */
static int64_t symmetric_route(void *context, int64_t from, int64_t to, int64_t *latency_ps)
{
    (void)from;
    (void)to;
    *latency_ps = hop_latency_ps;
    return *(const int *)context;
}

static int play_symmetric(struct engine *e, int64_t ranks, struct sim_result *r)
{
    const uint32_t channels[] = { (uint32_t)engine_channel(e, "link", 0, star_rate_Bps),
                                  (uint32_t)engine_channel(e, "link", 1, star_rate_Bps) };
    int one = engine_route(e, channels, 2), ready = -1, done;
    struct collective_shape shape = ring_shape(ranks);
    struct collective_place place = { .ranks = 1, .ranks_per_machine = 1, .route = symmetric_route, .context = &one };
    int rc = collective_allreduce_symmetric(e, COLLECTIVE_RING, &shape, &place, RING_BYTES, &ready, &done, 0, 0);

    if (!rc)
        rc = engine_run(e);
    if (rc)
        return rc;
    r->events = 2 * (ranks - 1);
    r->end_s = (double)engine_end_ps(e) / ps_per_s;
    return E_OK;
}

int run_symmetric(const struct sim_case *c, struct sim_result *r)
{
    enum { PLAYS = 20 };
    int64_t began = 0;
    int rc = E_OK;

    for (int i = 0; i <= PLAYS && !rc; i++) { /* the first one warms up */
        struct engine *e = engine_new();

        rc = e ? play_symmetric(e, c->size, r) : E_NOMEM;
        engine_free(e);
        if (!i)
            began = clock_ns();
    }
    r->elapsed_ns = (clock_ns() - began) / PLAYS;
    return rc ? NW_ESIM : NW_OK;
}

/* --- random flows ------------------------------------------------------------------------------------------------- */

struct star_flow *star_flows(int64_t n)
{
    static const uint64_t least = 64 << 10, largest = 16 << 20;
    struct star_flow *flows = calloc((size_t)n, sizeof(*flows));
    uint64_t state = 42;

    for (int64_t i = 0; flows && i < n; i++) {
        uint32_t src = (uint32_t)(i * STAR_HOSTS / n);
        uint32_t other = (uint32_t)(splitmix64(&state) % (STAR_HOSTS - 1));

        flows[i] = (struct star_flow){ .src = src,
                                       .dst = other < src ? other : other + 1,
                                       .bytes = (int64_t)(least + splitmix64(&state) % (largest - least + 1)) };
    }
    return flows;
}

struct traffic {
    struct fabric *fabric;
    struct flow_player *player;
    const struct star_flow *flows;
    int64_t n;
    bool in_turn; /* a host's next flow sets out when its last has arrived */
    int64_t end_ps;
    double ends_s; /* the sum of all */
};

static int post(struct traffic *t, int64_t i, int64_t now_ps)
{
    int64_t one = route(t->fabric, t->flows[i].src, t->flows[i].dst);

    return one < 0
               ? (int)one
               : flow_player_post(t->player, (uint32_t)one, t->flows[i].bytes, now_ps + hop_latency_ps, (uint32_t)i);
}

static int ended(void *context, uint32_t tag, int64_t at_ps)
{
    struct traffic *t = context;
    int64_t next = (int64_t)tag + 1;

    t->end_ps = at_ps;
    t->ends_s += (double)at_ps / ps_per_s;
    return t->in_turn && next < t->n && t->flows[next].src == t->flows[tag].src ? post(t, next, at_ps) : E_OK;
}

static int play_flows(struct traffic *t)
{
    int rc = E_OK;

    for (int64_t i = 0; i < t->n && !rc; i++)
        if (!t->in_turn || !i || t->flows[i].src != t->flows[i - 1].src)
            rc = post(t, i, 0);
    return rc ? rc : flow_player_run(t->player, ended, t);
}

static int run_flows(const struct sim_case *c, struct sim_result *r, bool in_turn)
{
    struct star_flow *flows = star_flows(c->size);
    int64_t began = clock_ns();
    struct traffic t = { .fabric = star(STAR_HOSTS), .flows = flows, .n = c->size, .in_turn = in_turn };
    int rc = E_NOMEM;

    if (t.fabric)
        t.player = flow_player_new(t.fabric);
    if (flows && t.player)
        rc = play_flows(&t);
    flow_player_free(t.player);
    fabric_free(t.fabric);
    r->elapsed_ns = clock_ns() - began;
    r->events = c->size;
    r->end_s = (double)t.end_ps / ps_per_s;
    r->mean_end_s = t.ends_s / (double)t.n;
    free(flows);
    return rc ? NW_ESIM : NW_OK;
}

int run_loop(const struct sim_case *c, struct sim_result *r)
{
    return run_flows(c, r, 1);
}

int run_burst(const struct sim_case *c, struct sim_result *r)
{
    return run_flows(c, r, 0);
}
