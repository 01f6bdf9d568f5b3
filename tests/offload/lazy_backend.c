#include "tests/offload/lazy_backend.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "harness/status.h"
#include "kernels/adt/adt_lane.h"

int lazy_alive;

enum { CAPACITY = 1 << 16 };
enum kind { COPY, UNPACK, LAUNCH, RECORD, FOLLOW };

struct command {
    enum kind kind;
    int bytes_per_weight, event, count;
    void *dst;
    const void *src;
    size_t n;
    backend_work_fn *work;
    void *arg;
};

struct event {
    int recorded, done;
    enum backend_queue last; /* recorded there */
};

struct lazy {
    struct backend base;
    enum lazy_mode mode;
    uint32_t seed;
    struct event *events;
    struct command *commands[BACKEND_NQUEUES];
    int asked[BACKEND_NQUEUES], run[BACKEND_NQUEUES];
};

static void unpack(uint32_t *dst, const uint8_t *src, size_t n, int bytes_per_weight)
{
    for (size_t i = 0; i < n; i++)
        dst[i] = adt_unpack_lane(src + (size_t)bytes_per_weight * i, bytes_per_weight);
}

/* Run the queue's next command; false if there is none or it has to wait. */
static bool run_one(struct lazy *b, int q)
{
    struct command *c = &b->commands[q][b->run[q]];

    if (b->run[q] == b->asked[q] || (c->kind == FOLLOW && b->events[c->event].done < c->count))
        return false;
    b->run[q]++;
    switch (c->kind) {
    case COPY: memcpy(c->dst, c->src, c->n); break;
    case UNPACK: unpack(c->dst, c->src, c->n, c->bytes_per_weight); break;
    case LAUNCH: c->work(c->arg, NULL); break;
    case RECORD:
        if (c->count > b->events[c->event].done)
            b->events[c->event].done = c->count;
        break;
    default: break;
    }
    return true;
}

/* Run what this queue needs to reach the event, and nothing else. */
static void run_until(struct lazy *b, int q, int event, int count)
{
    while (b->events[event].done < count)
        if (!run_one(b, q)) {
            struct command *c = &b->commands[q][b->run[q]];

            assert(b->run[q] < b->asked[q] && "an event that nothing will reach");
            run_until(b, (int)b->events[c->event].last, c->event, c->count);
        }
}

static void run_all(struct lazy *b)
{
    for (bool moved = true; moved;) {
        moved = 0;
        for (int q = 0; q < BACKEND_NQUEUES; q++)
            while (run_one(b, q))
                moved = 1;
    }
}

static void run_some(struct lazy *b)
{
    for (b->seed = b->seed * 1664525 + 1013904223; b->seed >> 30; b->seed = b->seed * 1664525 + 1013904223)
        run_one(b, (int)(b->seed >> 20 & 3));
}

static void move(struct lazy *b)
{
    if (b->mode == EAGER)
        run_all(b);
    else if (b->mode == RANDOM)
        run_some(b);
}

static int put(struct backend *base, enum backend_queue q, struct command c)
{
    struct lazy *b = (struct lazy *)base;

    assert(b->asked[q] < CAPACITY);
    b->commands[q][b->asked[q]++] = c;
    move(b);
    return NW_OK;
}

static void *lazy_alloc(struct backend *base, enum backend_memory kind, size_t nbytes)
{
    void *p = aligned_alloc(64, (nbytes + 63) / 64 * 64);

    (void)base, (void)kind;
    assert(p);
    lazy_alive++;
    return memset(p, 0x5a, nbytes);
}

static void lazy_release(struct backend *base, enum backend_memory kind, void *p)
{
    (void)base, (void)kind;
    lazy_alive -= p != NULL;
    free(p);
}

static int lazy_prepare(struct backend *base, int nevents)
{
    struct lazy *b = (struct lazy *)base;

    b->events = calloc((size_t)nevents, sizeof(*b->events));
    return b->events ? NW_OK : NW_ENOMEM;
}

static int lazy_copy(struct backend *base, enum backend_queue q, void *dst, const void *src, size_t nbytes)
{
    return put(base, q, (struct command){ .kind = COPY, .dst = dst, .src = src, .n = nbytes });
}

static int lazy_unpack(struct backend *base, void *dst, const uint8_t *src, size_t n, int bytes_per_weight)
{
    return put(
        base, QUEUE_UNPACK,
        (struct command){ .kind = UNPACK, .dst = dst, .src = src, .n = n, .bytes_per_weight = bytes_per_weight });
}

static int lazy_launch(struct backend *base, backend_work_fn *work, void *arg)
{
    return put(base, QUEUE_COMPUTE, (struct command){ .kind = LAUNCH, .work = work, .arg = arg });
}

static int lazy_record(struct backend *base, enum backend_queue q, int event)
{
    struct event *e = &((struct lazy *)base)->events[event];

    e->last = q;
    return put(base, q, (struct command){ .kind = RECORD, .event = event, .count = ++e->recorded });
}

static int lazy_follow(struct backend *base, enum backend_queue q, int event)
{
    struct event *e = &((struct lazy *)base)->events[event];

    return put(base, q, (struct command){ .kind = FOLLOW, .event = event, .count = e->recorded });
}

static int lazy_done(struct backend *base, int event)
{
    struct lazy *b = (struct lazy *)base;

    move(b);
    return b->events[event].done >= b->events[event].recorded;
}

static int lazy_wait(struct backend *base, int event)
{
    struct lazy *b = (struct lazy *)base;

    move(b);
    run_until(b, (int)b->events[event].last, event, b->events[event].recorded);
    return NW_OK;
}

static int lazy_drain(struct backend *base)
{
    struct lazy *b = (struct lazy *)base;

    run_all(b);
    for (int q = 0; q < BACKEND_NQUEUES; q++)
        assert(b->run[q] == b->asked[q] && "queues that wait for each other");
    return NW_OK;
}

static void lazy_close(struct backend *base)
{
    struct lazy *b = (struct lazy *)base;

    for (int q = 0; q < BACKEND_NQUEUES; q++)
        free(b->commands[q]);
    free(b->events);
    free(b);
    lazy_alive--;
}

static const struct backend_ops lazy_ops = { "lazy",      lazy_alloc,  lazy_release, lazy_prepare, lazy_copy,
                                             lazy_unpack, lazy_launch, lazy_record,  lazy_follow,  lazy_done,
                                             lazy_wait,   lazy_drain,  lazy_close };

struct backend *lazy_backend_open(enum lazy_mode mode, uint32_t seed)
{
    struct lazy *b = calloc(1, sizeof(*b));

    assert(b);
    b->base.ops = &lazy_ops;
    b->mode = mode;
    b->seed = seed;
    for (int q = 0; q < BACKEND_NQUEUES; q++) {
        b->commands[q] = calloc(CAPACITY, sizeof(**b->commands));
        assert(b->commands[q]);
    }
    lazy_alive++;
    return &b->base;
}
