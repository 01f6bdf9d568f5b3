/* run_table.h - the results of a run as a short table. Of simulated points: the lines of answer.h. Of training runs: a
 * line for each variant with the means over its seeds. Of memory plans: batch, throughput and its loss against the
 * baseline, the pool, and how long the device waits for copies. Of collectives: size, time and bandwidths as nccl-tests
 * prints them.
 * Errors     harness status; the message has been printed. */
#ifndef NARROWS_HARNESS_REPORT_ANSWER_RUN_TABLE_H
#define NARROWS_HARNESS_REPORT_ANSWER_RUN_TABLE_H

#include <stdint.h>
#include <stdio.h>

struct store;

enum run_kind {
    RUN_SIMULATED,  /* points that were simulated: see answer.h */
    RUN_PLANNED,    /* memory plans, all of them */
    RUN_COLLECTIVE, /* collectives by themselves */
    RUN_TRAINED,    /* points that were trained and not simulated */
};
enum run_kind run_kind(struct store *s, int64_t run_id);

/* A long run is cut after 48 rows, with a line that says how to see the rest in the file 'db'. */
int run_table_print(struct store *s, int64_t run_id, const char *db, FILE *out);

/* All points of the run, with all digits: a header and a line each; or a list of objects, their axes in the member
 * "at". Of training runs one for each variant and place, the mean over its seeds. Unknown values are empty, or null. */
int run_table_csv(struct store *s, int64_t run_id, FILE *out);
int run_table_json(struct store *s, int64_t run_id, FILE *out);

#endif
