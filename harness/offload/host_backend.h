/* host_backend.h - the back end of a machine without a GPU: the "device" is other memory of the host, its queues are
 * threads, and real bytes pass a link as slow as asked.
 * Link       one per direction, independent, or with a wire that both share (half duplex). A copy holds its link for latency_ns plus its bytes at bytes_per_s and is
 *            never done earlier; if the system lets the thread run late, the copies behind it catch up, so that the
 *            rate holds.
 * Device     QUEUE_UNPACK runs the best host row of kernels/adt that is not parallel, on one thread.
 * Signals    are blocked in the threads: they reach the program's own. */
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
    bool anywhere; /* the threads stand for other hardware: let them run on every processor, also where the caller is
                     * pinned to one */
    double wire_bytes_per_s; /* that the copies of both directions share; 0: nothing */
};

/* *out is to be closed with its own ops->close(), which joins the threads. */
int host_backend_open(const struct host_backend_options *options, struct backend **out);

#endif
