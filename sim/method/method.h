/* method.h - where parameters live and how they are exchanged: the kinds of method, one interface to play any.
 * Units      readings carry theirs.
 * Pure       the result depends on the job alone.
 * Errors     E_INVAL with the reason in why[]; where one key is wrong it begins with that key's full path and a colon
 *            ("method.workers: 10 workers need 10 GPUs, the platform has 8"), so that the harness can show its line. */
#ifndef NARROWS_SIM_METHOD_METHOD_H
#define NARROWS_SIM_METHOD_METHOD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/model.h"
#include "sim/engine/timeline.h"
#include "sim/method/allreduce/allreduce.h"
#include "sim/method/collective.h"
#include "sim/method/flows/flows.h"
#include "sim/method/host_sgd.h"
#include "sim/method/memory_plan.h"
#include "sim/method/model_parallel/model_parallel.h"
#include "sim/method/parameter_server/parameter_server.h"
#include "sim/method/sharded/sharded.h"
#include "sim/platform.h"
#include "sim/readings.h"

enum method_kind {
    METHOD_HOST_SGD,
    METHOD_PARAMETER_SERVER,
    METHOD_ALLREDUCE,
    METHOD_MODEL_PARALLEL,
    METHOD_FLOWS,
    METHOD_MEMORY_PLAN,
    METHOD_COLLECTIVE,
    METHOD_SHARDED,
    METHOD_KINDS,
};

/* Only the part that 'kind' names is used. */
struct method {
    enum method_kind kind;
    struct host_sgd host_sgd;
    struct parameter_server parameter_server;
    struct allreduce allreduce;
    struct model_parallel model_parallel;
    struct flows flows;
    struct memory_planned memory_planned;
    struct lone_collective collective;
    struct sharded sharded;
};

/* Does it train a network? The others move bytes: they have no model and no batch. */
bool method_has_model(enum method_kind kind);

struct task_graph;

struct job {
    const struct platform *platform;
    const struct model *model; /* not used by those that have none: method_has_model() */
    const struct method *method;
    int64_t batch; /* samples per step, over all workers (a trainer's mini-batch: METHOD_MODEL_PARALLEL) */
};

/* Checks the job without playing it. */
int method_check(const struct job *j, char *why, size_t nwhy);

/* Play it. 'timeline' (NULL: not wanted) is filled. Every method reports
 *   step_ms           time of one step (of one iteration of one worker, where workers do not wait for each other)
 *   samples_per_s     of the whole job
 *   sample_us         1e6 / samples_per_s: what gains are counted in
 *   critical.KIND     share of the step that is attributed to resources and channels of that kind (engine.h)
 * and its own readings. */
int method_play(const struct job *j, struct readings *out, struct timeline *timeline, char *why, size_t nwhy);

/* The job as tasks that ranks can execute, with the times that the simulation gives them (sim/engine/task_graph.h).
 * E_INVAL with the reason for methods and settings that cannot be executed. */
int method_graph(const struct job *j, struct task_graph *out, char *why, size_t nwhy);

/* Every name of a reading that the methods can report; those ending in '.' are prefixes. Ends with NULL. */
extern const char *const method_readings[];

#endif
