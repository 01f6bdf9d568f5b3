/* rank.h - one rank executes its acts: layers are played by the clock, encoding and summing are done on another thread,
 * transfers go over the wire, and progress while all that goes on.
 * Resources  each rank has its own of every resource, with the simulation's slots and priorities. Of a resource that
 *            orders all ranks (the buckets that are exchanged at once) the tasks begin in the simulation's order: each
 *            rank by itself would find another one, and they would wait for each other for ever.
 * Units      nanoseconds of this rank's clock.
 * Errors     a nw_status: NW_EINTR when 'stop' said so, NW_EIO past 'limit_s' or for damaged messages; the message
 *            printed. After an error the ranks are out of step: the world must be ended. */
#ifndef NARROWS_HARNESS_EXEC_RANK_RANK_H
#define NARROWS_HARNESS_EXEC_RANK_RANK_H

#include "harness/exec/content/content.h"
#include "harness/exec/rank/acts.h"
#include "harness/exec/rank/wire.h"

struct act_time {
    int64_t start_ns, end_ns;
};

/* Computes the layers of a task for real, on a thread of its own; NULL: the clock plays them. */
typedef int rank_compute_fn(void *context, int32_t task);

struct rank {
    const struct acts *acts;
    struct content *content;
    struct wire *wire;
    rank_compute_fn *compute;
    void *context;
    double limit_s;     /* of a repetition; 0: none */
    bool (*stop)(void); /* NULL: never */
};

/* Executes the graph once, from start_ns on. times[acts.n]. */
int rank_execute(const struct rank *r, int64_t start_ns, struct act_time times[]);

#endif
