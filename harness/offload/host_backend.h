/* host_backend.h - the back end of a machine without a GPU. The "device" is other memory of the host, its queues are
 * threads, and bytes pass a link of the requested speed.
 * Link       one per direction, independent, or both sharing a wire (half duplex). A copy holds its link for
 *            latency_ns plus its bytes at bytes_per_s, and is never done earlier. If the system runs the thread late,
 *            the copies after it catch up, so that the rate holds.
 * Device     QUEUE_UNPACK runs the best serial host row of kernels/adt on one thread.
 * Signals    are blocked in these threads: the program's other threads receive them. */
#ifndef NARROWS_HARNESS_OFFLOAD_HOST_BACKEND_H
#define NARROWS_HARNESS_OFFLOAD_HOST_BACKEND_H

#include <stdbool.h>
#include <stdint.h>

#include "harness/offload/backend.h"

struct host_link {
    double bytes_per_s; /* 0: as fast as memory copies */
    int64_t latency_ns;
};

struct host_backend_options {
    struct host_link to_device, to_host;
    /* The threads stand for other hardware: run them on every processor, even if the caller is pinned to one. */
    bool anywhere;
    double wire_bytes_per_s; /* the rate that both directions share; 0: full duplex */
};

/* Close *out with its ops->close(), which joins the threads. */
int host_backend_open(const struct host_backend_options *options, struct backend **out);

#endif
