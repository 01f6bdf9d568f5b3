/* collective_check.c - what a user can get wrong in a collective by itself, reported with the key that is wrong. */
#include <inttypes.h>
#include <math.h>

#include "model/numbers.h"
#include "model/refuse.h"
#include "model/status.h"
#include "sim/figures.h"
#include "sim/method/method.h"

enum { MOST_RANKS = 1 << 20, MOST_TASKS = 1 << 24 };

static int check_counts(const struct job *j, char *why, size_t nwhy)
{
    const struct lone_collective *c = &j->method->collective;
    const struct count counts[] = {
        { "method.ranks", c->ranks, 1, MOST_RANKS },
        { "method.ranks_per_machine", c->ranks_per_machine, 1, MOST_RANKS },
        { "method.rings", c->rings, 0, 1024 },
        { "method.bytes", c->bytes, 0, (int64_t)1 << 50 },
    };

    return counts_within(counts, COUNT(counts), why, nwhy);
}

static int check_places(const struct job *j, char *why, size_t nwhy)
{
    const struct lone_collective *c = &j->method->collective;
    const struct platform *p = j->platform;
    int64_t l = c->ranks_per_machine, machines = (c->ranks + l - 1) / l, local = min64(c->ranks, l);
    int64_t places = p->gpu.count > 0 ? p->gpu.count : 1;

    if (machines > p->machines)
        return refuse(why, nwhy,
                      "method.ranks: %" PRId64 " ranks, %" PRId64 " on a machine, need %" PRId64
                      " machines, the platform has %" PRId64,
                      c->ranks, l, machines, p->machines);
    if (local > places)
        return refuse(why, nwhy, "method.ranks_per_machine: a machine has %s for %" PRId64 ", got %" PRId64 " ranks",
                      p->gpu.count > 0 ? "GPUs" : "memory", places, local);
    return E_OK;
}

/* Tasks, at most. */
static double transfers(const struct lone_collective *c)
{
    double n = (double)c->ranks;

    switch (c->algorithm) {
    case COLLECTIVE_RING: return 2 * n * n * (double)(c->rings > 1 ? c->rings : 1);
    case COLLECTIVE_TREE: return 4 * 128 * n;
    case COLLECTIVE_HALVING_DOUBLING: return n * (2 * log2(n) + 2);
    case COLLECTIVE_HIERARCHICAL: return n * (2 * (double)c->ranks_per_machine + 2 * n / (double)c->ranks_per_machine);
    default: return n;
    }
}

static int check_rings(const struct lone_collective *c, char *why, size_t nwhy)
{
    if (c->rings <= 1 || (c->algorithm == COLLECTIVE_RING && c->operation == COLLECTIVE_ALLREDUCE))
        return E_OK;
    return refuse(why, nwhy, "method.rings: only an all-reduce by the algorithm ring has several, got %" PRId64,
                  c->rings);
}

/* What has no transfers of this algorithm. */
static int check_algorithm(const struct lone_collective *c, char *why, size_t nwhy)
{
    if (c->operation == COLLECTIVE_BROADCAST)
        return refuse(why, nwhy,
                      "method.operation: how a broadcast travels is not simulated: expected another operation, or "
                      "method.algorithm: measured");
    if (c->operation != COLLECTIVE_ALLREDUCE && c->algorithm != COLLECTIVE_RING)
        return refuse(why, nwhy, "method.algorithm: expected ring (or measured) for %s, got another",
                      collective_operation_name(c->operation));
    if (c->algorithm == COLLECTIVE_HIERARCHICAL && c->ranks > c->ranks_per_machine && c->ranks % c->ranks_per_machine)
        return refuse(why, nwhy,
                      "method.algorithm: hierarchical needs machines with as many ranks each, got %" PRId64
                      " ranks, %" PRId64 " on a machine",
                      c->ranks, c->ranks_per_machine);
    if (transfers(c) > MOST_TASKS)
        return refuse(why, nwhy, "method.ranks: %.3g transfers; at most %d can be played: expected fewer ranks",
                      transfers(c), MOST_TASKS);
    return E_OK;
}

int collective_check(const struct job *j, char *why, size_t nwhy)
{
    const struct lone_collective *c = &j->method->collective;
    int rc = E_OK;

    if (j->batch > 1)
        return refuse(why, nwhy, "batch: a collective by itself has no samples: expected no batch, got %" PRId64,
                      j->batch);
    rc = check_counts(j, why, nwhy);
    rc = rc ? rc : check_rings(c, why, nwhy);
    rc = rc ? rc : check_places(j, why, nwhy);
    rc = rc ? rc : topology_check(j->platform, why, nwhy);
    if (rc || c->algorithm != COLLECTIVE_MEASURED)
        return rc ? rc : check_algorithm(c, why, nwhy);
    struct collective_group g = platform_group(j->platform, c->ranks, c->ranks_per_machine);
    rc = measured_check(&j->platform->collective, why, nwhy);
    return rc ? rc : measured_has(&j->platform->collective, c->operation, &g, why, nwhy);
}
