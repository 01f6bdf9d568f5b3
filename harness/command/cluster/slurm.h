/* slurm.h - a scenario's missing points, computed by an array job of Slurm and merged into the database.
 * Errors     harness status, or an exit code; the message has been printed. NW_EENV without sbatch. */
#ifndef NARROWS_HARNESS_COMMAND_CLUSTER_SLURM_H
#define NARROWS_HARNESS_COMMAND_CLUSTER_SLURM_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/run/experiment.h"

struct slurm {
    const char *const *options; /* of sbatch */
    size_t noptions;
    size_t tasks;         /* 0: 16; where points are trained as many as there are points, up to 256 */
    bool wait;            /* for the job's end */
    const char *db, *dir; /* dir: of the job's files; NULL: DB.slurm */
    /* What a task's command line has, besides the scenario's file and its points. */
    const char *const *sets, *const *sweeps;
    size_t nsets, nsweeps;
    const char *data; /* NULL: none */
    int jobs;         /* 0: as many threads as a node has processors for */
};

int slurm_there(void);

/* Collect what earlier jobs computed and submit what is missing, unless a job is still at work. *complete: nothing is
 * missing any more, and the run has ended as one of experiment_run(). Else NW_OK: a job is at work; EXIT_FAILED: it was
 * waited for, and some of its tasks failed, each of which is reported with its points and its log. */
int slurm_run(const struct slurm *s, const struct experiment *x, const struct scenario_file *file,
              struct experiment_result *out, bool *complete);

#endif
