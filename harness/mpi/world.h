/* world.h - the processes of an MPI program. What talks MPI is compiled only where MPI was found (NW_HAVE_MPI); the
 * rest of narrows asks here whether there are any.
 * Errors     a nw_status, the message printed: NW_EENV in a program that was built without MPI. */
#ifndef NARROWS_HARNESS_MPI_WORLD_H
#define NARROWS_HARNESS_MPI_WORLD_H

#include <stdbool.h>
#include <stddef.h>

struct world {
    int rank, ranks;
    int local, locals; /* of the ranks on this machine: which one this is, and how many they are */
    bool threads;      /* every thread may call MPI (MPI_THREAD_MULTIPLE), else only the one that opened the world */
};

bool world_built(void);
const char *world_library(void); /* "Open MPI v4.1.4"; "" without MPI */

/* Was this process started by mpirun, srun or the like? Looks at the environment alone. */
bool world_launched(void);

/* How many processes srun started with this one if they do not know each other, as with --mpi=none, so that each would
 * take itself for the only one; else 0. Looks at the environment alone. */
int world_scattered(void);

/* What to say then: the command, the number. */
#define SCATTERED                                                                                            \
    "narrows %s: the %d processes that srun started do not know each other: expected srun --mpi=pmix (srun " \
    "--mpi=list has what it offers)\n"

/* Begin and end MPI. Both are called once, by the same thread. A process that nobody launched is a world of its own. */
int world_open(struct world *out);
void world_close(void);

/* Rank 0's bytes, at every rank of the world; all call it. */
void world_share(void *bytes, size_t n);

/* End all processes of the world at once, without returning. */
_Noreturn void world_abort(int code);

#endif
