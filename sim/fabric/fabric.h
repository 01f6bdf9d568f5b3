/* fabric.h - links as fluids: flows share the capacity of the channels they cross, max-min fair. A channel is one
 * direction of one link (or a memory port); a half-duplex link is a channel that both directions cross. A route is the
 * channels that a flow crosses, all at once: switches cut through, so a flow's rate is that of its tightest channel and
 * nothing is stored on the way. Every flow gets the rate that progressive filling gives it: raise all rates together,
 * freeze the flows of each channel as it fills. When flows start or end, only the rates that can change are computed
 * again, over all channels of these flows.
 * Buckets    a channel may have a token bucket: at first, and after idling, up to a burst passes at once. The bucket is
 *            full at the start, and fills at the rate that the channel has and does not use: all of its capacity while
 *            no flow crosses it. A flow that starts takes from every bucket on its way as many tokens as the emptiest
 *            of them has, at most its bytes; so many of its bytes have moved at once, over channels without a bucket as
 *            well, and only the others take the rate of the channels. One whose bytes all pass ends when it starts.
 * Units      bytes, bytes per second, integer picoseconds. A flow ends at the first picosecond by which it has moved
 *            its bytes; one of 0 bytes, or over a route of no channels, ends when it starts.
 * Exactness  rates change, and flows end, at whole picoseconds. Against a reference with the same clock, ends are
 *            within 4 ps up to 2^53 ps (2.5 hours), and within 1 ns beyond, where a double cannot hold every
 *            picosecond. Against exact time, which rounds nothing up, errors of successive ends add up: 40 ps at most
 *            were observed among thousands of flows, and 1 ns beyond 2^53 ps.
 * Order      flows that end at one instant are taken in the order in which they started.
 * Memory     the slot of a flow that has ended is used again: memory grows with the flows in flight, not with all
 *            flows.
 * Invariants checked by assert: no channel carries more than its capacity; what the rates moved over a channel, and
 *            what passed at once, equals the bytes of the flows that crossed it, and where there is a bucket it is no
 *            more than the capacity over all the time and one burst.
 * Errors     status; after E_NOMEM only fabric_free() is allowed. */
#ifndef NARROWS_SIM_FABRIC_FABRIC_H
#define NARROWS_SIM_FABRIC_FABRIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fabric;

/* What a channel did up to some instant. */
struct channel_state {
    double capacity_Bps;
    double carried_B;    /* integral of its load over time, and what passed at once */
    int64_t busy_ps;     /* time during which at least one flow crossed it; what passes at once takes none */
    uint64_t sent_bytes; /* of the flows that have ended */
    uint64_t flows_ended;
    size_t flows; /* crossing it now */
};

struct fabric *fabric_new(void); /* NULL if memory ran out */
void fabric_free(struct fabric *f);

/* Add a channel; its index from 0, or a negative status (E_INVAL unless capacity is positive and finite). */
int64_t fabric_channel(struct fabric *f, double capacity_Bps);

/* Give a channel that no flow has crossed yet a bucket of so many bytes; 0: none. E_INVAL. */
int fabric_bucket(struct fabric *f, uint32_t channel, double bytes);

/* From now on a channel without a bucket has another capacity; fabric_settle() comes next, before time goes on.
 * E_INVAL. */
int fabric_capacity(struct fabric *f, uint32_t channel, double capacity_Bps, int64_t now_ps);

/* Add a route over channels[0..n), all different (else E_INVAL); its index from 0, or a negative status. */
int64_t fabric_route(struct fabric *f, const uint32_t *channels, size_t n);

/* Start a flow. 'tag' is the caller's name for it. E_INVAL: there is no such route, or bytes < 0. */
int fabric_start(struct fabric *f, uint32_t route, int64_t bytes, int64_t now_ps, uint32_t tag);

/* After all starts and ends of one instant: solve what they changed. E_RANGE if a flow would end past 2^63 ps. */
int fabric_settle(struct fabric *f, int64_t now_ps);

/* When the next flow ends; false if none is in flight. Call it after fabric_settle(). */
bool fabric_next(struct fabric *f, int64_t *at_ps);

/* Take one flow that ends at now_ps, the time from fabric_next(); false if no further flow ends now. */
bool fabric_end(struct fabric *f, int64_t now_ps, uint32_t *tag);

/* Rate now of the flow with this tag (0 if there is none): for tests, in time proportional to the flows in flight. */
double fabric_rate_Bps(const struct fabric *f, uint32_t tag);

size_t fabric_nchannels(const struct fabric *f);
void fabric_channel_state(struct fabric *f, uint32_t channel, int64_t now_ps, struct channel_state *out);

/* Check the invariants of every channel at the end of a run. */
void fabric_close(struct fabric *f, int64_t now_ps);

#endif
