#include "sim/plan/play.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "model/status.h"
#include "sim/cost.h"
#include "sim/engine/engine.h"
#include "sim/plan/tasks.h"

/* The kind that a task's time is attributed to, by its label; a task without one waits. */
static const char *const kinds[PLAY_LABELS + 1] = {
    [PLAY_COMPUTE] = "gpu",         [PLAY_STREAM] = "memory", [PLAY_TO_HOST] = "to-host",
    [PLAY_TO_DEVICE] = "to-device", [PLAY_PIN] = "host",      [PLAY_LABELS] = "wait",
};

static struct task_view view(const struct play *p, int task)
{
    struct task_view v;

    engine_view(p->e, task, &v);
    return v;
}

/* What compute waited before operation i. */
static void add_stall(const struct play *p, size_t i, int64_t ps, struct plan_played *out)
{
    size_t nforward = p->plan->graph.nforward;

    if (i == nforward)
        out->stall_turn_ps += ps;
    else if (i < nforward)
        out->stall_forward_ps += ps;
    else
        out->stall_backward_ps += ps;
}

static int read_times(const struct play *p, struct plan_played *out)
{
    const struct memory_plan *plan = p->plan;
    size_t n = plan->graph.noperations;
    int64_t before_ps = 0;

    *out = (struct plan_played){ 0 };
    for (size_t i = 0; i < n; i++) {
        struct task_view v = view(p, p->operation[i]);
        add_stall(p, i, v.start_ps - before_ps, out);
        out->slowed_ps += v.end_ps - v.start_ps - plan->operation_ps[i];
        before_ps = v.end_ps;
        if (i < plan->graph.nforward)
            out->forward_ps = v.end_ps;
    }
    out->step_ps = before_ps; /* copies have ended: what came back was waited for */
    out->backward_ps = out->step_ps - out->forward_ps;
    int rc = engine_row_ps(p->e, PLAY_TO_HOST, &out->host_busy_ps);
    return rc ? rc : engine_row_ps(p->e, PLAY_TO_DEVICE, &out->device_busy_ps);
}

/* As engine_critical(), but a copy's time is attributed to its direction, never to the memory that it shares, even
 * where operations load that more. */
static void read_critical(const struct play *p, void (*visit)(void *context, const char *kind, int64_t ps),
                          void *context)
{
    int64_t laid_ps[PLAY_LABELS + 1] = { 0 }, at_ps = engine_end_ps(p->e);

    for (int t = p->operation[p->plan->graph.noperations - 1]; t >= 0;) {
        struct task_view v = view(p, t);
        int kind = v.label < 0 ? PLAY_LABELS : v.label;
        laid_ps[PLAY_LABELS] += at_ps - v.end_ps;
        laid_ps[kind] += v.end_ps - v.start_ps;
        at_ps = v.start_ps;
        t = v.cause;
    }
    laid_ps[PLAY_LABELS] += at_ps;
    for (int i = 0; i <= PLAY_LABELS; i++)
        visit(context, kinds[i], laid_ps[i]);
}

/* Items are operations; a copy is named after the operation that first writes what it moves. */
static void name_operation(const void *context, size_t item, char *name, size_t size)
{
    const struct memory_plan *plan = context;

    graph_operation_name(&plan->graph, &plan->split, (int32_t)item, name, size);
}

static int read_timeline(const struct play *p, struct timeline *out)
{
    static const char *const rows[PLAY_LABELS] = {
        [PLAY_TO_HOST] = "offload", [PLAY_TO_DEVICE] = "prefetch", [PLAY_PIN] = "pin"
    };

    return timeline_take(out, p->e, rows, PLAY_LABELS, name_operation, p->plan);
}

int plan_play(const struct memory_plan *plan, const struct platform *p, const struct play_options *options,
              struct plan_played *out, struct timeline *timeline,
              void (*on_critical)(void *context, const char *kind, int64_t ps), void *context)
{
    struct play play = { .plan = plan, .platform = p, .options = options };
    struct plan_played played;
    int rc = play_add(&play);

    if (!rc)
        rc = engine_run(play.e);
    if (!rc)
        rc = read_times(&play, &played);
    if (!rc && timeline)
        rc = read_timeline(&play, timeline);
    if (!rc) {
        if (on_critical)
            read_critical(&play, on_critical, context);
        *out = played;
    }
    play_free(&play);
    return rc;
}
