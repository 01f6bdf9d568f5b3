/* task_graph.h - a played graph as data, for whoever executes it: the tasks with their places and with the times that
 * the simulation gave them.
 * Tasks      wait for 'after', the list of those before them, except for 'missing' of these; numbers, groups and
 *            priorities mean what they mean in engine.h.
 * Ranks      what executes: workers, servers or machines. Which machine of the platform each is on.
 * Tensors    what the items are made of: those of one item follow each other. An item is what travels together: a
 *            bucket, or one tensor.
 * Marks      tasks that end steps: of each of 'lanes' (workers that do not wait for each other; else one) 'nmarks', in
 *            order, one lane after another. A step takes the time from a lane's first mark to its last one over
 *            'steps', on average over the lanes; with one mark, from the start to this one.
 * Units      integer picoseconds, bytes, values of fp32.
 * Ownership  task_graph_free() releases it; kinds of resources and names of layers belong to platform and model. */
#ifndef NARROWS_SIM_ENGINE_TASK_GRAPH_H
#define NARROWS_SIM_ENGINE_TASK_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/codec/codec_spec.h"
#include "sim/engine/engine.h"

struct graph_task {
    struct task_place place;
    int64_t duration_ps;      /* of a computation */
    int64_t not_before_ps;    /* 0: as soon as it may */
    int64_t start_ps, end_ps; /* as simulated */
    int64_t bytes;            /* of a transfer on the wire, as simulated; else -1 */
    int32_t resource, label, item, priority, missing;
    int32_t until;          /* its slot is returned when this one has ended, too; -1: when it has ended itself */
    int32_t group, decides; /* -1: none */
    size_t first_after, nafter;
};

struct graph_resource {
    const char *kind;
    int32_t number, slots;
};

struct graph_rank {
    const char *role; /* "worker", "server", "machine" */
    int32_t number, machine;
    int64_t samples;      /* of a worker: its share of the batch */
    double density_ratio; /* by which its payloads are denser than their codec says */
};

struct graph_tensor {
    int32_t item;
    size_t layer;
    const char *part; /* of the layer: "", " bias" */
    int64_t values, row;
    struct codec_spec push, pull; /* of what leaves workers, of what comes back; the curves belong to the job */
};

struct task_graph {
    struct graph_task *tasks;
    size_t ntasks;
    int32_t *after;
    size_t nafter;
    int32_t *over; /* of each group: it becomes void if this task has ended when the one that decides it ends */
    size_t ngroups;
    struct graph_resource *resources;
    size_t nresources;
    struct graph_rank *ranks;
    size_t nranks;
    struct graph_tensor *tensors;
    size_t ntensors;
    int32_t *marks; /* [lanes][nmarks] */
    size_t lanes, nmarks;
    double steps;
    bool every_push; /* every update uses the pushes of all workers, so that all ranks know what comes out */
    bool summed; /* transfers carry parts of vectors that are summed: allreduce; else payloads go to servers and back */
};

/* Takes tasks, resources and groups of a played engine that kept places. E_NOMEM; E_INVAL if it kept none. */
int task_graph_take(struct task_graph *g, const struct engine *e);
/* The time of a step from when each mark ended, ends_ps[lanes * nmarks]; NULL: as simulated. */
double task_graph_step_ps(const struct task_graph *g, const int64_t *ends_ps);

void task_graph_free(struct task_graph *g); /* accepts an all-zero graph */

#endif
