/* device_buffer.h - for tests of device code: memory on the device of which every byte is known, and the orders in
 * which the emulation runs threads (a device has one, its own). */
#ifndef NARROWS_TESTS_KERNELS_DEVICE_BUFFER_H
#define NARROWS_TESTS_KERNELS_DEVICE_BUFFER_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/bench/device.h"
#include "tests/test.h"
#ifdef NW_EMULATED
#include "tests/emulation/emulation.h"
#endif

enum { BUFFER_MARGIN = 256, ROOM_SENTINEL = 0x5e };

/* 'nbytes' in use at 'at', sentinels in front of them and behind. */
struct buffer {
    uint8_t *all, *at;
    size_t nbytes, offset;
};

/* 'offset': from a multiple of 256. */
static inline struct buffer buffer_make(size_t nbytes, size_t offset)
{
    struct buffer r = { device_alloc(2 * BUFFER_MARGIN + offset + nbytes), NULL, nbytes, offset };

    assert_non_null(r.all);
    device_fill(r.all, ROOM_SENTINEL, 2 * BUFFER_MARGIN + offset + nbytes);
    r.at = r.all + BUFFER_MARGIN + offset;
    return r;
}

static inline struct buffer buffer_of(const void *bytes, size_t nbytes, size_t offset)
{
    struct buffer r = buffer_make(nbytes, offset);

    if (nbytes)
        device_write(r.at, bytes, nbytes);
    return r;
}

/* Check the margins, read back what was in use (to NULL: nothing), and free the buffer. */
static inline void buffer_close(struct buffer *r, void *to, const char *what)
{
    size_t size = 2 * BUFFER_MARGIN + r->offset + r->nbytes, front = BUFFER_MARGIN + r->offset;
    uint8_t *seen = malloc(size);

    assert_non_null(seen);
    device_read(seen, r->all, size);
    for (size_t i = 0; i < size; i++)
        if ((i < front || i >= front + r->nbytes) && seen[i] != ROOM_SENTINEL)
            fail_msg("%s: wrote outside, at %td of %zu bytes", what, (ptrdiff_t)i - (ptrdiff_t)front, r->nbytes);
    if (to && r->nbytes)
        memcpy(to, seen + front, r->nbytes);
    free(seen);
    device_free(r->all);
}

static inline void buffer_no_error(const char *what)
{
    const char *error = device_error();

    if (error)
        fail_msg("%s: %s", what, error);
}

/* Another order each time. */
static inline void buffer_next_order(void)
{
#ifdef NW_EMULATED
    static size_t turn;

    emulation_set_order(&emulation_orders[turn++ % EMULATION_ORDERS]);
#endif
}

#endif
