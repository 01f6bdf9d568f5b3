/* step.c - run one step: launch the operations in order, start and await copies where the plan says. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "harness/executor/internal.h"
#include "harness/host/clock.h"
#include "harness/status.h"

enum { REPORT_EVERY_NS = 100000000, LOOK_EVERY_NS = 1000000 };

/* Call back with the current operation, not too often; at the end of a step always. */
static void report_progress(struct executor *e, bool last)
{
    size_t done = atomic_load(&e->done), n = e->program.noperations;
    int64_t now_ns = e->options.progress ? clock_ns() : 0;

    if (!e->options.progress || (!last && now_ns - e->reported_ns < REPORT_EVERY_NS))
        return;
    e->reported_ns = now_ns;
    e->options.progress(e->options.context, e->step, last || done >= n ? n - 1 : done, n, last);
}

enum { FRESH = 0xff }; /* what the pool holds before anything is written: no stamp, and no number */

/* Memory of the last step shall not pass for that of this one. Stamps differ from step to step; values do not. */
static void begin(void *arg, void *stream)
{
    struct executor *e = arg;
    bool real = e->options.content == EXECUTOR_REAL;

    e->content->fill(e->reports, 0, (e->program.nuses + 1) * sizeof(*e->reports), stream);
    if (real ? e->options.verify : !e->step)
        e->content->fill(e->pool, FRESH, (size_t)e->pool_bytes, stream);
    if (real) {
        e->content->fill(e->real.gradients, 0, 4 * (size_t)e->real.parameters.nweights, stream);
        e->content->fill(e->real.loss, 0, sizeof(*e->real.loss), stream);
    }
}

/* Before the clock runs: the images are there when the first operation begins. */
static int prepare(struct executor *e)
{
    int rc;

    if (e->options.content == EXECUTOR_STAMP)
        stamp_images(e);
    if (e->options.content == EXECUTOR_STAMP ? !e->step : e->options.verify)
        memset(e->homes, 0xff, (size_t)e->homes_bytes);
    e->real.step = e->step;
    rc = offload_launch(e->offload, begin, e);
    rc = rc ? rc : offload_prefetch(e->offload, &e->image);
    return rc ? rc : offload_order(e->offload, e->image.ticket);
}

static void run_operation(void *arg, void *stream)
{
    const struct work_item *item = arg;
    struct executor *e = item->e;
    const struct program_operation *o = &e->program.operations[item->index];
    size_t i = item->index;

    if (!i || o->after_wait || e->options.operation_ns)
        e->clock_ops->mark(e->clock, 2 * i, stream);
    if (e->options.content == EXECUTOR_STAMP)
        stamp_operation(e, i, stream);
    else
        verified_operation(e, i, stream);
    if (e->options.operation_ns || o->waits || i + 1 == e->plan->graph.nforward || i + 1 == e->program.noperations)
        e->clock_ops->mark(e->clock, 2 * i + 1, stream);
    atomic_fetch_add(&e->done, 1);
}

/* Overwrite what a copy left: as it was, it could pass for what should have been fetched back. */
static void spoil(void *arg, void *stream)
{
    const struct work_item *item = arg;
    struct executor *e = item->e;
    const struct program_copy *c = &e->program.copies[item->index];

    e->clock_ops->mark(e->clock, executor_free_mark(e, item->index, 0), stream);
    e->content->fill(e->pool + executor_scale(e, c->before), 0x5a, (size_t)executor_scale(e, c->bytes), stream);
    e->clock_ops->mark(e->clock, executor_free_mark(e, item->index, 1), stream);
}

static int happen(struct executor *e, const struct program_event *v)
{
    const struct program_copy *c = &e->program.copies[v->copy];
    struct offload_tensor *t = &e->copies[v->copy];
    int rc;

    switch (v->moment) {
    case MOMENT_START: t->device = e->pool + executor_scale(e, c->before); return offload_evict(e->offload, t);
    case MOMENT_BACK: t->device = e->pool + executor_scale(e, c->after); return offload_prefetch(e->offload, t);
    default:
        /* If no copy was started, the plan is wrong: the content will show it. */
        rc = t->ticket ? offload_order(e->offload, t->ticket) : NW_OK;
        if (rc || v->moment != MOMENT_FREE || !executor_checks(e))
            return rc;
        return offload_launch(e->offload, spoil, &e->freed[v->copy]);
    }
}

