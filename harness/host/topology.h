/* topology.h - this machine's processors, caches and memory, found through hwloc.
 * Units      bytes. Counts are of what this process may use (its cgroup), not of what it is bound to now.
 * Errors     topology_read(): 0, or NW_EIO if hwloc cannot read the machine; *t is then unchanged. */
#ifndef NARROWS_HARNESS_HOST_TOPOLOGY_H
#define NARROWS_HARNESS_HOST_TOPOLOGY_H

#include <stdint.h>

enum { TOPOLOGY_CACHES = 3 };

struct topology {
    char cpu_model[128];
    int packages, cores, threads, numa_nodes;
    int64_t cache_bytes[TOPOLOGY_CACHES]; /* one L1d, L2, L3; 0 where unknown */
    int cache_count[TOPOLOGY_CACHES];
    int64_t memory_bytes;
};

int topology_read(struct topology *t);
const char *topology_hwloc_version(void); /* of the build */

#endif
