/* world.h - the transport that is MPI. Every rank of the world opens it; rank 0 then has a transport to measure with,
 * and the others serve until it is stopped.
 * Errors     a nw_status, the message printed by rank 0: NW_ENOMEM, NW_EENV in a program without MPI. What MPI itself
 *            finds wrong ends all ranks. */
#ifndef NARROWS_HARNESS_NETWORK_WORLD_WORLD_H
#define NARROWS_HARNESS_NETWORK_WORLD_WORLD_H

#include "harness/network/trial.h"

enum { NETWORK_HOST = 64 };

struct network_world {
    int rank, ranks, members;
    int hosts;                  /* machines, by their host names */
    int *member;                /* [members]: their ranks, ascending */
    char (*host)[NETWORK_HOST]; /* [ranks]: the name of each rank's machine */
};

int network_world_open(struct network_world *out);
int network_world_serve(const struct network_world *w); /* not on rank 0; until network_world_stop() there */
struct transport network_transport(struct network_world *w);
void network_world_stop(const struct network_world *w); /* rank 0: the others need serve no longer */
void network_world_close(struct network_world *w);      /* accepts zeros */

/* Who the members are, from the names of the ranks' machines: writes member[0..members), returns how many. *hosts: how
 * many machines. */
int network_members(char (*host)[NETWORK_HOST], int ranks, int *member, int *hosts);

#endif
