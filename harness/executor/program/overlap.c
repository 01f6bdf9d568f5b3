#include "harness/executor/program/overlap.h"

#include <stdio.h>

#include "harness/status.h"

enum { NAME = 128 };

/* A range of the pool, and what is there. */
struct area {
    int64_t at, bytes;
    char name[NAME];
};

struct looking {
    const struct program *p;
    size_t operation;
    char *why;
    size_t nwhy;
};

static struct area area_of(const struct looking *l, const struct place *at)
{
    struct area a = { .at = at->at, .bytes = at->bytes };

    program_tensor_name(l->p->plan, at->tensor, a.name, sizeof(a.name));
    return a;
}

static struct area workspace_of(const struct looking *l)
{
    const struct program_operation *o = &l->p->operations[l->operation];

    return (struct area){ o->workspace_at, o->workspace_bytes, "its workspace" };
}

static int refuse_overlap(const struct looking *l, const struct area *a, const char *which, const struct area *b)
{
    char name[96];

    if (a->at >= b->at + b->bytes || b->at >= a->at + a->bytes || !a->bytes || !b->bytes)
        return NW_OK;
    graph_operation_name(&l->p->plan->graph, &l->p->plan->split, (int32_t)l->operation, name, sizeof(name));
    snprintf(l->why, l->nwhy, "%s cannot be computed: %s lies over %s %s", name, a->name, b->name, which);
    return NW_EINPUT;
}

static int check_within(const struct looking *l)
{
    const struct program_operation *o = &l->p->operations[l->operation];
    struct area workspace = workspace_of(l);
    int rc = NW_OK;

    for (int i = 0; i < o->nwrites && !rc; i++) {
        struct area a = area_of(l, &o->writes[i]);

        rc = refuse_overlap(l, &workspace, "that it writes", &a);
        for (int j = 0; j < i && !rc; j++) {
            struct area b = area_of(l, &o->writes[j]);

            if (o->writes[i].storage != o->writes[j].storage)
                rc = refuse_overlap(l, &a, "that it writes", &b);
        }
    }
    for (int i = 0; i < o->nreads && !rc; i++) {
        struct area a = area_of(l, &o->reads[i]);

        rc = refuse_overlap(l, &workspace, "that it reads", &a);
    }
    return rc;
}

static int check_during(const struct looking *l, const struct area *copied, const char *which)
{
    const struct program_operation *o = &l->p->operations[l->operation];
    struct area workspace = workspace_of(l);
    int rc = refuse_overlap(l, &workspace, which, copied);

    for (int i = 0; i < o->nwrites && !rc; i++) {
        struct area a = area_of(l, &o->writes[i]);

        rc = refuse_overlap(l, &a, which, copied);
    }
    return rc;
}

/* The last operation during which a copy is under way that began with operation 'begin'. The plan waits for it after
 * operation 'free_after' and before operation 'need'; a wait before 'begin' was not for this copy. */
static int64_t last_during(const struct program *p, const struct transfer *t, int64_t begin, bool to_device)
{
    int64_t last = (int64_t)p->noperations - 1;

    if (t->free_after >= begin && t->free_after < last)
        last = t->free_after;
    if (t->need >= begin + !to_device && t->need - 1 < last)
        last = t->need - 1; /* a copy back begins before its operation's wait, a copy to the host after it */
    return last;
}

static int check_copy(struct looking *l, size_t copy, bool to_device)
{
    const struct transfer *t = &l->p->plan->transfers.items[copy];
    const struct program_copy *c = &l->p->copies[copy];
    struct area area = { .at = to_device ? c->after : c->before, .bytes = c->bytes };
    int64_t begin = to_device ? t->back : t->start;
    int64_t last = last_during(l->p, t, begin, to_device);
    int rc = NW_OK;

    program_tensor_name(l->p->plan, l->p->plan->storages.items[c->storage].tensor, area.name, sizeof(area.name));
    for (int64_t i = begin; begin >= 0 && i <= last && !rc; i++) {
        l->operation = (size_t)i;
        rc = check_during(l, &area, to_device ? "on the way to the device" : "on the way to the host");
    }
    return rc;
}

int overlap_check(const struct program *p, char *why, size_t nwhy)
{
    struct looking l = { p, 0, why, nwhy };
    int rc = NW_OK;

    for (; l.operation < p->noperations && !rc; l.operation++)
        rc = check_within(&l);
    for (size_t i = 0; i < p->ncopies && !rc; i++) {
        rc = check_copy(&l, i, 0);
        rc = rc ? rc : check_copy(&l, i, 1);
    }
    return rc;
}
