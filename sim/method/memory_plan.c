#include "sim/method/memory_plan.h"

#include <math.h>

#include "model/numbers.h"
#include "model/refuse.h"
#include "model/status.h"
#include "sim/method/method.h"
#include "sim/method/report.h"
#include "sim/method/splitcnn.h"

static const double ps_per_s = 1e12, ps_per_ms = 1e9;

/* Section 6.4's 2 |G| / (alpha B): the allreduce that hides behind the backward pass; 0 of one worker. */
static double allreduce_s(const struct job *j, double gradient_bytes)
{
    const struct link_spec *l = platform_link(j->platform, j->platform->network.link);

    if (j->method->memory_planned.workers == 1)
        return 0;
    return 2 * gradient_bytes / (l->bandwidth_Bps * l->efficiency_wire);
}

static double step_ps(const struct job *j, const struct memory_plan *plan, const struct plan_played *played)
{
    const struct link_spec *l = platform_link(j->platform, j->platform->network.link);

    if (j->method->memory_planned.workers == 1)
        return (double)played->step_ps;
    return ps_per_s * splitcnn_iteration_s((double)played->forward_ps / ps_per_s,
                                           (double)played->backward_ps / ps_per_s, (double)plan->graph.parameter_bytes,
                                           l->bandwidth_Bps * l->efficiency_wire);
}

static double percent(double of, double all)
{
    return all > 0 ? 100 * of / all : 0;
}

static void read_times(const struct plan_played *p, struct readings *out)
{
    const int64_t stall_ps = p->stall_forward_ps + p->stall_turn_ps + p->stall_backward_ps;
    const struct {
        const char *name;
        int64_t ps;
    } times[] = {
        { "forward_ms", p->forward_ps },
        { "backward_ms", p->backward_ps },
        { "stall_ms", stall_ps },
        { "stall_forward_ms", p->stall_forward_ps },
        { "stall_turn_ms", p->stall_turn_ps },
        { "stall_backward_ms", p->stall_backward_ps },
        { "slowed_ms", p->slowed_ps },
    };

    for (size_t i = 0; i < COUNT(times); i++)
        reading_add(out, (double)times[i].ps / ps_per_ms, "ms", "%s", times[i].name);
}

static void read_bytes(const struct job *j, const struct memory_plan *plan, int64_t largest, struct readings *out)
{
    double generated = (double)plan->storages.generated_bytes, bound = (double)plan->device_pool.bound;
    double offloadable = (double)plan->transfers.offloadable_bytes, offloaded = (double)plan->transfers.offloaded_bytes;
    double height = (double)plan->device_pool.height;

    reading_add(out, (double)plan->batch, "", "batch");
    reading_add(out, generated, "B", "generated_bytes");
    reading_add(out, offloadable, "B", "offloadable_bytes");
    reading_add(out, offloaded, "B", "offloaded_bytes");
    reading_add(out, fmin(100, percent(offloadable, generated)), "%", "offloadable_pct");
    reading_add(out, percent(offloaded, generated), "%", "offloaded_pct");
    reading_add(out, bound, "B", "live_bytes");
    reading_add(out, height, "B", "peak_bytes");
    reading_add(out, percent(height - bound, bound), "%", "gap_pct");
    reading_add(out, (double)plan->parameter_bytes, "B", "parameter_bytes");
    reading_add(out, (double)plan->device_bytes, "B", "device_bytes");
    reading_add(out, (double)plan->host_pool.height, "B", "host_bytes");
    reading_add(out, plan->device_bytes <= memory_plan_capacity(j->platform, &plan->options), "", "fits");
    if (largest >= 0)
        reading_add(out, (double)largest, "", "largest_batch");
}

/* Shares need the step, which is known only after the times of the kinds are. */
struct critical_times {
    const char *kind[16];
    int64_t ps[16];
    size_t n;
};

static void keep(void *context, const char *kind, int64_t ps)
{
    struct critical_times *l = context;

    if (l->n < COUNT(l->ps)) {
        l->kind[l->n] = kind;
        l->ps[l->n++] = ps;
    }
}

static void read(const struct job *j, const struct memory_plan *plan, const struct plan_played *played,
                 const struct critical_times *times, int64_t largest, struct readings *out)
{
    const struct memory_planned *m = &j->method->memory_planned;
    double step = step_ps(j, plan, played), exchange_s = allreduce_s(j, (double)plan->graph.parameter_bytes);

    report_rates(out, step, (double)(m->fill ? plan->batch * m->workers : j->batch));
    for (size_t i = 0; i < times->n; i++)
        report_critical(out, times->kind[i], times->ps[i], step);
    if (m->workers > 1)
        report_critical(out, j->platform->network.link, (int64_t)llround(step) - played->step_ps, step);
    read_times(played, out);
    read_bytes(j, plan, largest, out);
    if (m->workers > 1)
        reading_add(out, exchange_s * 1e3, "ms", "allreduce_ms");
}

int memory_planned_play(const struct job *j, struct readings *out, struct timeline *timeline, char *why, size_t nwhy)
{
    struct memory_plan plan = { 0 };
    struct plan_played played = { 0 };
    struct critical_times times = { .n = 0 };
    int64_t largest;
    int rc = memory_planned_check_keys(j, why, nwhy);

    rc = rc ? rc : memory_planned_make(j, &plan, &largest, why, nwhy);
    rc = rc ? rc : plan_play(&plan, j->platform, &j->method->memory_planned.play, &played, timeline, keep, &times);
    if (!rc && played.step_ps <= 0)
        rc = refuse(why, nwhy, "method.timing: a step takes no time at all");
    if (!rc)
        read(j, &plan, &played, &times, largest, out);
    memory_plan_free(&plan);
    return rc;
}
