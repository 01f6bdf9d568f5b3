/* memory_plan_check.c - what a user can get wrong, reported with the key that is wrong. */
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "model/numbers.h"
#include "model/refuse.h"
#include "model/status.h"
#include "sim/figures.h"
#include "sim/method/method.h"
#include "sim/method/report.h"
#include "sim/network/topology.h"

static int check_workers(const struct job *j, char *why, size_t nwhy)
{
    const struct platform *p = j->platform;
    int64_t n = j->method->memory_planned.workers;

    if (p->gpu.count < 1)
        return refuse(why, nwhy, "method.kind: memory-plan trains on a GPU, the platform has none");
    if (n < 1 || n > p->gpu.count * p->machines)
        return refuse(why, nwhy,
                      "method.workers: %" PRId64 " workers need %" PRId64 " GPUs, the platform has %" PRId64
                      " (%" PRId64 " on each of %" PRId64 " machines)",
                      n, n, p->gpu.count * p->machines, p->gpu.count, p->machines);
    if (n > 1 && p->network.topology == TOPOLOGY_SINGLE)
        return refuse(why, nwhy,
                      "method.workers: %" PRId64
                      " workers sum their gradients over platform.network, of which there is none: expected 1",
                      n);
    if (j->batch < n && !j->method->memory_planned.fill)
        return refuse(why, nwhy, "batch: %" PRId64 " samples are fewer than the %" PRId64 " workers", j->batch, n);
    return E_OK;
}

/* That there is one has been checked with the topology. */
static int check_link(const struct platform *p, char *why, size_t nwhy)
{
    const struct link_spec *l = platform_gpu_link(p);

    if (l->above && *l->above)
        return refuse(why, nwhy,
                      "platform.link.%s.above: memory-plan knows of one link between host and GPU, got one on "
                      "top of '%s'",
                      l->name, l->above);
    return E_OK;
}

/* Section 6.4's formula has one link for each worker, and nothing but its bandwidth. */
static int check_exchange(const struct job *j, char *why, size_t nwhy)
{
    static const char formula[] = "of which the formula that memory-plan counts the exchange by knows nothing";
    const struct platform *p = j->platform;
    const struct network_spec *net = &p->network;
    const struct link_spec *l = platform_link(p, net->link);

    if (j->method->memory_planned.workers == 1)
        return E_OK;
    if (j->method->memory_planned.workers > p->machines)
        return refuse(why, nwhy,
                      "method.workers: workers share a machine's link to the network, %s: expected at most the "
                      "%" PRId64 " machines, got %" PRId64,
                      formula, p->machines, j->method->memory_planned.workers);
    if (net->topology != TOPOLOGY_STAR)
        return refuse(why, nwhy, "platform.network.topology: machines share links, %s: expected star", formula);
    if (net->via && *net->via)
        return refuse(why, nwhy, "platform.network.via: the exchange crosses the host's links, %s", formula);
    if (net->unshaped_Bps > 0)
        return refuse(why, nwhy, "platform.network.unshaped: directions differ, %s: expected 0", formula);
    if (net->message_bytes > 0 || net->message_s > 0)
        return refuse(why, nwhy, "platform.network.message_%s: messages have costs, %s: expected 0",
                      net->message_bytes > 0 ? "bytes" : "time", formula);
    if (l->latency_s > 0 || l->duplex == DUPLEX_HALF)
        return refuse(why, nwhy, "platform.link.%s.%s: %s, %s", l->name, l->latency_s > 0 ? "latency" : "duplex",
                      l->latency_s > 0 ? "expected none" : "expected full", formula);
    if (link_burst_bytes(l) > 0)
        return refuse(why, nwhy, "platform.link.%s.burst: bytes pass at once, %s: expected 0", l->name, formula);
    return E_OK;
}

struct range {
    const char *key;
    double value, least, most; /* most 0: none */
    bool above;                /* 'least' itself is not allowed */
};

