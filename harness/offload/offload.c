/* offload.c - open and close an offload, begin and end its steps. */
#include <stdio.h>
#include <stdlib.h>

#include "harness/offload/internal.h"
#include "harness/offload/row.h"
#include "harness/status.h"

static int refuse(const char *why)
{
    return status_error(NW_EINPUT, "offload: %s\n", why);
}

static int check(const struct offload_options *p)
{
    if (!(p->ways & (OFFLOAD_TO_DEVICE | OFFLOAD_TO_HOST)) ||
        p->ways & ~(unsigned)(OFFLOAD_TO_DEVICE | OFFLOAD_TO_HOST))
        return refuse("at least one direction is expected, and no other");
    if (p->slots < OFFLOAD_SLOTS_MIN || p->slots > 1 << 16)
        return refuse("2 to 65536 staging slots are expected");
    if (p->slot_bytes < OFFLOAD_SLOT_MIN || p->slot_bytes > SIZE_MAX / (size_t)p->slots)
        return refuse("a staging slot has at least 256 bytes, and all of them fit the address space");
    if (p->tickets < 1 || p->tickets > 1 << 16)
        return refuse("1 to 65536 tickets are expected");
    if (p->pack && (p->pack->impl.where != IMPL_HOST || !p->pack->impl.usable()))
        return refuse("weights are packed by a row that runs on this host");
    return NW_OK;
}

/* The first use of a kernel may load it, which must not happen in a step. */
static int warm_up(struct offload *o)
{
    int rc = NW_OK;

    for (int bytes_per_weight = 1; bytes_per_weight <= 4 && !rc; bytes_per_weight++)
        rc = o->ops->unpack(o->backend, o->in.staged + o->slot_bytes, o->in.staged, 16, bytes_per_weight);
    return rc;
}

static int make_ring(struct offload *o, struct ring *r, bool staged)
{
    size_t nbytes = (size_t)o->slots * o->slot_bytes;

    r->pinned = offload_alloc(o, BACKEND_PINNED, nbytes);
    r->staged = staged ? offload_alloc(o, BACKEND_DEVICE, nbytes) : NULL;
    if (!r->pinned || (staged && !r->staged))
        return NW_ENOMEM;
    for (size_t i = 0; i < nbytes; i++) /* the gaps between pieces are copied too */
        r->pinned[i] = 0;
    return NW_OK;
}

static int make(struct offload *o, const struct offload_options *p)
{
    int slots = p->slots, rc;

    o->slots = slots;
    o->slot_bytes = p->slot_bytes / PIECE_ALIGN * PIECE_ALIGN;
    o->tickets = p->tickets;
    o->pack = p->pack ? p->pack : best_serial_row();
    o->in.copied = EVENT_LAUNCHED + 1;
    o->in.emptied = o->in.copied + slots;
    o->out.copied = o->in.emptied + slots;
    o->first_ticket_event = o->out.copied + slots;
    rc = o->ops->prepare(o->backend, o->first_ticket_event + p->tickets);
    if (!rc && p->ways & OFFLOAD_TO_DEVICE)
        rc = make_ring(o, &o->in, 1);
    if (!rc && p->ways & OFFLOAD_TO_HOST)
        rc = make_ring(o, &o->out, 0);
    if (!rc && p->ways & OFFLOAD_TO_DEVICE)
        rc = warm_up(o);
    return rc ? rc : backend_drain(o->backend);
}

int offload_open(const struct offload_options *options, struct offload **out)
{
    struct offload *o = calloc(1, sizeof(*o));
    int rc;

    *out = NULL;
    if (!o) {
        fprintf(stderr, "offload: out of memory\n");
        options->backend->ops->close(options->backend);
        return NW_ENOMEM;
    }
    o->backend = options->backend;
    o->ops = options->backend->ops;
    rc = check(options);
    if (!rc)
        rc = make(o, options);
    if (rc)
        offload_close(o);
    else
        *out = o;
    return rc;
}

void offload_close(struct offload *o)
{
    if (!o)
        return;
    backend_drain(o->backend); /* even if this fails, all is closed below */
    for (struct allocation *r = o->allocations, *next; r; r = next) {
        next = r->next;
        o->ops->release(o->backend, r->kind, r->at);
        free(r);
    }
    o->ops->close(o->backend);
    free(o);
}

void offload_begin_step(struct offload *o)
{
    o->in_step = 1;
    o->allocs_before = o->backend->allocs;
    o->drains_before = o->backend->drains;
}

void offload_end_step(struct offload *o)
{
    o->in_step = 0;
    o->counts.steps++;
    o->counts.step_allocs += o->backend->allocs - o->allocs_before;
    o->counts.step_drains += o->backend->drains - o->drains_before;
}

const struct offload_counts *offload_counts(const struct offload *o)
{
    return &o->counts;
}
