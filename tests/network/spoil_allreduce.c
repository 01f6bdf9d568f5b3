/* spoil_allreduce.c - an MPI whose allreduce of floats gets one element wrong on rank 0: to be loaded before the real
 * one. Every MPI function has a second name, PMPI_..., for this purpose. */
#include <mpi.h>

int MPI_Allreduce(const void *given, void *got, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    int rank, rc = PMPI_Allreduce(given, got, count, type, op, comm);

    PMPI_Comm_rank(comm, &rank);
    if (type == MPI_FLOAT && !rank)
        ((float *)got)[count / 2] += 1;
    return rc;
}