static int check_range(const struct range *r, char *why, size_t nwhy)
{
    char most[48] = "";

    if ((r->above ? r->value > r->least : r->value >= r->least) && isfinite(r->value) &&
        (r->most <= 0 || r->value <= r->most))
        return E_OK;
    if (r->most > 0)
        snprintf(most, sizeof(most), " to %g", r->most);
    return refuse(why, nwhy, "%s: expected %s%g%s, got %g%s", r->key, r->above ? "above " : "", r->least,
                  r->most > 0 ? most
                  : r->above  ? ""
                              : " or more",
                  r->value, uncalibrated(r->value));
}

static int check_numbers(const struct job *j, char *why, size_t nwhy)
{
    const struct memory_planned *m = &j->method->memory_planned;
    const struct memory_plan_options *o = &m->plan;
    const struct range ranges[] = {
        { "method.streams", (double)m->play.streams, 1, 1024, 0 },
        { "method.pin", m->play.pin_s, 0, 0, 0 },
        { "method.workspace.factor", o->workspace_factor, 0, 0, 0 },
        { "method.workspace.limit", (double)o->workspace_limit, 0, 0, 0 },
        { "method.limit", o->limit, 0, 1, 0 },
        { "method.placement_nodes", (double)o->placement_nodes, 0, 0, 0 },
        { "method.alignment", (double)o->alignment, 1, 1 << 30, 0 },
        { "method.parameter_copies", o->parameter_copies, 0, 1000, 0 },
        { "method.usable", o->usable, 0, 1, 1 },
        { "platform.gpu.memory", (double)j->platform->gpu.memory_bytes, 0, 0, 1 },
    };
    int rc = E_OK;

    for (size_t i = 0; !rc && i < COUNT(ranges); i++)
        rc = check_range(&ranges[i], why, nwhy);
    return rc;
}

/* Bytes are counted in 63 bits: refuse before anything is multiplied. A split network keeps as much and more. */
static int check_size(const struct job *j, char *why, size_t nwhy)
{
    const struct memory_plan_options *o = &j->method->memory_planned.plan;
    double values = (double)j->model->activations +
                    (double)j->model->input.channels * (double)j->model->input.height * (double)j->model->input.width;
    double bytes = 16 * (2 + o->workspace_factor) * (double)j->batch * values;

    if (bytes <= 1e17)
        return E_OK;
    return refuse(why, nwhy, "batch: %.3g bytes would pass through memory in a step; at most 1e17 can be counted",
                  bytes);
}

/* The plan's own steps refuse what only they know: a split that does not fit the network, a layer without a rate. */
static int check_plan(const struct job *j, char *why, size_t nwhy)
{
    const struct memory_plan_options *o = &j->method->memory_planned.plan;
    const struct graph_options options = { o->generated, o->recompute_norm, o->workspace_factor, o->workspace_limit };
    struct split_net split = { 0 };
    struct graph graph = { 0 };
    int rc = split_net_make(&o->split, j->model, &split, why, nwhy);

    if (rc)
        return reason_prefix(rc, "split", why, nwhy);
    rc = graph_build(j->model, &split, 1, &options, &graph, why, nwhy);
    graph_free(&graph);
    split_net_free(&split);
    return rc ? rc : timing_check(&o->timing, j->platform, j->model, why, nwhy);
}

/* Reasons that the planner gives begin with a key of its options, or with one that is whole. */
static int whole_key(int rc, char *why, size_t nwhy)
{
    static const char *const roots[] = { "model", "batch" };

    for (size_t i = 0; nwhy && i < COUNT(roots); i++) {
        size_t n = strlen(roots[i]);
        if (!strncmp(why, roots[i], n) && why[n] && strchr(".:[", why[n]))
            return rc;
    }
    return rc == E_INVAL ? reason_prefix(rc, "method", why, nwhy) : rc;
}

static int64_t share_of(const struct job *j)
{
    int64_t workers = j->method->memory_planned.workers;

    return j->batch / workers + (j->batch % workers != 0);
}

