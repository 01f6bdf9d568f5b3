/* events.c - a plan's transfers as copies, and as starts and waits at operations. */
#include <stdlib.h>

#include "harness/executor/program/private.h"
#include "harness/status.h"

static void put_event(struct program *p, int32_t operation, enum moment moment, int32_t key, size_t copy)
{
    p->events[p->nevents++] = (struct program_event){ operation, moment, key, (int32_t)copy };
}

static int fill(struct program *p, const struct spot *spots)
{
    for (size_t i = 0; i < p->ncopies; i++) {
        const struct transfer *t = &p->plan->transfers.items[i];
        const struct spot *s = &spots[t->storage];
        int64_t bytes = p->plan->storages.items[t->storage].bytes;

        if (s->at[0] == NOWHERE || s->at[1] == NOWHERE || s->home == NOWHERE)
            return program_refuse("a transfer lacks one of its three places: transfer, storage", (long long)i,
                                  t->storage);
        if (s->at[0] > p->height - bytes || s->at[1] > p->height - bytes || s->home > p->homes - bytes)
            return program_refuse("a transfer reaches past a pool: transfer, storage", (long long)i, t->storage);
        p->copies[i] = (struct program_copy){ t->storage, bytes, s->at[0], s->at[1], s->home };
        put_event(p, t->start, MOMENT_START, (int32_t)i, i);
        put_event(p, t->free_after, MOMENT_FREE, (int32_t)i, i);
        put_event(p, t->back, MOMENT_BACK, t->need, i);
        put_event(p, t->need, MOMENT_NEED, (int32_t)i, i);
    }
    return NW_OK;
}

static int by_order(const void *a, const void *b)
{
    const struct program_event *x = a, *y = b;

    if (x->operation != y->operation)
        return x->operation < y->operation ? -1 : 1;
    if (x->moment != y->moment)
        return x->moment < y->moment ? -1 : 1;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return (x->copy > y->copy) - (x->copy < y->copy);
}

static void note_waits(struct program *p)
{
    for (size_t i = 0; i < p->nevents; i++) {
        int64_t o = p->events[i].operation;
        bool need = p->events[i].moment == MOMENT_NEED, freed = p->events[i].moment == MOMENT_FREE;

        if (o < 0 || o >= (int64_t)p->noperations)
            continue;
        if (need) {
            p->operations[o].after_wait = 1;
            if (o)
                p->operations[o - 1].waits = 1;
        } else if (freed && o + 1 < (int64_t)p->noperations) {
            p->operations[o].waits = 1;
            p->operations[o + 1].after_wait = 1;
        }
    }
}

int program_add_copies(struct program *p, const struct spot *spots)
{
    int rc = fill(p, spots);

    if (rc)
        return rc;
    qsort(p->events, p->nevents, sizeof(*p->events), by_order);
    note_waits(p);
    return NW_OK;
}
