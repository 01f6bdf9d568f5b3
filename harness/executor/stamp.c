/* stamp.c - STAMP: operations stamp what they write, and check the stamps of what they read before and after. */
#include <stdio.h>
#include <time.h>

#include "harness/executor/internal.h"
#include "harness/executor/stamp_lane.h"
#include "harness/host/clock.h"
#include "harness/status.h"

/* The words of a tensor that an operation uses. */
struct span {
    uint64_t *words;
    size_t n;
    uint64_t first; /* stamp */
};

static struct span span_of(const struct executor *e, char *base, const struct place *p)
{
    const struct value *v = &e->program.values[p->value];
    int64_t granules = (p->bytes + GRANULE - 1) / GRANULE;
    int64_t from = granules * p->share / p->shares, to = granules * (p->share + 1) / p->shares;

    return (struct span){ (uint64_t *)(void *)base + from, (size_t)(to - from),
                          stamp_first(e->step, v->version, v->storage) + (uint64_t)from };
}

static struct span at(const struct executor *e, const struct place *p)
{
    return span_of(e, e->pool + executor_scale(e, p->at), p);
}

/* Sleep until the operation has lasted as long as planned. */
static void pass_time(const struct executor *e, size_t operation, int64_t since_ns)
{
    int64_t until_ns = since_ns + (int64_t)(e->options.pace * (double)e->plan->operation_ps[operation] / 1e3);
    struct timespec t = { .tv_sec = until_ns / 1000000000, .tv_nsec = until_ns % 1000000000 };

    while (clock_ns() < until_ns)
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
}

static void check(struct executor *e, const struct place *p, size_t report, void *stream)
{
    struct span s = at(e, p);

    e->content->check(s.words, s.n, s.first, &e->reports[report], stream);
}

/* Stamp the loss's error: all of it, even if the operation reads only a part. */
static void give(struct executor *e, struct place p, void *stream)
{
    struct span s;

    p.share = 0, p.shares = 1;
    s = at(e, &p);
    e->content->stamp(s.words, s.n, s.first, stream);
}

/* The workspace last: if an input or a result overlaps it, its stamp is gone. */
static void write_all(struct executor *e, const struct program_operation *o, void *stream)
{
    for (int i = 0; i < o->nwrites; i++) {
        struct span s = at(e, &o->writes[i]);

        e->content->stamp(s.words, s.n, s.first, stream);
    }
    if (o->workspace_bytes)
        e->content->fill(e->pool + executor_scale(e, o->workspace_at), 0xa5,
                         (size_t)executor_scale(e, o->workspace_bytes), stream);
}

void stamp_operation(struct executor *e, size_t operation, void *stream)
{
    const struct program_operation *o = &e->program.operations[operation];
    int64_t now_ns = e->options.pace > 0 ? clock_ns() : 0;

    for (int i = 0; i < o->nreads; i++) {
        if (o->reads[i].tensor == o->given)
            give(e, o->reads[i], stream);
        check(e, &o->reads[i], o->first_use + 2 * (size_t)i, stream);
    }
    write_all(e, o, stream);
    for (int i = 0; i < o->nreads; i++)
        if (!o->reads[i].replaced)
            check(e, &o->reads[i], o->first_use + 2 * (size_t)i + 1, stream);
    if (e->options.pace > 0)
        pass_time(e, operation, now_ns);
}

void stamp_images(struct executor *e)
{
    struct span s = span_of(e, e->images, &e->program.images);

    content_host.stamp(s.words, s.n, s.first, NULL);
}

static int refuse(const char *what, long long limit, long long came)
{
    return status_error(
        NW_EINPUT, "executor: stamps cannot tell this plan's contents apart: expected %s, got %lld (%lld at most)\n",
        what, came, limit);
}

int stamp_check(const struct program *p)
{
    const struct memory_plan *plan = p->plan;
    const int64_t storages = (int64_t)1 << STAMP_STORAGE_BITS, versions = ((int64_t)1 << STAMP_VERSION_BITS) - 1,
                  bytes = ((int64_t)1 << STAMP_POSITION_BITS) * GRANULE;

    if (plan->options.alignment < GRANULE || plan->options.alignment % GRANULE)
        return status_error(
            NW_EINPUT,
            "executor: stamps stand for granules of %d bytes: expected an alignment that is a multiple, got %lld\n",
            GRANULE, (long long)plan->options.alignment);
    for (int pools = 0; pools < 2; pools++) {
        const struct lifetimes *l = pools ? &plan->host : &plan->device;

        for (size_t i = 0; i < l->n; i++)
            if (l->buffers[i].offset % GRANULE) {
                fprintf(
                    stderr,
                    "executor: stamps stand for granules of %d bytes: expected offsets that are multiples, got %lld\n",
                    GRANULE, (long long)l->buffers[i].offset);
                return NW_EINPUT;
            }
    }
    if ((int64_t)plan->storages.n > storages)
        return refuse("fewer storages", storages, (long long)plan->storages.n);
    for (size_t i = 0; i < plan->storages.n; i++)
        if (plan->storages.items[i].bytes > bytes)
            return refuse("smaller storages", bytes, (long long)plan->storages.items[i].bytes);
    for (size_t i = 0; i < p->nvalues; i++)
        if (p->values[i].version >= versions)
            return refuse("fewer versions of a storage", versions - 1, p->values[i].version);
    return NW_OK;
}
