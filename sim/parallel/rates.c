#include "sim/parallel/rates.h"

#include <math.h>
#include <stdlib.h>

#include "model/status.h"
#include "sim/fabric/flow_player.h"
#include "sim/network/layout.h"
#include "sim/parallel/ways.h"

bool wire_is_ring(enum wire w)
{
    return !wire_is_point(w) && w != WIRE_CONTEXT && w != WIRE_EXPERT && w != WIRE_EXPERT_COPY_SPREAD &&
           w != WIRE_SHARD_SPREAD && w != WIRE_WITHIN_SPREAD && w != WIRE_ACROSS_SPREAD;
}

int64_t ring_hops_ps(int64_t ranks, int64_t machines, bool away, int64_t hop_ps)
{
    int64_t across = machines > 1 ? machines - 1 : 0;

    return hop_ps * (away ? across : ranks - 1 - across);
}

/* Bytes are those that the slowest link moves in so long: picoseconds are then fine enough, and 2^63 of them enough for
 * thousands of flows that share it. */
static const double played_s = 1000;

struct measure {
    struct topology *topology;
    const struct parallel *p;
    struct wiring wiring;
    struct ways ways;
    struct fabric *fabric; /* of the wire in hand */
    int64_t *channel;      /* of the topology's, in the fabric; -1: not crossed */
    int64_t *end_ps;       /* of each flow */
    double bytes;
    int64_t step_ps;
};

/* Keeps a way unless another one is slower in both. Where there are more than can be kept, the last is as slow as the
 * slowest of those that it stands for. */
static void keep(struct wire_rates *r, enum wire w, struct wire_way way)
{
    struct wire_way *last = &r->ways[w][WIRE_WAYS - 1];

    for (int i = 0; i < r->nways[w]; i++) {
        struct wire_way *known = &r->ways[w][i];
        if (known->s_per_byte >= way.s_per_byte && known->hop_ps >= way.hop_ps)
            return;
        if (known->s_per_byte <= way.s_per_byte && known->hop_ps <= way.hop_ps) {
            *known = way;
            return;
        }
    }
    if (r->nways[w] < WIRE_WAYS) {
        r->ways[w][r->nways[w]++] = way;
        return;
    }
    last->s_per_byte = fmax(last->s_per_byte, way.s_per_byte);
    last->hop_ps = last->hop_ps > way.hop_ps ? last->hop_ps : way.hop_ps;
}

static const struct wire_group *group_of(const struct measure *m, enum wire w)
{
    for (size_t g = 0; g < m->wiring.ngroups; g++)
        if (m->wiring.groups[g].wire == w)
            return &m->wiring.groups[g];
    return NULL;
}

static int ended(void *context, uint32_t tag, int64_t at_ps)
{
    ((struct measure *)context)->end_ps[tag] = at_ps;
    return E_OK;
}

/* The channels of the wire's flows, each once, and the bytes that are played. */
static int add_channels(struct measure *m, enum wire w)
{
    double slowest_Bps = INFINITY;

    for (size_t i = 0; i < topology_nchannels(m->topology); i++)
        m->channel[i] = -1;
    for (size_t i = 0; i < m->wiring.nflows; i++)
        for (size_t k = 0; m->wiring.flows[i].wire == w && k < m->ways.of[i].n; k++) {
            uint32_t c = m->ways.hops[m->ways.of[i].first + k];
            double capacity_Bps = topology_capacity_Bps(m->topology, c);
            if (m->channel[c] < 0)
                m->channel[c] = fabric_channel(m->fabric, capacity_Bps);
            if (m->channel[c] < 0)
                return (int)m->channel[c];
            slowest_Bps = fmin(slowest_Bps, capacity_Bps);
        }
    m->bytes = isinf(slowest_Bps) ? 0 : slowest_Bps * played_s;
    return E_OK;
}

static int add_flow(struct measure *m, struct flow_player *player, size_t flow)
{
    const struct wire_flow *f = &m->wiring.flows[flow];
    const struct way *way = &m->ways.of[flow];
    uint32_t *hops = malloc((way->n + 1) * sizeof(*hops));
    int64_t route;

    if (!hops)
        return E_NOMEM;
    for (size_t k = 0; k < way->n; k++)
        hops[k] = (uint32_t)m->channel[m->ways.hops[way->first + k]];
    route = fabric_route(m->fabric, hops, way->n);
    free(hops);
    if (route < 0)
        return (int)route;
    return flow_player_post(player, (uint32_t)route, (int64_t)(m->bytes * (double)f->parts / (double)f->of), 0,
                            (uint32_t)flow);
}

