#include "sim/parallel/fold.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/status.h"
#include "model/vec.h"
#include "sim/network/topology.h"
#include "sim/parallel/colour.h"

struct make {
    const struct platform *platform;
    const struct parallel *p;
    struct wiring wiring;
    struct engine *scratch; /* holds the channels of the whole platform */
    struct topology *topology;
    struct way *ways;
    uint32_t *hops;
    size_t nhops, hop_capacity;
    struct colours c;
    int32_t *channel_class; /* of each channel of the whole platform; -1: not crossed */
    uint32_t *channel_first; /* of each folded channel: the first one of its class */
    struct fold *f;
};

static struct end end_of(const struct make *m, int64_t rank, int64_t other)
{
    int64_t k = m->p->gpus_per_machine;

    return rank == RANK_HOST ? (struct end){ other / k, END_HOST } : (struct end){ rank / k, rank % k };
}

static int find_ways(struct make *m)
{
    int rc = E_OK;

    m->ways = calloc(m->wiring.nflows + 1, sizeof(*m->ways));
    if (!m->ways)
        return E_NOMEM;
    for (size_t i = 0; !rc && i < m->wiring.nflows; i++) {
        const struct wire_flow *flow = &m->wiring.flows[i];
        const uint32_t *channels;
        struct way *way = &m->ways[i];
        way->first = m->nhops;
        rc = topology_path(m->topology, end_of(m, flow->from, flow->to), end_of(m, flow->to, flow->from), &channels,
                           &way->n, &way->latency_ps);
        for (size_t k = 0; !rc && k < way->n; k++) {
            if (!VEC_RESERVE(m->hops, m->hop_capacity, m->nhops))
                rc = E_NOMEM;
            else
                m->hops[m->nhops++] = channels[k];
        }
    }
    return rc;
}

