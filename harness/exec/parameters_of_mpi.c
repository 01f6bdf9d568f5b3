#include "harness/exec/parameters_of_mpi.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/count.h"

enum { MOST = 256 };

/* Open MPI hands ranks much that it found out itself: paths, hosts, identities. These say nothing about how. */
static bool counts(const char *variable)
{
    static const char *const begin[] = { "OMPI_MCA_btl_",  "OMPI_MCA_pml", "OMPI_MCA_btl=",   "OMPI_MCA_coll_",
                                         "OMPI_MCA_mpi_y", "OMPI_MCA_mtl", "OMPI_MCA_rmaps_", "MPIR_CVAR_",
                                         "UCX_",           "FI_",          "I_MPI_" };

    if (!strncmp(variable, "OMPI_MCA_btl_vader_backing_directory=", 37)) /* another one for each launch */
        return false;
    for (size_t i = 0; i < COUNT(begin); i++)
        if (!strncmp(variable, begin[i], strlen(begin[i])))
            return true;
    return false;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

void mpi_parameters(char *text, size_t size)
{
    char *list[MOST];
    size_t n = 0, at = 0;

    for (char **e = environ; *e && n < MOST; e++)
        if (counts(*e))
            list[n++] = *e;
    qsort(list, n, sizeof(*list), by_name);
    *text = '\0';
    for (size_t i = 0; i < n && at < size; i++)
        at += (size_t)snprintf(text + at, size - at, "%s%s", i ? " " : "", list[i]);
}
