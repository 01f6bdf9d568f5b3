/* post.h - bytes from the processes of an MPI program to its first one, and from that to all.
 * Waiting    sleeps: cores are for those that compute. Only the thread that opened the world calls any of these.
 * Errors     MPI's own end the program. */
#ifndef NARROWS_HARNESS_MPI_POST_H
#define NARROWS_HARNESS_MPI_POST_H

#include <stdbool.h>
#include <stddef.h>

/* To rank 0, from any other. Returns when the bytes may be changed. */
void post_send(const void *bytes, size_t n);

/* At rank 0: is there a message? Its sender, and its bytes, which the caller frees; NULL if memory ran out. Does not
 * wait, but may sleep a moment where there is none. */
bool post_receive(int *rank, unsigned char **bytes, size_t *n);

/* Called by all: everybody has rank 0's bytes then. */
void post_share(void *bytes, size_t n);

#endif
