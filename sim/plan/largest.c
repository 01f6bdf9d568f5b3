/* largest.c - the largest batch that fits. */
#include <math.h>
#include <stdlib.h>

#include "model/status.h"
#include "sim/plan/private.h"

/* What is asked about batches, the more expensive the later: does the least fit that any schedule leaves, does the
 * bound of this one, which no placement is below, does the placement? */
enum ask { ASK_LEAST, ASK_BOUND, ASK_PLACEMENT };

struct question {
    const struct model *model;
    const struct platform *platform;
    const struct memory_plan_options *options;
    enum ask ask;
    bool patient;   /* a placement may take all its time */
    int64_t failed; /* placements that did not fit though their bounds did */
    char *why;
    size_t nwhy;
};

/* As if whatever may move had left right after its last use in forward and came back right before its first in
 * backward: of each operation what it works on, and what never moves. That grows with the batch, as the bytes of every
 * tensor do. */
static int move_all(struct memory_plan *plan, const struct platform *p, char *why, size_t nwhy)
{
    const struct storage *items;
    struct transfer_list *t = &plan->transfers;
    int rc = plan_operations(plan, p, why, nwhy);

    if (rc)
        return rc;
    items = plan->storages.items;
    t->items = calloc(plan->storages.n + 1, sizeof(*t->items));
    if (!t->items)
        return E_NOMEM;
    for (size_t i = 0; i < plan->storages.n; i++)
        if (items[i].generated && items[i].first_backward != NO_OPERATION)
            t->items[t->n++] = (struct transfer){ .storage = (int32_t)i,
                                                  .free_after = items[i].last_forward,
                                                  .back = items[i].first_backward };
    return plan_lifetimes(plan);
}

/* Of what is generated, that stays at the end of forward: all but the share that may leave, and but what the link can
 * carry until then, where no more may leave. It grows with the batch, too, since launches take a smaller share of the
 * time; a part in 10^9 is for roundings. */
static int64_t kept(const struct memory_plan *plan, const struct platform *p)
{
    const struct memory_plan_options *o = &plan->options;
    double generated = (double)plan->storages.generated_bytes, moved = o->limit * generated;
    double carried = (double)plan->forward_ps / 1e12 * memory_plan_copy_Bps(p, COPY_TO_HOST);

    if (carried < moved && (o->limit_by_link || (o->keep_last >= 0 && o->schedule != SCHEDULE_LAYER_WISE)))
        moved = carried;
    return (int64_t)fmax(0, generated * (1 - 1e-9) - moved);
}

/* A search that finds nothing spends all it may, and several will: those that find something mostly do so with one of
 * the first orders of trying, at little more than a node for each buffer. */
static int64_t probe_nodes(const struct memory_plan *plan)
{
    int64_t nodes = 10000 + 16 * (int64_t)plan->device.n, most = plan->options.placement_nodes;

    return most && most < nodes ? most : nodes;
}

/* A batch too large to count is one that does not fit. */
static int fits(struct question *q, int64_t batch, bool *answer)
{
    struct memory_plan plan = { .model = q->model, .options = *q->options, .batch = batch };
    int64_t space, bound = 0;
    int rc;

    *answer = 0;
    rc = q->ask == ASK_LEAST ? move_all(&plan, q->platform, q->why, q->nwhy)
                             : plan_prepare(&plan, q->platform, q->why, q->nwhy);
    space = plan_space(&plan, q->platform);
    if (!rc && (bound = placement_bound(plan.device.buffers, plan.device.n, q->options->alignment)) < 0)
        rc = (int)bound;
    if (!rc && q->ask == ASK_LEAST && kept(&plan, q->platform) > bound)
        bound = kept(&plan, q->platform);
    if (!rc && bound <= space) {
        if (q->ask == ASK_PLACEMENT && !q->patient)
            plan.options.placement_nodes = probe_nodes(&plan);
        if (q->ask == ASK_PLACEMENT)
            rc = plan_place(&plan, &plan.device, space, 0, &plan.device_pool);
        *answer = !rc && plan.device_pool.height <= space;
        q->failed += !*answer;
    }
    memory_plan_free(&plan);
    return rc == E_RANGE ? E_OK : rc;
}

/* Between one that fits (or 0) and one that does not. */
static int halve(struct question *q, int64_t *good, int64_t bad)
{
    int rc = E_OK;

    while (!rc && bad - *good > 1) {
        int64_t middle = *good + (bad - *good) / 2;
        bool answer;
        rc = fits(q, middle, &answer);
        *(answer ? good : &bad) = middle;
    }
    return rc;
}

/* By doubling, from one that fits (or 0). */
static int from_below(struct question *q, int64_t *good)
{
    int64_t bad = *good ? 2 * *good : 1;
    bool answer = true;
    int rc = E_OK;

    while (!rc && answer && *good < MEMORY_PLAN_LARGEST) {
        bad = bad < MEMORY_PLAN_LARGEST ? bad : MEMORY_PLAN_LARGEST;
        rc = fits(q, bad, &answer);
        if (!rc && answer)
            *good = bad, bad *= 2;
    }
    return rc || answer ? rc : halve(q, good, bad);
}

/* None above 'most' fits. In steps that double with each placement that failed, since an exact one takes its time to do
 * so. */
static int from_above(struct question *q, int64_t most, int64_t step, int64_t *good)
{
    bool answer = false;
    int64_t bad = most + 1, failed = q->failed;
    int rc = E_OK;

    for (*good = most; !rc && *good > 0; *good = bad > step ? bad - step : bad > 1 ? 1 : 0) {
        rc = fits(q, *good, &answer);
        if (answer)
            break;
        bad = *good;
        if (q->options->placement == PLACEMENT_EXACT && q->failed > failed)
            failed = q->failed, step *= 2;
    }
    return rc ? rc : halve(q, good, bad);
}

/* The larger the batch, the smaller the share of a copy's latency: what a batch is too small to hide in time may leave
 * the device with a larger one. */
static bool has_holes(const struct question *q)
{
    const struct link_spec *link = platform_gpu_link(q->platform);

    return link && link->latency_s > 0 && q->options->schedule != SCHEDULE_KEEP_ALL;
}

int memory_plan_largest_from(const struct model *m, const struct platform *p, const struct memory_plan_options *options,
                             int64_t known, int64_t *batch, char *why, size_t nwhy)
{
    enum { PROBES = 1024 };
    struct question q = { m, p, options, ASK_PLACEMENT, 0, 0, why, nwhy };
    int64_t most = 0, good = 0;
    bool holes = has_holes(&q), above = holes || options->placement == PLACEMENT_EXACT, answer = false;
    int rc;

    if (nwhy)
        why[0] = 0;
    q.ask = holes ? ASK_LEAST : above ? ASK_BOUND : ASK_PLACEMENT;
    rc = from_below(&q, &most);
    q.ask = ASK_PLACEMENT;
    good = most;
    /* A search takes longer the nearer it comes to its bound, so that it is asked last: mostly once. */
    if (!rc && above)
        rc = from_above(&q, most, holes ? 1 + most / PROBES : 1, &good);
    if (!rc && known > good && known <= MEMORY_PLAN_LARGEST) {
        q.patient = 1;
        rc = fits(&q, known, &answer);
        if (answer)
            good = known, q.patient = 0, rc = from_below(&q, &good);
    }
    if (!rc)
        *batch = good;
    return rc;
}

int memory_plan_largest(const struct model *m, const struct platform *p, const struct memory_plan_options *options,
                        int64_t *batch, char *why, size_t nwhy)
{
    return memory_plan_largest_from(m, p, options, 0, batch, why, nwhy);
}
