/* layout_check.c - are the links, machines and switches of a platform valid, and if not, which key is wrong. */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "model/numbers.h"
#include "model/refuse.h"
#include "model/status.h"
#include "sim/figures.h"
#include "sim/network/layout.h"

/* So many the rest of the simulator can number: an end of a route is a machine and a GPU in 32 bits. */
enum { MOST_MACHINES = 1 << 20, MOST_GPUS = 1024 };

static const char *const topology_names[] = {
    [TOPOLOGY_SINGLE] = "a single machine",
    [TOPOLOGY_STAR] = "a star",
    [TOPOLOGY_TREE] = "a tree",
    [TOPOLOGY_MESH] = "a mesh",
    [TOPOLOGY_TORUS] = "a torus",
    [TOPOLOGY_RAILS] = "rails",
};

static bool same(const char *a, const char *b)
{
    return a && b && !strcmp(a, b);
}

/* The name, if one is given, is a link's; one is given where it is needed. */
static int check_name(const struct platform *p, const char *key, const char *name, const char *who, char *why,
                      size_t nwhy)
{
    if (layout_named(name) ? platform_link(p, name) != NULL : !who)
        return E_OK;
    if (!layout_named(name))
        return refuse(why, nwhy, "%s: %s needs the name of a link, got none", key, who);
    return refuse(why, nwhy, "%s: expected a link of the platform, got '%s'", key, name);
}

int layout_check_names(const struct platform *p, char *why, size_t nwhy)
{
    enum topology_kind t = p->network.topology;
    const struct {
        const char *key, *name, *who; /* who needs it; NULL: nobody */
    } names[] = {
        { "platform.gpu.link", p->gpu.link, layout_gpus(p) ? "a GPU" : NULL },
        { "platform.gpu.peer_link", p->gpu.peer_link, NULL },
        { "platform.network.link", p->network.link, t == TOPOLOGY_SINGLE ? NULL : topology_names[t] },
        { "platform.network.uplink", p->network.uplink, t == TOPOLOGY_TREE ? topology_names[t] : NULL },
        { "platform.network.via", p->network.via, NULL },
    };
    int rc = E_OK;

    if (p->nlinks > PLATFORM_MAX_LINKS)
        return refuse(why, nwhy, "platform.link: expected at most %d links, got %zu", PLATFORM_MAX_LINKS, p->nlinks);
    for (size_t i = 0; !rc && i < COUNT(names); i++)
        rc = check_name(p, names[i].key, names[i].name, names[i].who, why, nwhy);
    if (!rc && layout_named(p->network.via) &&
        (same(p->network.via, p->network.link) || same(p->network.via, p->network.uplink)))
        rc = refuse(why, nwhy, "platform.network.via: expected a link of the host, got '%s', which is the network's",
                    p->network.via);
    for (size_t i = 0; !rc && i < p->nlinks; i++)
        if (layout_named(p->links[i].above) && !platform_link(p, p->links[i].above))
            rc = refuse(why, nwhy, "platform.link.%s.above: expected a link of the platform, got '%s'",
                        p->links[i].name, p->links[i].above);
    return rc;
}

int layout_check_shape(const struct platform *p, char *why, size_t nwhy)
{
    const struct network_spec *n = &p->network;

    if (p->machines < 1 || p->machines > MOST_MACHINES)
        return refuse(why, nwhy, "platform.machines: expected 1 to %d, got %lld", MOST_MACHINES,
                      (long long)p->machines);
    if (p->gpu.count < 0 || p->gpu.count > MOST_GPUS)
        return refuse(why, nwhy, "platform.gpu.count: expected 0 to %d, got %lld", MOST_GPUS, (long long)p->gpu.count);
    if (n->topology == TOPOLOGY_SINGLE && p->machines != 1)
        return refuse(why, nwhy, "platform.network.topology: %lld machines need a network to reach each other",
                      (long long)p->machines);
    if (n->topology == TOPOLOGY_TREE && n->per_switch < 1)
        return refuse(why, nwhy, "platform.network.per_switch: expected 1 machine or more, got %lld",
                      (long long)n->per_switch);
    if (n->unshaped_Bps > 0 && (layout_grid(p) || n->topology == TOPOLOGY_SINGLE))
        return refuse(why, nwhy, "platform.network.unshaped: only machines on a switch have one link each, got %s",
                      topology_names[n->topology]);
    if (n->unshaped_machines > 0 && n->unshaped_Bps == 0)
        return refuse(why, nwhy, "platform.network.unshaped_machines: %lld machines need platform.network.unshaped",
                      (long long)n->unshaped_machines);
    if (n->nics < 0 || n->nics > (layout_gpus(p) ? layout_gpus(p) : 1))
        return refuse(
            why, nwhy,
            "platform.network.nics: expected one for each GPU of a machine at most, or 1 (its memory uses the "
            "first alone), got %lld with %lld GPUs",
            (long long)n->nics, (long long)layout_gpus(p));
    if (n->nics > 1 && (layout_grid(p) || n->topology == TOPOLOGY_SINGLE))
        return refuse(why, nwhy, "platform.network.nics: only machines on switches have several, got %s",
                      topology_names[n->topology]);
    if (!layout_grid(p))
        return E_OK;
    if (n->width < 1)
        return refuse(why, nwhy, "platform.network.width: expected 1 machine or more a row, got %lld",
                      (long long)n->width);
    if (p->machines % n->width)
        return refuse(why, nwhy, "platform.network.width: %s needs whole rows, got %lld machines in rows of %lld",
                      topology_names[n->topology], (long long)p->machines, (long long)n->width);
    return E_OK;
}

