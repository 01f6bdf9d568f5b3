/* fabric.h - links as fluids: flows share the capacity of the channels they cross, max-min fair.
 * A channel is one direction of one link (or a memory port); a half-duplex link is a channel that both directions cross.
 * Every flow gets the rate that progressive filling gives it: raise all rates together, freeze the flows of each channel
 * as it fills. When flows come or go, only what they can reach - the connected component of channels and flows - is
 * solved again, and always with every channel of every flow in it.
 * Units      bytes, bytes per second, integer picoseconds. A flow ends at the first picosecond by which it has moved
 *            its bytes.
 * Invariants checked by assert: no channel carries more than its capacity; what the rates moved over a channel equals
 *            the bytes of the flows that crossed it.
 * Errors     sim_status; after SIM_ENOMEM only fabric_clear() is allowed. */
#ifndef NARROWS_SIM_FABRIC_H
#define NARROWS_SIM_FABRIC_H

#include <stddef.h>
#include <stdint.h>

enum { FABRIC_MAX_PATH = 8 };

struct channel {
    double capacity_Bps;
    double load_Bps;     /* sum of the rates of its flows now */
    double carried_B;    /* integral of load over time */
    int64_t busy_ps;     /* time during which at least one flow crossed it */
    int64_t since_ps;    /* up to when carried and busy are counted */
    uint64_t sent_bytes; /* of the flows that have ended */
    uint64_t flows_ended;
    uint32_t *flows; /* active flows that cross it */
    size_t nflows, capacity;
    uint32_t unfrozen; /* scratch of the solver */
    _Bool dirty, marked;
};

struct flow {
    uint32_t path[FABRIC_MAX_PATH];
    uint32_t npath;
    uint32_t slot[FABRIC_MAX_PATH]; /* where the flow stands in each channel's list */
    int64_t bytes;
    double remaining_B; /* at since_ps */
    double rate_Bps;
    int64_t since_ps;
    int64_t end_ps;   /* predicted, at the present rate */
    uint64_t version; /* grows whenever end_ps changes */
    _Bool active, marked, frozen;
};

struct fabric {
    struct channel *channels;
    size_t nchannels, channel_capacity;
    struct flow *flows;
    size_t nflows, flow_capacity;
    uint32_t *dirty; /* channels touched since the last fabric_settle() */
    size_t ndirty, dirty_capacity;
    uint32_t *reached; /* scratch: channels of the components being solved */
    size_t nreached, reached_capacity;
    uint32_t *changed; /* flows whose end_ps the last fabric_settle() changed */
    size_t nchanged, changed_capacity;
};

/* Add a channel; its index, or a negative status (SIM_EINVAL unless capacity is positive and finite). */
int64_t fabric_channel(struct fabric *f, double capacity_Bps);

/* Declare a flow over path[0..npath), all different; it does not move before fabric_start(). */
int64_t fabric_flow(struct fabric *f, const uint32_t *path, size_t npath, int64_t bytes);

int fabric_start(struct fabric *f, uint32_t flow, int64_t now_ps);
int fabric_end(struct fabric *f, uint32_t flow, int64_t now_ps); /* at its end_ps */

/* After all starts and ends of one instant: solve what they reach. f->changed[] then lists the flows with a new end. */
int fabric_settle(struct fabric *f, int64_t now_ps);

/* Bring every channel's counters up to now_ps and check the invariants. */
void fabric_close(struct fabric *f, int64_t now_ps);
void fabric_clear(struct fabric *f); /* releases memory */

#endif
