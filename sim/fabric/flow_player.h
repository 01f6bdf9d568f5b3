/* flow_player.h - plays flows that start other flows: collectives and traffic too large for a graph of tasks. A flow is
 * posted with the instant at which its first byte may leave; when it has ended, a callback may post further flows. A
 * flow that has ended takes no memory.
 * Units      integer picoseconds, bytes.
 * Order      flows that end at one instant are reported in the order of their start; all are reported before any flow
 *            that they post for that same instant starts. So a run depends on its inputs alone.
 * Errors     status. */
#ifndef NARROWS_SIM_FABRIC_FLOW_PLAYER_H
#define NARROWS_SIM_FABRIC_FLOW_PLAYER_H

#include <stdint.h>

#include "sim/fabric/fabric.h"

struct flow_player;

/* The fabric stays the caller's and must outlive the player. NULL if memory ran out. */
struct flow_player *flow_player_new(struct fabric *fabric);
void flow_player_free(struct flow_player *p);

/* Post a flow that starts at start_ps, which must not be in the past. 'tag' names it. */
int flow_player_post(struct flow_player *p, uint32_t route, int64_t bytes, int64_t start_ps, uint32_t tag);

/* Play until nothing is left. 'ended' returns a status; one that is not E_OK stops the play and is returned. */
int flow_player_run(struct flow_player *p, int (*ended)(void *context, uint32_t tag, int64_t at_ps), void *context);

int64_t flow_player_now_ps(const struct flow_player *p);

#endif
