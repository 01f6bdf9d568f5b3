/* layout.h - private to the topology: how a platform uses its links, before any channel exists.
 * A link has a role for each of its uses: of the host (GPUs, NIC), between GPUs, of the network, as uplink. */
#ifndef NARROWS_SIM_NETWORK_LAYOUT_H
#define NARROWS_SIM_NETWORK_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

#include "sim/platform.h"

/* One use of a kind of link. Its instances are numbered machine by machine. */
struct link_role {
    const struct link_spec *link;
    const char *out_key, *in_key; /* of the efficiencies: "to_host", "to_device", "wire" */
    double out_share, in_share;   /* reached shares of the bandwidth, leaving and arriving */
    int64_t instances;            /* in all */
    int64_t per_machine;          /* host's links and those between GPUs */
    int64_t gpus;                 /* a host's link: GPUs below an instance, directly or through others */
    int64_t latency_ps;
    char *wire_name; /* kind of the third channel of a half-duplex link, else NULL; topology.c sets it and the next
                        two */
    int first;       /* channel of instance 0 leaving; the others follow */
    int number;      /* of instance 0 within its kind */
};

enum { LAYOUT_MAX = PLATFORM_MAX_LINKS + 3, LAYOUT_NONE = -1 };

/* Indices into 'roles'; a path leads from the device up to the host's memory. */
struct layout {
    const struct platform *platform;
    struct link_role roles[LAYOUT_MAX];
    size_t nroles;
    int gpu_path[PLATFORM_MAX_LINKS];
    size_t ngpu_path;
    int nic_path[PLATFORM_MAX_LINKS]; /* network.via and the links above it */
    size_t nnic_path;
    int peer, nic, uplink; /* LAYOUT_NONE where there is none */
    /* The uplink of rails that name none, from the NICs' link and under its name. */
    struct link_spec leaf;
};

/* Checks all that topology_check() does. The platform must outlive the layout, which owns nothing, and which is not to
 * be moved: a role may point to 'leaf'. */
int layout_make(const struct platform *p, struct layout *out, char *why, size_t nwhy);

/* The parts of it in layout_check.c. */
int layout_check_names(const struct platform *p, char *why, size_t nwhy);
int layout_check_shape(const struct platform *p, char *why, size_t nwhy);
int layout_check_rails(const struct platform *p, char *why, size_t nwhy);
int layout_check_peers(const struct platform *p, char *why, size_t nwhy);
int layout_check_use(const struct layout *l, char *why, size_t nwhy);
int layout_check_numbers(const struct layout *l, char *why, size_t nwhy);

/* How many links join a grid's machines along the rows. */
int64_t layout_row_links(const struct platform *p);

static inline int layout_grid(const struct platform *p)
{
    return p->network.topology == TOPOLOGY_MESH || p->network.topology == TOPOLOGY_TORUS;
}

static inline int64_t layout_gpus(const struct platform *p)
{
    return p->gpu.count > 0 ? p->gpu.count : 0;
}

/* Instances of the link between GPUs in each machine: of pairs, or of GPUs to a switch. */
static inline int64_t layout_peers(const struct platform *p)
{
    return p->gpu.npeers ? (int64_t)p->gpu.npeers : p->gpu.count;
}

/* Of each machine. */
static inline int64_t layout_nics(const struct platform *p)
{
    return p->network.nics > 1 ? p->network.nics : 1;
}

/* Machines below one switch, or below the leaves of a pod. */
static inline int64_t layout_per_switch(const struct platform *p)
{
    return p->network.per_switch > 0 ? p->network.per_switch : p->machines;
}

static inline int layout_named(const char *name)
{
    return name && *name;
}

#endif
