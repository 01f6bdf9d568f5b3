#include "sim/network/topology.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/status.h"
#include "model/vec.h"
#include "sim/cost.h"
#include "sim/network/topology_parts.h"

int topology_check(const struct platform *p, char *why, size_t nwhy)
{
    struct layout l;

    return layout_make(p, &l, why, nwhy);
}

/* The channel's index, or a negative status. */
static int64_t add_channel(struct topology *t, const char *kind, int64_t number, double capacity_Bps)
{
    if (!VEC_RESERVE(t->capacity_Bps, t->channel_capacity, t->nchannels))
        return E_NOMEM;
    t->capacity_Bps[t->nchannels++] = capacity_Bps;
    if (!t->engine)
        return fabric_channel(t->fabric, capacity_Bps);
    int channel = engine_channel(t->engine, kind, (int)number, capacity_Bps);
    return channel < 0 ? E_NOMEM : channel; /* what else could be wrong has been checked */
}

/* A machine's link may be wider than its bandwidth: into the machine, and out of the first machines. */
static bool may_be_wider(const struct topology *t, const struct link_role *u)
{
    const struct layout *l = &t->layout;

    return l->nic != LAYOUT_NONE && u == &l->roles[l->nic] && l->platform->network.unshaped_Bps > 0;
}

/* Of a mesh between GPUs, an instance is all links of a pair. */
static double links_of(const struct topology *t, const struct link_role *u, int64_t i)
{
    const struct layout *l = &t->layout;
    const struct gpu_spec *gpu = &l->platform->gpu;

    if (l->peer == LAYOUT_NONE || u != &l->roles[l->peer] || !gpu->npeers)
        return 1;
    return (double)gpu->peers[i % u->per_machine].links;
}

static double out_Bps(const struct topology *t, const struct link_role *u, int64_t i)
{
    const struct network_spec *n = &t->layout.platform->network;
    bool wider = may_be_wider(t, u) && i / layout_nics(t->layout.platform) < n->unshaped_machines;

    return (wider ? n->unshaped_Bps : u->link->bandwidth_Bps * links_of(t, u, i)) * u->out_share;
}

static double in_Bps(const struct topology *t, const struct link_role *u, int64_t i)
{
    const struct network_spec *n = &t->layout.platform->network;

    return (may_be_wider(t, u) ? n->unshaped_Bps : u->link->bandwidth_Bps * links_of(t, u, i)) * u->in_share;
}

/* A bucket that holds payload, which is what crosses the channel; a direction that nothing shapes has none. */
static void add_bucket(struct topology *t, int64_t channel, const struct link_role *u, double share, bool wider)
{
    double bytes = wider ? 0 : link_burst_bytes(u->link) * share;

    if (bytes == 0)
        return;
    if (t->engine)
        engine_bucket(t->engine, (int)channel, bytes);
    else
        fabric_bucket(t->fabric, (uint32_t)channel, bytes);
}

static void add_buckets(struct topology *t, const struct link_role *u, int64_t i)
{
    const struct platform *p = t->layout.platform;
    bool wider = may_be_wider(t, u);

    add_bucket(t, role_out(u, i), u, u->out_share, wider && i / layout_nics(p) < p->network.unshaped_machines);
    add_bucket(t, role_in(u, i), u, u->in_share, wider);
    if (u->link->duplex == DUPLEX_HALF)
        add_bucket(t, role_in(u, i) + 1, u, fmax(u->out_share, u->in_share), wider);
}

static int add_instance(struct topology *t, struct link_role *u, int64_t i)
{
    const struct link_spec *link = u->link;
    int64_t number = u->number + i, out = add_channel(t, link->name, 2 * number, out_Bps(t, u, i)), in, wire = 0;

    if (out < 0)
        return (int)out;
    if (!i)
        u->first = (int)out;
    in = add_channel(t, link->name, 2 * number + 1, in_Bps(t, u, i));
    /* Both directions share the one wire, which reaches what the better of them does. */
    if (in >= 0 && link->duplex == DUPLEX_HALF)
        wire = add_channel(t, u->wire_name, number, fmax(out_Bps(t, u, i), in_Bps(t, u, i)));
    if (in < 0 || wire < 0)
        return (int)(in < 0 ? in : wire);
    assert(out == role_out(u, i) && in == role_in(u, i) && (!wire || wire == in + 1));
    add_buckets(t, u, i);
    return E_OK;
}

/* "NAME SUFFIX", allocated; NULL: no memory. */
static char *kind_name(const char *name, const char *suffix)
{
    size_t size = strlen(name) + strlen(suffix) + 2;
    char *kind = malloc(size);

    if (kind)
        snprintf(kind, size, "%s %s", name, suffix);
    return kind;
}

