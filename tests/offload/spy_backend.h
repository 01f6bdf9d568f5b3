/* spy_backend.h - passes every call on to another back end, writes down in which order they came, and breaks one rule
 * if asked: the tests of the transfers have to notice. */
#ifndef NARROWS_TESTS_OFFLOAD_SPY_BACKEND_H
#define NARROWS_TESTS_OFFLOAD_SPY_BACKEND_H

#include "harness/offload/backend.h"

enum injected_fault {
    FAULT_NONE,
    FAULT_EARLY,       /* events are said to be done when they are not */
    FAULT_UNFOLLOWED,  /* queues do not wait for events */
    FAULT_LOST_COPY,   /* one copy in three never happens */
    FAULT_SHORT_COPY,  /* copies lack their last byte */
    FAULT_WRONG_PLACE, /* copies to the host land one byte off */
    FAULT_LOST_UNPACK, /* one unpack in three never happens */
    FAULT_ALLOCATES,   /* asks for memory inside copy() */
    FAULT_DRAINS,      /* waits for the whole device inside copy() */
    FAULT_REFUSES,     /* call number 'at' fails with NW_EENV */
    NFAULTS
};

/* Lines of the diary: "copy 0 300" is a copy of 300 bytes on queue 0; "wait 4" is for event 4. */
struct diary {
    char *text;
    size_t capacity, n; /* n: characters, also those past the capacity */
};

/* 'inner' is closed with the spy. 'diary' may be NULL. */
struct backend *spy_backend_open(struct backend *inner, enum injected_fault injected, int at, struct diary *diary);

/* Calls that can fail so far, over all spies: what 'at' counts in. */
extern int spy_calls;

#endif
