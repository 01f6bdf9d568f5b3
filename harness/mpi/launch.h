/* launch.h - start this program again as the ranks of a world on this machine: what a command does that nobody
 * launched. Signals    SIGINT and SIGTERM end the ranks; the call then answers NW_EINTR.
 * Errors     a nw_status, the message printed: NW_EENV without MPI or without its mpirun; else the exit code of the
 *            ranks, which have printed why. */
#ifndef NARROWS_HARNESS_MPI_LAUNCH_H
#define NARROWS_HARNESS_MPI_LAUNCH_H

/* arguments: those after the program's name, ending with NULL. Returns when all ranks have ended. */
int world_launch(int ranks, char *const *arguments);

#endif
