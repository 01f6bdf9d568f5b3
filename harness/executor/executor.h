/* executor.h - run a memory plan for real: its tensors in a pool of the planned size, at the planned offsets, its copies over a
 * link, its operations on a device (a GPU; else threads that play one, behind a link of stated speed).
 * Content    REAL computes every operation with train/ops. STAMP computes nothing: each operation checks that every storage it reads
 *            holds the stamp that its last writer left (a function of storage, version and position), and stamps what it writes; each
 *            256-byte granule of the plan is 8 bytes of memory, so that plans of any size run. REAL verifies too ('verify'): a
 *            checksum of each storage is taken when it is written and compared when it is used.
 *            A plan that frees too early, overlaps two tensors or fetches too late is caught by what memory holds, not by its own logic.
 * Refused    by REAL, before it runs: what would damage a result, or a workspace, while its operation runs. The checksum of a result is
 *            taken behind the operation and cannot tell that from what was computed (program/overlap.h). STAMP refuses none of it: the next
 *            use finds another stamp.
 * Spoiled    memory that the plan says is free (behind a copy to the host) is written over at once, and so are pool and homes at
 *            first: what a plan forgot to fetch shall not be there by chance. (REAL: with 'verify' alone, before each step.) How far
 *            the pool no longer holds what was written over it at first is looked up after each step: its highest byte.
 * Stamps     want an alignment that is a multiple of 256. The threads' link is slowed as memory is shrunk, so copies take their time;
 *            a GPU's is what it is, so with stamps its times say nothing.
 * Pace       STAMP on threads: everything happens so many times slower than planned. An operation lasts at least its planned time,
 *            the link is slowed alike, rates and latency; times are reported as measured. Above some 10 stamping does not show, and step and
 *            stalls are those of sim/memory/plan_play.h.
 * Pool       one allocation of the plan's height (plus parameters for REAL); the executor allocates nothing during a step.
 * Beside     REAL: a backend of operations may hold memory of its own, for what does not fit the plan's workspace (train/ops/ops.h); it
 *            takes that in the first step. It is no part of the pool, nor of pool_bytes.
 * Order      copies begin and are waited for where the plan says, through harness/offload: the executor adds no wait of its own.
 *            The images are in their place before the clock runs.
 * Times      from the first operation's beginning to the last one's end, on the compute queue's own clock (threads: read as work begins
 *            and ends; CUDA: events on the stream). A stall is the time between the end of an operation and the beginning of the
 *            next where a wait stands between them, so it also has what a thread takes to wake up, or a launch. Checking is
 *            part of an operation's time, spoiling of none.
 * Weights    stay as they are: every step computes the same gradients, but for dropout, which draws anew.
 * Threads    'progress' is called by executor_run()'s caller: some ten times a second, and as each step ends. On a GPU
 *            it tells what was launched.
 * Units      bytes of the plan (of stamps, too: what is measured comes in whole granules), nanoseconds. Errors: a nw_status, the message on stderr. */
#ifndef NARROWS_HARNESS_EXECUTOR_EXECUTOR_H
#define NARROWS_HARNESS_EXECUTOR_EXECUTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/plan/plan.h"

enum executor_content { EXECUTOR_STAMP, EXECUTOR_REAL };

/* The threads' link. */
struct executor_link {
    double to_host_Bps, to_device_Bps; /* 0: as fast as memory */
    double shared_Bps;                 /* half duplex: what both directions share; 0: nothing */
    double latency_s;                  /* of each copy */
};

struct executor_options {
    enum executor_content content;
    const char *ops; /* REAL: name of a backend of train/ops, "": the best usable */
    bool verify;     /* REAL: checksums */
    bool on_device;  /* a GPU's memory, queues and link; else threads */
    struct executor_link link;
    double pace;           /* STAMP on threads: an operation lasts at least so many times its planned time */
    int64_t pool_bytes;    /* refuse a plan that needs more; 0: what the plan needs */
    int64_t *operation_ns; /* [plan->graph.noperations]: how long each operation lasted, of the step in which it lasted
                              least; NULL: not wanted. Checksums count, where they are on */
    uint64_t seed;         /* of weights, images and labels */
    int64_t steps;
    /* NULL: none. 'last': the step is over; once a step. */
    void (*progress)(void *context, int64_t step, size_t operation, size_t noperations, bool last);
    void *context;
};

struct executor_fault {
    int32_t operation; /* that found wrong content, NO_OPERATION: none did */
    int32_t storage;
    int64_t at_byte; /* of the tensor; -1: a checksum does not tell */
    char text[256];  /* which operation, which tensor, what was expected */
};

struct executor_result {
    int64_t step_ns, forward_ns, backward_ns; /* median over the steps but the first, if there are more */
    int64_t stall_ns;                         /* compute waiting for copies, of the same step */
    int64_t to_host_bytes, to_device_bytes;   /* that crossed in one step */
    int64_t
        peak_bytes; /* end of the highest byte of the plan's pool that was written; -1: nothing told, as contents were not checked */
    int64_t pool_bytes;
    int64_t beside_bytes; /* REAL: held by the operations, beside the pool, where that lies */
    int64_t faults;       /* uses of wrong content */
    struct executor_fault first;
    double loss; /* REAL: of the last step */
    uint64_t
        gradients; /* REAL: digest of all weight gradients of the last step: the same for every plan of a network */
    const char *backend; /* "threads", "cuda" */
    const char *ops;
};

/* NW_EINPUT if the plan cannot be run here (a layer without an operation, more pool than allowed), NW_EFAULT... as harness/status.h has it; wrong
 * content is no error but result.faults. */
int executor_run(const struct memory_plan *plan, const struct executor_options *options, struct executor_result *out);

/* This machine's memory that a run takes: pool (of threads), homes, images, parameters there and here, and of what operations on
 * the CPU hold beside them a bound; a stamped byte is a 32nd of one. */
double executor_host_bytes(const struct memory_plan *plan, const struct executor_options *options);

#endif