/* Rails: a pod's size, and the one of two ways to say how wide the uplinks are. */
int layout_check_rails(const struct platform *p, char *why, size_t nwhy)
{
    const struct network_spec *n = &p->network;
    double over = n->oversubscription;

    if (over != 0 && !(over >= 1 && isfinite(over)))
        return refuse(why, nwhy, "platform.network.oversubscription: expected 1 or more, got %g", over);
    if (over > 1 && n->topology != TOPOLOGY_RAILS)
        return refuse(why, nwhy, "platform.network.oversubscription: only rails have it, got %s",
                      topology_names[n->topology]);
    if (over > 1 && layout_named(n->uplink))
        return refuse(why, nwhy,
                      "platform.network.oversubscription: how wide an uplink is says platform.network.uplink: expected "
                      "1, got %g",
                      over);
    if (n->topology == TOPOLOGY_RAILS && n->per_switch < 0)
        return refuse(why, nwhy, "platform.network.per_switch: expected 1 machine or more, or 0 for all, got %lld",
                      (long long)n->per_switch);
    return E_OK;
}

/* Every pair is one of a machine's, and given once. */
int layout_check_peers(const struct platform *p, char *why, size_t nwhy)
{
    const struct gpu_spec *gpu = &p->gpu;

    if (gpu->npeers && (!layout_gpus(p) || !layout_named(gpu->peer_link)))
        return refuse(why, nwhy, "platform.gpu.peers: joined by platform.gpu.peer_link, which names no link");
    for (size_t i = 0; i < gpu->npeers; i++) {
        const struct gpu_pair *a = &gpu->peers[i];
        if (a->from < 0 || a->to < 0 || a->from >= gpu->count || a->to >= gpu->count || a->from == a->to)
            return refuse(why, nwhy, "platform.gpu.peers[%zu]: expected two of the GPUs 0 to %lld, got %lld and %lld",
                          i, (long long)gpu->count - 1, (long long)a->from, (long long)a->to);
        if (a->links < 1)
            return refuse(why, nwhy, "platform.gpu.peers[%zu].links: expected 1 or more, got %lld", i,
                          (long long)a->links);
        for (size_t k = 0; k < i; k++) {
            const struct gpu_pair *b = &gpu->peers[k];
            if ((a->from == b->from && a->to == b->to) || (a->from == b->to && a->to == b->from))
                return refuse(why, nwhy, "platform.gpu.peers[%zu]: expected each pair once, got that of peers[%zu]", i,
                              k);
        }
    }
    return E_OK;
}

/* A link may be named where this platform has no use for it: say so. */
static const char *named_in_vain(const struct platform *p, const char *link)
{
    if (same(p->network.uplink, link) && p->network.topology != TOPOLOGY_TREE && p->network.topology != TOPOLOGY_RAILS)
        return " (platform.network.uplink names it, but only a tree and rails have uplinks)";
    if ((same(p->network.link, link) || same(p->network.via, link)) && p->network.topology == TOPOLOGY_SINGLE)
        return " (platform.network names it, but a single machine has no network)";
    if ((same(p->gpu.link, link) || same(p->gpu.peer_link, link)) && !layout_gpus(p))
        return " (platform.gpu names it, but platform.gpu.count is 0)";
    return "";
}

