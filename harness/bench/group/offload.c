/* offload.c - the group "offload": transfers that overlap with work, each compared with the slowest of what it
 * overlaps, alone. On the host the link is throttled, so that it, not the memory that all stages share, is the
 * bound. */
#include "harness/bench/group/offload.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/bench/device.h"
#include "harness/bench/group/groups.h"
#include "harness/host/clock.h"
#include "harness/offload/cuda_backend.h"
#include "harness/offload/host_backend.h"
#include "harness/offload/row.h"
#include "harness/status.h"

enum { SLOTS = 8, SLOT_BYTES = 1 << 20, CUDA_SLOT_BYTES = 4 << 20, TRIES = 3, NSTAGES = 3 };

/* What the stages share; each work's arg. */
struct push {
    struct bench_offload *b;
    const struct adt_impl *pack;
    struct offload_layer *layers;
    size_t nlayers;
    int keep;
};

static int fail(struct bench_offload *b, int rc)
{
    if (rc && !b->failed)
        b->failed = rc;
    return rc;
}

void bench_offload_wait(struct bench_offload *b, int rc, int64_t ticket)
{
    if (!fail(b, rc))
        fail(b, offload_wait(b->o, ticket));
}

static void run_push(struct work *w)
{
    struct push *p = w->arg;
    int64_t ticket = 0;
    int rc;

    offload_begin_step(p->b->o);
    rc = offload_push(p->b->o, p->layers, p->nlayers, &ticket);
    bench_offload_wait(p->b, rc, ticket);
    offload_end_step(p->b->o);
}

/* The stages alone, over the whole of the layers. */
static void run_pack(struct work *w)
{
    struct push *p = w->arg;
    uint8_t *to = p->b->home;

    for (size_t i = 0; i < p->nlayers; to += (size_t)p->keep * p->layers[i++].n)
        p->pack->pack(&p->pack->impl, to, p->layers[i].host, p->layers[i].n, p->keep);
}

static void copy_all(struct bench_offload *b, size_t nbytes, int (*start)(struct offload *, struct offload_tensor *))
{
    struct offload_tensor t = { b->home, b->s->state, nbytes, 0 };
    int rc = start(b->o, &t);

    bench_offload_wait(b, rc, t.ticket);
}

static void run_link(struct work *w)
{
    struct push *p = w->arg;

    copy_all(p->b, (size_t)p->keep * p->b->s->n, offload_prefetch);
}

static void run_unpack(struct work *w)
{
    struct push *p = w->arg;
    struct backend *k = p->b->backend;
    const uint8_t *from = (const uint8_t *)p->b->s->state;
    int rc = 0;

    for (size_t i = 0; i < p->nlayers && !rc; from += (size_t)p->keep * p->layers[i++].n)
        rc = k->ops->unpack(k, p->layers[i].device, from, p->layers[i].n, p->keep);
    fail(p->b, rc ? rc : backend_drain(k));
}

double bench_offload_seconds(struct work *w)
{
    double best = 1e9;

    for (int i = 0; i < TRIES; i++) {
        int64_t began_ns = clock_ns();

        w->run(w);
        best = fmin(best, 1e-9 * (double)(clock_ns() - began_ns));
    }
    return best;
}

/* The pipeline against its slowest stage; the other stages are listed with it. */
static int time_keep(struct push *p, int keep)
{
    struct session *s = p->b->s;
    double bytes = 4 * (double)s->n, slowest = 0;
    struct work stages[NSTAGES] = {
        { .kernel = "push-copy", .impl = p->b->backend->ops->name, .run = run_link },
        { .kernel = "push-pack", .impl = p->pack->impl.name, .run = run_pack },
        { .kernel = "push-unpack", .impl = p->b->backend->ops->name, .run = run_unpack },
    };
    struct work works[NSTAGES] = { { .kernel = "push", .impl = p->b->backend->ops->name, .run = run_push } };
    int bound = 0, n = 1;

    p->keep = keep;
    for (size_t i = 0; i < p->nlayers; i++)
        p->layers[i].bytes_per_weight = keep;
    for (int i = 0; i < NSTAGES; i++) {
        double t;

        stages[i].arg = works->arg = p;
        stages[i].nbytes = works->nbytes = bytes;
        snprintf(stages[i].variant, sizeof(stages[i].variant), "keep=%d%s", keep, p->b->link_text);
        memcpy(works->variant, stages[i].variant, sizeof(works->variant));
        t = bench_offload_seconds(&stages[i]);
        bound = t > slowest ? i : bound;
        slowest = t > slowest ? t : slowest;
    }
    for (int i = 0; i < NSTAGES; i++)
        if (i != bound)
            works[n++] = stages[i];
    if (p->b->failed)
        return p->b->failed;
    n = session_time(s, &stages[bound], works, NSTAGES);
    return n ? n : p->b->failed;
}

static void run_to_device(struct work *w)
{
    struct bench_offload *b = w->arg;

    copy_all(b, 4 * b->s->n, offload_prefetch);
}

