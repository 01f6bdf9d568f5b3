/* internal.h - the state of an offload, for the files of this folder.
 * Events     0 is the end of the launched work; then come those of the slots, ring by ring, then those of the
 *            tickets. */
#ifndef NARROWS_HARNESS_OFFLOAD_INTERNAL_H
#define NARROWS_HARNESS_OFFLOAD_INTERNAL_H

#include <stdbool.h>

#include "harness/offload/offload.h"
#include "kernels/adt/adt.h"

enum { EVENT_LAUNCHED = 0, PIECE_ALIGN = 64 };

/* A transfer that would fill few slots is cut into about this many parts, so that its stages overlap; but no part is
 * so small that starting its copy takes as long as the copy. */
enum { PARTS_WANTED = 16, PART_MIN = 64 << 10 };

struct ring {
    uint8_t *pinned, *staged; /* slots on the host; on the device, for bytes not yet unpacked */
    int64_t next;             /* slots used so far, over all transfers (earlier ones may still use some) */
    int copied, emptied;      /* first events of the slots: copied over the link; unpacked */
};

/* Memory handed out, newest first. */
struct allocation {
    struct allocation *next;
    void *at;
    size_t nbytes;
    enum backend_memory kind;
};

struct offload {
    struct backend *backend;
    const struct backend_ops *ops;
    const struct adt_impl *pack;
    int slots, tickets, first_ticket_event;
    size_t slot_bytes;
    struct ring in, out;
    int64_t last_ticket;
    struct allocation *allocations;
    struct offload_counts counts;
    int64_t allocs_before, drains_before; /* of the back end, when the step began */
    bool in_step;
    int failed; /* the first failure of the back end */
};

/* Remember a failure of the back end. */
static inline int offload_note(struct offload *o, int rc)
{
    if (rc < 0 && !o->failed)
        o->failed = rc;
    return rc;
}

static inline int ring_slot(const struct offload *o, int64_t number)
{
    return (int)(number % o->slots);
}

/* How many of 'left' units of 'unit' bytes the next piece puts into 'space' bytes: all, or a multiple of 64 (perhaps
 * 0), which keeps the next piece aligned. */
static inline size_t piece_units(size_t left, size_t unit, size_t space)
{
    size_t fit = space / unit;

    return left <= fit ? left : fit - fit % PIECE_ALIGN;
}

static inline size_t piece_end(size_t at)
{
    return (at + PIECE_ALIGN - 1) / PIECE_ALIGN * PIECE_ALIGN;
}

/* How much of a slot a transfer of 'total' bytes uses. */
static inline size_t slot_part(const struct offload *o, size_t total)
{
    size_t part = total / PARTS_WANTED < PART_MIN ? PART_MIN : total / PARTS_WANTED / PIECE_ALIGN * PIECE_ALIGN;

    return part < o->slot_bytes ? part : o->slot_bytes;
}

/* Wait for an event; count the time if it was not yet done. */
int offload_await(struct offload *o, int event, int64_t *stalls, int64_t *stall_ns);

/* Later work on 'q' runs after the work launched so far. */
int offload_after_launched(struct offload *o, enum backend_queue q);

/* Later work on 'q' runs after that ticket. */
int offload_follow_ticket(struct offload *o, enum backend_queue q, int64_t ticket);

/* Wait until the next ticket's event is free, that is, until the oldest ticket that may be under way is done. Then hand
 * out the ticket for the present end of 'q'. */
int offload_await_ticket(struct offload *o);
int offload_ticket_at(struct offload *o, enum backend_queue q, int64_t *ticket);

/* Is this memory from offload_alloc()? */
bool offload_owns(const struct offload *o, enum backend_memory kind, const void *at, size_t nbytes);

#endif
