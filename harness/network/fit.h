/* fit.h - what a platform file says of a link, from what was timed.
 * Units      bytes, seconds, bytes per second. */
#ifndef NARROWS_HARNESS_NETWORK_FIT_H
#define NARROWS_HARNESS_NETWORK_FIT_H

#include <stddef.h>
#include <stdint.h>

/* A message of so many bytes, alone or in a stream of its like: how long each takes. */
struct message_time {
    int64_t bytes;
    double seconds;
};

/* alpha(bytes): what a message takes beyond its bytes at the link's rate. Negative where a shaped link passes a burst
 * faster than its rate. */
static inline double fit_alpha_s(struct message_time m, double rate_Bps)
{
    return m.seconds - (double)m.bytes / rate_Bps;
}

struct link_fit {
    double message_s;     /* between small messages of a stream: the sender's time for each */
    double message_bytes; /* that each message of a stream adds on the wire, as far as it shows; else 0 */
    double latency_s;     /* of a link: half of what an empty message takes beyond message_s, on two links in a row */
};

/* alone: a message at a time, the first of them the smallest; stream: in a stream, in the order of their sizes. Both
 * may be empty: what needs them is then 0. Sizes whose time is not mostly on the wire say nothing of message_bytes;
 * those of at most 'whole_bytes' count, larger messages being sent in pieces. Where nothing is bound by the wire it is
 * 0. */
struct link_fit fit_link(const struct message_time *alone, size_t nalone, const struct message_time *stream,
                         size_t nstream, double rate_Bps, int64_t whole_bytes);

#endif
