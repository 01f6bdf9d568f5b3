#include "harness/mpi/post.h"

#include <mpi.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

/* MPI counts in int. */
enum { PIECE = 1 << 30 };
enum { TAG_SIZE = 40, TAG_BYTES };

static void rest(void)
{
    nanosleep(&(struct timespec){ 0, 1000000 }, NULL);
}

static void wait_for(MPI_Request *request)
{
    for (int done = 0; !done;) {
        MPI_Test(request, &done, MPI_STATUS_IGNORE);
        if (!done)
            rest();
    }
}

static int piece_of(size_t n, size_t at)
{
    return n - at < PIECE ? (int)(n - at) : PIECE;
}

void post_send(const void *bytes, size_t n)
{
    const uint64_t size = n;
    MPI_Request request;

    MPI_Isend(&size, 1, MPI_UINT64_T, 0, TAG_SIZE, MPI_COMM_WORLD, &request);
    wait_for(&request);
    for (size_t at = 0; at < n; at += PIECE) {
        MPI_Isend((const char *)bytes + at, piece_of(n, at), MPI_BYTE, 0, TAG_BYTES, MPI_COMM_WORLD, &request);
        wait_for(&request);
    }
}

bool post_receive(int *rank, unsigned char **bytes, size_t *n)
{
    MPI_Request request;
    MPI_Status status;
    uint64_t size;
    int there;

    MPI_Iprobe(MPI_ANY_SOURCE, TAG_SIZE, MPI_COMM_WORLD, &there, &status);
    if (!there) {
        rest();
        return false;
    }
    *rank = status.MPI_SOURCE;
    MPI_Recv(&size, 1, MPI_UINT64_T, *rank, TAG_SIZE, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    *n = size;
    *bytes = malloc(*n + 1);
    for (size_t at = 0; *bytes && at < *n; at += PIECE) {
        MPI_Irecv(*bytes + at, piece_of(*n, at), MPI_BYTE, *rank, TAG_BYTES, MPI_COMM_WORLD, &request);
        wait_for(&request);
    }
    return true;
}

void post_share(void *bytes, size_t n)
{
    MPI_Request request;

    for (size_t at = 0; at < n; at += PIECE) {
        MPI_Ibcast((char *)bytes + at, piece_of(n, at), MPI_BYTE, 0, MPI_COMM_WORLD, &request);
        wait_for(&request);
    }
}
