/* batch.h - the files of a sweep that Slurm computes, in a folder that this machine and the nodes see: for NAME (the
 * scenario, and a digest of what the command line says of it) NAME.sh and NAME.points, which are submitted; NAME.job,
 * the job that was; NAME-I.db, what task I computed; NAME-JOB_I.log, what it said.
 * Errors     harness status; the message has been printed. */
#ifndef NARROWS_HARNESS_COMMAND_CLUSTER_BATCH_H
#define NARROWS_HARNESS_COMMAND_CLUSTER_BATCH_H

#include <stddef.h>

#include "harness/run/experiment.h"

struct batch {
    char *folder, *name;        /* of its files */
    const char *const *command; /* of a task: SCENARIO and options, ends with NULL */
    size_t tasks;               /* point i is task i mod tasks' */
};

struct batch_job {
    char id[32]; /* "" if there is none */
    size_t tasks;
};

/* Make the folder and the name. batch_close() it also after an error. */
int batch_open(struct batch *b, const char *folder, const char *scenario);
void batch_close(struct batch *b);

/* FOLDER/NAME followed by 'end': the caller frees it; ends the program if memory runs out. */
char *batch_path(const struct batch *b, const char *end);

/* Write what is to be submitted; *array, which the caller frees, has the tasks with points as sbatch wants them:
 * "0,3-5". */
int batch_write(const struct batch *b, const struct experiment_missing *missing, char **array);

int batch_write_job(const struct batch *b, const struct batch_job *job);
int batch_read_job(const struct batch *b, struct batch_job *job); /* NW_OK with an empty id where there is none */

/* Add what the tasks computed to the store; and remove all files of the batch. */
int batch_collect(const struct batch *b, struct store *store);
void batch_remove(const struct batch *b);

#endif
