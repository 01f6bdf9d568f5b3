#include "sim/memory/plan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cost.h"
#include "sim/status.h"

int64_t memory_plan_capacity(const struct platform *p, const struct memory_plan_options *options)
{
    return (int64_t)((double)p->gpu.memory_bytes * options->usable);
}

double memory_plan_copy_Bps(const struct platform *p, enum copy_way way)
{
    const struct link_spec *l = platform_gpu_link(p);
    double host_Bps = way == COPY_TO_HOST ? p->cpu.dma_write_Bps : p->cpu.dma_read_Bps, link_Bps;

    if (!l)
        return 0;
    link_Bps = l->bandwidth_Bps * (way == COPY_TO_HOST ? l->efficiency_to_host : l->efficiency_to_device);
    return host_Bps > 0 && host_Bps < link_Bps ? host_Bps : link_Bps;
}

/* A key of the split stands below "split". */
static int split_step(struct memory_plan *plan, char *why, size_t nwhy)
{
    char reason[256] = "";
    int rc = split_net_make(&plan->options.split, plan->model, &plan->split, reason, sizeof(reason));

    if (rc == SIM_EINVAL)
        snprintf(why, nwhy, "split.%s", reason);
    return rc;
}

static int graph_step(struct memory_plan *plan, char *why, size_t nwhy)
{
    const struct memory_plan_options *o = &plan->options;
    struct graph_options graph = {
        .generated = o->generated,
        .recompute_norm = o->recompute_norm,
        .workspace_factor = o->workspace_factor,
        .workspace_limit = o->workspace_limit,
    };
    struct storage_options storage = { .in_place = o->in_place, .share_sums = o->share_sums };
    int rc = graph_build(plan->model, &plan->split, plan->batch, &graph, &plan->graph, why, nwhy);

    return rc ? rc : storage_assign(&plan->graph, &storage, &plan->storages);
}

static int timing_step(struct memory_plan *plan, const struct platform *p, char *why, size_t nwhy)
{
    size_t n = plan->graph.noperations;
    int rc = timing_check(&plan->options.timing, p, plan->model, why, nwhy);

    if (rc)
        return rc;
    plan->operation_ps = calloc(n, sizeof(*plan->operation_ps));
    if (!plan->operation_ps)
        return SIM_ENOMEM;
    rc = timing_operations(&plan->options.timing, p, &plan->graph, plan->operation_ps);
    for (size_t i = 0; !rc && i < n; i++)
        *(i < plan->graph.nforward ? &plan->forward_ps : &plan->backward_ps) += plan->operation_ps[i];
    return rc;
}

static int transfer_step(struct memory_plan *plan, const struct platform *p, char *why, size_t nwhy)
{
    const struct memory_plan_options *o = &plan->options;
    const struct link_spec *link = platform_gpu_link(p);
    struct transfer_options transfer = {
        .schedule = o->schedule,
        .granularity = o->granularity,
        .choice = o->choice,
        .limit = o->limit,
        .limit_by_link = o->limit_by_link,
        .keep_last = o->keep_last,
        .to_host_Bps = memory_plan_copy_Bps(p, COPY_TO_HOST),
        .to_device_Bps = memory_plan_copy_Bps(p, COPY_TO_DEVICE),
        .latency_ps = link ? seconds_to_ps(link->latency_s) : 0,
    };

    char reason[256] = "";
    int rc = transfer_plan(&plan->graph, &plan->storages, plan->operation_ps, &transfer, &plan->transfers, reason,
                           sizeof(reason));
    /* What it calls "link" has a key of its own. */
    if (rc == SIM_EINVAL && !strncmp(reason, "link: ", 6))
        snprintf(why, nwhy, "platform.%s%s%s", link ? "link." : "gpu.link", link ? link->name : "", reason + 4);
    else if (rc == SIM_EINVAL)
        snprintf(why, nwhy, "%s", reason);
    return rc;
}

/* What lies where, but for the offsets. */
static int lifetime_step(struct memory_plan *plan)
{
    size_t n = plan->graph.noperations;
    int rc = lifetimes_of(&plan->graph, &plan->storages, &plan->transfers, &plan->device);

    if (rc)
        return rc;
    plan->live = calloc(n, sizeof(*plan->live));
    if (!plan->live)
        return SIM_ENOMEM;
    lifetimes_live(&plan->device, n, plan->live);
    plan->parameter_bytes =
        (int64_t)(plan->options.parameter_copies * (double)plan->graph.parameter_bytes) + plan->graph.statistics_bytes;
    return SIM_OK;
}

