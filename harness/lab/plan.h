/* plan.h - the numbers of a lab: what each link's token buckets are set to for a platform.
 * Burst      the link's; if it has none, 2.048 ms of the rate, at least 4 KiB: a bucket whose timer comes later than it
 *            is full again loses throughput. Of a message's bytes those of one burst pass at memory speed.
 * Queue      80 ms of the rate, at least 1 MB, behind each bucket: with short ones senders that meet lose packets,
 *            which no model of rates describes.
 * Left out   message_bytes and message_s: software that runs in the lab has its own. */
#ifndef NARROWS_HARNESS_LAB_PLAN_H
#define NARROWS_HARNESS_LAB_PLAN_H

#include <stddef.h>
#include <stdint.h>

struct platform;

enum { LAB_MACHINES = 250 }; /* 10.77.0.1 to .250 */

/* What veth and the bridge have by themselves; a link of the platform with more needs netem. */
#define LAB_OWN_LATENCY_s 100e-6

/* Payload's share of a shaped rate: MTU 1500 with TCP timestamps, and tbf counts the Ethernet header. */
#define LAB_PAYLOAD_SHARE (1448.0 / 1514.0)

/* One direction of a link, as its token bucket has it. */
struct lab_rate {
    double Bps;
    int64_t burst_bytes, queue_bytes;
};

struct lab_link {
    struct lab_rate up, down; /* up: out of the machine, or from a switch to the core */
    double latency_s;         /* added to each direction; 0: as veth has it */
};

struct lab_plan {
    char platform[64];
    int machines;
    int per_switch; /* machines below each switch of a tree; 0: a star */
    int switches;   /* 1: a star */
    struct lab_link links[LAB_MACHINES];
    struct lab_link uplinks[LAB_MACHINES]; /* of a tree's switches */
};

/* queue_bytes: of every direction, 0 for the rule. NW_EINPUT with the reason and what to do instead in why[]. */
int lab_plan_make(const struct platform *p, int64_t queue_bytes, struct lab_plan *out, char *why, size_t nwhy);

/* burst_bytes, queue_bytes: 0 for the rule. */
struct lab_rate lab_rate_of(double Bps, int64_t burst_bytes, int64_t queue_bytes);

/* The largest latency that a link adds. */
double lab_plan_latency(const struct lab_plan *plan);

/* Of the payload that machine 'from' can send to 'to' alone. */
double lab_plan_payload_Bps(const struct lab_plan *plan, int from, int to);

#endif
