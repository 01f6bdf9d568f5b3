/* memory_wire.h - harness/exec/rank/wire.h among threads of one process, each of them a rank: so a whole execution runs
 * without MPI, under sanitizers. Bytes are read where they were given, when the sender polls; transfers arrive in an
 * order that is drawn, as over a network with many connections; notices in the order in which they were sent. */
#ifndef NARROWS_TESTS_EXEC_MEMORY_WIRE_H
#define NARROWS_TESTS_EXEC_MEMORY_WIRE_H

#include <stdbool.h>
#include <stddef.h>

/* Run work(context, rank) on 'ranks' threads and wait for all. wire_open() in each gives that rank's wire. Returns the
 * first status that is not 0; from then on every poll of the others fails, too. */
int memory_world(int ranks, unsigned seed, int (*work)(void *context, int rank), void *context);

/* What the world of before has delivered. */
size_t memory_transfers(void);
size_t memory_notices(void);

#endif
