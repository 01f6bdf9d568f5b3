/* backend.h - what carries bytes between a host and a device: memory of both kinds, four queues, events between them.
 * Queues     what is enqueued on one queue happens in that order; two queues know nothing of each other but through
 *            events. Enqueuing returns before the work is done.
 * Events     are numbered 0 .. prepare()'s count - 1. record() takes the present end of a queue; until the work before
 *            it is done, done() says 0, wait() waits, and a queue that was told to follow() holds back what is enqueued
 *            after that. All three look at the last record() before the call. An event never recorded is done.
 * Setup      alloc(), release(), prepare() and drain() may wait for the whole device, so they have no place inside a
 *            step: backend_alloc() and backend_drain() count their calls, and every caller goes through them.
 * Units      bytes; 'n' is a number of weights (kernels/adt/adt.h).
 * Errors     0 or a negative nw_status, the message on stderr. alloc() gives NULL.
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

/* Work of the user's on the device. 'stream' is where it has to be launched, as cudaStream_t; a back end without
 * streams gives NULL and calls when the work is due, on a thread of its own. */
typedef void backend_work_fn(void *arg, void *stream);

struct backend;

struct backend_ops {
    const char *name;
    void *(*alloc)(struct backend *b, enum backend_memory kind, size_t nbytes); /* aligned to 64 bytes */
    void (*release)(struct backend *b, enum backend_memory kind, void *p);      /* accepts NULL */
    int (*prepare)(struct backend *b, int nevents);                             /* once, before any event is used */
    /* One side is pinned memory, the other the device's, as the queue says. */
    int (*copy)(struct backend *b, enum backend_queue q, void *dst, const void *src, size_t nbytes);
    int (*unpack)(struct backend *b, void *dst, const uint8_t *src, size_t n, int keep); /* on QUEUE_UNPACK */
    int (*launch)(struct backend *b, backend_work_fn *work, void *arg);                  /* on QUEUE_COMPUTE */
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
