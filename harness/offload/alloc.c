/* alloc.c - memory for tensors and rings, listed so that it can be released and recognized. */
#include <stdio.h>
#include <stdlib.h>

#include "harness/offload/internal.h"

static void *fail(const char *why)
{
    fprintf(stderr, "offload: %s\n", why);
    return NULL;
}

void *offload_alloc(struct offload *o, enum backend_memory kind, size_t nbytes)
{
    struct allocation *r;

    if (o->in_step)
        return fail("memory is not handed out inside a step");
    r = malloc(sizeof(*r));
    if (!r)
        return fail("out of memory");
    *r = (struct allocation){ o->allocations, backend_alloc(o->backend, kind, nbytes ? nbytes : 1), nbytes, kind };
    if (!r->at) {
        free(r);
        return NULL;
    }
    o->allocations = r;
    return r->at;
}

bool offload_owns(const struct offload *o, enum backend_memory kind, const void *at, size_t nbytes)
{
    for (const struct allocation *r = o->allocations; r; r = r->next) {
        uintptr_t before = (uintptr_t)at - (uintptr_t)r->at;

        if (r->kind == kind && (uintptr_t)at >= (uintptr_t)r->at && before <= r->nbytes && nbytes <= r->nbytes - before)
            return true;
    }
    return false;
}
