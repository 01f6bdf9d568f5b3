/* real.h - the operations of a plan, computed with a backend of train/ops on what its tensors hold.
 * Backward   adds up the gradients of weights in the order of the graph, so that they are the same bits for every plan of one
 *            network, split and batch.
 * Refused    (NW_EINPUT) a layer without an operation; a network that does not end in one softmax, whose error starts the
 *            backward pass; a tensor computed in place where the arithmetic cannot be; a strided shortcut that does not begin
 *            at its patch's corner; a tensor or a workspace where a number may not lie (a multiple of 4 bytes, of 256 on a GPU);
 *            what does not keep apart (program/overlap.h). */
#ifndef NARROWS_HARNESS_EXECUTOR_REAL_H
#define NARROWS_HARNESS_EXECUTOR_REAL_H

#include <stdbool.h>

#include "harness/executor/parameters.h"
#include "harness/executor/program/program.h"
#include "train/ops/ops.h"

struct real {
    const struct memory_plan *plan;
    const struct program *program;
    const struct ops_backend *ops;
    struct ops *handle;
    struct parameters parameters;
    char *pool; /* device memory */
    float *weights, *gradients, *statistics, *loss;
    int32_t *labels;
    uint64_t seed;
    int64_t step;
    int failed; /* of the first call that failed */
    char why[256];
};

/* Finds and opens the backend and checks every operation; the pointers into device memory are set later, by real_attach(). */
int real_open(const struct program *program, const char *ops, bool on_device, uint64_t seed, struct real *out);
void real_close(struct real *r); /* accepts an all-zero one */

/* 'run': parameters.total floats of device memory. */
void real_attach(struct real *r, char *pool, float *run);

/* One operation, enqueued on 'stream'. Does nothing after a failure. */
void real_operation(struct real *r, size_t operation, void *stream);

/* Can it run? NW_EINPUT with the reason on stderr. */
int real_check(const struct real *r);

#endif
