/* fold_make.c - from colours to classes, with the flows and groups of each. */
#include <stdlib.h>

#include "model/status.h"
#include "sim/parallel/fold_parts.h"

/* A colour and where it was first seen. */
struct seen {
    uint64_t colour;
    size_t at;
};

static int by_colour(const void *a, const void *b)
{
    const struct seen *x = a, *y = b;

    return x->colour != y->colour ? (x->colour > y->colour) - (x->colour < y->colour)
                                  : (x->at > y->at) - (x->at < y->at);
}

int fold_firsts(const uint64_t colours[], size_t n, size_t first[])
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

int fold_make_classes(struct fold_make *m)
{
    struct fold *f = m->f;
    size_t n = m->c.nranks, *first = malloc((n + 1) * sizeof(*first));
    int rc = first ? fold_firsts(m->c.rank, n, first) : E_NOMEM;

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

static bool away(const struct fold_make *m, const struct wire_flow *flow)
{
    int64_t k = m->p->gpus_per_machine;

    return flow->from != RANK_HOST && flow->to != RANK_HOST && flow->from / k != flow->to / k;
}

static int64_t owner(const struct wire_flow *flow)
{
    return flow->from == RANK_HOST ? flow->to : flow->from;
}

bool fold_shown(const struct fold_make *m, size_t flow)
{
    int64_t r = owner(&m->wiring.flows[flow]);

    return m->f->classes[m->f->class_of[r]].rank == r;
}

/* The folded channel that a channel of the whole belongs to; made when it is first asked for. */
static int channel_of(struct fold_make *m, const size_t first[], uint32_t channel)
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

static int make_route(struct fold_make *m, const size_t first[], const struct way *way)
{
    struct fold *f = m->f;

    f->routes[f->nroutes] = (struct fold_route){ f->nhops, way->n };
    for (size_t k = 0; k < way->n; k++)
        f->hops[f->nhops++] = (uint32_t)channel_of(m, first, m->ways.hops[way->first + k]);
    return (int)f->nroutes++;
}

/* Of the class that shows a flow. */
static struct fold_wire *wire_of(const struct fold_make *m, size_t flow)
{
    const struct wire_flow *w = &m->wiring.flows[flow];

    return &m->f->wires[(size_t)m->f->class_of[owner(w)] * WIRES + w->wire];
}

static int alloc_flows(struct fold_make *m)
{
    struct fold *f = m->f;
    size_t flows = 1, hops = 1;

    for (size_t i = 0; i < m->wiring.nflows; i++) {
        flows += fold_shown(m, i);
        hops += fold_shown(m, i) ? m->ways.of[i].n : 0;
    }
    f->wires = calloc(f->nclasses * WIRES + 1, sizeof(*f->wires));
    f->flows = calloc(flows, sizeof(*f->flows));
    f->routes = calloc(flows, sizeof(*f->routes));
    f->hops = calloc(hops, sizeof(*f->hops));
    f->channels = calloc(hops, sizeof(*f->channels));
    m->channel_class = malloc((m->c.nchannels + 1) * sizeof(*m->channel_class));
    m->channel_first = malloc(hops * sizeof(*m->channel_first));
    if (!f->wires || !f->flows || !f->routes || !f->hops || !f->channels || !m->channel_class || !m->channel_first)
        return E_NOMEM;
    for (size_t i = 0; i < m->c.nchannels; i++)
        m->channel_class[i] = -1;
    return E_OK;
}

/* Where each wire's flows begin: counts them. */
static void number_flows(struct fold_make *m)
{
    struct fold *f = m->f;

    for (size_t i = 0; i < m->wiring.nflows; i++)
        if (fold_shown(m, i))
            wire_of(m, i)->nflows++;
    for (size_t i = 0; i < f->nclasses * WIRES; i++) {
        f->wires[i].first_flow = f->nflows;
        f->nflows += f->wires[i].nflows;
        f->wires[i].nflows = 0;
        f->wires[i].from = -1;
    }
}

/* Whom a class's own rank hears from. */
static void find_senders(struct fold_make *m)
{
    struct fold *f = m->f;

    for (size_t i = 0; i < m->wiring.nflows; i++) {
        const struct wire_flow *w = &m->wiring.flows[i];
        if (wire_is_point(w->wire) && w->from != RANK_HOST && w->to != RANK_HOST &&
            f->classes[f->class_of[w->to]].rank == w->to)
            f->wires[(size_t)f->class_of[w->to] * WIRES + w->wire].from = f->class_of[w->from];
    }
}

int fold_make_flows(struct fold_make *m)
{
    struct fold *f = m->f;
    size_t *first = malloc((m->c.nchannels + 1) * sizeof(*first));
    int rc = first ? fold_firsts(m->c.channel, m->c.nchannels, first) : E_NOMEM;

    rc = rc ? rc : alloc_flows(m);
    if (!rc)
        number_flows(m);
    for (size_t i = 0; !rc && i < m->wiring.nflows; i++) {
        const struct wire_flow *w = &m->wiring.flows[i];
        if (!fold_shown(m, i))
            continue;
        struct fold_wire *wire = wire_of(m, i);
        f->flows[wire->first_flow + wire->nflows++] =
            (struct fold_flow){ .parts = w->parts,
                                .of = w->of,
                                .latency_ps = m->ways.of[i].latency_ps,
                                .to = w->to == RANK_HOST ? -1 : f->class_of[w->to],
                                .away = away(m, w),
                                .route = make_route(m, first, &m->ways.of[i]) };
    }
    if (!rc)
        find_senders(m);
    free(first);
    return rc;
}

static int by_number(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;

    return (x > y) - (x < y);
}

static int add_together(struct fold_make *m, const struct wire_group *g, struct fold_wire *wire)
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

int fold_make_groups(struct fold_make *m)
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
