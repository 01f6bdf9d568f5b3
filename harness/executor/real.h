/* real.h - compute the operations of a plan with a backend of train/ops.
 * Backward   adds up the gradients of weights in the order of the graph, so they are the same bits for every plan of
 *            one network, split and batch.
 * Refused    (NW_EINPUT) a layer without an operation; a network that does not end in one softmax, whose error starts
 *            the backward pass; a tensor in place where the operation cannot work in place; a strided shortcut that
 *            does not begin at its patch's corner; a misaligned tensor or workspace (4 bytes, 256 on a GPU); overlaps
 *            (program/overlap.h). */
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
    int failed; /* status of the first call that failed */
    char why[256];
};

/* Find and open the backend and check every operation. real_attach() sets the pointers into device memory later. */
int real_open(const struct program *program, const char *ops, bool on_device, uint64_t seed, struct real *out);
void real_close(struct real *r); /* accepts an all-zero one */

/* 'parameters': parameters.total floats of device memory. */
void real_attach(struct real *r, char *pool, float *parameters);

/* Enqueue an operation on 'stream'. Does nothing after a failure. */
void real_operation(struct real *r, size_t operation, void *stream);

/* Can it run? NW_EINPUT with the reason on stderr. */
int real_check(const struct real *r);

#endif
