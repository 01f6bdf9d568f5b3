#include "harness/lab/plan.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "harness/status.h"
#include "sim/platform.h"

static const double LEAST_Bps = 8e3, MOST_Bps = 12.5e9; /* 64 kbit/s to 100 Gbit/s */
static const double BURST_s = 2.048e-3, QUEUE_s = 80e-3;
static const int64_t LEAST_BURST = 4096, LEAST_QUEUE = 1000000, FRAME_bytes = 1514;

static __attribute__((format(printf, 3, 4))) int refuse(char *why, size_t nwhy, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(why, nwhy, format, arguments);
    va_end(arguments);
    return NW_EINPUT;
}

struct lab_rate lab_rate_of(double Bps, int64_t burst_bytes, int64_t queue_bytes)
{
    int64_t burst = ((int64_t)(Bps * BURST_s) + 1023) / 1024 * 1024, queue = llround(Bps * QUEUE_s);

    if (!burst_bytes)
        burst_bytes = burst > LEAST_BURST ? burst : LEAST_BURST;
    if (!queue_bytes)
        queue_bytes = queue > LEAST_QUEUE ? queue : LEAST_QUEUE;
    return (struct lab_rate){ Bps, burst_bytes, queue_bytes };
}

static int check_rate(const char *key, const char *name, double Bps, char *why, size_t nwhy)
{
    if (!(Bps >= LEAST_Bps && Bps <= MOST_Bps))
        return refuse(why, nwhy, "%s%s: expected 64 kbit/s to 100 Gbit/s, which tbf can shape, got %.6g Mbit/s", key,
                      name, Bps * 8e-6);
    return NW_OK;
}

/* The link of that name, if a token bucket can be one. */
static int find_link(const struct platform *p, const char *key, const char *name, const struct link_spec **out,
                     char *why, size_t nwhy)
{
    const struct link_spec *link = name && *name ? platform_link(p, name) : NULL;

    if (!link)
        return refuse(why, nwhy, "network.%s: expected a link of the platform, got '%s'", key, name ? name : "");
    if (link->duplex == DUPLEX_HALF)
        return refuse(why, nwhy, "link.%s.duplex: a lab shapes each direction by itself, got 'half': set it to full",
                      link->name);
    if (!(link->latency_s >= 0 && link->latency_s < 10))
        return refuse(why, nwhy, "link.%s.latency: expected 0 to 10 s, got %g s", link->name, link->latency_s);
    if (link_burst_bytes(link) > 0 && link_burst_bytes(link) < (double)FRAME_bytes)
        return refuse(why, nwhy, "link.%s.burst: expected at least a frame, %lld B, got %g B", link->name,
                      (long long)FRAME_bytes, link_burst_bytes(link));
    *out = link;
    return check_rate("link.", link->name, link->bandwidth_Bps, why, nwhy);
}

/* Traffic of the network that also crosses a link inside the machine, which namespaces do not have. */
static int check_via(const struct platform *p, double Bps, char *why, size_t nwhy)
{
    const struct network_spec *n = &p->network;
    const struct link_spec *via = n->via && *n->via ? platform_link(p, n->via) : NULL;

    if (!via || via->bandwidth_Bps >= Bps)
        return NW_OK;
    return refuse(why, nwhy,
                  "network.via: '%s' is slower than the network, and namespaces have no such link: set it to \"\"",
                  n->via);
}

