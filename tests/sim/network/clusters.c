#include "tests/sim/network/clusters.h"

#include <assert.h>
#include <string.h>

struct link_spec *cluster_link(struct cluster *c, const char *name, double bandwidth_Bps, double latency_s)
{
    struct platform *p = &c->platform;

    assert(p->nlinks < PLATFORM_MAX_LINKS);
    p->links = c->links;
    c->links[p->nlinks] = (struct link_spec){ .name = name,
                                              .bandwidth_Bps = bandwidth_Bps,
                                              .latency_s = latency_s,
                                              .shared_by = 1,
                                              .efficiency_to_device = 1,
                                              .efficiency_to_host = 1,
                                              .efficiency_wire = 1,
                                              .efficiency_pageable = 1,
                                              .above = "",
                                              .source = "" };
    return &c->links[p->nlinks++];
}

struct cluster *cluster_make(struct cluster *c, enum topology_kind topology, int64_t machines, int64_t n)
{
    struct platform *p = &c->platform;

    memset(c, 0, sizeof(*c));
    p->name = "cluster";
    p->compute_scale = 1;
    p->machines = machines;
    p->gpu = (struct gpu_spec){ .link = "", .peer_link = "" };
    p->network = (struct network_spec){ .topology = topology, .link = "", .uplink = "", .via = "" };
    p->links = c->links;
    if (topology == TOPOLOGY_SINGLE)
        return c;
    cluster_link(c, p->network.link = "eth", 10.0 * CLUSTER_GBIT, 5e-6);
    if (topology == TOPOLOGY_TREE) {
        cluster_link(c, p->network.uplink = "up", 40.0 * CLUSTER_GBIT, 1e-6);
        p->network.per_switch = n;
    } else {
        p->network.width = n;
    }
    return c;
}

struct cluster *cluster_gpus(struct cluster *c, int64_t count, int64_t shared_by)
{
    struct link_spec *l = cluster_link(c, c->platform.gpu.link = "pcie", 10e9, 2e-6);

    l->shared_by = shared_by;
    l->efficiency_to_host = 0.8;
    c->platform.gpu.count = count;
    return c;
}
