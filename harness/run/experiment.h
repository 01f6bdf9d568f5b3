/* experiment.h - play every point of a scenario and store the results.
 * Points are taken in chunks. Each chunk is bound and keyed on all threads; what the database already holds is
 * listed and skipped; the rest is simulated or trained on all threads and stored by the calling thread in the order
 * of the points. So the database is the same at any number of threads, and a second run computes only what is
 * missing. What a cell would be if a constant had been fitted without one of its cells is stored as well (leave_out.h).
 * Several training runs are computed at the same time, each on its share of the threads.
 * Errors     harness status; the message has been printed. NW_EINTR if a signal asked to stop: what is done is
 *            stored. */
#ifndef NARROWS_HARNESS_RUN_EXPERIMENT_H
#define NARROWS_HARNESS_RUN_EXPERIMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/run/fit/calibration.h"
#include "harness/scenario/scenario.h"
#include "harness/store/store.h"
#include "harness/training/ranks/ranks.h"

struct experiment {
    struct store *store;
    struct calibrations *calibrations; /* shared by the scenarios of one invocation */
    const char *command;               /* argv, joined: stored with the run */
    int jobs;                          /* threads, at least 1 */
    /* Keys were changed from outside the file: its points are not compared with published cells, and the run is named
     * NAME+changes. */
    bool altered;
    const size_t *points; /* those to compute, in ascending order; NULL: all points of the scenario */
    size_t npoints;
    struct ranks *ranks; /* that train together, one point after another; NULL: this process is alone */
    /* The run that goes on, of experiment_begin(); 0: a new one. */
    int64_t run_id;
    /* Others compute the rest: the run is not at its end when these points are. */
    bool part;
    /* Where given, a point that is not stored is noted here in place of being computed. */
    struct experiment_missing *missing;
};

/* Points of the scenario, in ascending order; the caller frees them. */
struct experiment_missing {
    size_t *points;
    size_t n;
};

struct experiment_result {
    int64_t run_id;
    size_t computed, present; /* points computed now; found in the database */
    double seconds;
    bool measured; /* points depend on rates that were measured on this machine */
};

/* Store the run alone, which lists no points yet. */
int experiment_begin(const struct experiment *x, const struct scenario_file *file, int64_t *run_id);

int experiment_run(const struct experiment *x, const struct scenario_file *file, struct experiment_result *out);

#endif