static void run_to_host(struct work *w)
{
    struct bench_offload *b = w->arg;

    copy_all(b, 4 * b->s->n, offload_evict);
}

static void run_pull(struct work *w)
{
    struct bench_offload *b = w->arg;
    struct offload_piece p = { b->weights, b->s->state, 4 * b->s->n };

    fail(b, offload_pull(b->o, &p, 1));
}

/* Whole copies of pinned memory both ways, and a pull through the ring into any memory. */
static int time_copies(struct bench_offload *b)
{
    double bytes = 4 * (double)b->s->n;
    const char *name = b->backend->ops->name;
    struct work in = { .kernel = "copy-to-device", .impl = name, .nbytes = bytes, .run = run_to_device, .arg = b };
    struct work out = { .kernel = "copy-to-host", .impl = name, .nbytes = bytes, .run = run_to_host, .arg = b };
    struct work pull = { .kernel = "pull", .impl = name, .nbytes = bytes, .run = run_pull, .arg = b };
    int rc;

    snprintf(in.variant, sizeof(in.variant), "%s", b->link_text);
    memcpy(out.variant, in.variant, sizeof(in.variant));
    memcpy(pull.variant, in.variant, sizeof(in.variant));
    rc = session_time(b->s, &in, &out, 1);
    if (!rc)
        rc = session_time(b->s, &out, &pull, 1);
    return rc ? rc : b->failed;
}

static int time_pushes(struct bench_offload *b, const struct adt_impl *pack)
{
    const size_t *sizes = b->s->size->layers;
    struct push p = { .b = b, .pack = pack, .nlayers = b->s->size->nlayers };
    const float *host = b->weights;
    float *device = b->s->result;
    int rc = NW_OK;

    p.layers = calloc(p.nlayers, sizeof(*p.layers));
    if (!p.layers)
        return NW_ENOMEM;
    for (size_t i = 0; i < p.nlayers; host += sizes[i], device += sizes[i], i++)
        p.layers[i] = (struct offload_layer){ host, device, sizes[i], 1 };
    for (int keep = 1; keep <= 4 && !rc; keep++)
        if (!b->s->o->bytes_per_weight || b->s->o->bytes_per_weight == keep)
            rc = time_keep(&p, keep);
    free(p.layers);
    return rc;
}

/* The row to pack with: the best that this session wants; for a device, the best of this host. */
static const struct adt_impl *pack_row(const struct session *s)
{
    bool device = s->device, wanted = 0;
    const struct adt_impl *best = NULL;

    for (const struct adt_impl *row = adt_impls; row->impl.name; row++) {
        wanted |= session_wants(s, &row->impl);
        if (!best && (device ? row->impl.where == IMPL_HOST && row->impl.usable() : session_wants(s, &row->impl)))
            best = row;
    }
    return wanted ? best : NULL;
}

static int open_backend(struct bench_offload *b)
{
    static const struct host_link link = { HOST_LINK_BYTES_S, HOST_LINK_LATENCY_NS };

    if (b->s->device)
        return cuda_backend_open(&b->backend);
    snprintf(b->link_text, sizeof(b->link_text), " link=%gGB/s", 1e-9 * HOST_LINK_BYTES_S);
    return host_backend_open(&(struct host_backend_options){ .to_device = link, .to_host = link, .anywhere = 1 },
                             &b->backend);
}

static int open_offload(struct bench_offload *b, const struct adt_impl *pack)
{
    size_t nbytes = 4 * b->s->n;
    bool device = b->s->device;
    int rc = open_backend(b);

    if (!rc) {
        struct offload_options options = { b->backend,
                                           OFFLOAD_TO_DEVICE | OFFLOAD_TO_HOST,
                                           SLOTS,
                                           device ? CUDA_SLOT_BYTES : SLOT_BYTES,
                                           4 * SCHEDULE_LAYERS,
                                           pack };

        rc = offload_open(&options, &b->o);
    }
    if (rc)
        return rc;
    b->home = offload_alloc(b->o, BACKEND_PINNED, nbytes);
    b->weights = offload_alloc(b->o, BACKEND_PINNED, nbytes);
    if (!b->home || !b->weights)
        return NW_ENOMEM;
    if (device)
        device_read(b->weights, b->s->change, nbytes);
    else
        memcpy(b->weights, b->s->change, nbytes);
    memcpy(b->home, b->weights, nbytes);
    return NW_OK;
}

static int rows(struct session *s)
{
    struct bench_offload b = { .s = s };
    const struct adt_impl *pack = pack_row(s);
    int rc;

    if (!pack || s->n < VALUES_MIN)
        return NW_OK;
    rc = open_offload(&b, pack);
    if (!rc)
        rc = time_copies(&b);
    if (!rc)
        rc = time_pushes(&b, pack);
    if (!rc)
        rc = time_schedules(&b);
    offload_close(b.o);
    return rc;
}

const struct group group_offload = { "offload", "transfers overlapped with work: 1 is the slowest of the two", rows };