/* Every link given is used, and nothing is asked of one that its use does not have. */
int layout_check_use(const struct layout *l, char *why, size_t nwhy)
{
    const struct platform *p = l->platform;

    for (size_t i = 0; i < p->nlinks; i++) {
        const struct link_spec *link = &p->links[i];
        bool host = false, peer = false, network = false;
        for (size_t k = 0; k < l->nroles; k++) {
            bool of_network = (int)k == l->nic || (int)k == l->uplink, of_peer = (int)k == l->peer;
            host |= !of_peer && !of_network && l->roles[k].link == link;
            peer |= of_peer && l->roles[k].link == link;
            network |= of_network && l->roles[k].link == link;
        }
        if (!host && !peer && !network)
            return refuse(why, nwhy, "platform.link.%s: no GPU, machine or switch uses it%s", link->name,
                          named_in_vain(p, link->name));
        if (!host && layout_named(link->above))
            return refuse(why, nwhy,
                          "platform.link.%s.above: only a link of the host has one above it, got '%s' (a"
                          " network's traffic crosses the host's links by platform.network.via)",
                          link->name, link->above);
        if (!host && link->shared_by > 1)
            return refuse(why, nwhy, "platform.link.%s.shared_by: expected 1 for a link that is one device's, got %lld",
                          link->name, (long long)link->shared_by);
        if ((host || peer) && !(link_burst_bytes(link) == 0))
            return refuse(why, nwhy, "platform.link.%s.burst: expected 0 for a link inside of a machine, got %g%s",
                          link->name, link_burst_bytes(link), uncalibrated(link->burst_bytes));
    }
    return E_OK;
}

static int check_positive(const char *link, const char *key, const char *sub, double value, char *why, size_t nwhy)
{
    if (value > 0 && isfinite(value))
        return E_OK;
    return refuse(why, nwhy, "platform.link.%s.%s%s: expected a positive number, got %g%s", link, key, sub, value,
                  uncalibrated(value));
}

static int check_not_negative(const char *link, const char *key, double value, char *why, size_t nwhy)
{
    if (value >= 0 && isfinite(value))
        return E_OK;
    return refuse(why, nwhy, "platform.link.%s.%s: expected 0 or more, got %g%s", link, key, value,
                  uncalibrated(value));
}

static int check_role(const struct link_role *u, char *why, size_t nwhy)
{
    const struct link_spec *link = u->link;
    double least = link->bandwidth_Bps * fmin(u->out_share, u->in_share);
    int rc = check_positive(link->name, "bandwidth", "", link->bandwidth_Bps, why, nwhy);

    rc = rc ? rc : check_positive(link->name, "efficiency.", u->out_key, u->out_share, why, nwhy);
    rc = rc ? rc : check_positive(link->name, "efficiency.", u->in_key, u->in_share, why, nwhy);
    if (!rc && !(least > 0 && isfinite(u->out_share + u->in_share)))
        rc = refuse(why, nwhy, "platform.link.%s.bandwidth: times its efficiency it is %g B/s", link->name, least);
    rc = rc ? rc : check_not_negative(link->name, "latency", link->latency_s, why, nwhy);
    rc = rc ? rc : check_not_negative(link->name, "burst", link->burst_bytes, why, nwhy);
    return rc ? rc : check_not_negative(link->name, "burst_time", link->burst_s, why, nwhy);
}

int layout_check_numbers(const struct layout *l, char *why, size_t nwhy)
{
    const struct platform *p = l->platform;
    const struct {
        struct figure figure;
        bool used;
    } rest[] = {
        { { "platform.cpu.dma_read", p->cpu.dma_read_Bps }, l->ngpu_path > 0 },
        { { "platform.cpu.dma_write", p->cpu.dma_write_Bps }, l->ngpu_path > 0 },
        { { "platform.network.unshaped", p->network.unshaped_Bps }, true },
        { { "platform.network.message_bytes", p->network.message_bytes }, true },
        { { "platform.network.message_latency", p->network.message_latency_s }, true },
        { { "platform.network.send_buffer", p->network.send_buffer_bytes }, true },
        { { "platform.network.send_buffer_time", p->network.send_buffer_s }, true },
        { { "platform.network.message_time", p->network.message_s }, true },
    };
    int rc = E_OK;

    for (size_t i = 0; !rc && i < l->nroles; i++)
        rc = check_role(&l->roles[i], why, nwhy);
    for (size_t i = 0; !rc && i < COUNT(rest); i++)
        if (rest[i].used)
            rc = figures_not_negative(&rest[i].figure, 1, why, nwhy);
    return rc;
}
