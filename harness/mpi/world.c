#include "harness/mpi/world.h"

#include <limits.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "harness/status.h"

bool world_built(void)
{
    return true;
}

const char *world_library(void)
{
    static char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;

    if (!*text && MPI_Get_library_version(text, &length))
        return "MPI";
    text[strcspn(text, ",\n")] = '\0'; /* "Open MPI v4.1.4, package: ...", "MPICH Version:\t4.0.2" */
    for (char *tab = strchr(text, '\t'); tab; tab = strchr(tab, '\t'))
        *tab = ' ';
    return text;
}

static void count_local(struct world *out)
{
    MPI_Comm here;

    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here);
    MPI_Comm_rank(here, &out->local);
    MPI_Comm_size(here, &out->locals);
    MPI_Comm_free(&here);
}

int world_open(struct world *out)
{
    int provided = MPI_THREAD_SINGLE;

    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &provided))
        return status_error(NW_EENV, "%s could not be started\n", world_library());
    MPI_Comm_rank(MPI_COMM_WORLD, &out->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &out->ranks);
    count_local(out);
    out->threads = provided == MPI_THREAD_MULTIPLE;
    return NW_OK;
}

void world_close(void)
{
    MPI_Finalize();
}

/* Others may take long to come here: whoever waits sleeps meanwhile, where MPI's own waiting would keep a core busy. */
void world_share(void *bytes, size_t n)
{
    const struct timespec pause = { .tv_nsec = 200000 };

    for (size_t at = 0; at < n; at += INT_MAX) {
        size_t part = n - at < INT_MAX ? n - at : INT_MAX;
        MPI_Request request;
        int over = 0;
        MPI_Ibcast((char *)bytes + at, (int)part, MPI_BYTE, 0, MPI_COMM_WORLD, &request);
        for (MPI_Test(&request, &over, MPI_STATUS_IGNORE); !over; MPI_Test(&request, &over, MPI_STATUS_IGNORE))
            nanosleep(&pause, NULL);
    }
}

void world_abort(int code)
{
    MPI_Abort(MPI_COMM_WORLD, code);
    _Exit(code);
}
