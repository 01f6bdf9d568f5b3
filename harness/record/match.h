/* match.h - a record's training runs as jobs: each with the point of today's scenario file that it was of; one that
 * several scenarios list counts once, as long as they still are of the same point.
 * A recorded run fits its scenario file (home_dir() and the name that it was run from; else a file of that name) where
 * both have the same points: at each position the same variant and swept values, seed, workers, batch, model and number
 * of steps. One that does not is reported, and has no jobs: it must be trained again.
 * Errors     harness status; the message has been printed. A run that does not fit is none.
 * Ownership  record_jobs_close() frees all, also after an error. */
#ifndef NARROWS_HARNESS_RECORD_MATCH_H
#define NARROWS_HARNESS_RECORD_MATCH_H

#include <stdbool.h>
#include <stdio.h>

#include "harness/record/file.h"
#include "harness/run/point/key.h"
#include "harness/scenario/scenario.h"

struct record_job {
    struct point point;
    char key[POINT_KEY_LENGTH + 1]; /* of the point, here and now */
    size_t first, nsteps;           /* its rows of trace_step */
    char name[192];                 /* "dct-small-table-1, point 3 (DCT 75%, seed 2)" */
    /* Of the record's own trainer the point would have the key that is recorded: all keys of its scenario, and this
     * backend, are those that it was trained with. */
    bool same_key;
};

struct record_jobs {
    struct record_file file;
    struct scenario_file **scenarios;
    struct record_job *jobs;
    size_t nscenarios, n;
    size_t runs, unfit;  /* of scenarios: recorded; that do not fit */
    size_t unfit_points; /* of these */
};

/* Runs that do not fit get a line each on 'out'. */
int record_jobs_open(const char *path, FILE *out, struct record_jobs *jobs);
void record_jobs_close(struct record_jobs *jobs); /* accepts an all-zero one */

#endif
