/* gpu.h - a GPU of its own for each rank of a machine, in turn: of those in CUDA_VISIBLE_DEVICES, which a batch system
 * may have set, else of those that have a device file. What is taken becomes CUDA_VISIBLE_DEVICES: to choose by
 * cudaSetDevice() would be a matter of every thread. CUDA reads it once, when it is first asked for anything.
 * Unchanged  where there is one rank, or one GPU (a launcher that gives each rank its own leaves one in each list).
 * Too late   where MPI itself has asked CUDA in MPI_Init(), as some of those built for it do: then all ranks are left
 *            with the first GPU, which link_nccl_open() finds out. */
#ifndef NARROWS_HARNESS_TRAINING_RANKS_GPU_H
#define NARROWS_HARNESS_TRAINING_RANKS_GPU_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/mpi/world.h"

/* The GPU of rank 'local' of 'locals'. list: CUDA_VISIBLE_DEVICES, of which CUDA takes what is before the first empty
 * or negative entry; NULL where it is not set: there are 'files' of them. False: nothing is to be changed. */
bool gpu_choose(const char *list, int files, int local, int locals, char *out, size_t nout);

/* Called once, before CUDA is. */
void gpu_take(const struct world *w);

#endif
