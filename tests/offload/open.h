/* open.h - an offload over a back end of the tests, with the rings that a case wants. */
#ifndef NARROWS_TESTS_OFFLOAD_OPEN_H
#define NARROWS_TESTS_OFFLOAD_OPEN_H

#include "harness/offload/offload.h"
#include "harness/status.h"
#include "tests/offload/lazy_backend.h"
#include "tests/test.h"

enum { BOTH = OFFLOAD_TO_DEVICE | OFFLOAD_TO_HOST };

struct shape {
    int slots;
    size_t slot_bytes;
    int tickets;
};

static inline struct offload *open_on(struct backend *b, const struct shape *s)
{
    struct offload_options options = {
        .backend = b, .ways = BOTH, .slots = s->slots, .slot_bytes = s->slot_bytes, .tickets = s->tickets
    };
    struct offload *o = NULL;

    assert_int_equal(offload_open(&options, &o), NW_OK);
    return o;
}

static inline void all_closed(void)
{
    assert_int_equal(lazy_alive, 0);
}

#endif
