/* topology_parts.h - private to the topology: what topology.c makes and route.c walks. */
#ifndef NARROWS_SIM_NETWORK_TOPOLOGY_PARTS_H
#define NARROWS_SIM_NETWORK_TOPOLOGY_PARTS_H

#include "sim/network/layout.h"
#include "sim/network/topology.h"

/* A route that was asked for; an empty slot has key 0. */
struct known_route {
    uint64_t key;
    int64_t latency_ps;
    int64_t route;
};

struct topology {
    struct layout layout;
    struct engine *engine; /* one of the two */
    struct fabric *fabric;
    char *leaf_name;      /* kind of the uplinks that no link of the platform is, else NULL */
    double *capacity_Bps; /* of each channel */
    size_t nchannels, channel_capacity;
    int dma_read, dma_write;   /* channel of machine 0, the others follow; -1: unlimited */
    struct known_route *known; /* open addressing, at most half full */
    size_t nknown, known_capacity;
    uint32_t *path; /* the route now being made */
    size_t npath, path_capacity;
    int64_t path_ps;
};

/* Channels of an instance: leaving, arriving, and the wire that both directions of a half-duplex link share. */
static inline int role_channels(const struct link_role *u)
{
    return u->link->duplex == DUPLEX_HALF ? 3 : 2;
}

static inline int role_out(const struct link_role *u, int64_t instance)
{
    return u->first + (int)instance * role_channels(u);
}

static inline int role_in(const struct link_role *u, int64_t instance)
{
    return role_out(u, instance) + 1;
}

#endif
