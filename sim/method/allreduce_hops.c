/* allreduce_hops.c - what a hop between workers is worth: the rate is what the fabric itself gives a worker while all send,
 * whatever the links share on the way. */
#include <math.h>
#include <stdlib.h>

#include "sim/method/allreduce_plan.h"
#include "sim/status.h"

/* Between two ends in one memory: no time. */
static const struct hop none = { .rate_Bps = 1e30 };

static const int64_t probe_bytes = (int64_t)1 << 40;

/* What all workers that are looked at send at once: to the next of them all, or to the one at their place on the next
 * machine. */
enum pattern { TO_NEXT, ACROSS };

struct probe {
    const struct plan *plan;
    struct fabric *fabric;
    struct topology *topology;
    enum pattern pattern;
    int64_t ranks;
    int64_t *latency_ps; /* of each one's hop */
};

static int64_t next_of(const struct probe *p, int64_t rank)
{
    return (rank + (p->pattern == ACROSS ? p->plan->method->workers_per_machine : 1)) % p->ranks;
}

static _Bool crosses(const struct probe *p, int64_t rank)
{
    int64_t l = p->plan->method->workers_per_machine;

    return rank / l != next_of(p, rank) / l;
}

static int send(struct probe *p, int64_t from)
{
    struct end a = plan_end(p->plan, from), b = plan_end(p->plan, next_of(p, from));
    int64_t route = topology_route(p->topology, a, b, &p->latency_ps[from]);

    return route < 0 ? (int)route : fabric_start(p->fabric, (uint32_t)route, probe_bytes, 0, (uint32_t)from);
}

static int run(struct probe *p, int64_t senders, char *why, size_t nwhy)
{
    p->fabric = fabric_new();
    int rc = p->fabric ? topology_new(&p->plan->platform, NULL, p->fabric, &p->topology, why, nwhy) : SIM_ENOMEM;

    for (int64_t r = 0; !rc && r < senders; r++)
        rc = send(p, r);
    return rc ? rc : fabric_settle(p->fabric, 0);
}

static void stop(struct probe *p)
{
    topology_free(p->topology);
    fabric_free(p->fabric);
    p->topology = NULL;
    p->fabric = NULL;
}

/* The slowest of the hops of that kind; as it was if there is none, or none that takes time. */
static void read_hop(const struct probe *p, _Bool between, struct hop *out)
{
    double least = INFINITY;

    for (int64_t r = 0; r < p->ranks; r++) {
        double rate_Bps = fabric_rate_Bps(p->fabric, (uint32_t)r);
        if (crosses(p, r) != between || !(rate_Bps > 0) || rate_Bps >= least)
            continue;
        least = rate_Bps;
        *out = (struct hop){ .rate_Bps = rate_Bps, .latency_ps = p->latency_ps[r] };
        if (between) {
            out->latency_ps += topology_message_ps(p->topology);
            out->framing_bytes = topology_message_bytes(p->topology, 0);
        }
    }
}

/* One ring of all: it also says whether the first worker gets the same rate when nobody sends to it. */
static int probe_ring(struct probe *p, struct collective_shape *ring, _Bool *apart, char *why, size_t nwhy)
{
    int rc = run(p, p->ranks, why, nwhy);

    if (!rc) {
        read_hop(p, 1, &ring->between);
        read_hop(p, 0, &ring->within);
    }
    stop(p);
    if (rc || ring->ranks_per_machine > 1)
        return rc;
    rc = run(p, 1, why, nwhy);
    if (!rc)
        *apart = fabric_rate_Bps(p->fabric, 0) == ring->between.rate_Bps;
    stop(p);
    return rc;
}

/* A ring in each machine at one time, rings of every shard between machines at another. */
static int probe_hierarchy(struct probe *p, struct collective_shape *shape, char *why, size_t nwhy)
{
    p->pattern = ACROSS;
    int rc = run(p, p->ranks, why, nwhy);

    if (!rc)
        read_hop(p, 1, &shape->between);
    stop(p);
    p->pattern = TO_NEXT;
    p->ranks = shape->ranks_per_machine;
    if (!rc)
        rc = run(p, p->ranks, why, nwhy);
    if (!rc)
        read_hop(p, 0, &shape->within);
    stop(p);
    return rc;
}

int plan_hops(struct plan *plan, _Bool *apart, char *why, size_t nwhy)
{
    const struct allreduce *a = plan->method;
    const struct platform full = plan->platform;
    int64_t n = a->workers, l = a->workers_per_machine;
    struct probe p = { .plan = plan, .ranks = n < 2 * l ? n : 2 * l };

    p.latency_ps = calloc((size_t)p.ranks, sizeof(*p.latency_ps));
    if (!p.latency_ps)
        return SIM_ENOMEM;
    if (plan->platform.machines > 2 && plan->platform.network.topology == TOPOLOGY_STAR)
        plan->platform.machines = 2; /* all are alike */
    plan->ring = (struct collective_shape){ .ranks = n, .ranks_per_machine = l, .between = none, .within = none };
    int rc = probe_ring(&p, &plan->ring, apart, why, nwhy);
    plan->shape = plan->ring;
    if (!rc && a->algorithm == COLLECTIVE_HIERARCHICAL && n > l && l > 1)
        rc = probe_hierarchy(&p, &plan->shape, why, nwhy);
    free(p.latency_ps);
    plan->platform = full;
    return rc;
}