static int largest_of(const struct job *j, int64_t *batch, char *why, size_t nwhy)
{
    const struct memory_plan_options *o = &j->method->memory_planned.plan;

    return whole_key(memory_plan_largest_from(j->model, j->platform, o, share_of(j), batch, why, nwhy), why, nwhy);
}

static int plan_of(const struct job *j, int64_t batch, struct memory_plan *out, char *why, size_t nwhy)
{
    const struct memory_plan_options *o = &j->method->memory_planned.plan;

    return whole_key(memory_plan_make(j->model, j->platform, o, batch, out, why, nwhy), why, nwhy);
}

static int check_fits(const struct job *j, const struct memory_plan *plan, int64_t largest, char *why, size_t nwhy)
{
    int64_t usable = memory_plan_capacity(j->platform, &plan->options);
    char would[64] = "not even one would fit";
    int rc = E_OK;

    if (!j->method->memory_planned.strict || plan->device_bytes <= usable)
        return E_OK;
    if (largest < 0)
        rc = largest_of(j, &largest, why, nwhy);
    if (rc)
        return rc;
    if (largest > 0)
        snprintf(would, sizeof(would), "%" PRId64 " would fit", largest);
    return refuse(why, nwhy, "batch: %" PRId64 " samples%s need %.3g GB of device memory, %.3g GB are usable; %s",
                  plan->batch, j->method->memory_planned.workers > 1 ? " on a GPU" : "",
                  (double)plan->device_bytes / 1e9, (double)usable / 1e9, would);
}

/* Not even one sample fits into what is to be filled. */
static int refuse_fill(const struct job *j, char *why, size_t nwhy)
{
    const struct memory_plan_options *o = &j->method->memory_planned.plan;
    struct memory_plan plan;
    int rc = plan_of(j, 1, &plan, why, nwhy);

    if (rc)
        return rc;
    rc = refuse(why, nwhy, "method.fill: one sample needs %.3g GB of device memory, %.3g GB are usable",
                (double)plan.device_bytes / 1e9, (double)memory_plan_capacity(j->platform, o) / 1e9);
    memory_plan_free(&plan);
    return rc;
}

int memory_planned_make(const struct job *j, struct memory_plan *out, int64_t *largest, char *why, size_t nwhy)
{
    const struct memory_planned *m = &j->method->memory_planned;
    int64_t most = -1;
    int rc = E_OK;

    if (m->largest || m->fill)
        rc = largest_of(j, &most, why, nwhy);
    if (!rc && m->fill && most < 1)
        rc = refuse_fill(j, why, nwhy);
    if (!rc)
        rc = plan_of(j, m->fill ? most : share_of(j), out, why, nwhy);
    if (rc)
        return rc;
    rc = check_fits(j, out, most, why, nwhy);
    if (rc)
        memory_plan_free(out);
    else if (largest)
        *largest = most;
    return rc;
}

/* Where memory decides whether there is anything to play, the plan is made. */
static int check_memory(const struct job *j, char *why, size_t nwhy)
{
    struct memory_plan plan;

    if (!j->method->memory_planned.strict && !j->method->memory_planned.fill)
        return E_OK;
    int rc = memory_planned_make(j, &plan, NULL, why, nwhy);
    if (!rc)
        memory_plan_free(&plan);
    return rc;
}

int memory_planned_check_keys(const struct job *j, char *why, size_t nwhy)
{
    int rc = check_workers(j, why, nwhy);

    rc = rc ? rc : topology_check(j->platform, why, nwhy);
    rc = rc ? rc : check_link(j->platform, why, nwhy);
    rc = rc ? rc : check_exchange(j, why, nwhy);
    rc = rc ? rc : check_numbers(j, why, nwhy);
    rc = rc ? rc : check_size(j, why, nwhy);
    return rc ? rc : whole_key(check_plan(j, why, nwhy), why, nwhy);
}

int memory_planned_check(const struct job *j, char *why, size_t nwhy)
{
    int rc = memory_planned_check_keys(j, why, nwhy);

    return rc ? rc : check_memory(j, why, nwhy);
}
