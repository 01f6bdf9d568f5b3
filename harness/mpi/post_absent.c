/* post_absent.c - a build without MPI: there is no world to send to (world_absent.c). */
#include "harness/mpi/post.h"

void post_send(const void *bytes, size_t n)
{
    (void)bytes;
    (void)n;
}

bool post_receive(int *rank, unsigned char **bytes, size_t *n)
{
    (void)rank;
    (void)bytes;
    (void)n;
    return false;
}

void post_share(void *bytes, size_t n)
{
    (void)bytes;
    (void)n;
}
