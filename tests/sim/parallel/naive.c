#include "tests/sim/parallel/naive.h"

#include <stdlib.h>
#include <string.h>

#include "model/status.h"
#include "model/vec.h"
#include "sim/network/topology.h"
#include "tests/test.h"

/* All that is known of one thing, number 'at' of its sort. */
struct known {
    int64_t *list;
    size_t n, capacity, at;
};

struct sort {
    struct known *all;
    int64_t *class;
    size_t n, classes;
};

static void learn(struct known *k, int64_t fact)
{
    assert_true(VEC_RESERVE(k->list, k->capacity, k->n));
    k->list[k->n++] = fact;
}

static int by_fact(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

static int by_facts(const void *a, const void *b)
{
    const struct known *x = a, *y = b;

    if (x->n != y->n)
        return x->n < y->n ? -1 : 1;
    return x->n ? memcmp(x->list, y->list, x->n * sizeof(*x->list)) : 0;
}

static struct sort sort_new(size_t n)
{
    struct sort s = { calloc(n + 1, sizeof(*s.all)), calloc(n + 1, sizeof(*s.class)), n, 0 };

    for (size_t i = 0; i < n; i++)
        s.all[i].at = i;
    return s;
}

static void sort_free(struct sort *s)
{
    for (size_t i = 0; i < s->n; i++)
        free(s->all[i].list);
    free(s->all);
    free(s->class);
}

/* One class for those of whom the same is known, which is then forgotten. */
static void divide(struct sort *s)
{
    struct known *back = calloc(s->n + 1, sizeof(*back));

    qsort(s->all, s->n, sizeof(*s->all), by_facts);
    s->classes = 0;
    for (size_t i = 0; i < s->n; i++) {
        s->classes += !i || by_facts(&s->all[i], &s->all[i - 1]);
        s->class[s->all[i].at] = (int64_t)s->classes;
    }
    for (size_t i = 0; i < s->n; i++) {
        back[s->all[i].at] = s->all[i];
        back[s->all[i].at].n = 0;
    }
    free(s->all);
    s->all = back;
}

/* From the second fact on they have no order. */
static void sort_facts(struct sort *s)
{
    for (size_t i = 0; i < s->n; i++)
        qsort(s->all[i].list + 1, s->all[i].n - 1, sizeof(int64_t), by_fact);
}

struct network {
    const struct wiring *w;
    struct topology *t;
    const uint32_t **ways; /* of each flow */
    size_t *hops;
    int64_t *latency_ps;
    struct sort ranks, channels, flows;
};

static void learn_flows(struct network *net)
{
    for (size_t i = 0; i < net->w->nflows; i++) {
        const struct wire_flow *f = &net->w->flows[i];
        struct known *k = &net->flows.all[i];
        learn(k, f->wire);
        learn(k, f->parts);
        learn(k, f->of);
        learn(k, net->latency_ps[i]);
        learn(k, f->from == RANK_HOST ? -1 : net->ranks.class[f->from]);
        learn(k, f->to == RANK_HOST ? -1 : net->ranks.class[f->to]);
        for (size_t h = 0; h < net->hops[i]; h++)
            learn(k, net->channels.class[net->ways[i][h]]);
    }
    divide(&net->flows);
}

static void learn_group(struct network *net, const struct wire_group *g)
{
    int64_t *classes = calloc((size_t)g->n, sizeof(*classes));

    for (int64_t i = 0; i < g->n; i++)
        classes[i] = net->ranks.class[net->w->members[g->first + (size_t)i]];
    qsort(classes, (size_t)g->n, sizeof(*classes), by_fact);
    for (int64_t i = 0; i < g->n; i++)
        for (int64_t k = 0; k < g->n; k++)
            learn(&net->ranks.all[net->w->members[g->first + (size_t)i]], -1 - g->wire - WIRES * classes[k]);
    free(classes);
}

static void learn_ends(struct network *net)
{
    for (size_t i = 0; i < net->ranks.n; i++)
        learn(&net->ranks.all[i], net->ranks.class[i]);
    for (size_t i = 0; i < net->channels.n; i++)
        learn(&net->channels.all[i], net->channels.class[i]);
    for (size_t i = 0; i < net->w->nflows; i++) {
        const struct wire_flow *f = &net->w->flows[i];
        if (f->from != RANK_HOST)
            learn(&net->ranks.all[f->from], 2 * net->flows.class[i]);
        if (f->to != RANK_HOST)
            learn(&net->ranks.all[f->to], 2 * net->flows.class[i] + 1);
        for (size_t h = 0; h < net->hops[i]; h++)
            learn(&net->channels.all[net->ways[i][h]], 64 * net->flows.class[i] + (int64_t)h);
    }
    for (size_t g = 0; g < net->w->ngroups; g++)
        if (!wire_is_point(net->w->groups[g].wire))
            learn_group(net, &net->w->groups[g]);
    sort_facts(&net->ranks);
    sort_facts(&net->channels);
    divide(&net->ranks);
    divide(&net->channels);
}

static struct end end_of(const struct parallel *p, int64_t rank, int64_t other)
{
    int64_t k = p->gpus_per_machine;

    return rank == RANK_HOST ? (struct end){ other / k, END_HOST } : (struct end){ rank / k, rank % k };
}

static void find_ways(struct network *net, const struct parallel *p)
{
    for (size_t i = 0; i < net->w->nflows; i++) {
        const struct wire_flow *f = &net->w->flows[i];
        const uint32_t *channels;
        uint32_t *way;
        assert_int_equal(topology_path(net->t, end_of(p, f->from, f->to), end_of(p, f->to, f->from), &channels,
                                       &net->hops[i], &net->latency_ps[i]),
                         E_OK);
        way = calloc(net->hops[i] + 1, sizeof(*way));
        memcpy(way, channels, net->hops[i] * sizeof(*way));
        net->ways[i] = way;
    }
}

size_t naive_classes(const struct platform *platform, const struct parallel *p, const struct wiring *w, int64_t class[])
{
    struct engine *e = engine_new();
    struct network net = { .w = w, .flows = sort_new(w->nflows), .ranks = sort_new((size_t)parallel_ranks(p)) };
    size_t ranks = 0, channels = 0;

    assert_int_equal(topology_new(platform, e, NULL, &net.t, NULL, 0), E_OK);
    net.channels = sort_new(topology_nchannels(net.t));
    net.ways = calloc(w->nflows + 1, sizeof(*net.ways));
    net.hops = calloc(w->nflows + 1, sizeof(*net.hops));
    net.latency_ps = calloc(w->nflows + 1, sizeof(*net.latency_ps));
    find_ways(&net, p);
    memcpy(net.ranks.class, class, net.ranks.n * sizeof(*class));
    for (size_t i = 0; i < net.channels.n; i++)
        net.channels.class[i] = (int64_t)topology_capacity_Bps(net.t, (uint32_t)i);
    do {
        ranks = net.ranks.classes;
        channels = net.channels.classes;
        learn_flows(&net);
        learn_ends(&net);
    } while (net.ranks.classes != ranks || net.channels.classes != channels);
    memcpy(class, net.ranks.class, net.ranks.n * sizeof(*class));
    for (size_t i = 0; i < w->nflows; i++)
        free((void *)(uintptr_t)net.ways[i]);
    free(net.ways);
    free(net.hops);
    free(net.latency_ps);
    sort_free(&net.flows);
    sort_free(&net.ranks);
    sort_free(&net.channels);
    topology_free(net.t);
    engine_free(e);
    return ranks;
}
