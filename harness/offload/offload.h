/* offload.h - bytes between a host and a device while both compute: weights pushed packed (A2DTWP, arXiv 2004.02297,
 * section III: pack on the CPU, copy, unpack on the GPU), and tensors that leave the device after they are computed and
 * come back before they are needed (Split-CNN's HMMS, section 4.3; vDNN).
 * Staging    each direction has a ring of pinned slots, made once. What is larger than a slot passes in pieces, what is
 *            smaller shares one. A full ring waits for its oldest slot and for nothing else.
 * Steps      between offload_begin_step() and offload_end_step() nothing is allocated and nothing waits for the whole
 *            device; offload_counts tells how often the back end was asked to all the same.
 * Order      launched work runs in order. What is started here (push, pull, evict, prefetch) begins after the work
 *            launched before it; launched work does not wait for it unless offload_order() was called with its ticket.
 *            Transfers of one tensor keep their order. All other order comes from tickets.
 * Tickets    number what was started, from 1. They never end: an old ticket is done.
 * Ownership  layers, pieces and tensors are the caller's. Host weights may change again once offload_push() has
 *            returned; all other memory is in use until its ticket is done.
 * Errors     0 or a negative nw_status, the message on stderr. Arguments are refused (NW_EINPUT) before anything is
 *            started. After a failure of the back end every call gives its status; only offload_close() is left.
 * Threads    one caller at a time. */
#ifndef NARROWS_HARNESS_OFFLOAD_OFFLOAD_H
#define NARROWS_HARNESS_OFFLOAD_OFFLOAD_H

#include <stddef.h>
#include <stdint.h>

#include "harness/offload/backend.h"

struct offload;
struct adt_impl;

enum { OFFLOAD_TO_DEVICE = 1, OFFLOAD_TO_HOST = 2 };
enum { OFFLOAD_SLOT_MIN = 256, OFFLOAD_SLOTS_MIN = 2 };

struct offload_options {
    struct backend *backend;     /* closed by offload_close(), and also when opening fails */
    unsigned ways;               /* OFFLOAD_TO_DEVICE | OFFLOAD_TO_HOST: the directions that get a ring */
    int slots;                   /* of each ring, at least OFFLOAD_SLOTS_MIN */
    size_t slot_bytes;           /* at least OFFLOAD_SLOT_MIN; rounded down to a multiple of 64 */
    int tickets;                 /* started and not yet done at one time, at least 1; more wait for the oldest */
    const struct adt_impl *pack; /* a host row to pack with; NULL: the best one that is not parallel */
};

struct offload_counts {
    int64_t bytes_to_device, bytes_to_host; /* that crossed, with the gaps between pieces that share a slot */
    int64_t slot_stalls, slot_stall_ns;     /* waiting for a slot of a ring */
    int64_t wait_stalls, wait_stall_ns;     /* in offload_wait(), for the oldest ticket, and for pulled bytes */
    int64_t steps, step_allocs, step_drains;
};

int offload_open(const struct offload_options *options, struct offload **out);

/* Finishes what was started, joins threads, releases what offload_room() gave. Accepts NULL. */
void offload_close(struct offload *o);

/* Memory for tensors, until offload_close(); not inside a step. NULL with the message written. */
void *offload_room(struct offload *o, enum backend_memory kind, size_t nbytes);

void offload_begin_step(struct offload *o);
void offload_end_step(struct offload *o);
const struct offload_counts *offload_counts(const struct offload *o);

/* Weights: 'n' of them, each fp32, of which 'keep' bytes (1..4) cross. */
struct offload_layer {
    const void *host;
    void *device; /* 4 * n bytes */
    size_t n;
    int keep;
};

/* Packs and starts all layers; returns once the last one is packed. Done when they are unpacked. */
int offload_push(struct offload *o, const struct offload_layer *layers, size_t nlayers, int64_t *ticket);

struct offload_piece {
    void *host; /* any memory */
    const void *device;
    size_t nbytes;
};

/* Returns when all bytes are in place. */
int offload_pull(struct offload *o, const struct offload_piece *pieces, size_t npieces);

/* A tensor that lives now on the device, now at home. It may return to other device memory: set 'device' anew. */
struct offload_tensor {
    void *home; /* from offload_room(BACKEND_PINNED); other memory is refused, since its copies would not overlap */
    void *device;
    size_t nbytes;
    int64_t ticket; /* of its last transfer, 0: none. Written here */
};

int offload_evict(struct offload *o, struct offload_tensor *t);    /* device to home */
int offload_prefetch(struct offload *o, struct offload_tensor *t); /* home to device */

/* Work on the device, in launching order. */
int offload_launch(struct offload *o, backend_work_fn *work, void *arg);

/* A ticket for the work launched so far. */
int offload_mark(struct offload *o, int64_t *ticket);

/* What is launched or started from here on begins after the ticket is done. The caller does not wait. */
int offload_order(struct offload *o, int64_t ticket);

int offload_wait(struct offload *o, int64_t ticket); /* the caller waits */
int offload_done(struct offload *o, int64_t ticket); /* 1, 0 or an error */

#endif
