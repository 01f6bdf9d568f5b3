#include "harness/measure/pin.h"

#include <hwloc.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>
#ifdef NW_OPENMP
#include <omp.h>
#endif

struct pinning {
    hwloc_topology_t topology;
    hwloc_cpuset_t before; /* where the caller's thread was allowed to run */
    int threads_before, threads;
};

static int omp_threads(void)
{
#ifdef NW_OPENMP
    return omp_get_max_threads();
#else
    return 1;
#endif
}

static void set_omp_threads(int threads)
{
#ifdef NW_OPENMP
    omp_set_num_threads(threads);
#else
    (void)threads;
#endif
}

/* Processor for thread i: of each core the first hardware thread, then of each the second. */
static hwloc_obj_t processor(hwloc_topology_t t, int i)
{
    int cores = hwloc_get_nbobjs_by_type(t, HWLOC_OBJ_CORE), all = hwloc_get_nbobjs_by_type(t, HWLOC_OBJ_PU);
    hwloc_obj_t core, pu;

    if (all < 1)
        return NULL;
    i %= all;
    if (cores < 1)
        return hwloc_get_obj_by_type(t, HWLOC_OBJ_PU, (unsigned)i);
    core = hwloc_get_obj_by_type(t, HWLOC_OBJ_CORE, (unsigned)(i % cores));
    pu = hwloc_get_obj_inside_cpuset_by_type(t, core->cpuset, HWLOC_OBJ_PU, (unsigned)(i / cores));
    return pu ? pu : hwloc_get_obj_by_type(t, HWLOC_OBJ_PU, (unsigned)i);
}

static void bind_thread(const struct pinning *p, hwloc_const_cpuset_t set)
{
    if (set)
        hwloc_set_cpubind(p->topology, set, HWLOC_CPUBIND_THREAD);
}

static void bind_all(const struct pinning *p, bool release)
{
#ifdef NW_OPENMP
#pragma omp parallel num_threads(p->threads)
    {
        hwloc_obj_t pu = processor(p->topology, omp_get_thread_num());

        bind_thread(p, release ? p->before : pu ? pu->cpuset : NULL);
    }
#else
    hwloc_obj_t pu = processor(p->topology, 0);

    bind_thread(p, release ? p->before : pu ? pu->cpuset : NULL);
#endif
}

struct pinning *pin_begin(int threads)
{
    struct pinning *p = calloc(1, sizeof(*p));

    if (!p || hwloc_topology_init(&p->topology)) {
        free(p);
        set_omp_threads(threads);
        return NULL;
    }
    p->threads_before = omp_threads();
    p->threads = threads;
    set_omp_threads(threads);
    p->before = hwloc_bitmap_alloc();
    if (!p->before || hwloc_topology_load(p->topology) ||
        hwloc_get_cpubind(p->topology, p->before, HWLOC_CPUBIND_THREAD)) {
        pin_end(p);
        set_omp_threads(threads);
        return NULL;
    }
    bind_all(p, 0);
    return p;
}

void pin_end(struct pinning *p)
{
    if (!p)
        return;
    if (p->before && !hwloc_bitmap_iszero(p->before))
        bind_all(p, 1);
    set_omp_threads(p->threads_before);
    hwloc_bitmap_free(p->before);
    hwloc_topology_destroy(p->topology);
    free(p);
}

/* Those of the first processors that the process may use now. */
static void choose(hwloc_topology_t t, int threads, hwloc_const_cpuset_t allowed, hwloc_cpuset_t chosen)
{
    int all = hwloc_get_nbobjs_by_type(t, HWLOC_OBJ_PU);

    for (int i = 0; i < all && hwloc_bitmap_weight(chosen) < threads; i++) {
        hwloc_obj_t pu = processor(t, i);

        if (pu && hwloc_bitmap_isincluded(pu->cpuset, allowed))
            hwloc_bitmap_or(chosen, chosen, pu->cpuset);
    }
}

void pin_process(int threads)
{
    hwloc_cpuset_t allowed = hwloc_bitmap_alloc(), chosen = hwloc_bitmap_alloc();
    hwloc_topology_t t;

    if (allowed && chosen && !hwloc_topology_init(&t)) {
        if (!hwloc_topology_load(t) && !hwloc_get_cpubind(t, allowed, HWLOC_CPUBIND_PROCESS)) {
            choose(t, threads, allowed, chosen);
            if (!hwloc_bitmap_iszero(chosen))
                hwloc_set_cpubind(t, chosen, HWLOC_CPUBIND_PROCESS);
        }
        hwloc_topology_destroy(t);
    }
    hwloc_bitmap_free(allowed);
    hwloc_bitmap_free(chosen);
}

int pin_all_threads(void)
{
    long online = sysconf(_SC_NPROCESSORS_ONLN);

    return online > 0 ? (int)online : 1;
}