/* Run the events up to this operation, those after it only with 'after'. */
static int events_until(struct executor *e, size_t *next, int32_t operation, bool after)
{
    int rc = NW_OK;

    for (; *next < e->program.nevents && !rc; ++*next) {
        const struct program_event *v = &e->program.events[*next];

        if (v->operation > operation || (v->operation == operation && v->moment == MOMENT_FREE && !after))
            break;
        if (v->operation >= 0)
            rc = happen(e, v);
    }
    return rc;
}

static int enqueue(struct executor *e)
{
    size_t next = 0;
    int rc = NW_OK;

    for (size_t i = 0; i < e->program.noperations && !rc; i++) {
        rc = events_until(e, &next, (int32_t)i, 0);
        rc = rc ? rc : offload_launch(e->offload, run_operation, &e->items[i]);
        rc = rc ? rc : events_until(e, &next, (int32_t)i, 1);
        report_progress(e, 0);
    }
    return rc;
}

/* Wait for all work and all copies, even those that no operation waited for. */
static int finish(struct executor *e)
{
    struct timespec pause = { 0, LOOK_EVERY_NS };
    int64_t ticket = 0;
    int rc = offload_mark(e->offload, &ticket);

    while (!rc && e->options.progress && !(rc = offload_done(e->offload, ticket))) {
        report_progress(e, 0);
        nanosleep(&pause, NULL);
    }
    rc = rc < 0 ? rc : offload_wait(e->offload, ticket);
    for (size_t i = 0; i < e->program.ncopies && !rc; i++)
        if (e->copies[i].ticket)
            rc = offload_wait(e->offload, e->copies[i].ticket);
    return rc;
}

static void look_for_extent(void *arg, void *stream)
{
    struct executor *e = arg;

    e->content->extent((const uint32_t *)(const void *)e->pool, (size_t)e->pool_bytes / 4, FRESH * 0x01010101u,
                       e->extent, stream);
}

static void note_extent(struct executor *e)
{
    int64_t peak = executor_unscale(e, 4 * (int64_t)e->extent_seen);

    peak = peak < e->program.height ? peak : e->program.height; /* the last granule may end behind it */
    e->peak_bytes = peak > e->peak_bytes ? peak : e->peak_bytes;
}

static int read_back(struct executor *e)
{
    struct offload_piece pieces[] = {
        { &e->extent_seen, e->extent, sizeof(e->extent_seen) },
        { e->seen, e->reports, e->program.nuses * sizeof(*e->seen) },
        { e->gradients, e->real.gradients, 4 * (size_t)e->real.parameters.nweights },
        { &e->loss, e->real.loss, sizeof(e->loss) },
    };
    int rc;

    if (e->real.failed) {
        fprintf(stderr, "executor: operations %s: %s\n", e->real.ops->name, e->real.why);
        return e->real.failed;
    }
    rc = offload_launch(e->offload, look_for_extent, e);
    rc = rc ? rc : offload_pull(e->offload, pieces, e->options.content == EXECUTOR_REAL ? 4 : 2);
    if (rc)
        return rc;
    errors_collect(e);
    if (executor_checks(e))
        note_extent(e);
    return NW_OK;
}

int executor_step(struct executor *e, struct step_times *out)
{
    int rc = prepare(e);
    struct offload_counts before = *offload_counts(e->offload);

    atomic_store(&e->done, 0);
    offload_begin_step(e->offload);
    rc = rc ? rc : enqueue(e);
    rc = rc ? rc : finish(e);
    e->to_host_bytes = executor_unscale(e, offload_counts(e->offload)->bytes_to_host - before.bytes_to_host);
    e->to_device_bytes = executor_unscale(e, offload_counts(e->offload)->bytes_to_device - before.bytes_to_device);
    offload_end_step(e->offload);
    rc = rc ? rc : read_back(e);
    rc = rc ? rc : times_read(e, out);
    if (rc)
        return rc;
    report_progress(e, 1);
    e->step++;
    return NW_OK;
}
