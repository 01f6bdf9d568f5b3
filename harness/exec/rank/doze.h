/* doze.h - sleep until something may have happened: a message came over TCP, somebody else called, or it is time. An
 * MPI library can only be asked whether there is a message. Asking all the time takes the processor from ranks that
 * share it; asking now and then notices messages late. So a rank sleeps on the sockets that its process has open,
 * whatever library opened them, and asks when one of them can be read. Messages that come by another way are found when
 * the time is over.
 * Ownership  one thread dozes; any thread may call doze_wake().
 * Errors     NW_ENOMEM, or NW_EIO, printed. */
#ifndef NARROWS_HARNESS_EXEC_RANK_DOZE_H
#define NARROWS_HARNESS_EXEC_RANK_DOZE_H

#include <stdbool.h>
#include <stdint.h>

struct doze;

/* Looks which TCP connections there are now: those that are opened later wake nobody. */
int doze_open(struct doze **out);
void doze_close(struct doze *d); /* accepts NULL */

/* Returns at that instant of CLOCK_MONOTONIC, or before it: true if a connection has something to read. */
bool doze_until(struct doze *d, int64_t at_ns);
void doze_wake(struct doze *d);

#endif
