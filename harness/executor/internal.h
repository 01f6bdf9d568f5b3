/* internal.h - the state of an executor, for the files of this folder and for its tests.
 * Reports    one per use of a tensor, in device memory; read back after each step.
 * Scale      STAMP: a granule of the plan is a word of memory; REAL: bytes are bytes. */
#ifndef NARROWS_HARNESS_EXECUTOR_INTERNAL_H
#define NARROWS_HARNESS_EXECUTOR_INTERNAL_H

#include <stdatomic.h>
#include <stdbool.h>

#include "harness/executor/clock.h"
#include "harness/executor/content.h"
#include "harness/executor/executor.h"
#include "harness/executor/program/program.h"
#include "harness/executor/real.h"
#include "harness/offload/offload.h"

enum { GRANULE = 256, WORD = 8 };

struct executor;

/* The argument of launched work: an operation, or spoiling the memory that a copy has freed. */
struct work_item {
    struct executor *e;
    size_t index; /* of the operation, of the copy */
};

struct step_times {
    int64_t step_ns, forward_ns, backward_ns, stall_ns;
};

struct executor {
    const struct memory_plan *plan;
    struct executor_options options;
    struct program program;
    const struct content_ops *content;
    const struct clock_ops *clock_ops;
    /* Marks 2 i and 2 i + 1: operation i starts, ends; then the same for spoiling the memory that copy i has freed. */
    struct clock *clock;
    struct offload *offload;
    char *pool, *homes, *images; /* device; pinned; pinned */
    int64_t pool_bytes, homes_bytes;
    /* [program.nuses] on the device, on the host. */
    struct content_report *reports, *seen;
    uint64_t *sums, *sum_now;      /* [program.nvalues] on the device, and one more */
    uint64_t *extent, extent_seen; /* words of the pool up to the last that was written: on the device, on the host */
    struct offload_tensor *copies; /* [program.ncopies] */
    struct offload_tensor image;
    struct work_item *items, *freed; /* [program.noperations], [program.ncopies] */
    struct real real;
    float *weights, *gradients; /* REAL: on the host */
    int64_t step;
    int64_t to_host_bytes, to_device_bytes; /* of the last step */
    int64_t peak_bytes;                     /* of all steps; -1: not measured */
    _Atomic size_t done;                    /* operations of this step */
    int64_t reported_ns;
    float loss;
    int64_t errors;
    struct executor_error first;
};

/* 'backend' (NULL: as the options say) is closed by executor_close(), and also when opening fails. */
int executor_open(const struct memory_plan *plan, const struct executor_options *options, struct backend *backend,
                  struct executor *out);
void executor_close(struct executor *e);

int executor_push_weights(struct executor *e); /* e->weights to the device */
int executor_step(struct executor *e, struct step_times *out);

/* Bytes of memory for bytes of the plan. */
static inline int64_t executor_scale(const struct executor *e, int64_t bytes)
{
    return e->options.content == EXECUTOR_STAMP ? (bytes + GRANULE - 1) / GRANULE * WORD : bytes;
}

/* Bytes of the plan for bytes of memory. */
static inline int64_t executor_unscale(const struct executor *e, int64_t bytes)
{
    return e->options.content == EXECUTOR_STAMP ? (bytes + WORD - 1) / WORD * GRANULE : bytes;
}

/* The marks of spoiling the memory that a copy has freed. */
static inline size_t executor_free_mark(const struct executor *e, size_t copy, bool end)
{
    return 2 * (e->program.noperations + copy) + end;
}

/* Is content checked? */
static inline bool executor_checks(const struct executor *e)
{
    return e->options.content == EXECUTOR_STAMP || e->options.verify;
}

void stamp_operation(struct executor *e, size_t operation, void *stream);
void stamp_images(struct executor *e);
int stamp_check(const struct program *p); /* NW_EINPUT: the bits of a stamp are too few */

/* The operation with its checksums around it. */
void verified_operation(struct executor *e, size_t operation, void *stream);

/* An upper bound of what CPU operations hold outside the plan's memory, on so many threads. */
double executor_backend_bytes(const struct memory_plan *plan, double threads);

/* The times of the last step; NW_EENV if the clock failed. */
int times_read(const struct executor *e, struct step_times *out);

/* Count the errors in e->seen, and describe the first one of all steps. */
void errors_collect(struct executor *e);

#endif
