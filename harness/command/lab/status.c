/* status.c - labs as text: their links as they were set, what the calibration measured, who owns them. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "harness/command/lab/lab.h"
#include "harness/lab/lab.h"
#include "harness/scenario/schema/units.h"
#include "harness/status.h"

static const char *owner_of(const struct lab_state *s, char *text, size_t size)
{
    const char *alive = lab_state_alive(s) ? "alive" : "dead";

    if (s->owner.pid)
        snprintf(text, size, "process %d, %s", s->owner.pid, alive);
    else if (s->holder.pid)
        snprintf(text, size, "none, held by process %d, %s", s->holder.pid, alive);
    else
        snprintf(text, size, "none, it stays until 'narrows lab down %s'", s->name);
    return text;
}

static void print_rate(const char *direction, const struct lab_rate *r)
{
    char burst[32], queue[32];

    quantity_print((double)r->burst_bytes, DIM_BYTES, burst, sizeof(burst));
    quantity_print((double)r->queue_bytes, DIM_BYTES, queue, sizeof(queue));
    printf(" %s %.6g Mbit/s, burst %s, queue %s", direction, r->Bps * 8e-6, burst, queue);
}

static bool same_link(const struct lab_link *a, const struct lab_link *b)
{
    return a->up.Bps == b->up.Bps && a->up.queue_bytes == b->up.queue_bytes && a->down.Bps == b->down.Bps &&
           a->down.queue_bytes == b->down.queue_bytes;
}

/* Those that are alike, in one line. */
static void print_links(const char *what, const struct lab_link *links, int n)
{
    for (int i = 0, last; i < n; i = last + 1) {
        for (last = i; last + 1 < n && same_link(&links[i], &links[last + 1]); last++)
            ;
        printf("  %-12s", what);
        if (last > i)
            printf(" %d to %d:", i, last);
        else
            printf(" %d:", i);
        print_rate("up", &links[i].up);
        printf(";");
        print_rate("down", &links[i].down);
        if (links[i].latency_s > 0)
            printf("; latency %g us added", links[i].latency_s * 1e6);
        printf("\n");
    }
}

static void print_calibration(const struct lab_state *s)
{
    if (!s->calibrated)
        puts("  calibration  none: it was skipped, or is under way");
    for (int i = 0; i < s->nmeasures; i++) {
        const struct lab_measure *m = &s->measures[i];
        printf("  %-12s %s: %.6g Mbit/s of payload, expected %.6g (%+.2f %%), measured %d time%s\n",
               i ? "" : "calibration", m->what, m->measured_Bps * 8e-6, m->expected_Bps * 8e-6,
               (m->measured_Bps / m->expected_Bps - 1) * 100, m->tries, m->tries > 1 ? "s" : "");
    }
}

static int print_lab(const char *dir, const struct lab_state *s, void *name)
{
    const struct lab_plan *p = &s->plan;
    char owner[128];

    (void)dir;
    if (name && strcmp(name, s->name) != 0)
        return NW_OK;
    printf("%s\n  platform     %s: %d machines, ", s->name, p->platform, p->machines);
    if (p->per_switch)
        printf("%d switches of %d under a core\n", p->switches, p->per_switch);
    else
        printf("one switch\n");
    printf("  owner        %s\n", owner_of(s, owner, sizeof(owner)));
    printf("  addresses    10.77.0.1 to 10.77.0.%d in nwlab-%s-0 to -%d, host names %s-0 to -%d\n", p->machines,
           s->name, p->machines - 1, s->name, p->machines - 1);
    print_links("links", p->links, p->machines);
    if (p->per_switch)
        print_links("uplinks", p->uplinks, p->switches);
    printf("  congestion   %s\n", *s->congestion ? s->congestion : "unknown");
    print_calibration(s);
    return NW_OK;
}

int lab_print(const char *name)
{
    char dir[4096];
    int rc = NW_OK;

    if (name) {
        rc = lab_find(name, false, dir, sizeof(dir));
        return rc ? rc : lab_each(dir, print_lab, (void *)(size_t)name);
    }
    for (int privileged = geteuid() == 0; privileged >= 0 && !rc; privileged--)
        if (lab_dir_there(privileged, dir, sizeof(dir)))
            rc = lab_each(dir, print_lab, NULL);
    return rc;
}