/* The placement of one pool. One that fits into 'room' is looked for first, whether lower ones are wanted or not: if the
 * budget finds one, it does so always. */
static int place(const struct memory_plan *plan, struct lifetimes *l, int64_t room, _Bool lower, struct placement *out)
{
    struct placement_options options = {
        .method = plan->options.placement,
        .alignment = plan->options.alignment,
        .capacity = room > 0 ? room : 0,
        .go_on = lower,
        .budget = (uint64_t)plan->options.placement_nodes,
    };

    return placement_make(l->buffers, l->n, &options, out);
}

/* Of the device, beside the parameters. */
static int64_t room_of(const struct memory_plan *plan, const struct platform *p)
{
    return memory_plan_capacity(p, &plan->options) - plan->parameter_bytes;
}

/* All but the placements. */
static int prepare(struct memory_plan *plan, const struct platform *p, char *why, size_t nwhy)
{
    int rc = split_step(plan, why, nwhy);

    rc = rc ? rc : graph_step(plan, why, nwhy);
    rc = rc ? rc : timing_step(plan, p, why, nwhy);
    rc = rc ? rc : transfer_step(plan, p, why, nwhy);
    return rc ? rc : lifetime_step(plan);
}

int memory_plan_make(const struct model *m, const struct platform *p, const struct memory_plan_options *options,
                     int64_t batch, struct memory_plan *out, char *why, size_t nwhy)
{
    struct memory_plan plan = { .model = m, .options = *options, .batch = batch };
    int rc = SIM_OK;

    if (nwhy)
        why[0] = 0;
    rc = prepare(&plan, p, why, nwhy);
    rc = rc ? rc : place(&plan, &plan.device, room_of(&plan, p), 1, &plan.device_pool);
    rc = rc ? rc : lifetimes_host(&plan.storages, &plan.transfers, &plan.host);
    rc = rc ? rc : place(&plan, &plan.host, 0, 1, &plan.host_pool);
    if (rc) {
        memory_plan_free(&plan);
        return rc;
    }
    plan.device_bytes = plan.parameter_bytes + plan.device_pool.height;
    *out = plan;
    return SIM_OK;
}

void memory_plan_free(struct memory_plan *plan)
{
    split_net_free(&plan->split);
    graph_free(&plan->graph);
    storage_free(&plan->storages);
    transfer_free(&plan->transfers);
    lifetimes_free(&plan->device);
    lifetimes_free(&plan->host);
    free(plan->operation_ps);
    free(plan->live);
    memset(plan, 0, sizeof(*plan));
}

/* What is asked about batches, the more expensive the later: does the least fit that any schedule leaves, does the bound of this
 * one, which no placement is below, does the placement? */
enum ask { ASK_LEAST, ASK_BOUND, ASK_PLACEMENT };

struct question {
    const struct model *model;
    const struct platform *platform;
    const struct memory_plan_options *options;
    enum ask ask;
    int64_t failed; /* placements that did not fit though their bounds did */
    char *why;
    size_t nwhy;
};

/* As if whatever may move had left right after its last use in forward and came back right before its first in backward: of each
 * operation what it works on, and what never moves. That grows with the batch, as the bytes of every tensor do. */
static int move_all(struct memory_plan *plan, const struct platform *p, char *why, size_t nwhy)
{
    const struct storage *items;
    struct transfer_list *t = &plan->transfers;
    int rc = split_step(plan, why, nwhy);

    rc = rc ? rc : graph_step(plan, why, nwhy);
    rc = rc ? rc : timing_step(plan, p, why, nwhy);
    if (rc)
        return rc;
    items = plan->storages.items;
    t->items = calloc(plan->storages.n + 1, sizeof(*t->items));
    if (!t->items)
        return SIM_ENOMEM;
    for (size_t i = 0; i < plan->storages.n; i++)
        if (items[i].generated && items[i].first_backward != NO_OPERATION)
            t->items[t->n++] = (struct transfer){ .storage = (int32_t)i,
                                                  .free_after = items[i].last_forward,
                                                  .back = items[i].first_backward };
    return lifetime_step(plan);
}

