/* clusters.h - small platforms that the tests of networks are played on, built again at each call, so that a test
 * may change what it was given. */
#ifndef NARROWS_TESTS_SIM_NETWORK_CLUSTERS_H
#define NARROWS_TESTS_SIM_NETWORK_CLUSTERS_H

#include "sim/platform.h"

enum { CLUSTER_GBIT = 125000000 }; /* bytes a second */

struct cluster {
    struct platform platform;
    struct link_spec links[PLATFORM_MAX_LINKS];
};

/* One link more: full duplex, all of its bandwidth reached, one device on each instance. */
struct link_spec *cluster_link(struct cluster *c, const char *name, double bandwidth_Bps, double latency_s);

/* So many machines without GPUs on "eth" of 10 Gbit/s and 5 us, and for a tree an "up" of 40 Gbit/s and 1 us. 'n' is
 * the tree's per_switch, a grid's width. */
struct cluster *cluster_make(struct cluster *c, enum topology_kind topology, int64_t machines, int64_t n);

/* GPUs for each machine on "pcie": 10 GB/s to the device and 8 to the host, 2 us. */
struct cluster *cluster_gpus(struct cluster *c, int64_t count, int64_t shared_by);

#endif
