#include "sim/parallel/fold.h"

#include <stdlib.h>
#include <string.h>

#include "model/refuse.h"
#include "model/status.h"
#include "sim/parallel/fold_parts.h"

static int alloc_colours(struct fold_make *m, const int64_t marks[])
{
    struct colours *c = &m->c;
    size_t most;

    c->wiring = &m->wiring;
    c->ways = m->ways.of;
    c->hops = m->ways.hops;
    c->nranks = (size_t)parallel_ranks(m->p);
    c->nchannels = topology_nchannels(m->topology);
    most = (c->nranks > c->nchannels ? c->nranks : c->nchannels) + 1;
    c->rank = calloc(most, sizeof(uint64_t));
    c->next_rank = calloc(most, sizeof(uint64_t));
    c->channel = calloc(most, sizeof(uint64_t));
    c->next_channel = calloc(most, sizeof(uint64_t));
    c->sorted = calloc(most, sizeof(uint64_t));
    c->flow = calloc(m->wiring.nflows + 1, sizeof(uint64_t));
    if (!c->rank || !c->next_rank || !c->channel || !c->next_channel || !c->sorted || !c->flow)
        return E_NOMEM;
    for (size_t r = 0; r < c->nranks; r++)
        c->rank[r] = colour_mix(7, (uint64_t)marks[r]);
    for (size_t i = 0; i < c->nchannels; i++) {
        double capacity_Bps = topology_capacity_Bps(m->topology, (uint32_t)i);
        uint64_t bits;
        memcpy(&bits, &capacity_Bps, sizeof(bits));
        c->channel[i] = colour_mix(9, bits);
    }
    return E_OK;
}

/* Whole: everything has a colour of its own. */
static void colour_apart(struct colours *c)
{
    for (size_t r = 0; r < c->nranks; r++)
        c->rank[r] = colour_mix(11, r);
    for (size_t i = 0; i < c->nchannels; i++)
        c->channel[i] = colour_mix(13, i);
    for (size_t i = 0; i < c->wiring->nflows; i++)
        c->flow[i] = colour_mix(17, i);
}

static void free_lists(struct fold *f)
{
    free(f->classes);
    free(f->class_of);
    free(f->wires);
    free(f->flows);
    free(f->together);
    free(f->channels);
    free(f->routes);
    free(f->hops);
}

static void clear(struct fold_make *m)
{
    struct fold *f = m->f;

    free_lists(f);
    free(m->channel_class);
    free(m->channel_first);
    m->channel_class = NULL;
    m->channel_first = NULL;
    *f = (struct fold){ .whole = f->whole, .why_whole = f->why_whole };
}

/* From the colours that are there. */
static int build(struct fold_make *m, const char **why_not)
{
    int rc = fold_make_classes(m);

    rc = rc ? rc : fold_make_flows(m);
    rc = rc ? rc : fold_make_groups(m);
    if (!rc && !m->f->whole)
        rc = fold_check_shares(m, why_not);
    return rc;
}

/* A bucket would pass some bytes of one flow for those of many. */
static int check_buckets(const struct platform *p, char *why, size_t nwhy)
{
    for (size_t i = 0; i < p->nlinks; i++)
        if (link_burst_bytes(&p->links[i]) > 0)
            return refuse(why, nwhy, "platform.link.%s.burst: expected 0 where parallel ranks share links, got %g",
                          p->links[i].name, link_burst_bytes(&p->links[i]));
    return E_OK;
}

static int prepare(struct fold_make *m, const bool used[WIRES], const int64_t marks[], char *why, size_t nwhy)
{
    int rc = wiring_make(m->platform, m->p, used, parallel_ranks(m->p), &m->wiring);

    m->scratch = engine_new();
    if (!rc && !m->scratch)
        rc = E_NOMEM;
    rc = rc ? rc : check_buckets(m->platform, why, nwhy);
    rc = rc ? rc : topology_new(m->platform, m->scratch, NULL, &m->topology, why, nwhy);
    rc = rc ? rc : ways_find(m->topology, m->p, &m->wiring, &m->ways);
    return rc ? rc : alloc_colours(m, marks);
}

int fold_new(const struct platform *platform, const struct parallel *p, const bool used[WIRES], const int64_t marks[],
             bool whole, struct fold **out, char *why, size_t nwhy)
{
    struct fold_make m = { .platform = platform, .p = p, .f = calloc(1, sizeof(struct fold)) };
    const char *why_not = NULL;
    int rc = m.f ? prepare(&m, used, marks, why, nwhy) : E_NOMEM;

    if (!rc && !whole) {
        colours_refine(&m.c);
        rc = build(&m, &why_not);
    }
    if (!rc && (whole || why_not)) {
        if (!whole)
            clear(&m);
        m.f->whole = true;
        m.f->why_whole = why_not;
        colour_apart(&m.c);
        rc = build(&m, &why_not);
    }
    free(m.channel_class);
    free(m.channel_first);
    ways_free(&m.ways);
    free(m.c.rank);
    free(m.c.next_rank);
    free(m.c.channel);
    free(m.c.next_channel);
    free(m.c.sorted);
    free(m.c.flow);
    wiring_free(&m.wiring);
    engine_free(m.scratch);
    if (m.f)
        m.f->topology = m.topology;
    if (rc)
        fold_free(m.f);
    else
        *out = m.f;
    return rc;
}

void fold_free(struct fold *f)
{
    if (!f)
        return;
    free_lists(f);
    topology_free(f->topology);
    free(f);
}

int fold_engine(const struct fold *f, struct engine *e)
{
    int rc = E_OK;

    for (size_t i = 0; !rc && i < f->nchannels; i++)
        rc = engine_channel(e, f->channels[i].kind, f->channels[i].number, f->channels[i].capacity_Bps) < 0 ? E_NOMEM
                                                                                                            : E_OK;
    for (size_t i = 0; !rc && i < f->nroutes; i++)
        rc = engine_route(e, f->hops + f->routes[i].first, f->routes[i].n) < 0 ? E_NOMEM : E_OK;
    return rc;
}
