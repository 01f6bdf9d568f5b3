/* executor.h - run a memory plan: its tensors in a pool of the planned size at the planned offsets, its copies over a
 * link, its operations on a device. The device is a GPU, or threads that play one behind a link of stated speed.
 * Content    what an operation does. Memory itself shows whether a plan frees too early, overlaps two tensors or
 *            fetches too late; the executor does not reason about it. STAMP: nothing is computed. An operation checks
 *            that each storage it reads holds the stamp of its last writer (a function of storage, version and
 *            position), and stamps what it writes. A granule of 256 bytes of the plan is 8 bytes of memory, so plans
 *            of any size run. REAL: each operation is computed with train/ops. With 'verify', the checksum of a
 *            storage is taken when it is written and compared when it is used.
 * Refused    by REAL, before it runs: areas that overlap so that a result or a workspace would be damaged while its
 *            operation runs. The checksum is taken after the operation and cannot show this (program/overlap.h).
 *            STAMP runs such plans: the next use finds another stamp.
 * Spoiled    memory that a plan declares free (after a copy to the host) is overwritten at once, and so are pool and
 *            homes before the first step (REAL: before each step, with 'verify' only). Otherwise a tensor that the
 *            plan forgot to fetch might still be there by chance. The highest byte of the pool that a step overwrote
 *            is found after it.
 * Stamps     need an alignment that is a multiple of 256. The threads' link is slowed down as memory is shrunk, so
 *            copies take as long as planned. A GPU's link is not, so its times mean nothing with stamps.
 * Pace       STAMP on threads: everything is slowed down by this factor. An operation lasts at least its planned
 *            time, and rates and latency of the link are slowed down as well. Times are reported as measured. Above a
 *            pace of about 10 the time of stamping is negligible: step and stalls are those of sim/plan/plan_play.h.
 * Pool       one allocation of the plan's height, plus parameters for REAL. The executor allocates nothing during a
 *            step. A backend of operations may allocate in the first step what does not fit the plan's workspace
 *            (train/ops/ops.h); that is in backend_bytes, not in pool_bytes.
 * Order      copies begin and are waited for where the plan says, through harness/offload; the executor adds no wait.
 *            The images are in place before the clock starts.
 * Times      from the start of the first operation to the end of the last, on the compute queue's clock (threads:
 *            read as work starts and ends; CUDA: events on the stream). A stall is the time between two operations
 *            with a wait between them, so it includes the time a thread needs to wake up, or a launch. Checking counts
 *            as part of an operation; spoiling is not counted.
 * Weights    do not change: every step computes the same gradients, except for dropout, which draws a new mask.
 * Threads    'progress' is called on executor_run()'s thread, about ten times a second and at the end of each step.
 *            On a GPU it reports launches, not completions.
 * Units      bytes of the plan (with stamps in whole granules), nanoseconds.
 * Errors     a nw_status, with the message on stderr. */
#ifndef NARROWS_HARNESS_EXECUTOR_EXECUTOR_H
#define NARROWS_HARNESS_EXECUTOR_EXECUTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/plan/plan.h"

enum executor_content { EXECUTOR_STAMP, EXECUTOR_REAL };

/* The threads' link. A rate of 0: as fast as memory. */
struct executor_link {
    double to_host_Bps, to_device_Bps;
    double shared_Bps; /* half duplex: the rate that both directions share; 0: full duplex */
    double latency_s;  /* of each copy */
};

struct executor_options {
    enum executor_content content;
    const char *ops; /* REAL: name of a backend of train/ops, "": the best usable one */
    bool verify;     /* REAL: take and compare checksums */
    bool on_device;  /* on a GPU; else on threads */
    struct executor_link link;
    double pace;        /* STAMP on threads: how many times slower than planned */
    int64_t pool_bytes; /* refuse a plan that needs more; 0: no limit */
    /* [plan->graph.noperations]: each operation's shortest time over the steps, with checksums; NULL: not wanted. */
    int64_t *operation_ns;
    uint64_t seed; /* of weights, images and labels */
    int64_t steps;
    /* NULL: none. 'last': the step is over. */
    void (*progress)(void *context, int64_t step, size_t operation, size_t noperations, bool last);
    void *context;
};

struct executor_error {
    int32_t operation; /* the operation that found wrong content; NO_OPERATION: none did */
    int32_t storage;
    int64_t at_byte; /* of the tensor; -1: unknown, as with checksums */
    char text[256];  /* which operation, which tensor, what was expected */
};

struct executor_result {
    /* Of the step with the median time; the first step is left out if there are more. */
    int64_t step_ns, forward_ns, backward_ns;
    int64_t stall_ns;                       /* compute waiting for copies, in that step */
    int64_t to_host_bytes, to_device_bytes; /* copied in one step */
    int64_t peak_bytes;                     /* 1 + the highest byte of the pool that was written; -1: not checked */
    int64_t pool_bytes;
    int64_t backend_bytes; /* REAL: memory of the operations' backend outside the pool, on the same side as the pool */
    int64_t errors;        /* uses of wrong content */
    struct executor_error first;
    double loss; /* REAL: of the last step */
    /* REAL: digest of all weight gradients of the last step; the same for every plan of a network */
    uint64_t gradients;
    const char *backend; /* "threads", "cuda" */
    const char *ops;
};

/* NW_EINPUT: the plan cannot run here (a layer without an operation, a pool larger than allowed). NW_EENV: no usable
 * backend, or the device failed. NW_ENOMEM. Wrong content is not an error of the call, but counted in out->errors. */
int executor_run(const struct memory_plan *plan, const struct executor_options *options, struct executor_result *out);

/* Estimated memory of this machine that a run takes: pool (of threads), homes, images, parameters on both sides, and
 * an upper bound of what CPU operations hold in addition. A stamped byte counts as 1/32. */
double executor_host_bytes(const struct memory_plan *plan, const struct executor_options *options);

#endif
