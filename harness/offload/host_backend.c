#include "harness/offload/host_backend.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "harness/offload/host_queue.h"
#include "harness/offload/row.h"
#include "harness/status.h"

enum { HUGE_PAGE = 2 << 20, LINE = 64 };

static void *host_alloc(struct backend *base, enum backend_memory kind, size_t nbytes)
{
    size_t align = nbytes >= HUGE_PAGE ? HUGE_PAGE : LINE;
    size_t whole = nbytes <= SIZE_MAX - align ? (nbytes + align - 1) / align * align : 0;
    void *p = whole ? aligned_alloc(align, whole) : NULL;

    (void)base, (void)kind;
    if (!p)
        fprintf(stderr, "offload: no %zu bytes of memory\n", nbytes);
    else if (align == HUGE_PAGE)
        madvise(p, whole, MADV_HUGEPAGE); /* no matter if refused */
    return p;
}

static void host_release(struct backend *base, enum backend_memory kind, void *p)
{
    (void)base, (void)kind;
    free(p);
}

static int host_prepare(struct backend *base, int nevents)
{
    struct host_backend *b = (struct host_backend *)base;

    b->events = calloc((size_t)nevents, sizeof(*b->events));
    if (!b->events)
        return status_error(NW_ENOMEM, "offload: no memory for %d events\n", nevents);
    b->nevents = nevents;
    return NW_OK;
}

static int put(struct backend *base, enum backend_queue q, const struct command *c)
{
    struct host_backend *b = (struct host_backend *)base;

    pthread_mutex_lock(&b->lock);
    host_queue_put(b, q, c);
    pthread_mutex_unlock(&b->lock);
    return NW_OK;
}

static int host_copy(struct backend *base, enum backend_queue q, void *dst, const void *src, size_t nbytes)
{
    return put(base, q, &(struct command){ .kind = COMMAND_COPY, .dst = dst, .src = src, .n = nbytes });
}

static int host_unpack(struct backend *base, void *dst, const uint8_t *src, size_t n, int bytes_per_weight)
{
    struct command c = { .kind = COMMAND_UNPACK, .dst = dst, .src = src, .n = n, .bytes_per_weight = bytes_per_weight };

    return put(base, QUEUE_UNPACK, &c);
}

static int host_launch(struct backend *base, backend_work_fn *work, void *arg)
{
    return put(base, QUEUE_COMPUTE, &(struct command){ .kind = COMMAND_LAUNCH, .work = work, .arg = arg });
}

static int host_record(struct backend *base, enum backend_queue q, int event)
{
    struct host_backend *b = (struct host_backend *)base;
    struct command c = { .kind = COMMAND_RECORD, .event = event };

    pthread_mutex_lock(&b->lock);
    c.count = ++b->events[event].recorded;
    host_queue_put(b, q, &c);
    pthread_mutex_unlock(&b->lock);
    return NW_OK;
}

static int host_follow(struct backend *base, enum backend_queue q, int event)
{
    struct host_backend *b = (struct host_backend *)base;
    struct command c = { .kind = COMMAND_FOLLOW, .event = event };

    pthread_mutex_lock(&b->lock);
    c.count = b->events[event].recorded;
    host_queue_put(b, q, &c);
    pthread_mutex_unlock(&b->lock);
    return NW_OK;
}

static int host_done(struct backend *base, int event)
{
    struct host_backend *b = (struct host_backend *)base;
    bool done;

    pthread_mutex_lock(&b->lock);
    done = b->events[event].done >= b->events[event].recorded;
    pthread_mutex_unlock(&b->lock);
    return done;
}

static int host_wait(struct backend *base, int event)
{
    struct host_backend *b = (struct host_backend *)base;

    pthread_mutex_lock(&b->lock);
    host_event_wait(b, &b->caller, event, b->events[event].recorded);
    pthread_mutex_unlock(&b->lock);
    return NW_OK;
}

static int host_drain(struct backend *base)
{
    struct host_backend *b = (struct host_backend *)base;

    pthread_mutex_lock(&b->lock);
    host_queues_wait_empty(b);
    pthread_mutex_unlock(&b->lock);
    return NW_OK;
}

static void host_close(struct backend *base)
{
    struct host_backend *b = (struct host_backend *)base;

    host_queues_stop(b);
    for (int q = 0; q < BACKEND_NQUEUES; q++)
        pthread_cond_destroy(&b->queues[q].waiter.woken);
    pthread_cond_destroy(&b->caller.woken);
    pthread_mutex_destroy(&b->lock);
    free(b->events);
    free(b);
}

static const struct backend_ops host_ops = {
    .name = "host",
    .alloc = host_alloc,
    .release = host_release,
    .prepare = host_prepare,
    .copy = host_copy,
    .unpack = host_unpack,
    .launch = host_launch,
    .record = host_record,
    .follow = host_follow,
    .done = host_done,
    .wait = host_wait,
    .drain = host_drain,
    .close = host_close,
};

static void start_waiter(struct host_waiter *w)
{
    pthread_cond_init(&w->woken, NULL);
    w->event = -1;
}

int host_backend_open(const struct host_backend_options *options, struct backend **out)
{
    struct host_backend *b = calloc(1, sizeof(*b));
    int rc;

    *out = NULL;
    if (!b)
        return status_error(NW_ENOMEM, "offload: out of memory\n");
    b->base.ops = &host_ops;
    b->unpack = best_serial_row();
    pthread_mutex_init(&b->lock, NULL);
    start_waiter(&b->caller);
    for (int q = 0; q < BACKEND_NQUEUES; q++) {
        b->queues[q].backend = b;
        start_waiter(&b->queues[q].waiter);
    }
    b->queues[QUEUE_TO_DEVICE].link = options->to_device;
    b->queues[QUEUE_TO_HOST].link = options->to_host;
    b->wire.each.bytes_per_s = options->wire_bytes_per_s;
    rc = host_queues_start(b, options->anywhere);
    if (rc)
        host_close(&b->base);
    else
        *out = &b->base;
    return rc;
}