/* Of what is generated, that stays at the end of forward: all but the share that may leave, and but what the link can carry
 * until then, where no more may leave. It grows with the batch, too, since launches take a smaller share of the time; a part in 10^9
 * is for roundings. */
static int64_t kept(const struct memory_plan *plan, const struct platform *p)
{
    const struct memory_plan_options *o = &plan->options;
    double generated = (double)plan->storages.generated_bytes, moved = o->limit * generated;
    double carried = (double)plan->forward_ps / 1e12 * memory_plan_copy_Bps(p, COPY_TO_HOST);

    if (carried < moved && (o->limit_by_link || (o->keep_last >= 0 && o->schedule != SCHEDULE_LAYER_WISE)))
        moved = carried;
    return (int64_t)fmax(0, generated * (1 - 1e-9) - moved);
}

/* A batch too large to count is one that does not fit. */
static int fits(struct question *q, int64_t batch, _Bool *answer)
{
    struct memory_plan plan = { .model = q->model, .options = *q->options, .batch = batch };
    int rc = q->ask == ASK_LEAST ? move_all(&plan, q->platform, q->why, q->nwhy)
                                 : prepare(&plan, q->platform, q->why, q->nwhy);
    int64_t room = room_of(&plan, q->platform), bound = 0;

    *answer = 0;
    if (!rc && (bound = placement_bound(plan.device.buffers, plan.device.n, q->options->alignment)) < 0)
        rc = (int)bound;
    if (!rc && q->ask == ASK_LEAST && kept(&plan, q->platform) > bound)
        bound = kept(&plan, q->platform);
    if (!rc && bound <= room) {
        if (q->ask == ASK_PLACEMENT)
            rc = place(&plan, &plan.device, room, 0, &plan.device_pool);
        *answer = !rc && plan.device_pool.height <= room;
        q->failed += !*answer;
    }
    memory_plan_free(&plan);
    return rc == SIM_ERANGE ? SIM_OK : rc;
}

/* Between one that fits (or 0) and one that does not. */
static int halve(struct question *q, int64_t *good, int64_t bad)
{
    int rc = SIM_OK;

    while (!rc && bad - *good > 1) {
        int64_t middle = *good + (bad - *good) / 2;
        _Bool answer;
        rc = fits(q, middle, &answer);
        *(answer ? good : &bad) = middle;
    }
    return rc;
}

/* By doubling, from one that fits (or 0). */
static int from_below(struct question *q, int64_t *good)
{
    int64_t bad = *good ? 2 * *good : 1;
    _Bool answer = 1;
    int rc = SIM_OK;

    while (!rc && answer && *good < MEMORY_PLAN_LARGEST) {
        bad = bad < MEMORY_PLAN_LARGEST ? bad : MEMORY_PLAN_LARGEST;
        rc = fits(q, bad, &answer);
        if (!rc && answer)
            *good = bad, bad *= 2;
    }
    return rc || answer ? rc : halve(q, good, bad);
}

/* None above 'most' fits. In steps that double with each placement that failed, since an exact one takes its time to do so. */
static int from_above(struct question *q, int64_t most, int64_t step, int64_t *good)
{
    _Bool answer = 0;
    int64_t bad = most + 1, failed = q->failed;
    int rc = SIM_OK;

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

/* The larger the batch, the smaller the share of a copy's latency: what a batch is too small to hide in time may leave the device with a
 * larger one. */
static _Bool has_holes(const struct question *q)
{
    const struct link_spec *link = platform_gpu_link(q->platform);

    return link && link->latency_s > 0 && q->options->schedule != SCHEDULE_KEEP_ALL;
}

int memory_plan_largest_from(const struct model *m, const struct platform *p, const struct memory_plan_options *options,
                             int64_t known, int64_t *batch, char *why, size_t nwhy)
{
    enum { PROBES = 1024 };
    struct question q = { m, p, options, ASK_PLACEMENT, 0, why, nwhy };
    int64_t most = 0, good = 0;
    _Bool holes = has_holes(&q), above = holes || options->placement == PLACEMENT_EXACT, answer = 0;
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
        rc = fits(&q, known, &answer);
        if (answer)
            good = known, rc = from_below(&q, &good);
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
