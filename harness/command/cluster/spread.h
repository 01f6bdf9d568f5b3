/* spread.h - the points of a simulated scenario over the processes of an MPI program. Rank 0 finds out which points its
 * database lacks; each rank plays every N-th of them and sends what it has about once a second; rank 0 adds it to the
 * database, under the one run that a single process would have made. So only rank 0 touches a file, and whoever dies
 * takes no more along than its last second.
 * Points whose codecs' rates are measured are all played by rank 0: another machine, or a busy one, has other rates.
 * Errors     harness status, the same on all ranks; the message has been printed. An error after the beginning ends the
 *            whole program at once (world_abort()), as the others may be computing for hours. */
#ifndef NARROWS_HARNESS_COMMAND_CLUSTER_SPREAD_H
#define NARROWS_HARNESS_COMMAND_CLUSTER_SPREAD_H

#include "harness/mpi/world.h"
#include "harness/run/experiment.h"

/* A world of this process alone if nobody launched it. Each rank takes a GPU (harness/training/ranks/gpu.h), so this
 * comes before anything that asks CUDA. NW_EENV in a build without MPI. */
int spread_open(struct world *w);
void spread_close(const struct world *w);

/* Called by all: rank 0's status, everywhere. */
int spread_status(const struct world *w, int status);

/* Threads for each process, if the command line does not say: its share of this machine's processors. */
int spread_jobs(const struct world *w);

/* x->store is rank 0's alone; elsewhere *out stays as it is. */
int spread_run(const struct world *w, const struct experiment *x, const struct scenario_file *file,
               struct experiment_result *out);

/* A scenario that is trained: the workers of each of its training runs over all ranks (harness/run/ranked.h), which
 * exchange by 'nccl', or by MPI (NULL). */
int spread_train(const struct world *w, struct link_nccl *nccl, const struct experiment *x,
                 const struct scenario_file *file, struct experiment_result *out);

#endif
