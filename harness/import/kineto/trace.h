/* trace.h - private to kineto.h: the events of a trace, and what is known of each.
 * Units      nanoseconds, from the first event on.
 * Order      after kineto_sort(), 'order' has the numbers of operators, scopes and launches by thread, begin, and what
 *            is around what; within a thread they nest. */
#ifndef NARROWS_HARNESS_IMPORT_KINETO_TRACE_H
#define NARROWS_HARNESS_IMPORT_KINETO_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "harness/import/kineto/events.h"
#include "harness/import/kineto/intern.h"
#include "harness/import/kineto/kineto.h"

enum event_kind {
    EVENT_MODULE, /* a call of a module's forward() */
    EVENT_ANNOTATION,
    EVENT_NODE, /* the engine of the backward pass evaluates a node */
    EVENT_OPERATOR,
    EVENT_LAUNCH, /* a call of the GPU's runtime */
    EVENT_KERNEL, /* what ran on the GPU: a kernel, a copy, a fill */
    EVENT_FLOW_BEGIN,
    EVENT_FLOW_END,
};

enum region { REGION_NONE, REGION_FORWARD, REGION_BACKWARD, REGION_OPTIMIZER, REGION_OTHER };
enum kernel_use { KERNEL_COMPUTES, KERNEL_COMMUNICATES, KERNEL_COPIES }; /* the last to or from the host */

struct kineto_event {
    int64_t ts_ns, dur_ns;
    int64_t external, correlation, sequence; /* -1: none; of a flow 'external' is its id */
    int32_t thread, name;
    int32_t step, layer, node; /* -1: none; of an operator and a launch: the innermost node around it */
    int32_t samples;           /* that its inputs' shapes speak of; 0: unknown */
    int32_t call;              /* of a module in its step, from 1 */
    unsigned char kind, region, use;
    bool outermost; /* no operator is around it */
};

struct kineto_step {
    int64_t begin_ns, end_ns, last_node_ns; /* the end of its backward pass; INT64_MAX: it has none */
    int32_t thread;
};

struct kineto_trace {
    struct kineto_event *events;
    size_t n, capacity;
    int32_t *order;
    size_t norder;
    struct intern names, threads, layers; /* layers in the order of their first operator */
    struct kineto_step *steps;
    size_t nsteps;
    bool marked; /* the trace marks its steps */
    double first_us;
    enum kineto_by by;
    bool gpu;
    int32_t samples;
    const char *samples_of; /* the operator that they are taken from */
};

/* Each answers an nw_status with its message printed. */
int kineto_read_event(struct kineto_trace *t, const char *name, const struct event_text *e, FILE *err);
int kineto_sort(struct kineto_trace *t);  /* order, steps */
int kineto_sweep(struct kineto_trace *t); /* step, layer, node, region of each event that is not on the GPU; 'by' */
int kineto_link(struct kineto_trace *t);  /* the layers of backward nodes */
int kineto_sum_up(const struct kineto_trace *t, struct kineto_profile *out); /* NW_EINPUT: too many layers and steps */
void kineto_trace_free(struct kineto_trace *t);

/* The event of this thread that begins at this time, the outermost of the kinds; its place in 'order', or norder. */
size_t kineto_at(const struct kineto_trace *t, int32_t thread, int64_t ts_ns);

static inline const char *kineto_name(const struct kineto_trace *t, const struct kineto_event *e)
{
    return e->name < 0 ? "" : t->names.texts[e->name];
}

#endif
