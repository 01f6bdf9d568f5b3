/* pull.c - bytes of the device into any host memory: the ring is kept full of copies, and the oldest slot is emptied
 * while the others are on the link. Two walks over the same pieces, the one that asks ahead of the one that lands. */
#include <string.h>

#include "harness/offload/internal.h"
#include "harness/status.h"

struct place {
    size_t piece, at;
};

struct pull {
    const struct offload_piece *pieces;
    size_t npieces, part; /* bytes of a slot to use */
    struct place asked, landed;
    int64_t nasked, nlanded; /* slots */
};

typedef int part_fn(struct offload *o, const struct offload_piece *p, size_t at, size_t nbytes, uint8_t *slot);

static int ask_part(struct offload *o, const struct offload_piece *p, size_t at, size_t nbytes, uint8_t *slot)
{
    int rc = o->ops->copy(o->backend, QUEUE_TO_HOST, slot, (const uint8_t *)p->device + at, nbytes);

    o->counts.bytes_to_host += rc ? 0 : (int64_t)nbytes;
    return offload_note(o, rc);
}

static int land_part(struct offload *o, const struct offload_piece *p, size_t at, size_t nbytes, uint8_t *slot)
{
    (void)o;
    memcpy((uint8_t *)p->host + at, slot, nbytes);
    return NW_OK;
}

/* Visit what one slot holds, from 'place' on, and advance it. */
static int walk_slot(struct offload *o, const struct pull *p, struct place *place, uint8_t *slot, part_fn *visit)
{
    size_t end = 0;
    int rc = NW_OK;

    while (place->piece < p->npieces && !rc) {
        const struct offload_piece *piece = &p->pieces[place->piece];
        size_t start = piece_end(end), left = piece->nbytes - place->at, n = 0;

        if (start < p->part)
            n = piece_units(left, 1, p->part - start);
        if (left && !n)
            break;
        if (n) {
            rc = visit(o, piece, place->at, n, slot + start);
            end = start + n;
        }
        place->at += n;
        if (place->at == piece->nbytes)
            *place = (struct place){ place->piece + 1, 0 };
    }
    return rc;
}

static int ask_slot(struct offload *o, struct pull *p)
{
    int slot = ring_slot(o, p->nasked++), rc;

    rc = walk_slot(o, p, &p->asked, o->out.pinned + (size_t)slot * o->slot_bytes, ask_part);
    return rc ? rc : offload_note(o, o->ops->record(o->backend, QUEUE_TO_HOST, o->out.copied + slot));
}

static int land_slot(struct offload *o, struct pull *p)
{
    int slot = ring_slot(o, p->nlanded++), rc;

    rc = offload_await(o, o->out.copied + slot, &o->counts.wait_stalls, &o->counts.wait_stall_ns);
    return rc ? rc : walk_slot(o, p, &p->landed, o->out.pinned + (size_t)slot * o->slot_bytes, land_part);
}

static int check_pieces(const struct offload *o, const struct offload_piece *pieces, size_t npieces)
{
    if (!o->out.pinned)
        return status_error(NW_EINPUT, "offload: pull, but it was opened without the direction to the host\n");
    for (size_t i = 0; i < npieces; i++)
        if (pieces[i].nbytes && (!pieces[i].host || !pieces[i].device))
            return status_error(NW_EINPUT, "offload: piece %zu: both addresses are expected\n", i);
    return NW_OK;
}

int offload_pull(struct offload *o, const struct offload_piece *pieces, size_t npieces)
{
    struct pull p = { .pieces = pieces, .npieces = npieces };
    int rc = o->failed ? o->failed : check_pieces(o, pieces, npieces);
    size_t total = 0;

    for (size_t i = 0; i < npieces && !rc; i++)
        total += pieces[i].nbytes;
    p.part = slot_part(o, total);
    if (!rc)
        rc = offload_after_launched(o, QUEUE_TO_HOST);
    while (!rc && p.landed.piece < npieces)
        if (p.asked.piece < npieces && p.nasked - p.nlanded < o->slots)
            rc = ask_slot(o, &p);
        else
            rc = land_slot(o, &p);
    return rc;
}
