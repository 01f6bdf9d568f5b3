/* link.h - a link of given speed: bytes are really copied, but not before the link would have delivered them. Times are
 * of clock_ns(). */
#ifndef NARROWS_HARNESS_OFFLOAD_LINK_H
#define NARROWS_HARNESS_OFFLOAD_LINK_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/offload/host_backend.h"

/* How long the link takes for so many bytes, latency left out; at most 70 years. */
int64_t link_wire_ns(const struct host_link *l, size_t nbytes);

/* The wire that the copies of both directions share: they take turns, piece by piece. */
struct link_wire {
    struct host_link each; /* no latency */
    _Atomic int64_t free_ns;
};

/* Copy bytes that were ready at 'ready_ns' on the calling thread, over a link that is free, and over 'wire' (NULL:
 * none). Returns when the link has delivered them, with the time at which that was due: a thread that the system wakes
 * late does not make the link slower. Bytes move when the link would carry them or a little earlier; the last ones not
 * before they are due. */
int64_t link_copy(const struct host_link *l, struct link_wire *wire, void *dst, const void *src, size_t nbytes,
                  int64_t ready_ns);

#endif
