/* clock_world.c - the exchanges, over MPI. */
#include <mpi.h>
#include <stdlib.h>
#include <time.h>

#include "harness/host/clock.h"
#include "harness/mpi/clock.h"
#include "harness/status.h"

enum { TAG = 7001 };

static const struct timespec nap = { .tv_nsec = 200000 };

/* Until rank 0 has sent something. On a machine with fewer cores than ranks, one that spins would take its core from
 * the two whose clocks are compared. */
static void wait_asleep(void)
{
    int there = 0;

    for (MPI_Iprobe(0, TAG, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE); !there;
         MPI_Iprobe(0, TAG, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE))
        nanosleep(&nap, NULL);
}

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
    wait_asleep();
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
    for (int r = 1; r < ranks && !rank && !rc; r++)
        out[r] = ask(r, rounds, list);
    for (int r = 1; r < ranks && !rank && !rc; r++)
        MPI_Send(out, 2 * ranks, MPI_INT64_T, r, TAG, MPI_COMM_WORLD);
    if (rank && !rc) {
        answer(rounds);
        wait_asleep();
        MPI_Recv(out, 2 * ranks, MPI_INT64_T, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    free(list);
    return rc;
}
