/* outcome.h - what a run found, as a short table: where each point lies, its time per step, its gain over the baseline. Of memory
 * plans: the batch, the throughput and what of the baseline's is lost, the pool, and how long the device waits for copies. */
#ifndef NARROWS_HARNESS_OUTCOME_H
#define NARROWS_HARNESS_OUTCOME_H

#include <stdint.h>
#include <stdio.h>

struct store;

/* A long run is cut after 48 rows, with a line that says how to see the rest in the file 'db'. Harness status. */
int outcome_print(struct store *s, int64_t run_id, const char *db, FILE *out);

#endif
