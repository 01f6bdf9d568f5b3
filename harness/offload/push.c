/* push.c - pack, copy, unpack: while one slot is packed, those before it are on the link or being unpacked.
 *   caller         slot's copy is done -> pack into the pinned slot
 *   to device      slot's unpacking is done -> copy to the device's slot
 *   unpack         slot's copy is done -> unpack its pieces
 * The pieces of a slot are walked over twice, first packing, then unpacking, so that no list is kept. */

#include "harness/offload/internal.h"
#include "harness/status.h"

/* Where the walk stands: weight 'at' of a layer. */
struct place {
    size_t layer, at;
};

struct walk {
    const struct offload_layer *layers;
    size_t nlayers, part; /* bytes of a slot to use */
};

typedef int piece_fn(struct offload *o, const struct offload_layer *l, size_t at, size_t n, uint8_t *packed);

/* Visit the pieces that one slot holds, from 'p' on, and advance it. *used: bytes of the slot. */
static int walk_slot(struct offload *o, const struct walk *w, struct place *p, uint8_t *slot, piece_fn *visit,
                     size_t *used)
{
    size_t end = 0;
    int rc = NW_OK;

    while (p->layer < w->nlayers && !rc) {
        const struct offload_layer *l = &w->layers[p->layer];
        size_t start = piece_end(end), left = l->n - p->at, n = 0;

        if (start < w->part)
            n = piece_units(left, (size_t)l->bytes_per_weight, w->part - start);
        if (left && !n)
            break;
        if (n) {
            rc = visit(o, l, p->at, n, slot + start);
            end = start + (size_t)l->bytes_per_weight * n;
        }
        p->at += n;
        if (p->at == l->n)
            *p = (struct place){ p->layer + 1, 0 };
    }
    *used = end;
    return rc;
}

static int pack_piece(struct offload *o, const struct offload_layer *l, size_t at, size_t n, uint8_t *packed)
{
    o->pack->pack(&o->pack->impl, packed, (const uint8_t *)l->host + 4 * at, n, l->bytes_per_weight);
    return NW_OK;
}

static int unpack_piece(struct offload *o, const struct offload_layer *l, size_t at, size_t n, uint8_t *packed)
{
    return o->ops->unpack(o->backend, (uint8_t *)l->device + 4 * at, packed, n, l->bytes_per_weight);
}

/* Start the copy of a packed slot, and its unpacking from 'from' on. */
static int send_slot(struct offload *o, const struct walk *w, int slot, size_t used, struct place from)
{
    const struct backend_ops *ops = o->ops;
    struct backend *b = o->backend;
    struct ring *r = &o->in;
    uint8_t *pinned = r->pinned + (size_t)slot * o->slot_bytes, *staged = r->staged + (size_t)slot * o->slot_bytes;
    int rc = ops->follow(b, QUEUE_TO_DEVICE, r->emptied + slot);

    if (!rc)
        rc = ops->copy(b, QUEUE_TO_DEVICE, staged, pinned, used);
    if (!rc)
        rc = ops->record(b, QUEUE_TO_DEVICE, r->copied + slot);
    if (!rc)
        rc = ops->follow(b, QUEUE_UNPACK, r->copied + slot);
    if (!rc)
        rc = walk_slot(o, w, &from, staged, unpack_piece, &used);
    if (!rc)
        rc = ops->record(b, QUEUE_UNPACK, r->emptied + slot);
    o->counts.bytes_to_device += rc ? 0 : (int64_t)used;
    return offload_note(o, rc);
}

static int push_slot(struct offload *o, const struct walk *w, struct place *p)
{
    int slot = ring_slot(o, o->in.next), rc;
    struct place from = *p;
    size_t used;

    rc = offload_await(o, o->in.copied + slot, &o->counts.slot_stalls, &o->counts.slot_stall_ns);
    if (rc)
        return rc;
    walk_slot(o, w, p, o->in.pinned + (size_t)slot * o->slot_bytes, pack_piece, &used);
    if (!used)
        return NW_OK; /* only empty layers were left */
    o->in.next++;
    return send_slot(o, w, slot, used, from);
}

static int check_layers(const struct offload *o, const struct offload_layer *layers, size_t nlayers)
{
    if (!o->in.pinned)
        return status_error(NW_EINPUT, "offload: push, but it was opened without the direction to the device\n");
    for (size_t i = 0; i < nlayers; i++) {
        const struct offload_layer *l = &layers[i];

        if (l->bytes_per_weight < 1 || l->bytes_per_weight > 4 || l->n > SIZE_MAX / 4 ||
            (l->n && (!l->host || !l->device)))
            return status_error(NW_EINPUT,
                                "offload: layer %zu: 1 to 4 bytes of each weight and both addresses are expected\n", i);
    }
    return NW_OK;
}

int offload_push(struct offload *o, const struct offload_layer *layers, size_t nlayers, int64_t *ticket)
{
    struct walk w = { layers, nlayers, 0 };
    struct place p = { 0, 0 };
    int rc = o->failed ? o->failed : check_layers(o, layers, nlayers);
    size_t total = 0;

    for (size_t i = 0; i < nlayers && !rc; i++)
        total += (size_t)layers[i].bytes_per_weight * layers[i].n;
    w.part = slot_part(o, total);
    if (!rc)
        rc = offload_await_ticket(o);
    if (!rc)
        rc = offload_after_launched(o, QUEUE_UNPACK);
    while (!rc && p.layer < nlayers)
        rc = push_slot(o, &w, &p);
    return rc ? rc : offload_ticket_at(o, QUEUE_UNPACK, ticket);
}
