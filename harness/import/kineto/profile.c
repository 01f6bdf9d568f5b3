/* profile.c - what each layer takes in each step, and the median over the steps. */
#include "harness/import/kineto/kineto.h"

#include <stdlib.h>
#include <string.h>

#include "harness/import/kineto/trace.h"
#include "harness/status.h"

enum { MOST_CELLS = 1 << 26 };

/* What a step's time is counted as that belongs to no layer; the first two, of the passes. */
enum sum { SUM_FORWARD, SUM_BACKWARD, SUM_OPTIMIZER, SUM_NCCL, SUM_COPIES, SUM_OTHER, SUMS };

struct table {
    const struct kineto_trace *t;
    int64_t *layers; /* [pass][layer][step], ns */
    int64_t *sums;   /* [sum][step] */
};

static void add_sum(const struct table *a, enum sum sum, int32_t step, int64_t ns)
{
    a->sums[(size_t)sum * a->t->nsteps + (size_t)step] += ns;
}

/* What ran for 'ns' on behalf of this operator or launch. */
static void add(const struct table *a, const struct kineto_event *for_, enum kernel_use use, int64_t ns)
{
    const struct kineto_trace *t = a->t;
    bool backward = for_->region == REGION_BACKWARD;
    int32_t layer = backward ? t->events[for_->node].layer : for_->layer;

    if (for_->step < 0)
        return;
    if (use != KERNEL_COMPUTES) {
        add_sum(a, use == KERNEL_COMMUNICATES ? SUM_NCCL : SUM_COPIES, for_->step, ns);
    } else if (!backward && for_->region != REGION_FORWARD) {
        add_sum(a, for_->region == REGION_OPTIMIZER ? SUM_OPTIMIZER : SUM_OTHER, for_->step, ns);
    } else if (layer < 0) {
        add_sum(a, backward ? SUM_BACKWARD : SUM_FORWARD, for_->step, ns);
    } else {
        a->layers[((backward ? t->layers.n : 0) + (size_t)layer) * t->nsteps + (size_t)for_->step] += ns;
    }
}

static void add_operators(const struct table *a)
{
    for (size_t i = 0; i < a->t->n; i++) {
        const struct kineto_event *e = &a->t->events[i];

        if (e->outermost && (e->kind == EVENT_OPERATOR || e->kind == EVENT_NODE))
            add(a, e, KERNEL_COMPUTES, e->dur_ns);
    }
}

/* --- kernels ------------------------------------------------------------------------------------------------------ */

struct key {
    int64_t id;
    int32_t event;
};

static int by_id(const void *left, const void *right)
{
    const struct key *a = left, *b = right;

    if (a->id != b->id)
        return a->id < b->id ? -1 : 1;
    return (a->event > b->event) - (a->event < b->event);
}

struct keys {
    struct key *list;
    size_t n;
};

