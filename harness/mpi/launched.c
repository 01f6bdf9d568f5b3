/* launched.c - how a process knows its launcher: each leaves names of its own in the environment. */
#include <stdlib.h>

#include "harness/count.h"
#include "harness/mpi/world.h"

bool world_launched(void)
{
    /* Open MPI's mpirun; MPICH's and srun's PMI and PMI-2; srun and prte with PMIx */
    static const char *const names[] = { "OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMI_FD", "PMIX_RANK" };

    for (size_t i = 0; i < COUNT(names); i++)
        if (getenv(names[i]))
            return true;
    return false;
}

int world_scattered(void)
{
    const char *tasks = getenv("SLURM_STEP_NUM_TASKS");
    int n = tasks ? atoi(tasks) : 1;

    return n > 1 && !world_launched() ? n : 0;
}
