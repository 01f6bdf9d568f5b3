#include "sim/network/layout.h"

#include <stdbool.h>
#include <string.h>

#include "model/refuse.h"
#include "model/status.h"
#include "sim/cost.h"

/* More instances than this are a slip of the pen, and their channels could not be numbered by an int. */
static const int64_t most_instances = 1 << 24;

static int add(struct layout *l, const struct link_spec *link, int64_t per_machine, int64_t instances)
{
    l->roles[l->nroles] = (struct link_role){ .link = link,
                                              .out_key = "to_host",
                                              .in_key = "to_device",
                                              .out_share = link->efficiency_to_host,
                                              .in_share = link->efficiency_to_device,
                                              .instances = instances,
                                              .per_machine = per_machine,
                                              .gpus = 1,
                                              .latency_ps = seconds_to_ps(link->latency_s) };
    return (int)l->nroles++;
}

static int add_of_network(struct layout *l, const struct link_spec *link, int64_t instances)
{
    int use = add(l, link, 0, instances);

    l->roles[use].out_key = l->roles[use].in_key = "wire";
    l->roles[use].out_share = l->roles[use].in_share = link->efficiency_wire;
    return use;
}

/* The host's use of a link, or LAYOUT_NONE; only links of the host are there so far. */
static int host_use(const struct layout *l, const struct link_spec *link)
{
    for (size_t i = 0; i < l->nroles; i++)
        if (l->roles[i].link == link)
            return (int)i;
    return LAYOUT_NONE;
}

/* From the link of that name up to the host's memory. Of a GPU's links the instances follow from how many share each;
 * one is enough of those above the NIC alone. */
static int add_path(struct layout *l, const char *name, bool of_gpus, int path[], size_t *n, char *why, size_t nwhy)
{
    const struct platform *p = l->platform;
    int64_t gpus = 1;

    for (*n = 0; layout_named(name); (*n)++) {
        const struct link_spec *link = platform_link(p, name);
        int use = host_use(l, link);
        for (size_t i = 0; i < *n; i++)
            if (path[i] == use)
                return refuse(why, nwhy, "platform.link.%s.above: expected a root in the end, came back to '%s'",
                              l->roles[path[*n - 1]].link->name, name);
        if (of_gpus && link->shared_by < 1)
            return refuse(why, nwhy, "platform.link.%s.shared_by: expected 1 or more, got %lld", name,
                          (long long)link->shared_by);
        gpus = !of_gpus || link->shared_by > p->gpu.count / gpus ? p->gpu.count : gpus * link->shared_by;
        if (use == LAYOUT_NONE) {
            int64_t per_machine = of_gpus ? (p->gpu.count + gpus - 1) / gpus : 1;
            use = add(l, link, per_machine, per_machine * p->machines);
            l->roles[use].gpus = gpus;
        }
        path[*n] = use;
        name = link->above;
    }
    return E_OK;
}

int64_t layout_row_links(const struct platform *p)
{
    int64_t width = p->network.width, rows = p->machines / width;

    if (p->network.topology == TOPOLOGY_TORUS)
        return width > 1 ? width * rows : 0;
    return (width - 1) * rows;
}

static int64_t column_links(const struct platform *p)
{
    int64_t width = p->network.width, rows = p->machines / width;

    if (p->network.topology == TOPOLOGY_TORUS)
        return rows > 1 ? width * rows : 0;
    return width * (rows - 1);
}

/* Without a link of its own it has what the NICs' links below it have together, but no latency. */
static const struct link_spec *leaf_uplink(struct layout *l)
{
    const struct platform *p = l->platform;
    const struct network_spec *n = &p->network;
    const struct link_spec *nic = platform_link(p, n->link);
    double over = n->oversubscription > 0 ? n->oversubscription : 1;

    if (layout_named(n->uplink))
        return platform_link(p, n->uplink);
    l->leaf = (struct link_spec){ .name = nic->name,
                                  .bandwidth_Bps = (double)layout_per_switch(p) * nic->bandwidth_Bps / over,
                                  .shared_by = 1,
                                  .efficiency_wire = nic->efficiency_wire };
    return &l->leaf;
}

static void add_network(struct layout *l)
{
    const struct platform *p = l->platform;
    const struct network_spec *n = &p->network;

    if (n->topology == TOPOLOGY_SINGLE)
        return;
    l->nic = add_of_network(l, platform_link(p, n->link),
                            layout_grid(p) ? layout_row_links(p) + column_links(p) : p->machines * layout_nics(p));
    int64_t pods = (p->machines + layout_per_switch(p) - 1) / layout_per_switch(p);
    if (n->topology == TOPOLOGY_TREE)
        l->uplink = add_of_network(l, platform_link(p, n->uplink), pods);
    if (n->topology == TOPOLOGY_RAILS)
        l->uplink = add_of_network(l, leaf_uplink(l), pods * layout_nics(p));
}

/* Two uses of one link are one kind of channel: the second goes on counting where the first ended. */
static int number_instances(struct layout *l, char *why, size_t nwhy)
{
    int64_t all = 0;

    for (size_t i = 0; i < l->nroles; i++) {
        int64_t before = 0;
        for (size_t k = 0; k < i; k++)
            if (l->roles[k].link == l->roles[i].link)
                before += l->roles[k].instances;
        all += l->roles[i].instances;
        if (all > most_instances)
            return refuse(why, nwhy, "platform.machines: expected at most %lld links in all, got more",
                          (long long)most_instances);
        l->roles[i].number = (int)before;
    }
    return E_OK;
}

static int make_host(struct layout *l, char *why, size_t nwhy)
{
    const struct platform *p = l->platform;
    int rc = E_OK;

    if (layout_gpus(p))
        rc = add_path(l, p->gpu.link, 1, l->gpu_path, &l->ngpu_path, why, nwhy);
    if (!rc && p->network.topology != TOPOLOGY_SINGLE)
        rc = add_path(l, p->network.via, 0, l->nic_path, &l->nnic_path, why, nwhy);
    if (!rc && layout_gpus(p) && layout_named(p->gpu.peer_link))
        l->peer = add(l, platform_link(p, p->gpu.peer_link), layout_peers(p), layout_peers(p) * p->machines);
    return rc;
}

int layout_make(const struct platform *p, struct layout *l, char *why, size_t nwhy)
{
    int rc;

    memset(l, 0, sizeof(*l));
    l->platform = p;
    l->peer = l->nic = l->uplink = LAYOUT_NONE;
    rc = layout_check_names(p, why, nwhy);
    rc = rc ? rc : layout_check_shape(p, why, nwhy);
    rc = rc ? rc : layout_check_rails(p, why, nwhy);
    rc = rc ? rc : layout_check_peers(p, why, nwhy);
    rc = rc ? rc : make_host(l, why, nwhy);
    if (!rc)
        add_network(l);
    rc = rc ? rc : layout_check_use(l, why, nwhy);
    rc = rc ? rc : layout_check_numbers(l, why, nwhy);
    return rc ? rc : number_instances(l, why, nwhy);
}
