/* An MPI program: every rank on the machine that it should be on, and a megabyte from each to each. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { VALUES = 1 << 18 };

int main(int argc, char **argv)
{
    int rank, ranks;
    char host[64] = "";
    float *values = malloc(VALUES * sizeof(*values));

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    gethostname(host, sizeof(host) - 1);
    for (int i = 0; i < VALUES; i++)
        values[i] = (float)rank;
    MPI_Allreduce(MPI_IN_PLACE, values, VALUES, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
    printf("rank %d of %d on %s: %g\n", rank, ranks, host, (double)values[VALUES - 1]);
    MPI_Finalize();
    free(values);
    return 0;
}
