/* parameters_of_mpi.h - what the environment sets for the MPI library: OMPI_MCA_*, MPIR_CVAR_*, UCX_*, FI_* and the
 * like, one "NAME=VALUE" after another, sorted by name. Cut at 'size'. */
#ifndef NARROWS_HARNESS_EXEC_PARAMETERS_OF_MPI_H
#define NARROWS_HARNESS_EXEC_PARAMETERS_OF_MPI_H

#include <stddef.h>

void mpi_parameters(char *text, size_t size);

#endif
