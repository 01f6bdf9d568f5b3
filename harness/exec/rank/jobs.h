/* jobs.h - work that goes on while messages do: one thread takes jobs in the order in which they were given.
 * Ownership  jobs_stop() waits for the job under way, drops the others and releases everything.
 * Errors     NW_ENOMEM; a job's own status is handed back with it. */
#ifndef NARROWS_HARNESS_EXEC_RANK_JOBS_H
#define NARROWS_HARNESS_EXEC_RANK_JOBS_H

#include <stdbool.h>
#include <stdint.h>

#include "harness/exec/rank/doze.h"

struct jobs;

struct job_done {
    int32_t number;
    int status;
    int64_t start_ns, end_ns;
};

/* 'waits' is woken when a job is done, and must outlive the jobs. */
int jobs_start(int (*work)(void *context, int32_t number), void *context, struct doze *waits, struct jobs **out);
void jobs_stop(struct jobs *j); /* accepts NULL */

int jobs_give(struct jobs *j, int32_t number);
bool jobs_take(struct jobs *j, struct job_done *out); /* one that is done; false if none is */
bool jobs_idle(const struct jobs *j);                 /* all that were given have been taken: asked by their giver */

#endif
