/* offload.h - move bytes between a host and a device while both compute: weights pushed packed (A2DTWP, arXiv
 * 2004.02297, section III: pack on the CPU, copy, unpack on the GPU), and tensors that leave the device after they
 * are computed and come back before they are needed (Split-CNN's HMMS, section 4.3; vDNN).
 * Staging    each direction has a ring of pinned slots, allocated once. Larger transfers are cut into pieces, smaller
 *            ones share a slot. When the ring is full, a transfer waits for the oldest slot and for nothing else.
 * Steps      between offload_begin_step() and offload_end_step() nothing is allocated and nothing waits for the whole
 *            device; offload_counts counts the calls of the back end that did so nevertheless.
 * Order      launched work runs in order. A transfer (push, pull, evict, prefetch) begins after the work launched
 *            before it; work launched after it does not wait for it, unless offload_order() is called with its
 *            ticket. Transfers of one tensor keep their order. All other order comes from tickets.
 * Tickets    number what was started, from 1. They stay valid: an old ticket counts as done.
 * Ownership  the caller owns layers, pieces and tensors. Host weights may change once offload_push() has returned;
 *            all other memory is in use until its ticket is done.
 * Errors     0 or a negative nw_status, with the message on stderr. Arguments are checked (NW_EINPUT) before anything
 *            is started. After a failure of the back end, every call returns its status, and only offload_close() is
 *            useful.
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
    int tickets;                 /* how many may be under way, at least 1; a further one waits for the oldest */
    const struct adt_impl *pack; /* a host row to pack with; NULL: the best one that is not parallel */
};

struct offload_counts {
    int64_t bytes_to_device, bytes_to_host; /* copied, with the gaps between pieces that share a slot */
    int64_t slot_stalls, slot_stall_ns;     /* waiting for a slot of a ring */
    int64_t wait_stalls, wait_stall_ns;     /* in offload_wait(), for the oldest ticket, and for pulled bytes */
    int64_t steps, step_allocs, step_drains;
};

int offload_open(const struct offload_options *options, struct offload **out);

/* Finish all started work, join threads, release what offload_alloc() returned. Accepts NULL. */
void offload_close(struct offload *o);

/* Memory for tensors, until offload_close(); not inside a step. NULL with the message printed. */
void *offload_alloc(struct offload *o, enum backend_memory kind, size_t nbytes);

void offload_begin_step(struct offload *o);
void offload_end_step(struct offload *o);
const struct offload_counts *offload_counts(const struct offload *o);

/* 'n' fp32 weights; bytes_per_weight (1..4) bytes of each are copied. */
struct offload_layer {
    const void *host;
    void *device; /* 4 * n bytes */
    size_t n;
    int bytes_per_weight;
};

/* Pack and start all layers; returns once the last one is packed. The ticket is done when all are unpacked. */
int offload_push(struct offload *o, const struct offload_layer *layers, size_t nlayers, int64_t *ticket);

struct offload_piece {
    void *host; /* any memory */
    const void *device;
    size_t nbytes;
};

/* Copy to the host; returns when all bytes are there. */
int offload_pull(struct offload *o, const struct offload_piece *pieces, size_t npieces);

/* A tensor that is on the device or at its home on the host. To return it to other device memory, change 'device'. */
struct offload_tensor {
    void *home; /* from offload_alloc(BACKEND_PINNED); copies of other memory would not overlap, so it is refused */
    void *device;
    size_t nbytes;
    int64_t ticket; /* of its last transfer, 0: none. Written here */
};

int offload_evict(struct offload *o, struct offload_tensor *t);    /* device to home */
int offload_prefetch(struct offload *o, struct offload_tensor *t); /* home to device */

/* Run work on the device, in the order of launching. */
int offload_launch(struct offload *o, backend_work_fn *work, void *arg);

/* A ticket for the work launched so far. */
int offload_mark(struct offload *o, int64_t *ticket);

/* Everything launched or started after this call begins when the ticket is done. Does not wait. */
int offload_order(struct offload *o, int64_t ticket);

int offload_wait(struct offload *o, int64_t ticket); /* the caller waits */
int offload_done(struct offload *o, int64_t ticket); /* 1, 0 or an error */

#endif