static int32_t find(const struct keys *k, int64_t id)
{
    struct key wanted = { id, 0 };
    const struct key *at;

    if (id < 0 || !k->n)
        return -1;
    size_t low = 0, high = k->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (by_id(&k->list[middle], &wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    at = &k->list[low];
    return low < k->n && at->id == id ? at->event : -1;
}

static void collect(struct keys *k, const struct kineto_trace *t, bool launches)
{
    for (size_t i = 0; i < t->n; i++) {
        const struct kineto_event *e = &t->events[i];
        bool launch = e->kind == EVENT_LAUNCH, on_cpu = e->kind == EVENT_OPERATOR || e->kind == EVENT_NODE;
        int64_t id = launch ? e->correlation : e->external;

        if (id >= 0 && (launches ? launch : on_cpu))
            k->list[k->n++] = (struct key){ id, (int32_t)i };
    }
    qsort(k->list, k->n, sizeof(*k->list), by_id);
}

static int add_kernels(const struct table *a, struct kineto_profile *out)
{
    const struct kineto_trace *t = a->t;
    struct keys launches = { malloc((t->n + 1) * sizeof(struct key)), 0 };
    struct keys operators = { malloc((t->n + 1) * sizeof(struct key)), 0 };
    int rc = launches.list && operators.list ? NW_OK : NW_ENOMEM;

    if (!rc) {
        collect(&launches, t, true);
        collect(&operators, t, false);
    }
    for (size_t i = 0; i < t->n && !rc; i++) {
        const struct kineto_event *e = &t->events[i];
        int32_t by = e->kind == EVENT_KERNEL ? find(&launches, e->correlation) : -1;

        if (e->kind == EVENT_KERNEL && by < 0)
            by = find(&operators, e->external);
        if (by >= 0)
            add(a, &t->events[by], (enum kernel_use)e->use, e->dur_ns);
        else if (e->kind == EVENT_KERNEL) {
            out->nlost++;
            out->lost_s += 1e-9 * (double)e->dur_ns;
        }
    }
    free(launches.list);
    free(operators.list);
    return rc;
}

/* --- medians ------------------------------------------------------------------------------------------------------ */

static int by_value(const void *left, const void *right)
{
    const int64_t *a = left, *b = right;

    return (*a > *b) - (*a < *b);
}

/* Sorts them. */
static double median_s(int64_t *ns, size_t n)
{
    qsort(ns, n, sizeof(*ns), by_value);
    return 1e-9 * ((double)ns[(n - 1) / 2] + (double)ns[n / 2]) / 2;
}

static double sum_s(const struct table *a, enum sum sum)
{
    return median_s(a->sums + (size_t)sum * a->t->nsteps, a->t->nsteps);
}

/* A pass is the sum of what belongs to it, so that one slow moment in each step does not count for every layer. */
static void fill_sums(const struct table *a, struct kineto_profile *out)
{
    double forward_s = 0, backward_s = 0;

    for (size_t i = 0; i < out->nlayers; i++) {
        forward_s += out->layers[i].forward_s;
        backward_s += out->layers[i].backward_s;
    }
    out->forward_s = forward_s + sum_s(a, SUM_FORWARD);
    out->backward_s = backward_s + sum_s(a, SUM_BACKWARD);
    out->forward_share = out->forward_s > 0 ? forward_s / out->forward_s : 1;
    out->backward_share = out->backward_s > 0 ? backward_s / out->backward_s : 1;
    out->optimizer_s = sum_s(a, SUM_OPTIMIZER);
    out->communication_s = sum_s(a, SUM_NCCL);
    out->copies_s = sum_s(a, SUM_COPIES);
    out->other_s = sum_s(a, SUM_OTHER);
}

static int fill(const struct table *a, struct kineto_profile *out)
{
    const struct kineto_trace *t = a->t;

    out->layers = calloc(t->layers.n + 1, sizeof(*out->layers));
    if (!out->layers)
        return NW_ENOMEM;
    for (size_t i = 0; i < t->layers.n; i++) {
        struct kineto_layer *l = &out->layers[out->nlayers++];

        l->name = strdup(t->layers.texts[i]);
        l->forward_s = median_s(a->layers + i * t->nsteps, t->nsteps);
        l->backward_s = median_s(a->layers + (t->layers.n + i) * t->nsteps, t->nsteps);
        l->model_layer = -1;
        if (!l->name)
            return NW_ENOMEM;
    }
    fill_sums(a, out);
    out->nsteps = t->nsteps;
    out->nevents = t->n;
    out->by = t->by;
    out->gpu = t->gpu;
    out->marked = t->marked;
    out->samples = t->samples;
    snprintf(out->samples_of, sizeof(out->samples_of), "%s", t->samples ? t->samples_of : "");
    for (size_t i = 0; i < t->n; i++) {
        out->nnodes += t->events[i].kind == EVENT_NODE;
        out->nunknown += t->events[i].kind == EVENT_NODE && t->events[i].layer < 0;
    }
    return NW_OK;
}

int kineto_sum_up(const struct kineto_trace *t, struct kineto_profile *out)
{
    size_t cells = 2 * (t->layers.n + 1);
    struct table a = { .t = t };
    int rc;

    if (cells > MOST_CELLS / t->nsteps)
        return NW_EINPUT;
    a.layers = calloc(cells * t->nsteps, sizeof(*a.layers));
    a.sums = calloc(SUMS * t->nsteps, sizeof(*a.sums));
    rc = a.layers && a.sums ? NW_OK : NW_ENOMEM;
    if (!rc && !t->gpu)
        add_operators(&a);
    if (!rc && t->gpu)
        rc = add_kernels(&a, out);
    rc = rc ? rc : fill(&a, out);
    free(a.layers);
    free(a.sums);
    return rc;
}
