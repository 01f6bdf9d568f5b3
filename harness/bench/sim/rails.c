/* rails.c - as many rings as a machine has NICs, over machines of eight GPUs, straight on the fabric. */
#include <stdlib.h>

#include "harness/bench/sim/case.h"
#include "harness/host/clock.h"
#include "harness/status.h"
#include "model/status.h"
#include "sim/collective/collective.h"
#include "sim/fabric/fabric.h"
#include "sim/network/topology.h"

/* A chunk has so many bytes, so that all are alike. */
enum { GPUS = 8, NICS = 4, CHUNK_BYTES = 4000 };

static const double link_latency_s = 1e-6, pcie_rate_Bps = 32e9, nvlink_rate_Bps = 100e9;

/* Machines on one switch. What a GPU sends to another machine crosses PCIe on both sides. */
static struct platform machines(const struct sim_case *c, struct link_spec links[3])
{
    static const struct link_spec link = { .shared_by = 1,
                                           .efficiency_to_device = 1,
                                           .efficiency_to_host = 1,
                                           .efficiency_wire = 1,
                                           .efficiency_pageable = 1 };
    static const char *const names[] = { "nic", "pcie", "nvlink" };
    const double rates_Bps[] = { star_rate_Bps, pcie_rate_Bps, nvlink_rate_Bps };

    for (int i = 0; i < 3; i++) {
        links[i] = link;
        links[i].name = names[i];
        links[i].bandwidth_Bps = rates_Bps[i];
        links[i].latency_s = link_latency_s;
    }
    return (struct platform){ .machines = c->size / GPUS,
                              .gpu = { .count = GPUS, .link = "pcie", .peer_link = "nvlink" },
                              .network = { .topology = TOPOLOGY_STAR, .link = "nic", .nics = NICS },
                              .links = links,
                              .nlinks = 3 };
}

/* Ring i turns the GPUs of each machine by i * GPUS / NICS, so that it leaves by a NIC of its own. */
static struct end end_of(int64_t ring, int64_t place)
{
    return (struct end){ .machine = place / GPUS, .gpu = (place + ring * GPUS / NICS) % GPUS };
}

static int lay(struct topology *t, int64_t ranks, uint32_t *routes, int64_t *latency_ps)
{
    for (int64_t i = 0; i < NICS * ranks; i++) {
        int64_t ring = i / ranks, place = i % ranks;
        int64_t one = topology_route(t, end_of(ring, place), end_of(ring, (place + 1) % ranks), &latency_ps[i]);

        if (one < 0)
            return (int)one;
        routes[i] = (uint32_t)one;
    }
    return E_OK;
}

static int play(struct fabric *f, struct topology *t, int64_t ranks, struct sim_result *r)
{
    uint32_t *routes = calloc((size_t)(NICS * ranks), sizeof(*routes));
    int64_t *latency_ps = calloc((size_t)(NICS * ranks), sizeof(*latency_ps)), end_ps = 0;
    uint64_t n = 0;
    int rc = routes && latency_ps ? lay(t, ranks, routes, latency_ps) : E_NOMEM;

    if (!rc)
        rc = collective_rings_play(f, routes, latency_ps, ranks, NICS, CHUNK_BYTES * ranks, &end_ps, &n);
    r->events = (int64_t)n;
    r->end_s = (double)end_ps / 1e12;
    free(routes);
    free(latency_ps);
    return rc;
}

int run_rails(const struct sim_case *c, struct sim_result *r)
{
    int64_t began = clock_ns();
    struct link_spec links[3];
    struct platform p = machines(c, links);
    struct fabric *f = fabric_new();
    struct topology *t = NULL;
    int rc = f ? topology_new(&p, NULL, f, &t, NULL, 0) : E_NOMEM;

    rc = rc ? rc : play(f, t, c->size, r);
    topology_free(t);
    fabric_free(f);
    r->elapsed_ns = clock_ns() - began;
    return rc ? NW_ESIM : NW_OK;
}

/* Every step waits for the hop between machines: two NICs and two links of PCIe. */
double rails_closed_s(const struct sim_case *c)
{
    return 2 * (double)(c->size - 1) * (4 * link_latency_s + CHUNK_BYTES / star_rate_Bps);
}
