/* wires.h - who sends to whom when the ranks of a group do something together. A collective is not played message by
 * message: each rank's bytes are one flow for each way they take, all of them at once, and it is over when all are.
 * Bytes      a wire is asked to carry what one rank sends in all, so (n - 1) / n of the vector for an all-gather or a
 *            reduce-scatter among n; each of its flows carries 'parts' of 'of' parts of it, rounded up.
 * Ring       of a group with k ranks on each of several machines there are k rings, as NCCL makes them: each goes
 *            through a machine's ranks and leaves it at another one, by that rank's NIC to the rank at the same
 *            position on the next machine. So a rank sends 1 part of k to that rank, the others to its neighbour on the
 *            machine. A group that machines do not share evenly has one ring, in ascending order.
 * Spread     an all-to-all: what goes to ranks of the machine, of other machines below the same switch (rails: of its
 *            pod's leaf), and of those behind the spine is a flow each, to the next rank of that sort: every link
 *            carries what it would if each pair had a flow of its own. Each pair has in a group that machines, pods or
 *            rails do not share evenly, on a grid, and where gpu.peers links GPUs in pairs.
 * Latency    of a ring's n - 1 hops, those between machines as far as its machines need them; of a spread one hop. */
#ifndef NARROWS_SIM_PARALLEL_WIRES_H
#define NARROWS_SIM_PARALLEL_WIRES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/parallel/layout.h"
#include "sim/platform.h"

enum wire {
    WIRE_TENSOR,             /* ring */
    WIRE_CONTEXT,            /* spread */
    WIRE_EXPERT,             /* spread */
    WIRE_EXPERT_COPY,        /* ring */
    WIRE_EXPERT_COPY_SPREAD, /* spread */
    WIRE_SHARD,              /* ring */
    WIRE_SHARD_SPREAD,       /* spread */
    WIRE_SHARD_COPY,         /* ring */
    WIRE_WITHIN,             /* ring: of a shard group, on one machine */
    WIRE_WITHIN_SPREAD,      /* spread: the same */
    WIRE_ACROSS_SPREAD,      /* spread: of a shard group, the ranks at one position of each machine */
    WIRE_FORWARD,            /* to the same rank of the next stage; from the last stage to the first */
    WIRE_BACKWARD,           /* to the same rank of the stage before; from the first to the last */
    WIRE_TO_HOST,            /* from a rank into its machine's memory */
    WIRE_FROM_HOST,
    WIRES,
};

enum { RANK_HOST = -1 };

struct wire_flow {
    int64_t from, to; /* ranks; RANK_HOST: the memory of the other's machine */
    enum wire wire;
    int64_t parts, of;
};

/* One group of a wire: its ranks are members[first .. first + n). */
struct wire_group {
    enum wire wire;
    size_t first;
    int64_t n;
    int64_t machines; /* that its ranks are on */
};

struct wiring {
    struct wire_group *groups;
    size_t ngroups, group_capacity;
    int64_t *members;
    size_t nmembers, member_capacity;
    struct wire_flow *flows;
    size_t nflows, flow_capacity;
};

/* The groups of the wires that are used that some of the ranks [0, ranks) is in, and the flows that these ranks send:
 * all of them, or those of the first few machines for whoever needs no more. Status; wiring_free() releases it in any
 * case. */
int wiring_make(const struct platform *platform, const struct parallel *p, const bool used[WIRES], int64_t ranks,
                struct wiring *out);
void wiring_free(struct wiring *w);

enum rank_group wire_group_of(enum wire w);
bool wire_is_point(enum wire w); /* between stages, or to the host: no group does it together */
const char *wire_name(enum wire w);

#endif
