/* measured.h - collectives as a library runs them on a machine: a time by operation, ranks and bytes, in place of
 * transfers over links. Either rows that were measured, or a model with few numbers:
 *   time = launch + steps x latency + factor x bytes / bandwidth x (bytes / bandwidth_at) ^ (exponent - 1)
 * but never less than 'floor'.
 * Steps      of a ring: 2 (n - 1) for an all-reduce, n - 1 for the others. Of a tree (all-reduce only): 2 ceil(log2 n).
 * Factor     what nccl-tests divides by for its bus bandwidth (its PERFORMANCE.md): 2 (n - 1) / n for an all-reduce,
 *            (n - 1) / n for all-gather and reduce-scatter, 1 for a broadcast.
 * Bytes      as nccl-tests counts them: the whole vector; of an all-gather what each rank has in the end.
 * Exponent   below 1 where large messages reach more of the links than middling ones do; bandwidth_at is the size at
 *            which the bus reaches 'bandwidth'. 1: a line.
 * Protocols  ways to send (NCCL's LL, LL128 and Simple): multiples of latency and bandwidth, and the sizes that they
 *            are used for. Of those that apply the fastest is taken. Without any: a ring at any size.
 * NCCL       with nccl.generation, its own algorithms and protocols in place of these (nccl.h): time = launch + NCCL's,
 *            but never less than 'floor'. 'bandwidth' is that of the bus within a machine, 0 what the GPU's NVLinks
 *            carry; between machines NICs may be slower; 'latency' is what a NIC adds to a step between machines.
 * Rows       of one operation and number of ranks, in the order of their sizes, are joined by straight lines. Less than
 *            the first takes as long as the first, more than the last goes on along the line through the last two, or
 *            at the rate of a single one, and takes no less than the last. They come before the model.
 * Errors     E_INVAL, with the reason in why[], which begins with the key ("platform.collective.table: ..."). */
#ifndef NARROWS_SIM_COLLECTIVE_MEASURED_H
#define NARROWS_SIM_COLLECTIVE_MEASURED_H

#include <stddef.h>
#include <stdint.h>

#include "sim/collective/nccl.h"
#include "sim/collective/operation.h"

enum protocol_shape { PROTOCOL_RING, PROTOCOL_TREE };

struct protocol {
    const char *name;
    enum protocol_shape shape;
    double latency_ratio;            /* of the collective's latency */
    double bandwidth_ratio;          /* of the collective's bandwidth */
    int64_t least_bytes, most_bytes; /* 0: no limit */
};

struct measured_row {
    enum collective_operation operation;
    int64_t ranks, bytes;
    double time_s;
};

struct measured {
    double launch_s, latency_s; /* of a collective, of each step */
    double local_Bps; /* at which a rank takes in a collective's bytes besides what the links take; 0: at once. Of the
                         method sharded alone */
    double floor_s;
    double bandwidth_Bps; /* of the bus; 0: there is no model */
    double bandwidth_at_bytes, exponent;
    struct protocol *protocols;
    size_t nprotocols;
    struct nccl nccl;
    struct measured_row *rows;
    size_t nrows;
};

int measured_check(const struct measured *m, char *why, size_t nwhy);

/* Is there a time for this operation among these ranks? E_INVAL with the reason if not. */
int measured_has(const struct measured *m, enum collective_operation o, const struct collective_group *g, char *why,
                 size_t nwhy);

/* Time of one collective; 0 among one rank. A negative result is a status: E_INVAL where measured_has() refuses,
 * E_RANGE. */
int64_t measured_collective_ps(const struct measured *m, enum collective_operation o, const struct collective_group *g,
                               int64_t bytes);

/* The algorithm and protocol that NCCL's tuning chooses, "ring-LL128". NULL where the time comes from elsewhere. */
const char *measured_sent_as(const struct measured *m, enum collective_operation o, const struct collective_group *g,
                             int64_t bytes);

/* What nccl-tests multiplies bytes over time by for the bandwidth of the bus. */
double measured_factor(enum collective_operation o, int64_t ranks);

/* "all-reduce" */
const char *collective_operation_name(enum collective_operation o);

#endif
