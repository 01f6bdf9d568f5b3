/* hops.c - the rate of a hop between workers while all send, as the fabric gives it, whatever the links share. */
#include <math.h>
#include <stdlib.h>

#include "model/status.h"
#include "sim/method/allreduce/plan.h"

/* Between two ends in one memory: no time. */
static const struct hop none = { .rate_Bps = 1e30 };

static const int64_t probe_bytes = (int64_t)1 << 40;

/* What all workers that are looked at send at once: to the next of them all, or to the one at their place on the next
 * machine. */
enum pattern { TO_NEXT, ACROSS };

struct probe {
    const struct ar_plan *plan;
    struct fabric *fabric;
    struct topology *topology;
    enum pattern pattern;
    int64_t ranks;
    int64_t *latency_ps; /* of each one's hop */
    struct hop *hops;    /* while all send */
};

static int64_t next_of(const struct probe *p, int64_t rank)
{
    return (rank + (p->pattern == ACROSS ? p->plan->method->workers_per_machine : 1)) % p->ranks;
}

static bool crosses(const struct probe *p, int64_t rank)
{
    int64_t l = p->plan->method->workers_per_machine;

    return rank / l != next_of(p, rank) / l;
}

static int send(struct probe *p, int64_t from)
{
    struct end a = ar_plan_end(p->plan, from), b = ar_plan_end(p->plan, next_of(p, from));
    int64_t route = topology_route(p->topology, a, b, &p->latency_ps[from]);

    return route < 0 ? (int)route : fabric_start(p->fabric, (uint32_t)route, probe_bytes, 0, (uint32_t)from);
}

/* The ranks of [first, end) send. */
static int run(struct probe *p, int64_t first, int64_t end, char *why, size_t nwhy)
{
    p->fabric = fabric_new();
    int rc = p->fabric ? topology_new(&p->plan->platform, NULL, p->fabric, &p->topology, why, nwhy) : E_NOMEM;

    for (int64_t r = first; !rc && r < end; r++)
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

static struct hop hop_of(const struct probe *p, int64_t rank)
{
    struct hop h = { .rate_Bps = fabric_rate_Bps(p->fabric, (uint32_t)rank), .latency_ps = p->latency_ps[rank] };

    if (crosses(p, rank)) {
        h.latency_ps += topology_message_ps(p->topology);
        h.framing_bytes = topology_message_bytes(p->topology, 0);
    }
    return h.rate_Bps > 0 ? h : none;
}

static int all_send(struct probe *p, char *why, size_t nwhy)
{
    int rc = run(p, 0, p->ranks, why, nwhy);

    for (int64_t r = 0; !rc && r < p->ranks; r++)
        p->hops[r] = hop_of(p, r);
    stop(p);
    return rc;
}

/* The slowest of the hops of that kind; as it was if there is none. */
static void read_hop(const struct probe *p, bool between, struct hop *out)
{
    double least = INFINITY;

    for (int64_t r = 0; r < p->ranks; r++)
        if (crosses(p, r) == between && p->hops[r].rate_Bps < least) {
            *out = p->hops[r];
            least = out->rate_Bps;
        }
}

/* But for the last digits of progressive filling. */
static bool same_rate(double a_Bps, double b_Bps)
{
    return fabs(a_Bps - b_Bps) <= 1e-12 * a_Bps;
}

static bool all_alike(const struct probe *p)
{
    bool alike = true;

    for (int64_t r = 1; r < p->ranks; r++)
        alike &= same_rate(p->hops[r].rate_Bps, p->hops[0].rate_Bps) &&
                 p->hops[r].latency_ps == p->hops[0].latency_ps && p->hops[r].framing_bytes == p->hops[0].framing_bytes;
    return alike;
}

/* Does each worker get the same rate when nobody else sends? Machines are alike: those of one are asked. */
static int probe_alone(struct probe *p, bool *apart, char *why, size_t nwhy)
{
    int64_t l = p->plan->method->workers_per_machine;
    int rc = E_OK;

    *apart = 1;
    for (int64_t r = 0; !rc && *apart && r < l && r < p->ranks; r++) {
        rc = run(p, r, r + 1, why, nwhy);
        *apart = !rc && same_rate(hop_of(p, r).rate_Bps, p->hops[r].rate_Bps);
        stop(p);
    }
    return rc;
}

/* One ring of all. Workers who are all played, with all that they share, need not be asked one by one. */
static int probe_ring(struct probe *p, struct ar_plan *plan, char *why, size_t nwhy)
{
    int rc = all_send(p, why, nwhy);

    if (rc)
        return rc;
    read_hop(p, 1, &plan->ring.between);
    read_hop(p, 0, &plan->ring.within);
    plan->ring_lockstep = plan->lockstep = all_alike(p);
    if (plan->method->level == COLLECTIVE_FLOWS ||
        (plan->method->level == COLLECTIVE_SYMMETRIC && plan->method->workers_per_machine > 1))
        return E_OK;
    return probe_alone(p, &plan->apart, why, nwhy);
}

/* A ring in each machine at one time, rings of every shard between machines at another. */
static int probe_hierarchy(struct probe *p, struct ar_plan *plan, char *why, size_t nwhy)
{
    p->pattern = ACROSS;
    int rc = all_send(p, why, nwhy);

    if (rc)
        return rc;
    read_hop(p, 1, &plan->shape.between);
    plan->lockstep = all_alike(p);
    p->pattern = TO_NEXT;
    p->ranks = plan->shape.ranks_per_machine;
    rc = all_send(p, why, nwhy);
    if (rc)
        return rc;
    read_hop(p, 0, &plan->shape.within);
    plan->lockstep &= all_alike(p);
    return E_OK;
}

int ar_plan_hops(struct ar_plan *plan, char *why, size_t nwhy)
{
    const struct allreduce *a = plan->method;
    const struct platform full = plan->platform;
    int64_t n = a->workers, l = a->workers_per_machine;
    struct probe p = { .plan = plan, .ranks = n < 2 * l ? n : 2 * l };
    int rc = E_NOMEM;

    p.latency_ps = calloc((size_t)p.ranks, sizeof(*p.latency_ps));
    p.hops = calloc((size_t)p.ranks, sizeof(*p.hops));
    if (plan->platform.machines > 2 && plan->platform.network.topology == TOPOLOGY_STAR)
        plan->platform.machines = 2; /* all are alike */
    plan->ring = (struct collective_shape){ .ranks = n, .ranks_per_machine = l, .between = none, .within = none };
    if (p.latency_ps && p.hops)
        rc = probe_ring(&p, plan, why, nwhy);
    plan->shape = plan->ring;
    if (!rc && a->algorithm == COLLECTIVE_HIERARCHICAL && n > l && l > 1)
        rc = probe_hierarchy(&p, plan, why, nwhy);
    free(p.latency_ps);
    free(p.hops);
    plan->platform = full;
    return rc;
}
