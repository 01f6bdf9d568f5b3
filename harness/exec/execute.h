/* execute.h - one point of a scenario executed by the ranks of a world, several times.
 * Start      all ranks begin a repetition at one moment, which rank 0 names.
 * Steps      are timed between the same tasks as in the simulation: of a task that several ranks take part in, by the
 *            last of them.
 * Units      nanoseconds on rank 0's clock.
 * Ownership  executed_free() releases.
 * Errors     a nw_status, the message printed on the rank that met it. Refusals (NW_EINPUT) are the same on all ranks;
 *            after any other error the ranks are out of step, and the world must be ended. */
#ifndef NARROWS_HARNESS_EXEC_EXECUTE_H
#define NARROWS_HARNESS_EXEC_EXECUTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/exec/moment.h"
#include "harness/mpi/world.h"
#include "harness/scenario/scenario.h"
#include "sim/engine/task_graph.h"

struct execute_options {
    int repetitions; /* those that count; one comes before them */
    double limit_s;  /* of a repetition; 0: none */
    struct moment moment;
    bool native;   /* exchanges by the MPI library's own algorithm (native.h) */
    bool real;     /* layers are computed on the CPU; else the clock plays them */
    bool timeline; /* keep when each task began and ended, of the last repetition */
    bool (*stop)(void);
    void (*lives)(void); /* called before each repetition; NULL: not */
};

/* What a rank did in a repetition. */
struct executed_rank {
    int64_t sent_bytes;                           /* payloads */
    int64_t link_sent_bytes, link_received_bytes; /* as the kernel counted: of all links but the loopback */
    int64_t end_ns;                               /* since the start: its last task */
};

/* At rank 0 alone. */
struct executed {
    size_t nranks, repetitions;
    int64_t *step_ns;            /* [repetitions] */
    struct executed_rank *ranks; /* [repetitions][nranks] */
    char (*hosts)[64];           /* [nranks] */
    int64_t clock_error_ns;      /* between the ranks' clocks, at most */
    int64_t wrong;               /* values of the last result; -1: unknown, as what is encoded loses bits */
    struct {
        int64_t start_ns, end_ns;
    } * tasks; /* [graph.ntasks], if asked for: since the start */
};

/* The graph of a bound and supplied point: NW_EINPUT with the reason in why[] if it cannot be executed. 'model' must
 * outlive the graph. */
int execute_graph(const struct scenario *sc, const struct model *model, struct task_graph *out, char *why, size_t nwhy);

/* Called by every rank of the world; those that the graph has no use for wait. */
int execute(const struct task_graph *g, const struct model *model, const struct world *world,
            const struct execute_options *o, struct executed *out);
void executed_free(struct executed *x); /* accepts an all-zero one */

#endif
