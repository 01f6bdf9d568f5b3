/* host_queue.h - the host back end's queues: each a thread and a ring of commands. One lock serves all of them and
 * the events, which are used only some thousands of times a second.
 * Times      every command has a time at which it is due. It may run later, but its duration counts from that time. */
#ifndef NARROWS_HARNESS_OFFLOAD_HOST_QUEUE_H
#define NARROWS_HARNESS_OFFLOAD_HOST_QUEUE_H

#include <pthread.h>
#include <stdbool.h>

#include "harness/offload/link.h"
#include "kernels/adt/adt.h"

enum { QUEUE_CAPACITY = 1024 };

enum command_kind { COMMAND_COPY, COMMAND_UNPACK, COMMAND_LAUNCH, COMMAND_RECORD, COMMAND_FOLLOW };

struct command {
    enum command_kind kind;
    int bytes_per_weight, event;
    void *dst;
    const void *src;
    size_t n;      /* bytes to copy, weights to unpack */
    int64_t count; /* number of the record of the event */
    int64_t asked_ns;
    backend_work_fn *work;
    void *arg;
};

struct host_event {
    int64_t recorded, done; /* how many times it was recorded, and reached */
    int64_t at_ns;
};

/* A waiting thread. Only the thread that an event concerns is woken: on few processors, waking others would cost more
 * than the copies do. */
struct host_waiter {
    pthread_cond_t woken;
    int event; /* -1: not for an event */
    int64_t count;
};

struct host_backend;

struct host_queue {
    struct host_backend *backend;
    pthread_t thread;
    struct host_waiter waiter; /* for an event, else for a command */
    struct command ring[QUEUE_CAPACITY];
    int64_t asked, run; /* commands: enqueued, finished */
    int64_t due_ns;     /* end of the last command */
    struct host_link link;
};

struct host_backend {
    struct backend base;
    pthread_mutex_t lock;
    struct host_waiter caller; /* for an event, or for any command to finish */
    bool caller_waits;         /* for any command */
    struct host_queue queues[BACKEND_NQUEUES];
    int nthreads;
    bool stopping;
    const struct adt_impl *unpack;
    struct link_wire wire; /* at 0 bytes/s: none */
    struct host_event *events;
    int nevents;
};

/* Start the threads; b->nthreads counts those that run. */
int host_queues_start(struct host_backend *b, bool anywhere);

/* Let the queues run empty and join the threads. */
void host_queues_stop(struct host_backend *b);

/* The caller holds the lock. host_queue_put() waits while the ring is full. */
void host_event_wait(struct host_backend *b, struct host_waiter *w, int event, int64_t count);
void host_queue_put(struct host_backend *b, enum backend_queue q, const struct command *c);
void host_queues_wait_empty(struct host_backend *b);

#endif
