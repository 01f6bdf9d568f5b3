/* session.h - the ranks of a world go through the points of a scenario: rank 0 simulates each, stores what is
 * predicted, and stores what came of executing it; the others take part.
 * Resuming   a point that was executed before in the same setting is not executed again, unless 'again'; nor is one
 *            that this run has begun.
 * Errors     a nw_status, the message printed. What is not the same on all ranks ends the world. */
#ifndef NARROWS_HARNESS_EXEC_SESSION_H
#define NARROWS_HARNESS_EXEC_SESSION_H

#include <stdbool.h>

#include "harness/exec/execute.h"
#include "harness/run/experiment.h"

struct session {
    const struct scenario_file *file;
    const size_t *points; /* NULL: all */
    size_t npoints;
    const char *db, *command;
    int64_t run_id; /* whose points were simulated already; 0: rank 0 does it */
    struct execute_options options;
    bool again, altered;
    bool campaign;        /* launched these ranks, and sees what becomes of them */
    const char *network;  /* the lab's links; "" outside of one */
    const char *timeline; /* file, NULL: none. Of the last point */
};

int session_run(struct session *s);

/* The points: position 'i' of the list. */
size_t session_point(const struct session *s, size_t i);
size_t session_npoints(const struct session *s);

/* Is this point still to be executed? 1, 0 or negative. */
int session_is_due(const struct session *s, struct store *store, size_t point);

/* How the points are executed, as the database keeps it. */
void session_setting(const struct session *s, char *text, size_t size);

#endif
