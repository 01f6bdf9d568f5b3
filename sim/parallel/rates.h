/* rates.h - how fast a wire is when all groups use it at once, and nothing else is on the links: for closed forms. */
#ifndef NARROWS_SIM_PARALLEL_RATES_H
#define NARROWS_SIM_PARALLEL_RATES_H

#include <stdint.h>

#include "sim/network/topology.h"
#include "sim/parallel/wires.h"

enum { WIRE_WAYS = 4 };

/* One way that a rank's bytes take at once with the others. */
struct wire_way {
    double s_per_byte; /* of all that the rank sends */
    int64_t hop_ps;    /* latency of all hops of an all-gather's ring; of points and spreads of the one */
};

struct wire_rates {
    struct wire_way ways[WIRES][WIRE_WAYS];
    int nways[WIRES];
    int64_t ranks[WIRES]; /* of the group of rank 0 */
};

/* Of the ranks of the first machine, or of the first pod's where uplinks may be narrow: the others are alike, where
 * machines and pods share groups evenly. Of all ranks on grids, with network.via, and with half-duplex links.
 * 'topology' is the platform's; step_ps is added to each hop of a ring. Status. */
int wire_rates(const struct platform *platform, struct topology *topology, const struct parallel *p,
               const bool used[WIRES], int64_t step_ps, struct wire_rates *out);

/* Time of 'bytes' that each rank sends, 'hops' messages after each other (acts.h). All flows share links as if they
 * left at once: where those of a wire that share the narrowest ones have different latencies, it may take as much
 * less. */
int64_t wire_ps(const struct wire_rates *r, enum wire w, int64_t bytes, int64_t hops);

/* Latency of a ring's hops of one round: those between machines as far as its machines need them. */
int64_t ring_hops_ps(int64_t ranks, int64_t machines, bool away, int64_t hop_ps);

bool wire_is_ring(enum wire w);

#endif