/* All flows of the wire at once: end_ps[] of each. */
static int play(struct measure *m, enum wire w)
{
    struct flow_player *player;
    int rc;

    m->fabric = fabric_new();
    player = m->fabric ? flow_player_new(m->fabric) : NULL;
    rc = player ? add_channels(m, w) : E_NOMEM;
    for (size_t i = 0; !rc && i < m->wiring.nflows; i++)
        if (m->wiring.flows[i].wire == w)
            rc = add_flow(m, player, i);
    rc = rc ? rc : flow_player_run(player, ended, m);
    flow_player_free(player);
    fabric_free(m->fabric);
    return rc;
}

static int take(struct measure *m, enum wire w, struct wire_rates *out)
{
    const struct wire_group *g = group_of(m, w);
    int rc = g ? play(m, w) : E_OK;

    if (!g)
        return E_OK;
    out->ranks[w] = g->n;
    for (size_t i = 0; !rc && i < m->wiring.nflows; i++) {
        const struct wire_flow *f = &m->wiring.flows[i];
        int64_t hop_ps = m->ways.of[i].latency_ps;
        if (f->wire != w)
            continue;
        if (wire_is_ring(w)) {
            bool away = f->from / m->p->gpus_per_machine != f->to / m->p->gpus_per_machine;
            hop_ps = ring_hops_ps(g->n, g->machines, away, hop_ps + m->step_ps);
        }
        keep(out, w, (struct wire_way){ m->bytes > 0 ? (double)m->end_ps[i] / 1e12 / m->bytes : 0, hop_ps });
    }
    return rc;
}

/* Does what machines send to each other cross links that others send over, as well: those between grids' machines, a
 * host's links to the NIC, and links of which both directions are one? */
static bool crosses_others(const struct platform *platform)
{
    const struct network_spec *n = &platform->network;

    for (size_t i = 0; i < platform->nlinks; i++)
        if (platform->links[i].duplex == DUPLEX_HALF)
            return true;
    return n->topology == TOPOLOGY_MESH || n->topology == TOPOLOGY_TORUS || (layout_named(n->via) && !n->gpu_direct);
}

/* How many machines show what all do: those that share uplinks, where these may be what is narrow. */
static int64_t machines_shown(const struct platform *platform)
{
    const struct network_spec *n = &platform->network;
    bool uplinks = n->topology == TOPOLOGY_TREE || n->topology == TOPOLOGY_RAILS;

    if (crosses_others(platform))
        return platform->machines;
    if (!uplinks || (!layout_named(n->uplink) && n->oversubscription <= 1))
        return 1;
    return n->per_switch > 0 && n->per_switch < platform->machines ? n->per_switch : platform->machines;
}

int wire_rates(const struct platform *platform, struct topology *topology, const struct parallel *p,
               const bool used[WIRES], int64_t step_ps, struct wire_rates *out)
{
    struct measure m = { .topology = topology, .p = p, .step_ps = step_ps };
    int64_t all = parallel_ranks(p), ranks = machines_shown(platform) * p->gpus_per_machine;
    int rc = wiring_make(platform, p, used, ranks < all ? ranks : all, &m.wiring);

    *out = (struct wire_rates){ 0 };
    m.channel = calloc(topology_nchannels(topology) + 1, sizeof(*m.channel));
    m.end_ps = calloc(m.wiring.nflows + 1, sizeof(*m.end_ps));
    if (!m.channel || !m.end_ps)
        rc = E_NOMEM;
    rc = rc ? rc : ways_find(topology, p, &m.wiring, &m.ways);
    for (int w = 0; !rc && w < WIRES; w++)
        rc = take(&m, (enum wire)w, out);
    wiring_free(&m.wiring);
    ways_free(&m.ways);
    free(m.channel);
    free(m.end_ps);
    return rc;
}

int64_t wire_ps(const struct wire_rates *r, enum wire w, int64_t bytes, int64_t hops)
{
    double most = 0;

    for (int i = 0; i < r->nways[w]; i++)
        most = fmax(most, (double)bytes * r->ways[w][i].s_per_byte * 1e12 + (double)(hops * r->ways[w][i].hop_ps));
    return (int64_t)ceil(most - fmin(1e-3 + 1e-15 * most, 0.4)); /* an exact number does not become one more */
}
