/* lab.c - a lab from its claim to its end. */
#include "harness/lab/lab.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "harness/lab/calibration/calibrate.h"
#include "harness/lab/clean.h"
#include "harness/lab/holder.h"
#include "harness/lab/space/make.h"
#include "harness/status.h"

struct lab {
    struct lab_state *state; /* shared with the holder, which is another process */
    char dir[4096];
    bool privileged;
    bool mine; /* it ends with this process */
};

static struct lab *new_lab(void)
{
    struct lab *lab = calloc(1, sizeof(*lab));
    void *state = mmap(NULL, sizeof(*lab->state), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    if (!lab || state == MAP_FAILED) {
        if (state != MAP_FAILED)
            munmap(state, sizeof(*lab->state));
        free(lab);
        return NULL;
    }
    lab->state = state;
    return lab;
}

static void free_lab(struct lab *lab)
{
    if (lab)
        munmap(lab->state, sizeof(*lab->state));
    free(lab);
}

const struct lab_state *lab_state(const struct lab *lab)
{
    return lab->state;
}

static int plan(const struct platform *p, const struct lab_options *o, struct lab_plan *out)
{
    char why[512];
    int rc = lab_plan_make(p, o->queue_bytes, out, why, sizeof(why));

    return rc ? status_error(rc, "narrows lab: %s\n", why) : NW_OK;
}

static bool same_rate(const struct lab_rate *a, const struct lab_rate *b)
{
    return a->Bps == b->Bps && a->burst_bytes == b->burst_bytes && a->queue_bytes == b->queue_bytes;
}

static bool same_links(const struct lab_link *a, const struct lab_link *b, int n)
{
    bool same = true;

    for (int i = 0; i < n; i++)
        same = same && same_rate(&a[i].up, &b[i].up) && same_rate(&a[i].down, &b[i].down) &&
               a[i].latency_s == b[i].latency_s;
    return same;
}

static bool same_plan(const struct lab_plan *a, const struct lab_plan *b)
{
    return a->machines == b->machines && a->per_switch == b->per_switch &&
           same_links(a->links, b->links, a->machines) &&
           (!a->per_switch || same_links(a->uplinks, b->uplinks, a->switches));
}

/* NW_OK: the name is free; 1: the lab that is asked for is there; NW_EINPUT: another one has the name. */
static int ask_name(const struct lab *lab)
{
    const struct lab_state *want = lab->state;
    struct lab_state *there = malloc(sizeof(*there));
    char path[4200];
    int rc = there ? NW_OK : NW_ENOMEM;

    snprintf(path, sizeof(path), "%s/%s.lab", lab->dir, want->name);
    if (rc || access(path, R_OK)) {
        free(there);
        return rc;
    }
    rc = lab_state_read(lab->dir, want->name, there);
    if (!rc && there->owner.pid)
        rc = status_error(NW_EINPUT, "narrows lab: '%s' is in use by process %d: choose another --name\n", want->name,
                          there->owner.pid);
    else if (!rc && !same_plan(&there->plan, &want->plan))
        rc =
            status_error(NW_EINPUT, "narrows lab: '%s' is up with other numbers, of platform %s: narrows lab down %s\n",
                         want->name, there->plan.platform, want->name);
    free(there);
    return rc ? rc : 1;
}

/* Take the name, after what is dead is gone. The same answers as ask_name(). */
static int claim(struct lab *lab, const char *name)
{
    struct lab_state *s = lab->state;
    int rc = holder_way(&lab->privileged), lock;

    if (!rc)
        rc = lab_dir(lab->privileged, lab->dir, sizeof(lab->dir));
    lock = rc ? rc : lab_lock(lab->dir);
    if (lock < 0)
        return lock;
    s->owner = process_of(getpid());
    if (name)
        snprintf(s->name, sizeof(s->name), "%s", name);
    else
        snprintf(s->name, sizeof(s->name), "of-%d", s->owner.pid);
    snprintf(s->mark, sizeof(s->mark), "%s:%d.%llu", s->name, s->owner.pid, s->owner.start);
    rc = lab_each(lab->dir, clean_dead, NULL);
    if (!rc)
        rc = ask_name(lab);
    if (!rc)
        rc = lab_state_write(lab->dir, s);
    close(lock);
    return rc;
}

static int build(struct lab_state *s, void *argument)
{
    const struct lab_options *o = argument;
    int rc = make_lab(s);

    if (!rc && o->stopped && o->stopped())
        rc = NW_EINTR;
    if (!rc && !o->uncalibrated)
        rc = calibrate_lab(s, o->stopped);
    return rc;
}

static int note_holder(struct lab_state *s, void *argument)
{
    const struct lab *lab = argument;

    return lab_state_write(lab->dir, s);
}

static int make(struct lab *lab, struct lab_options o)
{
    struct lab_state *s = lab->state;
    int rc = lab->privileged ? build(s, &o) : holder_start(s, lab->mine, o.stopped, build, &o, note_holder, lab);

    if (o.stopped && o.stopped()) /* what the signal made fail has been printed, or not */
        rc = NW_EINTR;
    if (!rc) {
        s->ready = true;
        if (!lab->mine)
            s->owner = (struct lab_process){ 0 };
        rc = lab_state_write(lab->dir, s);
    }
    if (rc)
        clean_lab(lab->dir, s);
    return rc;
}

static int start(const struct platform *p, const struct lab_options *o, const char *name, bool mine, struct lab **out)
{
    struct lab *lab = new_lab();
    int rc = lab ? plan(p, o, &lab->state->plan) : NW_ENOMEM;

    if (!rc && name && !lab_name_ok(name))
        rc = NW_EINPUT;
    if (!rc) {
        lab->mine = mine;
        rc = claim(lab, name);
    }
    if (!rc)
        rc = make(lab, *o);
    if (rc == 1 && mine)
        rc = status_error(NW_EINPUT, "narrows lab: '%s' is up already: choose another name\n", name);
    if (rc < 0) {
        free_lab(lab);
        return rc;
    }
    *out = lab;
    return rc;
}

int lab_up(const struct platform *p, const struct lab_options *o)
{
    struct lab *lab;
    int rc = start(p, o, o->name ? o->name : "lab", false, &lab);

    if (rc >= 0)
        free_lab(lab);
    return rc == 1 ? NW_OK : rc;
}

int lab_open(const struct platform *p, const struct lab_options *o, struct lab **out)
{
    return start(p, o, o->name, true, out);
}

int lab_join(const char *name, struct lab **out)
{
    struct lab *lab = new_lab();
    int rc = lab ? lab_find(name, false, lab->dir, sizeof(lab->dir)) : NW_ENOMEM;

    if (!rc)
        rc = lab_state_read(lab->dir, name, lab->state);
    if (!rc && !(lab->state->ready && lab_state_alive(lab->state)))
        rc = status_error(NW_EINPUT, "narrows lab: '%s' is not up: %s\n", name,
                          lab->state->ready ? "its owner is dead (narrows lab down)" : "it is being made");
    if (rc) {
        free_lab(lab);
        return rc;
    }
    *out = lab;
    return NW_OK;
}

static int reshape(struct lab_state *s, void *argument)
{
    const struct lab_options *o = argument;
    int rc = make_rates(s);

    s->calibrated = false;
    s->nmeasures = 0;
    return rc || o->uncalibrated ? rc : calibrate_lab(s, o->stopped);
}

int lab_reshape(struct lab *lab, const struct platform *p, const struct lab_options *o)
{
    struct lab_state *s = lab->state;
    struct lab_plan *next = malloc(sizeof(*next));
    struct lab_options copy = *o;
    int rc = next ? plan(p, o, next) : NW_ENOMEM;

    if (!rc && (next->machines != s->plan.machines || next->per_switch != s->plan.per_switch))
        rc = status_error(
            NW_EINPUT,
            "narrows lab: expected the lab's %d machines, %d at a switch, got %d, %d at a switch: make a lab "
            "of its own\n",
            s->plan.machines, s->plan.per_switch, next->machines, next->per_switch);
    if (!rc && (lab_plan_latency(next) > 0) != (lab_plan_latency(&s->plan) > 0))
        rc =
            status_error(NW_EINPUT, "narrows lab: expected links that add a latency, or none, as before: make a lab of "
                                    "its own\n");
    if (!rc && !(same_plan(next, &s->plan) && (s->calibrated || o->uncalibrated))) {
        s->plan = *next;
        rc = holder_inside(s, reshape, &copy);
        int written = lab_state_write(lab->dir, s);
        rc = rc ? rc : written;
    }
    free(next);
    return rc;
}

void lab_close(struct lab *lab)
{
    if (lab && lab->mine)
        clean_lab(lab->dir, lab->state);
    free_lab(lab);
}
