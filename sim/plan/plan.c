#include "sim/plan/private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/status.h"
#include "sim/cost.h"

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

    if (rc == E_INVAL)
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
        return E_NOMEM;
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
    if (rc == E_INVAL && !strncmp(reason, "link: ", 6))
        snprintf(why, nwhy, "platform.%s%s%s", link ? "link." : "gpu.link", link ? link->name : "", reason + 4);
    else if (rc == E_INVAL)
        snprintf(why, nwhy, "%s", reason);
    return rc;
}

int plan_lifetimes(struct memory_plan *plan)
{
    size_t n = plan->graph.noperations;
    int rc = lifetimes_of(&plan->graph, &plan->storages, &plan->transfers, &plan->device);

    if (rc)
        return rc;
    plan->live = calloc(n, sizeof(*plan->live));
    if (!plan->live)
        return E_NOMEM;
    lifetimes_live(&plan->device, n, plan->live);
    plan->parameter_bytes =
        (int64_t)(plan->options.parameter_copies * (double)plan->graph.parameter_bytes) + plan->graph.statistics_bytes;
    return E_OK;
}

int plan_place(const struct memory_plan *plan, struct lifetimes *l, int64_t space, bool lower, struct placement *out)
{
    struct placement_options options = {
        .method = plan->options.placement,
        .alignment = plan->options.alignment,
        .capacity = space > 0 ? space : 0,
        .go_on = lower,
        .budget = (uint64_t)plan->options.placement_nodes,
    };

    return placement_make(l->buffers, l->n, &options, out);
}

int64_t plan_space(const struct memory_plan *plan, const struct platform *p)
{
    return memory_plan_capacity(p, &plan->options) - plan->parameter_bytes;
}

int plan_operations(struct memory_plan *plan, const struct platform *p, char *why, size_t nwhy)
{
    int rc = split_step(plan, why, nwhy);

    rc = rc ? rc : graph_step(plan, why, nwhy);
    return rc ? rc : timing_step(plan, p, why, nwhy);
}

int plan_prepare(struct memory_plan *plan, const struct platform *p, char *why, size_t nwhy)
{
    int rc = plan_operations(plan, p, why, nwhy);

    rc = rc ? rc : transfer_step(plan, p, why, nwhy);
    return rc ? rc : plan_lifetimes(plan);
}

int memory_plan_make(const struct model *m, const struct platform *p, const struct memory_plan_options *options,
                     int64_t batch, struct memory_plan *out, char *why, size_t nwhy)
{
    struct memory_plan plan = { .model = m, .options = *options, .batch = batch };
    int rc = E_OK;

    if (nwhy)
        why[0] = 0;
    rc = plan_prepare(&plan, p, why, nwhy);
    rc = rc ? rc : plan_place(&plan, &plan.device, plan_space(&plan, p), 1, &plan.device_pool);
    rc = rc ? rc : lifetimes_host(&plan.storages, &plan.transfers, &plan.host);
    rc = rc ? rc : plan_place(&plan, &plan.host, 0, 1, &plan.host_pool);
    if (rc) {
        memory_plan_free(&plan);
        return rc;
    }
    plan.device_bytes = plan.parameter_bytes + plan.device_pool.height;
    *out = plan;
    return E_OK;
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
