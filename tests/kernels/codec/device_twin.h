/* device_twin.h - one buffer here and its twin on the device, each with margins of known bytes. Included after
 * cmocka.h. */
#ifndef NARROWS_TESTS_KERNELS_CODEC_DEVICE_TWIN_H
#define NARROWS_TESTS_KERNELS_CODEC_DEVICE_TWIN_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "harness/bench/device.h"
#include "tests/test.h"

enum { MARGIN = 64, SENTINEL = 0xc3 };
#if defined(__SANITIZE_ADDRESS__)
enum { BEHIND = 0 }; /* the sanitizer sees more than a margin */
#else
enum { BEHIND = MARGIN };
#endif

struct twin {
    uint8_t *host, *device, *seen; /* with a margin before and behind */
    size_t size;
};

static inline struct twin twin_new(size_t size)
{
    struct twin t = { NULL, device_alloc(MARGIN + size + BEHIND), NULL, size };

    /* on a boundary of 64, as the contract has it */
    if (posix_memalign((void **)&t.host, 64, MARGIN + size + MARGIN))
        abort();
    t.seen = malloc(MARGIN + size + MARGIN);
    assert_non_null(t.seen);
    assert_non_null(t.device);
    memset(t.host, SENTINEL, MARGIN + size + MARGIN);
    device_fill(t.device, SENTINEL, MARGIN + size + BEHIND);
    return t;
}

static inline void twin_free(struct twin *t)
{
    free(t->host);
    free(t->seen);
    device_free(t->device);
}

static inline void *here(struct twin *t)
{
    return t->host + MARGIN;
}

static inline void *there(struct twin *t)
{
    return t->device + MARGIN;
}

/* The device's becomes what is here. */
static inline void twin_send(struct twin *t)
{
    device_write(t->device, t->host, MARGIN + t->size + BEHIND);
}

/* -1, or where the two differ; the first 'size' bytes have to be equal and the margins to be whole. */
static inline long twin_differs(struct twin *t, size_t size)
{
    device_read(t->seen, t->device, MARGIN + t->size + BEHIND);
    for (size_t i = 0; i < MARGIN + t->size + BEHIND; i++)
        if (t->seen[i] != (i < MARGIN + size ? t->host[i] : i < MARGIN + t->size ? t->seen[i] : SENTINEL))
            return (long)i - MARGIN;
    return -1;
}

#endif
