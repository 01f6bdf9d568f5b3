/* layout.h - private to the topology: what a platform's links come to, before any channel is laid.
 * A link is laid once for each of its uses: of the host (GPUs, NIC), between GPUs, of the network, as uplink. */
#ifndef NARROWS_SIM_NETWORK_LAYOUT_H
#define NARROWS_SIM_NETWORK_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

#include "sim/platform.h"

/* One use of one kind of link. Instances are numbered through, machine by machine. */
struct laid {
    const struct link_spec *link;
    const char *out_key, *in_key; /* of the efficiencies: "to_host", "to_device", "wire" */
    double out_share, in_share;   /* reached shares of the bandwidth, leaving and arriving */
    int64_t instances;            /* in all */
    int64_t per_machine;          /* host's links and those between GPUs */
    int64_t gpus;                 /* a host's link: how many GPUs hang on an instance, by way of others or not */
    int64_t latency_ps;
    char *wire_name; /* kind of the third channel of a half-duplex link, else NULL; of topology.c, as the next two: */
    int first;       /* channel of instance 0 leaving; the others follow */
    int number;      /* of instance 0 within its kind */
};

enum { LAYOUT_MAX = PLATFORM_MAX_LINKS + 3, LAYOUT_NONE = -1 };

/* Indices into 'laid'; a path leads from the device up to the host's memory. */
struct layout {
    const struct platform *platform;
    struct laid laid[LAYOUT_MAX];
    size_t nlaid;
    int gpu_path[PLATFORM_MAX_LINKS];
    size_t ngpu_path;
    int nic_path[PLATFORM_MAX_LINKS]; /* network.via and what it hangs on */
    size_t nnic_path;
    int peer, nic, uplink; /* LAYOUT_NONE where there is none */
};

/* Everything that topology_check() promises. The platform must outlive the layout, which owns nothing. */
int layout_make(const struct platform *p, struct layout *out, char *why, size_t nwhy);

/* The parts of it in layout_check.c. */
int layout_check_names(const struct platform *p, char *why, size_t nwhy);
int layout_check_shape(const struct platform *p, char *why, size_t nwhy);
int layout_check_use(const struct layout *l, char *why, size_t nwhy);
int layout_check_numbers(const struct layout *l, char *why, size_t nwhy);

/* How many links join a grid's machines along the rows, and along the columns. */
int64_t layout_row_links(const struct platform *p);
int64_t layout_column_links(const struct platform *p);

static inline int layout_grid(const struct platform *p)
{
    return p->network.topology == TOPOLOGY_MESH || p->network.topology == TOPOLOGY_TORUS;
}

static inline int64_t layout_gpus(const struct platform *p)
{
    return p->gpu.count > 0 ? p->gpu.count : 0;
}

static inline int layout_named(const char *name)
{
    return name && *name;
}

#endif
