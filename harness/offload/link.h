/* link.h - a link of stated speed: real bytes, held back until the link would have delivered them. */
#ifndef NARROWS_HARNESS_OFFLOAD_LINK_H
#define NARROWS_HARNESS_OFFLOAD_LINK_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/offload/host_backend.h"

int64_t link_now_ns(void); /* the clock of all times here */

/* How long the link carries so many bytes once they are on their way; 70 years stand for whatever is longer. */
int64_t link_wire_ns(const struct host_link *l, size_t nbytes);

/* What the copies of both directions share, where they do: a piece of one, then a piece of the other. */
struct link_wire {
    struct host_link each; /* no latency */
    _Atomic int64_t free_ns;
};

/* Copy, on the calling thread, what was ready to go at 'ready_ns' over a link that was free by then, and over 'wire' (NULL: none). Returns when the link has delivered it, and the time
 * at which that was due: a thread that the system woke late does not make the link slower. Bytes move when the link would carry them or
 * little before, the last ones not before they are due. */
int64_t link_copy(const struct host_link *l, struct link_wire *wire, void *dst, const void *src, size_t nbytes,
                  int64_t ready_ns);

#endif
