/* outcome.h - what a run found, as a short table: of simulated points what answer.h has. Of trainings what was learnt, and a line for
 * each variant, over its seeds. Of memory plans: the batch, the throughput and what of the baseline's is lost, the pool, and how long the device waits for copies. */
#ifndef NARROWS_HARNESS_OUTCOME_H
#define NARROWS_HARNESS_OUTCOME_H

#include <stdint.h>
#include <stdio.h>

struct store;

enum outcome_kind {
    OUTCOME_ANSWER,  /* points that were simulated: see answer.h */
    OUTCOME_PLANS,   /* memory plans, all of them */
    OUTCOME_TRAINED, /* points that were trained and not simulated */
};
enum outcome_kind outcome_kind(struct store *s, int64_t run_id);

/* A long run is cut after 48 rows, with a line that says how to see the rest in the file 'db'. Harness status. */
int outcome_print(struct store *s, int64_t run_id, const char *db, FILE *out);

/* All points of the run, with all digits: a header and a line each; or a list of objects, their axes in the member "at". Of
 * trainings one for each variant and place, over its seeds. What is not known is empty, or null. */
int outcome_csv(struct store *s, int64_t run_id, FILE *out);
int outcome_json(struct store *s, int64_t run_id, FILE *out);

#endif
