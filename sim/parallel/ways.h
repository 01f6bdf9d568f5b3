/* ways.h - the channels that each flow of a wiring crosses. */
#ifndef NARROWS_SIM_PARALLEL_WAYS_H
#define NARROWS_SIM_PARALLEL_WAYS_H

#include "sim/network/topology.h"
#include "sim/parallel/wires.h"

/* hops[first .. first + n), channels of the platform. */
struct way {
    size_t first, n;
    int64_t latency_ps;
};

struct ways {
    struct way *of; /* each flow */
    uint32_t *hops;
    size_t nhops, hop_capacity;
};

/* 'topology' is that of the platform that the wiring was made for. Status; ways_free() releases it in any case. */
int ways_find(struct topology *topology, const struct parallel *p, const struct wiring *w, struct ways *out);
void ways_free(struct ways *w);

#endif
