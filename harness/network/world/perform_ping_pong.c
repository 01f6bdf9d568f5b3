/* perform_ping_pong.c - a message there and back, and ranks that leave a barrier. */
#include <mpi.h>
#include <stdlib.h>

#include "harness/host/clock.h"
#include "harness/network/world/perform.h"
#include "harness/status.h"

enum { TAG = 7201 };

static void ping(int peer, const struct trial *t, char *bytes, int64_t *ns)
{
    for (int i = 0; i < t->repetitions; i++) {
        int64_t begun_ns = clock_ns();

        MPI_Send(bytes, (int)t->bytes, MPI_BYTE, peer, TAG, MPI_COMM_WORLD);
        MPI_Recv(bytes, (int)t->bytes, MPI_BYTE, peer, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        ns[i] = (clock_ns() - begun_ns + 1) / 2;
    }
}

static void pong(const struct trial *t, char *bytes)
{
    for (int i = 0; i < t->repetitions; i++) {
        MPI_Recv(bytes, (int)t->bytes, MPI_BYTE, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(bytes, (int)t->bytes, MPI_BYTE, 0, TAG, MPI_COMM_WORLD);
    }
}

/* Member 0 is rank 0: members are ascending, and rank 0 is the first of its machine. */
int perform_ping_pong(const struct network_world *w, const struct trial *t, int64_t *ns)
{
    int peer = w->member[t->peer];
    char *bytes = calloc((size_t)t->bytes + 1, 1);
    int rc = perform_agreed(bytes);

    if (!rc && !w->rank)
        ping(peer, t, bytes, ns);
    else if (!rc && w->rank == peer)
        pong(t, bytes);
    free(bytes);
    return rc;
}

int perform_barrier(const struct network_world *w, const struct trial *t, int64_t *ns)
{
    size_t n = (size_t)t->repetitions;
    int64_t *own = calloc(n, sizeof(*own)), *all = w->rank ? NULL : calloc(n * (size_t)w->ranks, sizeof(*all));
    int rc = perform_agreed(own && (w->rank || all) ? own : NULL);

    for (size_t i = 0; i < n && !rc; i++) {
        MPI_Barrier(MPI_COMM_WORLD);
        own[i] = clock_ns();
    }
    if (!rc)
        MPI_Gather(own, (int)n, MPI_INT64_T, all, (int)n, MPI_INT64_T, 0, MPI_COMM_WORLD);
    for (size_t i = 0; i < n && !rc && !w->rank; i++)
        for (size_t r = 0; r < (size_t)w->ranks; r++)
            ns[i * (size_t)w->ranks + r] = all[r * n + i];
    free(all);
    free(own);
    return rc;
}
