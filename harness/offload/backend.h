/* backend.h - what moves bytes between a host and a device: memory of both kinds, four queues, events between them.
 * Queues     the work of one queue is done in order. Two queues are ordered by events only. Enqueuing returns before
 *            the work is done.
 * Events     are numbered 0 .. prepare()'s count - 1. record() sets an event to the present end of a queue. Until the
 *            work before it is done, done() returns 0, wait() waits, and a queue for which follow() was called holds
 *            back what is enqueued after that call. All three refer to the last record() before the call; an event
 *            that was never recorded is done.
 * Setup      alloc(), release(), prepare() and drain() may wait for the whole device, so they must not be called
 *            inside a step. backend_alloc() and backend_drain() count their calls; every caller uses them.
 * Units      bytes; 'n' is a number of weights (kernels/adt/adt.h).
 * Errors     0 or a negative nw_status, with the message on stderr. alloc() returns NULL.
 * Threads    one caller at a time. */
#ifndef NARROWS_HARNESS_OFFLOAD_BACKEND_H
#define NARROWS_HARNESS_OFFLOAD_BACKEND_H

#include <stddef.h>
#include <stdint.h>

enum backend_memory {
    BACKEND_PINNED, /* on the host, where the device's copy engines reach it */
    BACKEND_DEVICE
};

enum backend_queue {
    QUEUE_TO_DEVICE, /* copies */
    QUEUE_TO_HOST,   /* copies */
    QUEUE_UNPACK,
    QUEUE_COMPUTE,
    BACKEND_NQUEUES
};

/* The caller's work on the device, to be launched on 'stream', a cudaStream_t. A back end without streams passes NULL
 * and calls the function on its own thread when the work is due. */
typedef void backend_work_fn(void *arg, void *stream);

struct backend;

struct backend_ops {
    const char *name;
    void *(*alloc)(struct backend *b, enum backend_memory kind, size_t nbytes); /* aligned to 64 bytes */
    void (*release)(struct backend *b, enum backend_memory kind, void *p);      /* accepts NULL */
    int (*prepare)(struct backend *b, int nevents);                             /* once, before any event is used */
    /* Between pinned and device memory, in the queue's direction. */
    int (*copy)(struct backend *b, enum backend_queue q, void *dst, const void *src, size_t nbytes);
    /* On QUEUE_UNPACK. */
    int (*unpack)(struct backend *b, void *dst, const uint8_t *src, size_t n, int bytes_per_weight);
    int (*launch)(struct backend *b, backend_work_fn *work, void *arg); /* on QUEUE_COMPUTE */
    int (*record)(struct backend *b, enum backend_queue q, int event);
    int (*follow)(struct backend *b, enum backend_queue q, int event);
    int (*done)(struct backend *b, int event); /* 1, 0 or an error */
    int (*wait)(struct backend *b, int event);
    int (*drain)(struct backend *b); /* wait until every queue is empty */
    void (*close)(struct backend *b);
};

/* A back end embeds this as its first member. */
struct backend {
    const struct backend_ops *ops;
    int64_t allocs, drains; /* calls so far */
};

static inline void *backend_alloc(struct backend *b, enum backend_memory kind, size_t nbytes)
{
    b->allocs++;
    return b->ops->alloc(b, kind, nbytes);
}

static inline int backend_drain(struct backend *b)
{
    b->drains++;
    return b->ops->drain(b);
}

#endif
