/* perform.h - private to the files that talk MPI: a rank's part in each kind of trial. Every rank calls it with the
 * same trial; rank 0 gets the times (ns is NULL elsewhere). A nw_status, the same on all ranks. */
#ifndef NARROWS_HARNESS_NETWORK_WORLD_PERFORM_H
#define NARROWS_HARNESS_NETWORK_WORLD_PERFORM_H

#include "harness/network/world/world.h"

int perform_ping_pong(const struct network_world *w, const struct trial *t, int64_t *ns);
int perform_stream(const struct network_world *w, const struct trial *t, int64_t *ns);
int perform_collective(const struct network_world *w, const struct trial *t, int64_t *ns, int64_t *wrong);
int perform_barrier(const struct network_world *w, const struct trial *t, int64_t *ns);

/* NW_OK if all ranks have it, else NW_ENOMEM on all of them. */
int perform_agreed(const void *memory);

#endif
