/* times.c - the times of a step that is over. */

#include "harness/executor/internal.h"
#include "harness/status.h"

/* Reading the clock; once it fails, all of the reading has failed. */
struct reading {
    const struct executor *e;
    bool failed;
};

static int64_t at_ns(struct reading *r, size_t mark)
{
    int64_t ns = r->e->clock_ops->at_ns(r->e->clock, mark);

    r->failed |= ns < 0;
    return ns;
}

static int64_t mark_ns(struct reading *r, size_t operation, bool end)
{
    return at_ns(r, 2 * operation + end);
}

static void read_step(struct reading *r, struct step_times *out)
{
    const struct executor *e = r->e;
    size_t n = e->program.noperations, nforward = e->plan->graph.nforward;

    out->step_ns = mark_ns(r, n - 1, 1);
    out->forward_ns = nforward ? mark_ns(r, nforward - 1, 1) : 0;
    out->backward_ns = out->step_ns - out->forward_ns;
    out->stall_ns = 0;
    for (size_t i = 1; i < n; i++)
        if (e->program.operations[i].after_wait)
            out->stall_ns += mark_ns(r, i, 0) - mark_ns(r, i - 1, 1);
    for (size_t i = 0; i < e->program.nevents && executor_checks(e); i++) {
        const struct program_event *v = &e->program.events[i];

        if (v->moment == MOMENT_FREE && v->operation >= 0 && v->operation + 1 < (int64_t)n)
            out->stall_ns -= at_ns(r, executor_free_mark(e, (size_t)v->copy, 1)) -
                             at_ns(r, executor_free_mark(e, (size_t)v->copy, 0));
    }
}

static void read_operations(struct reading *r)
{
    int64_t *least_ns = r->e->options.operation_ns;

    for (size_t i = 0; least_ns && i < r->e->program.noperations; i++) {
        int64_t ns = mark_ns(r, i, 1) - mark_ns(r, i, 0);

        least_ns[i] = !r->e->step || ns < least_ns[i] ? ns : least_ns[i];
    }
}

int times_read(const struct executor *e, struct step_times *out)
{
    struct reading r = { e, 0 };

    read_step(&r, out);
    read_operations(&r);
    if (!r.failed)
        return NW_OK;
    return status_error(NW_EENV, "executor: the device did not say when an operation began or ended\n");
}
