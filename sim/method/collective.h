/* collective.h - one collective by itself on an idle platform, as nccl-tests times it.
 * Machines   rank r is on machine r / ranks_per_machine: its GPU r mod ranks_per_machine, or, on a platform without
 *            GPUs, the machine's memory.
 * Bytes      as nccl-tests counts them: the whole vector; of an all-gather what each rank has in the end.
 * Transfers  over the platform's links by an algorithm (an all-gather and a reduce-scatter: by a ring), or, with
 *            COLLECTIVE_MEASURED, none: the time is what platform.collective says.
 * Units      names end in them. */
#ifndef NARROWS_SIM_METHOD_COLLECTIVE_H
#define NARROWS_SIM_METHOD_COLLECTIVE_H

#include <stddef.h>
#include <stdint.h>

#include "sim/collective/collective.h"
#include "sim/collective/measured.h"

struct lone_collective {
    enum collective_operation operation;
    enum collective_algorithm algorithm;
    int64_t ranks, ranks_per_machine;
    int64_t rings; /* COLLECTIVE_RING of an all-reduce: at once, each with a part of the vector; 0 is 1 */
    int64_t bytes;
};

struct job;
struct readings;
struct timeline;

int collective_check(const struct job *j, char *why, size_t nwhy);

/* Reports time_us, algbw_GBps (bytes over time), busbw_GBps (times nccl-tests' factor: what each rank's links carry),
 * bytes, link_utilisation (of the busiest channel; 0 without transfers), step_ms = the time, critical.KIND, and, where
 * NCCL's tuning chooses how to send (sim/collective/nccl.h), sent_as.NAME = 1 for "ring-LL128" or whatever it is. */
int collective_play(const struct job *j, struct readings *out, struct timeline *timeline, char *why, size_t nwhy);

#endif
