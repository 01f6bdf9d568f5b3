/* clock_world.c - the exchanges, over MPI. */
#include <mpi.h>
#include <stdlib.h>

#include "harness/host/clock.h"
#include "harness/mpi/clock.h"
#include "harness/status.h"

enum { TAG = 7001 };

static struct clock_offset ask(int rank, int rounds, struct clock_exchange *list)
{
    for (int i = 0; i < rounds; i++) {
        list[i].sent_ns = clock_ns();
        MPI_Send(NULL, 0, MPI_BYTE, rank, TAG, MPI_COMM_WORLD);
        MPI_Recv(&list[i].there_ns, 1, MPI_INT64_T, rank, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        list[i].back_ns = clock_ns();
    }
    return clock_offset_of(list, (size_t)rounds);
}

static void answer(int rounds)
{
    for (int i = 0; i < rounds; i++) {
        MPI_Recv(NULL, 0, MPI_BYTE, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        int64_t now_ns = clock_ns();
        MPI_Send(&now_ns, 1, MPI_INT64_T, 0, TAG, MPI_COMM_WORLD);
    }
}

int world_clocks(int rounds, struct clock_offset *out)
{
    struct clock_exchange *list = calloc((size_t)rounds, sizeof(*list));
    int rank, ranks, rc = list ? NW_OK : NW_ENOMEM;

    /* all of them or none: who waits for an exchange must get it */
    MPI_Allreduce(MPI_IN_PLACE, &rc, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    out[0] = (struct clock_offset){ 0 };
    for (int r = 1; r < ranks && !rc; r++)
        if (!rank)
            out[r] = ask(r, rounds, list);
        else if (rank == r)
            answer(rounds);
    if (!rc)
        MPI_Bcast(out, 2 * ranks, MPI_INT64_T, 0, MPI_COMM_WORLD);
    free(list);
    return rc;
}
