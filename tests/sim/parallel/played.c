#include "tests/sim/parallel/played.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "model/status.h"
#include "sim/network/topology.h"
#include "sim/parallel/rates.h"
#include "tests/sim/parallel/draws.h"
#include "tests/test.h"

static int by_flow(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;

    for (size_t i = 0; i < sizeof(struct ended) / sizeof(int64_t); i++)
        if (x[i] != y[i])
            return x[i] < y[i] ? -1 : 1;
    return 0;
}

static void sort(struct ends *e)
{
    qsort(e->list, e->n, sizeof(*e->list), by_flow);
}

static int64_t part(int64_t bytes, int64_t parts, int64_t of)
{
    return (bytes * parts + of - 1) / of;
}

static int begin(struct engine *e, int64_t route, const struct started *s, const struct ended *flow)
{
    int task = engine_transfer(e, ENGINE_NO_RESOURCE, (int)route, part(s->bytes, flow->parts, flow->of),
                               flow->latency_ps, ENGINE_NO_LABEL);

    assert_true(route >= 0);
    engine_not_before(e, task, s->at_ps);
    return task;
}

static void play(struct engine *e, const int task[], struct ends *out)
{
    assert_int_equal(engine_run(e), E_OK);
    for (size_t i = 0; i < out->n; i++)
        out->list[i].end_ps = engine_ended_ps(e, task[i]);
}

static struct end end_of(const struct parallel *p, int64_t rank, int64_t other)
{
    int64_t k = p->gpus_per_machine;

    return rank == RANK_HOST ? (struct end){ other / k, END_HOST } : (struct end){ rank / k, rank % k };
}

/* Of a class's ranks all have the flows of the first one: those of the others are left out. */
static void fold_ends(const struct platform *platform, const struct parallel *p, const struct fold *f,
                      struct ends of_rank[], struct ends *out)
{
    out->n = 0;
    for (int64_t r = 0; r < f->ranks; r++) {
        const struct ends *first = &of_rank[f->classes[f->class_of[r]].rank];
        sort(&of_rank[r]);
        assert_int_equal(of_rank[r].n, first->n);
        for (size_t i = 0; i < first->n; i++)
            if (by_flow(&first->list[i], &of_rank[r].list[i]))
                fail_msg("%s: wire %s: flow %zu of rank %" PRId64 " ends at %" PRId64 " ps, that of rank %" PRId64
                         ", which is alike, at %" PRId64,
                         drawn_as(p, platform), wire_name((enum wire)first->list[i].wire), i, r,
                         of_rank[r].list[i].end_ps, f->classes[f->class_of[r]].rank, first->list[i].end_ps);
        for (size_t i = 0; i < first->n && first == &of_rank[r]; i++)
            out->list[out->n++] = first->list[i];
    }
    sort(out);
}

void play_whole(const struct platform *platform, const struct parallel *p, const struct wiring *w, const struct fold *f,
                const struct started s[], size_t n, struct ends *out)
{
    struct engine *e = engine_new();
    struct topology *t;
    int *task = calloc(n * w->nflows + 1, sizeof(*task));
    struct ends all = { calloc(n * w->nflows + 1, sizeof(*all.list)), 0 };
    struct ends *of_rank = calloc((size_t)f->ranks, sizeof(*of_rank));
    int64_t *owner = calloc(n * w->nflows + 1, sizeof(*owner));

    assert_int_equal(topology_new(platform, e, NULL, &t, NULL, 0), E_OK);
    for (size_t k = 0; k < n; k++)
        for (size_t i = 0; i < w->nflows; i++) {
            const struct wire_flow *flow = &w->flows[i];
            if (flow->wire != s[k].wire)
                continue;
            struct ended *to = &all.list[all.n];
            owner[all.n] = flow->from == RANK_HOST ? flow->to : flow->from;
            *to = (struct ended){ .class = f->class_of[owner[all.n]],
                                  .wire = flow->wire,
                                  .to = flow->to == RANK_HOST ? -1 : f->class_of[flow->to],
                                  .away = flow->from >= 0 && flow->to >= 0 &&
                                          flow->from / p->gpus_per_machine != flow->to / p->gpus_per_machine,
                                  .parts = flow->parts,
                                  .of = flow->of };
            int64_t route =
                topology_route(t, end_of(p, flow->from, flow->to), end_of(p, flow->to, flow->from), &to->latency_ps);
            task[all.n++] = begin(e, route, &s[k], to);
        }
    play(e, task, &all);
    for (int64_t r = 0; r < f->ranks; r++) {
        of_rank[r].list = calloc(all.n + 1, sizeof(*all.list));
        for (size_t i = 0; i < all.n; i++)
            if (owner[i] == r)
                of_rank[r].list[of_rank[r].n++] = all.list[i];
    }
    out->list = all.list;
    fold_ends(platform, p, f, of_rank, out);
    for (int64_t r = 0; r < f->ranks; r++)
        free(of_rank[r].list);
    free(of_rank);
    free(owner);
    free(task);
    topology_free(t);
    engine_free(e);
}

void play_folded(const struct fold *f, const struct started s[], size_t n, struct ends *out)
{
    struct engine *e = engine_new();
    int *task = calloc(n * f->nflows + 1, sizeof(*task));

    *out = (struct ends){ calloc(n * f->nflows + 1, sizeof(*out->list)), 0 };
    assert_int_equal(fold_engine(f, e), E_OK);
    for (size_t k = 0; k < n; k++)
        for (size_t c = 0; c < f->nclasses; c++) {
            const struct fold_wire *wire = fold_wire(f, c, s[k].wire);
            for (size_t i = 0; i < wire->nflows; i++) {
                const struct fold_flow *flow = &f->flows[wire->first_flow + i];
                out->list[out->n] = (struct ended){ .class = (int64_t)c,
                                                    .wire = s[k].wire,
                                                    .to = flow->to,
                                                    .away = flow->away,
                                                    .parts = flow->parts,
                                                    .of = flow->of,
                                                    .latency_ps = flow->latency_ps };
                if (s[k].rounds && wire_is_ring(s[k].wire))
                    out->list[out->n].latency_ps = s[k].rounds * ring_hops_ps(wire->ranks, wire->machines, flow->away,
                                                                              flow->latency_ps + s[k].step_ps);
                task[out->n] = begin(e, flow->route, &s[k], &out->list[out->n]);
                out->n++;
            }
        }
    play(e, task, out);
    sort(out);
    free(task);
    engine_free(e);
}
