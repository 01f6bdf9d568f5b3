#include "sim/parallel/rates.h"

#include <math.h>
#include <stdlib.h>

#include "model/status.h"
#include "model/vec.h"

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

/* A flow's channels, and its latency. */
struct laid {
    size_t first, n;
    int64_t latency_ps;
};

struct measure {
    const struct platform *platform;
    struct topology *topology;
    const struct parallel *p;
    struct wiring wiring;
    struct laid *laid;
    uint32_t *hops;
    size_t nhops, hop_capacity;
    uint32_t *crossed; /* of each channel, by the wire in hand */
    int64_t step_ps;
};

static struct end end_of(const struct measure *m, int64_t rank, int64_t other)
{
    int64_t k = m->p->gpus_per_machine;

    return rank == RANK_HOST ? (struct end){ other / k, END_HOST } : (struct end){ rank / k, rank % k };
}

static int lay(struct measure *m)
{
    int rc = E_OK;

    m->laid = calloc(m->wiring.nflows + 1, sizeof(*m->laid));
    if (!m->laid)
        return E_NOMEM;
    for (size_t i = 0; !rc && i < m->wiring.nflows; i++) {
        const struct wire_flow *f = &m->wiring.flows[i];
        const uint32_t *channels;
        m->laid[i].first = m->nhops;
        rc = topology_path(m->topology, end_of(m, f->from, f->to), end_of(m, f->to, f->from), &channels, &m->laid[i].n,
                           &m->laid[i].latency_ps);
        for (size_t k = 0; !rc && k < m->laid[i].n; k++) {
            if (!VEC_RESERVE(m->hops, m->hop_capacity, m->nhops))
                rc = E_NOMEM;
            else
                m->hops[m->nhops++] = channels[k];
        }
    }
    return rc;
}

/* Keeps a way unless another one is slower in both. */
static void keep(struct wire_rates *r, enum wire w, struct wire_way way)
{
    for (int i = 0; i < r->nways[w]; i++) {
        struct wire_way *known = &r->ways[w][i];
        if (known->s_per_byte >= way.s_per_byte && known->hop_ps >= way.hop_ps)
            return;
        if (known->s_per_byte <= way.s_per_byte && known->hop_ps <= way.hop_ps) {
            *known = way;
            return;
        }
    }
    if (r->nways[w] < WIRE_WAYS)
        r->ways[w][r->nways[w]++] = way;
}

static const struct wire_group *group_of(const struct measure *m, enum wire w)
{
    for (size_t g = 0; g < m->wiring.ngroups; g++)
        if (m->wiring.groups[g].wire == w)
            return &m->wiring.groups[g];
    return NULL;
}

static void take(struct measure *m, enum wire w, struct wire_rates *out)
{
    const struct wire_group *g = group_of(m, w);

    if (!g)
        return;
    out->ranks[w] = g->n;
    for (size_t i = 0; i < m->wiring.nflows; i++)
        for (size_t k = 0; m->wiring.flows[i].wire == w && k < m->laid[i].n; k++)
            m->crossed[m->hops[m->laid[i].first + k]]++;
    for (size_t i = 0; i < m->wiring.nflows; i++) {
        const struct wire_flow *f = &m->wiring.flows[i];
        double slowest = 0;
        if (f->wire != w)
            continue;
        for (size_t k = 0; k < m->laid[i].n; k++) {
            uint32_t c = m->hops[m->laid[i].first + k];
            slowest = fmax(slowest, m->crossed[c] / topology_capacity_Bps(m->topology, c));
        }
        int64_t hop = m->laid[i].latency_ps;
        if (wire_is_ring(w)) {
            bool away = f->from / m->p->gpus_per_machine != f->to / m->p->gpus_per_machine;
            hop = ring_hops_ps(g->n, g->machines, away, hop + m->step_ps);
        }
        keep(out, w, (struct wire_way){ slowest * (double)f->parts / (double)f->of, hop });
    }
    for (size_t i = 0; i < m->nhops; i++)
        m->crossed[m->hops[i]] = 0;
}

int wire_rates(const struct platform *platform, struct topology *topology, const struct parallel *p,
               const bool used[WIRES], int64_t step_ps, struct wire_rates *out)
{
    struct measure m = { .platform = platform, .topology = topology, .p = p, .step_ps = step_ps };
    int64_t all = parallel_ranks(p), per_switch = platform->network.per_switch;
    int64_t machines = per_switch > 0 && per_switch < platform->machines && platform->network.oversubscription != 1
                           ? per_switch
                           : 1;
    int64_t ranks = machines * p->gpus_per_machine < all ? machines * p->gpus_per_machine : all;
    int rc = wiring_make(platform, p, used, ranks, &m.wiring);

    *out = (struct wire_rates){ 0 };
    m.crossed = calloc(topology_nchannels(topology) + 1, sizeof(*m.crossed));
    if (!m.crossed)
        rc = E_NOMEM;
    rc = rc ? rc : lay(&m);
    for (int w = 0; !rc && w < WIRES; w++)
        take(&m, (enum wire)w, out);
    wiring_free(&m.wiring);
    free(m.laid);
    free(m.hops);
    free(m.crossed);
    return rc;
}

int64_t wire_ps(const struct wire_rates *r, enum wire w, int64_t bytes, int64_t hops)
{
    double most = 0;

    for (int i = 0; i < r->nways[w]; i++)
        most = fmax(most, (double)bytes * r->ways[w][i].s_per_byte * 1e12 + (double)(hops * r->ways[w][i].hop_ps));
    return (int64_t)ceil(most);
}