static int alloc_colours(struct make *m, const int64_t marks[])
{
    struct colours *c = &m->c;
    size_t most;

    c->wiring = &m->wiring;
    c->ways = m->ways;
    c->hops = m->hops;
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
        int number;
        engine_channel_name(m->scratch, (int)i, &number);
        memcpy(&bits, &capacity_Bps, sizeof(bits));
        c->channel[i] = colour_mix(bits, (uint64_t)number & 1); /* both directions of a link are no alike channels */
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

/* A colour and where it was first seen. */
struct seen {
    uint64_t colour;
    size_t at;
};

static int by_colour(const void *a, const void *b)
{
    const struct seen *x = a, *y = b;

    return x->colour != y->colour ? (x->colour > y->colour) - (x->colour < y->colour) : (x->at > y->at) - (x->at < y->at);
}

/* Numbers classes in the order in which they are first seen: first[i] is the first of i's colour. E_NOMEM. */
static int firsts(const uint64_t colours[], size_t n, size_t first[])
{
    struct seen *s = malloc((n + 1) * sizeof(*s));

    if (!s)
        return E_NOMEM;
    for (size_t i = 0; i < n; i++)
        s[i] = (struct seen){ colours[i], i };
    qsort(s, n, sizeof(*s), by_colour);
    for (size_t i = 0, begin = 0; i < n; i++) {
        if (s[i].colour != s[begin].colour)
            begin = i;
        first[s[i].at] = s[begin].at;
    }
    free(s);
    return E_OK;
}

static int make_classes(struct make *m)
{
    struct fold *f = m->f;
    size_t n = m->c.nranks, *first = malloc((n + 1) * sizeof(*first));
    int rc = first ? firsts(m->c.rank, n, first) : E_NOMEM;

    f->ranks = (int64_t)n;
    f->class_of = malloc(n * sizeof(*f->class_of));
    f->classes = malloc(n * sizeof(*f->classes));
    if (!f->class_of || !f->classes)
        rc = E_NOMEM;
    f->nclasses = 0;
    for (size_t r = 0; !rc && r < n; r++) {
        if (first[r] == r) {
            f->classes[f->nclasses] = (struct fold_class){ (int64_t)r, 0 };
            f->class_of[r] = (int32_t)f->nclasses++;
        } else {
            f->class_of[r] = f->class_of[first[r]];
        }
        f->classes[f->class_of[r]].ranks++;
    }
    free(first);
    return rc;
}

static int64_t owner(const struct wire_flow *flow)
{
    return flow->from == RANK_HOST ? flow->to : flow->from;
}

static bool leaves(const struct make *m, const struct wire_flow *flow)
{
    int64_t k = m->p->gpus_per_machine;

    return flow->from != RANK_HOST && flow->to != RANK_HOST && flow->from / k != flow->to / k;
}

/* Does the class's own rank send it (or get it from the host)? */
static bool shown(const struct make *m, size_t flow)
{
    int64_t r = owner(&m->wiring.flows[flow]);

    return m->f->classes[m->f->class_of[r]].rank == r;
}

/* The folded channel that a channel of the whole belongs to; made when it is first asked for. */
static int channel_of(struct make *m, const size_t first[], uint32_t channel)
{
    struct fold *f = m->f;
    uint32_t head = (uint32_t)first[channel];

    if (m->channel_class[head] < 0) {
        struct fold_channel *c = &f->channels[f->nchannels];
        c->capacity_Bps = topology_capacity_Bps(m->topology, head);
        c->kind = engine_channel_name(m->scratch, (int)head, &c->number);
        m->channel_first[f->nchannels] = head;
        m->channel_class[head] = (int32_t)f->nchannels++;
    }
    return m->channel_class[head];
}

static int make_route(struct make *m, const size_t first[], const struct way *way)
{
    struct fold *f = m->f;

    f->routes[f->nroutes] = (struct fold_route){ f->nhops, way->n };
    for (size_t k = 0; k < way->n; k++)
        f->hops[f->nhops++] = (uint32_t)channel_of(m, first, m->hops[way->first + k]);
    return (int)f->nroutes++;
}

/* The flows of the classes' own ranks, wire by wire of each class. */
static int make_flows(struct make *m)
{
    struct fold *f = m->f;
    size_t nflows = m->wiring.nflows, nchannels = m->c.nchannels, shown_flows = 0, shown_hops = 0;
    size_t *first = malloc((nchannels + 1) * sizeof(*first));
    int rc = first ? firsts(m->c.channel, nchannels, first) : E_NOMEM;

    for (size_t i = 0; !rc && i < nflows; i++) {
        shown_flows += shown(m, i);
        shown_hops += shown(m, i) ? m->ways[i].n : 0;
    }
    f->wires = calloc(f->nclasses * WIRES + 1, sizeof(*f->wires));
    f->flows = calloc(shown_flows + 1, sizeof(*f->flows));
    f->routes = calloc(shown_flows + 1, sizeof(*f->routes));
    f->hops = calloc(shown_hops + 1, sizeof(*f->hops));
    f->channels = calloc(shown_hops + 1, sizeof(*f->channels));
    m->channel_class = malloc((nchannels + 1) * sizeof(*m->channel_class));
    m->channel_first = malloc((shown_hops + 1) * sizeof(*m->channel_first));
    if (!f->wires || !f->flows || !f->routes || !f->hops || !f->channels || !m->channel_class || !m->channel_first)
        rc = E_NOMEM;
    for (size_t i = 0; !rc && i < nchannels; i++)
        m->channel_class[i] = -1;
    for (size_t i = 0; !rc && i < nflows; i++) /* how many each has */
        if (shown(m, i))
            f->wires[(size_t)f->class_of[owner(&m->wiring.flows[i])] * WIRES + m->wiring.flows[i].wire].nflows++;
    for (size_t i = 0; !rc && i < f->nclasses * WIRES; i++) {
        f->wires[i].first_flow = f->nflows;
        f->nflows += f->wires[i].nflows;
        f->wires[i].nflows = 0;
        f->wires[i].from = -1;
    }
    for (size_t i = 0; !rc && i < nflows; i++) {
        const struct wire_flow *w = &m->wiring.flows[i];
        if (!shown(m, i))
            continue;
        struct fold_wire *wire = &f->wires[(size_t)f->class_of[owner(w)] * WIRES + w->wire];
        f->flows[wire->first_flow + wire->nflows++] =
            (struct fold_flow){ w->parts,
                                w->of,
                                m->ways[i].latency_ps,
                                w->to == RANK_HOST ? -1 : f->class_of[w->to],
                                make_route(m, first, &m->ways[i]),
                                leaves(m, w) };
    }
    for (size_t i = 0; !rc && i < nflows; i++) { /* whom a class's own rank hears from */
        const struct wire_flow *w = &m->wiring.flows[i];
        if (wire_is_point(w->wire) && w->from != RANK_HOST && w->to != RANK_HOST &&
            f->classes[f->class_of[w->to]].rank == w->to)
            f->wires[(size_t)f->class_of[w->to] * WIRES + w->wire].from = f->class_of[w->from];
    }
    free(first);
    return rc;
}

static int by_number(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;

    return (x > y) - (x < y);
}

static int add_together(struct make *m, const struct wire_group *g, struct fold_wire *wire)
{
    struct fold *f = m->f;
    int32_t *list = malloc((size_t)g->n * sizeof(*list)), *more;
    size_t n = 0;

    more = realloc(f->together, (f->ntogether + (size_t)g->n) * sizeof(*more));
    if (more)
        f->together = more;
    if (!list || !more) {
        free(list);
        return E_NOMEM;
    }
    for (int64_t i = 0; i < g->n; i++)
        list[i] = f->class_of[m->wiring.members[g->first + (size_t)i]];
    qsort(list, (size_t)g->n, sizeof(*list), by_number);
    wire->first_class = f->ntogether;
    for (int64_t i = 0; i < g->n; i++)
        if (!i || list[i] != list[i - 1])
            f->together[f->ntogether + n++] = list[i];
    wire->nclasses = n;
    wire->ranks = g->n;
    wire->machines = g->machines;
    f->ntogether += n;
    free(list);
    return E_OK;
}

static int make_groups(struct make *m)
{
    struct fold *f = m->f;
    int rc = E_OK;

    for (size_t i = 0; !rc && i < m->wiring.ngroups; i++) {
        const struct wire_group *g = &m->wiring.groups[i];
        for (int64_t k = 0; !rc && k < g->n; k++) {
            int64_t r = m->wiring.members[g->first + (size_t)k];
            if (f->classes[f->class_of[r]].rank == r)
                rc = add_together(m, g, &f->wires[(size_t)f->class_of[r] * WIRES + g->wire]);
        }
    }
    return rc;
}

/* That a flow of this colour crosses this channel. */
struct crossing {
    uint64_t colour;
    int32_t channel;
};

static int by_channel(const void *a, const void *b)
{
    const struct crossing *x = a, *y = b;

    return x->channel != y->channel ? (x->channel > y->channel) - (x->channel < y->channel)
                                    : (x->colour > y->colour) - (x->colour < y->colour);
}

/* Crossings of the first channel of each class by all flows (whole), or of the folded channels by those that are
 * shown. */
static size_t cross(const struct make *m, bool whole, const int32_t folded[], struct crossing *out)
{
    size_t n = 0;

    for (size_t i = 0; i < m->wiring.nflows; i++)
        for (size_t k = 0; (whole || shown(m, i)) && k < m->ways[i].n; k++) {
            uint32_t channel = m->hops[m->ways[i].first + k];
            int32_t class = folded[channel];
            if (class >= 0 && (!whole || m->channel_first[class] == channel))
                out[n++] = (struct crossing){ m->c.flow[i], class };
        }
    qsort(out, n, sizeof(*out), by_channel);
    return n;
}

static size_t run_of(const struct crossing *c, size_t n, size_t i)
{
    size_t k = i;

    while (k < n && !by_channel(&c[k], &c[i]))
        k++;
    return k - i;
}

static bool power_of_two(double x)
{
    int exponent;

    return frexp(x, &exponent) == 0.5;
}

/* Each folded channel's share: how many flows there are for one that is shown. NULL, or why there is none. */
static const char *share_out(struct make *m, const struct crossing *whole, size_t nwhole, const struct crossing *seen,
                             size_t nseen)
{
    double share = 0;

    if (!nwhole && !nseen)
        return NULL;
    for (size_t i = 0, k = 0; i < nwhole || k < nseen;) {
        if (i >= nwhole || k >= nseen || by_channel(&whole[i], &seen[k]))
            return "flows of one class cross channels of one class unevenly";
        size_t a = run_of(whole, nwhole, i), b = run_of(seen, nseen, k);
        double here = (double)a / (double)b;
        if (!i || whole[i].channel != whole[i - 1].channel) {
            m->f->channels[whole[i].channel].capacity_Bps /= here;
            share = here;
        }
        if (here != share)
            return "ranks share a link with different numbers of others";
        if (!power_of_two(here))
            return "a link is shared by a number of alike flows that is no power of two";
        i += a;
        k += b;
    }
    return NULL;
}

/* A flow that crosses two channels of one class has no folded way. */
static bool crosses_twice(const struct fold *f)
{
    for (size_t i = 0; i < f->nroutes; i++)
        for (size_t a = 0; a < f->routes[i].n; a++)
            for (size_t b = 0; b < a; b++)
                if (f->hops[f->routes[i].first + a] == f->hops[f->routes[i].first + b])
                    return true;
    return false;
}

static int check_shares(struct make *m, const char **why_not)
{
    size_t nchannels = m->c.nchannels, *first = malloc((nchannels + 1) * sizeof(*first));
    int32_t *folded = malloc((nchannels + 1) * sizeof(*folded));
    struct crossing *whole = malloc((m->nhops + 1) * sizeof(*whole)), *seen = malloc((m->nhops + 1) * sizeof(*seen));
    int rc = first && folded && whole && seen ? firsts(m->c.channel, nchannels, first) : E_NOMEM;

    for (size_t i = 0; !rc && i < nchannels; i++)
        folded[i] = m->channel_class[first[i]];
    if (!rc && crosses_twice(m->f))
        *why_not = "a flow crosses two channels that are alike";
    else if (!rc) {
        size_t nwhole = cross(m, true, folded, whole), nseen = cross(m, false, folded, seen);
        *why_not = share_out(m, whole, nwhole, seen, nseen);
    }
    free(first);
    free(folded);
    free(whole);
    free(seen);
    return rc;
}

static void clear(struct make *m)
{
    struct fold *f = m->f;

    free(f->classes);
    free(f->class_of);
    free(f->wires);
    free(f->flows);
    free(f->together);
    free(f->channels);
    free(f->routes);
    free(f->hops);
    free(m->channel_class);
    free(m->channel_first);
    m->channel_class = NULL;
    m->channel_first = NULL;
    *f = (struct fold){ .whole = f->whole, .why_whole = f->why_whole };
}

/* From the colours that are there. */
static int build(struct make *m, const char **why_not)
{
    int rc = make_classes(m);

    rc = rc ? rc : make_flows(m);
    rc = rc ? rc : make_groups(m);
    if (!rc && !m->f->whole)
        rc = check_shares(m, why_not);
    return rc;
}

static int prepare(struct make *m, const bool used[WIRES], const int64_t marks[], char *why, size_t nwhy)
{
    int rc = wiring_make(m->platform, m->p, used, parallel_ranks(m->p), &m->wiring);

    m->scratch = engine_new();
    if (!rc && !m->scratch)
        rc = E_NOMEM;
    rc = rc ? rc : topology_new(m->platform, m->scratch, NULL, &m->topology, why, nwhy);
    rc = rc ? rc : find_ways(m);
    return rc ? rc : alloc_colours(m, marks);
}

int fold_new(const struct platform *platform, const struct parallel *p, const bool used[WIRES], const int64_t marks[],
             bool whole, struct fold **out, char *why, size_t nwhy)
{
    struct make m = { .platform = platform, .p = p, .f = calloc(1, sizeof(struct fold)) };
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
    free(m.ways);
    free(m.hops);
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
    free(f->classes);
    free(f->class_of);
    free(f->wires);
    free(f->flows);
    free(f->together);
    free(f->channels);
    free(f->routes);
    free(f->hops);
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
