#include "tests/offload/spy_backend.h"

#include <assert.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/status.h"

int spy_calls;

struct spy {
    struct backend base;
    struct backend *inner;
    enum injected_fault injected;
    int at, copies, unpacks;
    struct diary *diary;
};

__attribute__((format(printf, 2, 3))) static void note(struct spy *s, const char *format, ...)
{
    struct diary *d = s->diary;
    size_t left = d && d->n < d->capacity ? d->capacity - d->n : 0;
    va_list values;

    if (!d)
        return;
    va_start(values, format);
    d->n += (size_t)vsnprintf(d->text + (left ? d->n : 0), left, format, values);
    va_end(values);
}

static bool refused(struct spy *s)
{
    return spy_calls++ == s->at && s->injected == FAULT_REFUSES;
}

static void *spy_alloc(struct backend *base, enum backend_memory kind, size_t nbytes)
{
    struct spy *s = (struct spy *)base;

    note(s, "alloc\n");
    return refused(s) ? NULL : s->inner->ops->alloc(s->inner, kind, nbytes);
}

static void spy_release(struct backend *base, enum backend_memory kind, void *p)
{
    struct spy *s = (struct spy *)base;

    s->inner->ops->release(s->inner, kind, p);
}

static int spy_prepare(struct backend *base, int nevents)
{
    struct spy *s = (struct spy *)base;

    return refused(s) ? NW_EENV : s->inner->ops->prepare(s->inner, nevents);
}

static int spy_copy(struct backend *base, enum backend_queue q, void *dst, const void *src, size_t nbytes)
{
    struct spy *s = (struct spy *)base;

    note(s, "copy %d %zu\n", (int)q, nbytes);
    if (refused(s))
        return NW_EENV;
    if (s->injected == FAULT_LOST_COPY && s->copies++ % 3 == 1)
        return NW_OK;
    if (s->injected == FAULT_SHORT_COPY && nbytes)
        nbytes--;
    if (s->injected == FAULT_WRONG_PLACE && q == QUEUE_TO_HOST && nbytes > 1) {
        dst = (char *)dst + 1;
        nbytes--;
    }
    if (s->injected == FAULT_ALLOCATES)
        s->inner->ops->release(s->inner, BACKEND_DEVICE, backend_alloc(base, BACKEND_DEVICE, 64));
    if (s->injected == FAULT_DRAINS)
        backend_drain(base);
    return s->inner->ops->copy(s->inner, q, dst, src, nbytes);
}

static int spy_unpack(struct backend *base, void *dst, const uint8_t *src, size_t n, int bytes_per_weight)
{
    struct spy *s = (struct spy *)base;

    note(s, "unpack %zu %d\n", n, bytes_per_weight);
    if (refused(s))
        return NW_EENV;
    if (s->injected == FAULT_LOST_UNPACK && s->unpacks++ % 3 == 1)
        return NW_OK;
    return s->inner->ops->unpack(s->inner, dst, src, n, bytes_per_weight);
}

static int spy_launch(struct backend *base, backend_work_fn *work, void *arg)
{
    struct spy *s = (struct spy *)base;

    note(s, "launch\n");
    return refused(s) ? NW_EENV : s->inner->ops->launch(s->inner, work, arg);
}

static int spy_record(struct backend *base, enum backend_queue q, int event)
{
    struct spy *s = (struct spy *)base;

    note(s, "record %d %d\n", (int)q, event);
    return refused(s) ? NW_EENV : s->inner->ops->record(s->inner, q, event);
}

static int spy_follow(struct backend *base, enum backend_queue q, int event)
{
    struct spy *s = (struct spy *)base;

    note(s, "follow %d %d\n", (int)q, event);
    if (refused(s))
        return NW_EENV;
    return s->injected == FAULT_UNFOLLOWED ? NW_OK : s->inner->ops->follow(s->inner, q, event);
}

/* Not in the diary: an answer depends on the moment. */
static int spy_done(struct backend *base, int event)
{
    struct spy *s = (struct spy *)base;

    if (refused(s))
        return NW_EENV;
    return s->injected == FAULT_EARLY ? 1 : s->inner->ops->done(s->inner, event);
}

static int spy_wait(struct backend *base, int event)
{
    struct spy *s = (struct spy *)base;

    note(s, "wait %d\n", event);
    if (refused(s))
        return NW_EENV;
    return s->injected == FAULT_EARLY ? NW_OK : s->inner->ops->wait(s->inner, event);
}

static int spy_drain(struct backend *base)
{
    struct spy *s = (struct spy *)base;

    note(s, "drain\n");
    s->inner->ops->drain(s->inner);
    return refused(s) ? NW_EENV : NW_OK;
}

static void spy_close(struct backend *base)
{
    struct spy *s = (struct spy *)base;

    s->inner->ops->close(s->inner);
    free(s);
}

static const struct backend_ops spy_ops = { "spy",      spy_alloc,  spy_release, spy_prepare, spy_copy,
                                            spy_unpack, spy_launch, spy_record,  spy_follow,  spy_done,
                                            spy_wait,   spy_drain,  spy_close };

struct backend *spy_backend_open(struct backend *inner, enum injected_fault injected, int at, struct diary *diary)
{
    struct spy *s = calloc(1, sizeof(*s));

    assert(s);
    *s = (struct spy){ .base.ops = &spy_ops, .inner = inner, .injected = injected, .at = at, .diary = diary };
    return &s->base;
}
