#include "harness/offload/host_queue.h"

#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>

#include "harness/host/clock.h"
#include "harness/status.h"

void host_event_wait(struct host_backend *b, struct host_waiter *w, int event, int64_t count)
{
    w->event = event;
    w->count = count;
    while (b->events[event].done < count)
        pthread_cond_wait(&w->woken, &b->lock);
    w->event = -1;
}

static void wake_if_due(struct host_waiter *w, int event, int64_t done)
{
    if (w->event == event && w->count <= done)
        pthread_cond_signal(&w->woken);
}

static void wait_for_any_command(struct host_backend *b)
{
    b->caller_waits = 1;
    pthread_cond_wait(&b->caller.woken, &b->lock);
    b->caller_waits = 0;
}

static void take_follow(struct host_queue *q, const struct command *c)
{
    struct host_backend *b = q->backend;
    struct host_event *e = &b->events[c->event];

    host_event_wait(b, &q->waiter, c->event, c->count);
    if (e->at_ns > q->due_ns)
        q->due_ns = e->at_ns;
}

static void take_record(struct host_queue *q, const struct command *c)
{
    struct host_backend *b = q->backend;
    struct host_event *e = &b->events[c->event];

    if (c->count > e->done) {
        e->done = c->count;
        e->at_ns = q->due_ns;
    }
    for (int i = 0; i < BACKEND_NQUEUES; i++)
        wake_if_due(&b->queues[i].waiter, c->event, e->done);
    wake_if_due(&b->caller, c->event, e->done);
}

/* Called without the lock: this takes the time. */
static int64_t take_work(struct host_queue *q, const struct command *c)
{
    int64_t ready = c->asked_ns > q->due_ns ? c->asked_ns : q->due_ns;
    struct link_wire *wire = q->backend->wire.each.bytes_per_s > 0 ? &q->backend->wire : NULL;

    switch (c->kind) {
    case COMMAND_COPY: return link_copy(&q->link, wire, c->dst, c->src, c->n, ready);
    case COMMAND_UNPACK:
        q->backend->unpack->unpack(&q->backend->unpack->impl, c->dst, c->src, c->n, c->bytes_per_weight);
        break;
    default: c->work(c->arg, NULL); break;
    }
    return clock_ns();
}

static void run_next(struct host_queue *q)
{
    struct host_backend *b = q->backend;
    struct command c = q->ring[q->run % QUEUE_CAPACITY];
    int64_t end;

    if (c.kind == COMMAND_FOLLOW) {
        take_follow(q, &c);
    } else if (c.kind == COMMAND_RECORD) {
        take_record(q, &c);
    } else {
        pthread_mutex_unlock(&b->lock);
        end = take_work(q, &c);
        pthread_mutex_lock(&b->lock);
        q->due_ns = end;
    }
    q->run++;
    if (b->caller_waits)
        pthread_cond_signal(&b->caller.woken);
}

static void *run_queue(void *arg)
{
    struct host_queue *q = arg;
    struct host_backend *b = q->backend;

    prctl(PR_SET_TIMERSLACK, 1UL); /* the kernel would otherwise end each pause up to 50 us late */
    pthread_mutex_lock(&b->lock);
    for (;;) {
        while (q->run < q->asked)
            run_next(q);
        if (b->stopping)
            break;
        pthread_cond_wait(&q->waiter.woken, &b->lock);
    }
    pthread_mutex_unlock(&b->lock);
    return NULL;
}

static int start_thread(struct host_queue *q, bool anywhere)
{
    pthread_attr_t attributes;
    cpu_set_t all;
    int rc = pthread_attr_init(&attributes);

    if (rc)
        return rc;
    memset(&all, 0xff, sizeof(all)); /* the system ignores processors that do not exist */
    if (anywhere)
        rc = pthread_attr_setaffinity_np(&attributes, sizeof(all), &all);
    if (!rc)
        rc = pthread_create(&q->thread, &attributes, run_queue, q);
    pthread_attr_destroy(&attributes);
    return rc;
}

int host_queues_start(struct host_backend *b, bool anywhere)
{
    sigset_t all, before;
    int rc = 0;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before); /* threads inherit the mask */
    while (b->nthreads < BACKEND_NQUEUES && !rc) {
        rc = start_thread(&b->queues[b->nthreads], anywhere);
        b->nthreads += !rc;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (rc)
        fprintf(stderr, "offload: no thread for a queue: %s\n", strerror(rc));
    return rc ? NW_ENOMEM : NW_OK;
}

void host_queues_stop(struct host_backend *b)
{
    pthread_mutex_lock(&b->lock);
    b->stopping = 1;
    for (int q = 0; q < BACKEND_NQUEUES; q++)
        pthread_cond_signal(&b->queues[q].waiter.woken);
    pthread_mutex_unlock(&b->lock);
    while (b->nthreads)
        pthread_join(b->queues[--b->nthreads].thread, NULL);
}

void host_queue_put(struct host_backend *b, enum backend_queue q, const struct command *c)
{
    struct host_queue *to = &b->queues[q];
    struct command *slot;

    while (to->asked - to->run == QUEUE_CAPACITY)
        wait_for_any_command(b);
    slot = &to->ring[to->asked++ % QUEUE_CAPACITY];
    *slot = *c;
    slot->asked_ns = clock_ns();
    pthread_cond_signal(&to->waiter.woken);
}

void host_queues_wait_empty(struct host_backend *b)
{
    for (int q = 0; q < BACKEND_NQUEUES; q++)
        while (b->queues[q].run < b->queues[q].asked)
            wait_for_any_command(b);
}
