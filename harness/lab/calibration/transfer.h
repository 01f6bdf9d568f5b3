/* transfer.h - plain TCP from machine to machine of a lab, as fast as it goes: what its links carry.
 * Threads    one: it moves from namespace to namespace to open the sockets, and then serves them all.
 * Errors     nw_status, the message printed. */
#ifndef NARROWS_HARNESS_LAB_CALIBRATION_TRANSFER_H
#define NARROWS_HARNESS_LAB_CALIBRATION_TRANSFER_H

#include <stdbool.h>
#include <stdint.h>

struct lab_state;

enum { TRANSFERS_MAX = 256 };

struct transfer {
    int from, to;
    int64_t inflight_bytes; /* at most so many are on their way, so that no queue drops any */
    double Bps;             /* out: payload that arrived, after the buckets' bursts had passed */
};

/* How long: first until the bursts have passed, then as long as is measured. */
struct transfer_time {
    double before_s, measured_s;
};

/* All at once. A transfer of which nothing arrived has 0. *sum_Bps: of all of them together. */
int transfer_all(const struct lab_state *s, struct transfer *list, int n, struct transfer_time how_long,
                 double *sum_Bps, bool (*stopped)(void));

#endif
