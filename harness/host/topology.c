#include "harness/host/topology.h"

#include <hwloc.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "harness/status.h"

static int count(hwloc_topology_t hw, hwloc_obj_type_t type)
{
    int n = hwloc_get_nbobjs_by_type(hw, type);

    return n > 0 ? n : 0;
}

static void read_caches(hwloc_topology_t hw, struct topology *t)
{
    static const hwloc_obj_type_t levels[TOPOLOGY_CACHES] = { HWLOC_OBJ_L1CACHE, HWLOC_OBJ_L2CACHE, HWLOC_OBJ_L3CACHE };

    for (int i = 0; i < TOPOLOGY_CACHES; i++) {
        hwloc_obj_t cache = hwloc_get_obj_by_type(hw, levels[i], 0);

        t->cache_count[i] = count(hw, levels[i]);
        t->cache_bytes[i] = cache ? (int64_t)cache->attr->cache.size : 0;
    }
}

static void read_model(hwloc_topology_t hw, struct topology *t)
{
    hwloc_obj_t package = hwloc_get_obj_by_type(hw, HWLOC_OBJ_PACKAGE, 0);
    hwloc_obj_t machine = hwloc_get_root_obj(hw);
    const char *model = package ? hwloc_obj_get_info_by_name(package, "CPUModel") : NULL;

    if (!model)
        model = hwloc_obj_get_info_by_name(machine, "CPUModel");
    snprintf(t->cpu_model, sizeof(t->cpu_model), "%s", model ? model : "unknown processor");
    t->cpu_model[strcspn(t->cpu_model, "\n")] = '\0';
}

int topology_read(struct topology *t)
{
    hwloc_topology_t hw;
    int rc = NW_EIO;

    if (hwloc_topology_init(&hw))
        return NW_EIO;
    if (hwloc_topology_load(hw))
        goto done;
    *t = (struct topology){ 0 };
    read_model(hw, t);
    read_caches(hw, t);
    t->packages = count(hw, HWLOC_OBJ_PACKAGE);
    t->cores = count(hw, HWLOC_OBJ_CORE);
    t->threads = count(hw, HWLOC_OBJ_PU);
    t->numa_nodes = count(hw, HWLOC_OBJ_NUMANODE);
    /* Not hwloc's sum over NUMA nodes: it misses memory that was plugged into a virtual machine while it ran. */
    t->memory_bytes = (int64_t)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE);
    rc = 0;
done:
    hwloc_topology_destroy(hw);
    return rc;
}

const char *topology_hwloc_version(void)
{
    return HWLOC_VERSION;
}