static int check_shape(const struct platform *p, char *why, size_t nwhy)
{
    static const char *const names[] = {
        [TOPOLOGY_SINGLE] = "single", [TOPOLOGY_STAR] = "star",   [TOPOLOGY_TREE] = "tree",
        [TOPOLOGY_MESH] = "mesh",     [TOPOLOGY_TORUS] = "torus", [TOPOLOGY_RAILS] = "rails",
    };
    enum topology_kind kind = p->network.topology;

    if (kind != TOPOLOGY_STAR && kind != TOPOLOGY_TREE)
        return refuse(why, nwhy,
                      "network.topology: expected star or tree, which bridges can be, got %s: set it to star",
                      names[kind]);
    if (p->machines < 2 || p->machines > LAB_MACHINES)
        return refuse(why, nwhy, "machines: expected 2 to %d, got %lld: set it to fewer", LAB_MACHINES,
                      (long long)p->machines);
    if (p->network.nics > 1)
        return refuse(why, nwhy, "network.nics: expected 1, as a machine has one link here, got %lld",
                      (long long)p->network.nics);
    if (kind == TOPOLOGY_TREE && p->network.per_switch < 1)
        return refuse(why, nwhy, "network.per_switch: expected 1 or more, got %lld", (long long)p->network.per_switch);
    return NW_OK;
}

static struct lab_link link_of(const struct link_spec *link, double up_Bps, double down_Bps, int64_t queue_bytes)
{
    int64_t burst_bytes = llround(link_burst_bytes(link));

    return (struct lab_link){ lab_rate_of(up_Bps, burst_bytes, queue_bytes),
                              lab_rate_of(down_Bps, burst_bytes, queue_bytes),
                              link->latency_s > LAB_OWN_LATENCY_s ? link->latency_s : 0 };
}

static void place_links(const struct platform *p, const struct link_spec *link, const struct link_spec *uplink,
                        int64_t queue_bytes, struct lab_plan *out)
{
    const struct network_spec *n = &p->network;

    for (int i = 0; i < out->machines; i++) {
        double shaped = link->bandwidth_Bps, wide = n->unshaped_Bps > 0 ? n->unshaped_Bps : shaped;
        out->links[i] = link_of(link, i < n->unshaped_machines ? wide : shaped, wide, queue_bytes);
    }
    for (int i = 0; uplink && i < out->switches; i++)
        out->uplinks[i] = link_of(uplink, uplink->bandwidth_Bps, uplink->bandwidth_Bps, queue_bytes);
}

int lab_plan_make(const struct platform *p, int64_t queue_bytes, struct lab_plan *out, char *why, size_t nwhy)
{
    const struct network_spec *n = &p->network;
    const struct link_spec *link = NULL, *uplink = NULL;
    int rc = check_shape(p, why, nwhy);

    if (!rc)
        rc = find_link(p, "link", n->link, &link, why, nwhy);
    if (!rc && n->topology == TOPOLOGY_TREE)
        rc = find_link(p, "uplink", n->uplink, &uplink, why, nwhy);
    if (!rc && n->unshaped_Bps > 0)
        rc = check_rate("network.unshaped", "", n->unshaped_Bps, why, nwhy);
    if (!rc)
        rc = check_via(p, link->bandwidth_Bps, why, nwhy);
    if (rc)
        return rc;
    *out = (struct lab_plan){ .machines = (int)p->machines, .switches = 1 };
    snprintf(out->platform, sizeof(out->platform), "%s", p->name && *p->name ? p->name : "unnamed");
    if (uplink) {
        out->per_switch = n->per_switch < p->machines ? (int)n->per_switch : (int)p->machines;
        out->switches = (out->machines + out->per_switch - 1) / out->per_switch;
    }
    place_links(p, link, uplink, queue_bytes, out);
    return NW_OK;
}

double lab_plan_latency(const struct lab_plan *plan)
{
    double most = 0;

    for (int i = 0; i < plan->machines; i++)
        most = fmax(most, plan->links[i].latency_s);
    for (int i = 0; plan->per_switch && i < plan->switches; i++)
        most = fmax(most, plan->uplinks[i].latency_s);
    return most;
}

double lab_plan_payload_Bps(const struct lab_plan *plan, int from, int to)
{
    double Bps = fmin(plan->links[from].up.Bps, plan->links[to].down.Bps);
    int out = plan->per_switch ? from / plan->per_switch : 0, in = plan->per_switch ? to / plan->per_switch : 0;

    if (out != in)
        Bps = fmin(Bps, fmin(plan->uplinks[out].up.Bps, plan->uplinks[in].down.Bps));
    return Bps * LAB_PAYLOAD_SHARE;
}
