#include "harness/lab/space/make.h"

#include <stdio.h>

#include "harness/lab/space/congestion.h"
#include "harness/lab/space/shape.h"
#include "harness/lab/space/space.h"
#include "harness/lab/space/tool.h"
#include "harness/lab/state.h"
#include "harness/status.h"

static int switch_of(const struct lab_plan *p, int machine)
{
    return p->per_switch ? machine / p->per_switch : 0;
}

/* Named namespaces, and the links between them; each end has its name in its own. */
static int add_spaces(const struct lab_state *s)
{
    char hub[SPACE_NAME_MAX], name[SPACE_NAME_MAX];
    struct tool_batch b;
    int rc = tool_begin(&b, "ip");

    if (rc)
        return rc;
    space_name(s->name, SPACE_SWITCH, hub, sizeof(hub));
    fprintf(b.out, "netns add %s\n", hub);
    for (int i = 0; i < s->plan.machines; i++) {
        space_name(s->name, i, name, sizeof(name));
        fprintf(b.out, "netns add %s\nlink add eth0 netns %s type veth peer name p%d netns %s\n", name, name, i, hub);
    }
    return tool_end(&b, 0);
}

static int join_ports(void *argument)
{
    const struct lab_state *s = argument;
    const struct lab_plan *p = &s->plan;
    struct tool_batch b;
    int rc = tool_begin(&b, "ip");

    if (rc)
        return rc;
    space_sysctl("/proc/sys/net/ipv6/conf/default/disable_ipv6", "1"); /* nothing but what runs inside is to send */
    fprintf(b.out, "link add core type bridge\nlink set core up\n");
    for (int i = 0; p->per_switch && i < p->switches; i++)
        fprintf(b.out,
                "link add sw%d type bridge\nlink set sw%d up\nlink add u%d type veth peer name c%d\n"
                "link set u%d master sw%d up\nlink set c%d master core up\n",
                i, i, i, i, i, i, i);
    for (int i = 0; i < p->machines; i++) {
        if (p->per_switch)
            fprintf(b.out, "link set p%d master sw%d up\n", i, switch_of(p, i));
        else
            fprintf(b.out, "link set p%d master core up\n", i);
    }
    return tool_end(&b, 0);
}

static int set_address(void *argument)
{
    const int *machine = argument;
    struct tool_batch b;
    int rc = tool_begin(&b, "ip");

    if (rc)
        return rc;
    space_sysctl("/proc/sys/net/ipv6/conf/all/disable_ipv6", "1");
    space_sysctl("/proc/sys/net/ipv4/tcp_no_metrics_save", "1"); /* a connection begins as if it were the first */
    fprintf(b.out, "link set lo up\naddr add 10.77.0.%d/24 dev eth0\nlink set eth0 up\n", *machine + 1);
    return tool_end(&b, 0);
}

int make_lab(struct lab_state *s)
{
    int rc = lab_plan_latency(&s->plan) > 0 ? shape_ask_netem() : NW_OK;

    if (!rc)
        rc = add_spaces(s);
    if (!rc)
        rc = space_inside(s->name, SPACE_SWITCH, join_ports, s);
    for (int i = 0; i < s->plan.machines && !rc; i++)
        rc = space_inside(s->name, i, set_address, &i);
    if (!rc)
        rc = shape_links(s->name, &s->plan, false);
    return rc ? rc : congestion_choose(s);
}

int make_rates(const struct lab_state *s)
{
    return shape_links(s->name, &s->plan, true);
}
