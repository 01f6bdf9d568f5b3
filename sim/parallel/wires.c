#include "sim/parallel/wires.h"

#include <stdlib.h>

#include "model/status.h"
#include "model/vec.h"

static const struct {
    const char *name;
    enum rank_group group;
    bool spread, point;
} kinds[WIRES] = {
    [WIRE_TENSOR] = { "tensor", GROUP_TENSOR, false, false },
    [WIRE_CONTEXT] = { "context", GROUP_CONTEXT, true, false },
    [WIRE_EXPERT] = { "expert", GROUP_EXPERT, true, false },
    [WIRE_EXPERT_COPY] = { "expert-copy", GROUP_EXPERT_COPY, false, false },
    [WIRE_EXPERT_COPY_SPREAD] = { "expert-copy-spread", GROUP_EXPERT_COPY, true, false },
    [WIRE_SHARD] = { "shard", GROUP_SHARD, false, false },
    [WIRE_SHARD_SPREAD] = { "shard-spread", GROUP_SHARD, true, false },
    [WIRE_SHARD_COPY] = { "shard-copy", GROUP_SHARD_COPY, false, false },
    [WIRE_WITHIN] = { "within", GROUP_SHARD_WITHIN, false, false },
    [WIRE_WITHIN_SPREAD] = { "within-spread", GROUP_SHARD_WITHIN, true, false },
    [WIRE_ACROSS_SPREAD] = { "across-spread", GROUP_SHARD_ACROSS, true, false },
    [WIRE_FORWARD] = { "forward", GROUP_STAGES, false, true },
    [WIRE_BACKWARD] = { "backward", GROUP_STAGES, false, true },
    [WIRE_TO_HOST] = { "to-host", GROUP_STAGES, false, true },
    [WIRE_FROM_HOST] = { "from-host", GROUP_STAGES, false, true },
};

enum rank_group wire_group_of(enum wire w)
{
    return kinds[w].group;
}

bool wire_is_point(enum wire w)
{
    return kinds[w].point;
}

const char *wire_name(enum wire w)
{
    return kinds[w].name;
}

struct make {
    const struct platform *platform;
    const struct parallel *p;
    struct wiring *out;
    enum wire wire;
    int64_t ranks; /* those below send */
    int64_t *list; /* the group's ranks */
    int64_t n;
};

static int64_t machine_of(const struct make *m, int64_t rank)
{
    return rank / m->p->gpus_per_machine;
}

static int64_t pod_of(const struct make *m, int64_t rank)
{
    int64_t per_switch = m->platform->network.per_switch;

    return per_switch > 0 ? machine_of(m, rank) / per_switch : 0;
}

/* Rails: which of its machine's NICs a rank uses, and so the switch below the spine. */
static int64_t rail_of(const struct make *m, int64_t rank)
{
    const struct platform *p = m->platform;

    if (p->network.topology != TOPOLOGY_RAILS || p->network.nics < 2)
        return 0;
    return rank % m->p->gpus_per_machine * p->network.nics / p->gpu.count;
}

static int add_flow(struct make *m, int64_t from, int64_t to, int64_t parts, int64_t of)
{
    struct wiring *w = m->out;

    if (!parts || (from == RANK_HOST ? to : from) >= m->ranks)
        return E_OK;
    if (!VEC_RESERVE(w->flows, w->flow_capacity, w->nflows))
        return E_NOMEM;
    w->flows[w->nflows++] = (struct wire_flow){ from, to, m->wire, parts, of };
    return E_OK;
}

/* How many ranks each machine has, if all have as many and they are next to each other; else 0. */
static int64_t evenly(const struct make *m, int64_t (*where)(const struct make *m, int64_t rank))
{
    int64_t k = 1;

    while (k < m->n && where(m, m->list[k]) == where(m, m->list[0]))
        k++;
    if (m->n % k)
        return 0;
    for (int64_t i = 0; i < m->n; i++) {
        bool first = !(i % k);
        if (i && first == (where(m, m->list[i]) == where(m, m->list[i - 1])))
            return 0;
    }
    return k;
}

static int add_ring(struct make *m, int64_t i, int64_t k)
{
    const int64_t *r = m->list;
    int64_t n = m->n;

    if (k == n || k == 1 || !k)
        return add_flow(m, r[i], r[(i + 1) % n], 1, 1);
    int64_t base = i / k * k, position = i % k;
    int rc = add_flow(m, r[i], r[base + (position + 1) % k], k - 1, k);
    return rc ? rc : add_flow(m, r[i], r[(i + k) % n], 1, k);
}

/* Of the group: k ranks on each machine, 'rail' next to each other on a switch; 'pod' in each pod. */
struct even {
    int64_t k, rail, pod;
};

/* Has every machine its ranks on the same rails, as many on each? In a group of one machine it does not matter. */
static bool even_rails(const struct make *m, int64_t k, int64_t *rail)
{
    int64_t n = 1;

    while (n < k && rail_of(m, m->list[n]) == rail_of(m, m->list[0]))
        n++;
    *rail = n;
    for (int64_t i = 0; i < m->n; i++) {
        bool first = !(i % n), begins = !(i % k);
        if (rail_of(m, m->list[i]) != rail_of(m, m->list[i % k]))
            return false;
        if (!begins && first == (rail_of(m, m->list[i]) == rail_of(m, m->list[i - 1])))
            return false;
    }
    return true;
}

