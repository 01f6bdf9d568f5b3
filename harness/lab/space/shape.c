#include "harness/lab/space/shape.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "harness/lab/plan.h"
#include "harness/lab/space/space.h"
#include "harness/lab/space/tool.h"
#include "harness/status.h"

enum { SMALLEST_PIECE = 2048, LARGEST_PIECE = 65536 };

struct shaping {
    const struct lab_plan *plan;
    int machine;
    bool again;
};

/* netem counts packets: as many as the queue and what is on its way can be. */
static void print_netem(FILE *out, const char *device, const struct lab_rate *r, double latency_s)
{
    double packets = ((double)r->queue_bytes + r->Bps * latency_s) / 1514;

    fprintf(out, "qdisc add dev %s parent 1:1 handle 10: netem delay %.0fus limit %.0f\n", device, latency_s * 1e6,
            packets + 100);
}

static void print_bucket(FILE *out, const char *device, const struct lab_rate *r, double latency_s, bool again)
{
    if (again && latency_s > 0) /* what is below a bucket stays when it changes */
        fprintf(out, "qdisc del dev %s root\n", device);
    fprintf(out, "qdisc replace dev %s root handle 1: tbf rate %.0fbit burst %lld limit %lld\n", device, r->Bps * 8,
            (long long)r->burst_bytes, (long long)r->queue_bytes);
    if (latency_s > 0)
        print_netem(out, device, r, latency_s);
}

/* What a sender hands to its link in one piece: half of the smallest burst on any way. A larger piece would be cut into
 * packets by the first bucket, and the work for each of those is what a processor that serves many links lacks. */
static int64_t piece_bytes(const struct lab_plan *p)
{
    int64_t least = 2 * LARGEST_PIECE;

    for (int i = 0; i < p->machines; i++) {
        least = p->links[i].up.burst_bytes < least ? p->links[i].up.burst_bytes : least;
        least = p->links[i].down.burst_bytes < least ? p->links[i].down.burst_bytes : least;
    }
    for (int i = 0; p->per_switch && i < p->switches; i++) {
        least = p->uplinks[i].up.burst_bytes < least ? p->uplinks[i].up.burst_bytes : least;
        least = p->uplinks[i].down.burst_bytes < least ? p->uplinks[i].down.burst_bytes : least;
    }
    return least / 2 > SMALLEST_PIECE ? least / 2 : SMALLEST_PIECE;
}

static int set_piece(const struct lab_plan *p)
{
    struct tool_batch b;
    int rc = tool_begin(&b, "ip");

    if (rc)
        return rc;
    fprintf(b.out, "link set dev eth0 gso_max_size %lld\n", (long long)piece_bytes(p));
    return tool_end(&b, 0);
}

static int shape_machine(void *argument)
{
    const struct shaping *x = argument;
    const struct lab_link *l = &x->plan->links[x->machine];
    struct tool_batch b;
    int rc = set_piece(x->plan);

    rc = rc ? rc : tool_begin(&b, "tc");
    if (rc)
        return rc;
    print_bucket(b.out, "eth0", &l->up, l->latency_s, x->again);
    return tool_end(&b, 0);
}

static int shape_switch(void *argument)
{
    const struct shaping *x = argument;
    const struct lab_plan *p = x->plan;
    struct tool_batch b;
    char device[16];
    int rc = tool_begin(&b, "tc");

    if (rc)
        return rc;
    for (int i = 0; i < p->machines; i++) {
        snprintf(device, sizeof(device), "p%d", i);
        print_bucket(b.out, device, &p->links[i].down, p->links[i].latency_s, x->again);
    }
    for (int i = 0; p->per_switch && i < p->switches; i++) {
        snprintf(device, sizeof(device), "u%d", i);
        print_bucket(b.out, device, &p->uplinks[i].up, p->uplinks[i].latency_s, x->again);
        *device = 'c';
        print_bucket(b.out, device, &p->uplinks[i].down, p->uplinks[i].latency_s, x->again);
    }
    return tool_end(&b, 0);
}

int shape_links(const char *lab, const struct lab_plan *plan, bool again)
{
    struct shaping x = { .plan = plan, .again = again };
    int rc = space_inside(lab, SPACE_SWITCH, shape_switch, &x);

    for (x.machine = 0; x.machine < plan->machines && !rc; x.machine++)
        rc = space_inside(lab, x.machine, shape_machine, &x);
    return rc;
}

/* In a namespace that nobody else sees. */
int shape_ask_netem(void)
{
    struct tool_batch b;
    int own = space_own(), rc = own < 0 ? own : NW_OK;

    if (!rc && unshare(CLONE_NEWNET))
        rc = status_error(NW_EIO, "narrows lab: unshare: %s\n", strerror(errno));
    if (!rc) {
        rc = tool_begin(&b, "tc");
        if (!rc) {
            fprintf(b.out, "qdisc add dev lo root netem delay 1ms\n");
            rc = tool_end(&b, 1);
        }
        if (rc == NW_EIO)
            rc = status_error(NW_EENV,
                              "narrows lab: a link's latency above 100 us needs the kernel's netem, which is not "
                              "here (modprobe sch_netem); or set link.NAME.latency to 100 us or less\n");
        int back = space_set(own);
        rc = rc ? rc : back;
    }
    if (own >= 0)
        close(own);
    return rc;
}