static int add_link(struct topology *t, struct link_role *u)
{
    int rc = E_OK;

    if (u->link == &t->layout.leaf) {
        t->leaf_name = kind_name(t->layout.leaf.name, "uplink");
        t->layout.leaf.name = t->leaf_name;
        if (!t->leaf_name)
            return E_NOMEM;
    }
    if (u->link->duplex == DUPLEX_HALF) {
        u->wire_name = kind_name(u->link->name, "wire");
        if (!u->wire_name)
            return E_NOMEM;
    }
    for (int64_t i = 0; !rc && i < u->instances; i++)
        rc = add_instance(t, u, i);
    return rc;
}

/* What the GPUs of each machine together can read or write of its memory. */
static int add_dma(struct topology *t, const char *kind, double rate_Bps, int *first)
{
    int64_t channel = 0;

    *first = -1;
    for (int64_t m = 0; t->layout.ngpu_path && rate_Bps > 0 && channel >= 0 && m < t->layout.platform->machines; m++) {
        channel = add_channel(t, kind, m, rate_Bps);
        if (!m)
            *first = (int)channel;
    }
    return channel < 0 ? (int)channel : E_OK;
}

static int add_links(struct topology *t)
{
    const struct cpu_spec *cpu = &t->layout.platform->cpu;
    int rc = E_OK;

    for (size_t i = 0; !rc && i < t->layout.nroles; i++)
        rc = add_link(t, &t->layout.roles[i]);
    if (!rc)
        rc = add_dma(t, "dma-read", cpu->dma_read_Bps, &t->dma_read);
    return rc ? rc : add_dma(t, "dma-write", cpu->dma_write_Bps, &t->dma_write);
}

int topology_new(const struct platform *p, struct engine *e, struct fabric *f, struct topology **out, char *why,
                 size_t nwhy)
{
    struct topology *t = calloc(1, sizeof(*t));
    int rc = t ? layout_make(p, &t->layout, why, nwhy) : E_NOMEM;

    assert(!e != !f);
    if (!rc) {
        t->engine = e;
        t->fabric = f;
        rc = add_links(t);
    }
    if (rc)
        topology_free(t);
    else
        *out = t;
    return rc;
}

void topology_free(struct topology *t)
{
    if (!t)
        return;
    for (size_t i = 0; i < t->layout.nroles; i++)
        free(t->layout.roles[i].wire_name);
    free(t->leaf_name);
    free(t->capacity_Bps);
    free(t->known);
    free(t->path);
    free(t);
}

size_t topology_nchannels(const struct topology *t)
{
    return t->nchannels;
}

double topology_capacity_Bps(const struct topology *t, uint32_t channel)
{
    return t->capacity_Bps[channel];
}

int64_t topology_nics(const struct topology *t)
{
    const struct platform *p = t->layout.platform;

    /* On a grid a machine has a link to each neighbour, and no NIC. */
    return t->layout.nic == LAYOUT_NONE || layout_grid(p) ? 0 : p->machines * layout_nics(p);
}

int topology_nic_out(const struct topology *t, int64_t nic)
{
    return nic >= 0 && nic < topology_nics(t) ? role_out(&t->layout.roles[t->layout.nic], nic) : -1;
}

int topology_nic_in(const struct topology *t, int64_t nic)
{
    return nic >= 0 && nic < topology_nics(t) ? role_in(&t->layout.roles[t->layout.nic], nic) : -1;
}

static int gpu_channel(const struct topology *t, int64_t machine, int64_t gpu,
                       int (*direction)(const struct link_role *, int64_t))
{
    if (!t->layout.ngpu_path || machine < 0 || machine >= t->layout.platform->machines || gpu < 0 ||
        gpu >= layout_gpus(t->layout.platform))
        return -1;
    const struct link_role *u = &t->layout.roles[t->layout.gpu_path[0]];
    return direction(u, machine * u->per_machine + gpu / u->gpus);
}

int topology_gpu_out(const struct topology *t, int64_t machine, int64_t gpu)
{
    return gpu_channel(t, machine, gpu, role_out);
}

int topology_gpu_in(const struct topology *t, int64_t machine, int64_t gpu)
{
    return gpu_channel(t, machine, gpu, role_in);
}

int64_t topology_message_bytes(const struct topology *t, int64_t payload_bytes)
{
    return payload_bytes + (int64_t)llround(t->layout.platform->network.message_bytes);
}

int64_t topology_message_ps(const struct topology *t)
{
    return seconds_to_ps(t->layout.platform->network.message_s);
}