/* Can three flows of each rank stand for those of all pairs? On a grid, and where GPUs are linked in pairs, every pair
 * has a way of its own. */
static bool spreads_evenly(const struct make *m, struct even *out)
{
    enum topology_kind t = m->platform->network.topology;

    if (t == TOPOLOGY_MESH || t == TOPOLOGY_TORUS || m->platform->gpu.npeers)
        return false;
    out->k = evenly(m, machine_of);
    out->pod = evenly(m, pod_of);
    return out->k && out->pod && !(out->pod % out->k) && even_rails(m, out->k, &out->rail);
}

/* Behind the spine are the ranks of other pods, and those of other machines on other rails: in a single pod the latter
 * alone. */
static int add_spread(struct make *m, int64_t i, const struct even *e)
{
    const int64_t *r = m->list;
    int64_t n = m->n, k = e->k, machine = i / k * k, below = i / e->pod * e->pod, leaf = e->pod / k * e->rail;
    int64_t near = leaf - e->rail, far = n - k - near, next = (i + e->pod) % n;
    int rc = add_flow(m, r[i], r[machine + (i + 1 - machine) % k], k - 1, n - 1);

    if (n == e->pod)
        next = (machine + k) % n + (i - machine + e->rail) % k;
    rc = rc ? rc : add_flow(m, r[i], r[below + (i + k - below) % e->pod], near, n - 1);
    return rc ? rc : add_flow(m, r[i], r[next], far, n - 1);
}

static int add_pairs(struct make *m, int64_t i)
{
    int rc = E_OK;

    for (int64_t d = 1; !rc && d < m->n; d++)
        rc = add_flow(m, m->list[i], m->list[(i + d) % m->n], 1, m->n - 1);
    return rc;
}

static int add_points(struct make *m)
{
    int rc = E_OK;

    for (int64_t i = 0; !rc && i < m->n; i++) {
        int64_t r = m->list[i];
        switch (m->wire) {
        case WIRE_FORWARD: rc = add_flow(m, r, m->list[(i + 1) % m->n], m->n > 1, 1); break;
        case WIRE_BACKWARD: rc = add_flow(m, r, m->list[(i + m->n - 1) % m->n], m->n > 1, 1); break;
        case WIRE_TO_HOST: rc = add_flow(m, r, RANK_HOST, 1, 1); break;
        default: rc = add_flow(m, RANK_HOST, r, 1, 1); break;
        }
    }
    return rc;
}

static int add_group(struct make *m)
{
    struct wiring *w = m->out;
    int64_t k = evenly(m, machine_of), machines = 1;
    struct even even = { 0, 0, 0 };
    bool few = kinds[m->wire].spread && spreads_evenly(m, &even);
    int rc = E_OK;

    for (int64_t i = 1; i < m->n; i++)
        machines += machine_of(m, m->list[i]) != machine_of(m, m->list[i - 1]);
    if (!VEC_RESERVE(w->groups, w->group_capacity, w->ngroups))
        return E_NOMEM;
    w->groups[w->ngroups++] = (struct wire_group){ m->wire, w->nmembers, m->n, machines };
    for (int64_t i = 0; i < m->n; i++) {
        if (!VEC_RESERVE(w->members, w->member_capacity, w->nmembers))
            return E_NOMEM;
        w->members[w->nmembers++] = m->list[i];
    }
    if (kinds[m->wire].point)
        return add_points(m);
    for (int64_t i = 0; !rc && m->n > 1 && i < m->n; i++)
        rc = !kinds[m->wire].spread ? add_ring(m, i, k) : few ? add_spread(m, i, &even) : add_pairs(m, i);
    return rc;
}

static int add_wire(struct make *m, int64_t ranks, bool *seen)
{
    int rc = E_OK;

    for (int64_t r = 0; r < parallel_ranks(m->p); r++)
        seen[r] = false;
    for (int64_t r = 0; !rc && r < ranks; r++) {
        if (seen[r])
            continue;
        m->n = group_ranks(m->p, kinds[m->wire].group, r, m->list);
        for (int64_t i = 0; i < m->n; i++)
            seen[m->list[i]] = true;
        rc = add_group(m);
    }
    return rc;
}

int wiring_make(const struct platform *platform, const struct parallel *p, const bool used[WIRES], int64_t ranks,
                struct wiring *out)
{
    size_t n = (size_t)parallel_ranks(p);
    struct make m = { .platform = platform, .p = p, .out = out, .ranks = ranks, .list = malloc(n * sizeof(*m.list)) };
    bool *seen = malloc(n * sizeof(*seen));
    int rc = m.list && seen ? E_OK : E_NOMEM;

    *out = (struct wiring){ 0 };
    for (m.wire = 0; !rc && m.wire < WIRES; m.wire++)
        if (used[m.wire])
            rc = add_wire(&m, ranks, seen);
    free(m.list);
    free(seen);
    return rc;
}

void wiring_free(struct wiring *w)
{
    free(w->groups);
    free(w->members);
    free(w->flows);
}
