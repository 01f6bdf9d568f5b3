/* collective.h - allreduce, all-gather and all-to-all among n ranks: in closed form, and as transfers in a task graph.
 * Ring               reduce-scatter and all-gather: 2 (n - 1) steps with chunks of at most ceil(bytes / n).
 * Tree               double binary tree: each half of the bytes goes up and down one of two trees, in pipelined blocks.
 *                    A rank has at most two children in both trees together; the order of its transfers lets it send
 *                    one block and receive one at a time (Sanders, Speck, Traeff 2009).
 * Halving-doubling   recursive halving, then doubling. If n is not a power of two, the ranks above it fold into
 *                    partners first and unfold last (Thakur, Rabenseifner, Gropp 2005).
 * Hierarchical       reduce-scatter in each machine, a ring allreduce of each shard across machines, all-gather in
 *                    each.
 * Bound              Patarasuk and Yuan's lower bound, as one transfer of 2 (n - 1) / n x bytes over each rank's link;
 *                    with 'ideal' its limit for many ranks, 2 x bytes, as in Split-CNN section 6.4.
 * All-gather         a ring of n - 1 steps that passes on each rank's whole payload.
 * All-to-all         n - 1 steps: in step s each rank sends a part to the rank s places on.
 * n = 1 and an allreduce of 0 bytes take no time. If bytes do not divide evenly, the first ranks' chunks are one byte
 * longer; a chunk of 0 bytes is sent as an empty message. In one collective, a rank sends one transfer at a time and
 * receives one.
 * Units      bytes, integer picoseconds. A closed form rounds to whole picoseconds in each step, like the simulation,
 *            so both agree exactly on an idle network where every rank has its own links. (In a ring over hops of both
 *            kinds the closed form takes the larger chunk and the slower hop in every step: with bytes that do not
 *            divide evenly it is too long by up to the time of a byte in each step.) */
#ifndef NARROWS_SIM_COLLECTIVE_COLLECTIVE_H
#define NARROWS_SIM_COLLECTIVE_COLLECTIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/engine/engine.h"
#include "sim/fabric/fabric.h"

enum collective_algorithm {
    COLLECTIVE_RING,
    COLLECTIVE_TREE,
    COLLECTIVE_HALVING_DOUBLING,
    COLLECTIVE_HIERARCHICAL,
    COLLECTIVE_BOUND,
    COLLECTIVE_IDEAL,
    COLLECTIVE_MEASURED, /* no algorithm: as platform.collective says (measured.h); everything below refuses it */
    COLLECTIVE_ALGORITHMS,
};

enum collective_level {
    COLLECTIVE_FLOWS,     /* every transfer of every rank */
    COLLECTIVE_SYMMETRIC, /* one rank stands for all: each step of the algorithm is one transfer over that rank's links.
                             Right where all ranks do the same at the same time on alike links */
    COLLECTIVE_ANALYTIC,  /* one task as long as the closed form says */
};

/* What a closed form needs to know of the links: a hop between machines and one within a machine. */
struct hop {
    double rate_Bps; /* that a rank gets while all others do the same */
    int64_t latency_ps;
    int64_t framing_bytes; /* that each message adds */
};
struct collective_shape {
    int64_t ranks, ranks_per_machine; /* they divide evenly for COLLECTIVE_HIERARCHICAL; for COLLECTIVE_TREE and
                                         COLLECTIVE_HALVING_DOUBLING all on one machine or each on its own */
    struct hop between, within;       /* a hop that no two ranks use is ignored */
    int64_t block_bytes;              /* COLLECTIVE_TREE: of the pipeline; 0: collective_block_bytes() */
};

/* Time of one message over a hop: as the fabric counts it. */
int64_t hop_ps(const struct hop *h, int64_t bytes);

/* Time of an allreduce of 'bytes' on an idle network whose every rank has links of its own. A negative result is a
 * status: E_INVAL for ranks < 1, bytes < 0, ranks that do not divide as above or a rate that is not positive, E_RANGE,
 * E_NOMEM. The tree's is the longest path through its blocks; the others are sums of a few products. An all-to-all's
 * messages are alike only if all ranks are on one machine or each is on its own: else E_INVAL. */
int64_t collective_allreduce_ps(enum collective_algorithm a, const struct collective_shape *s, int64_t bytes);
int64_t collective_allgather_ps(const struct collective_shape *s, int64_t bytes_of_each_rank);
int64_t collective_alltoall_ps(const struct collective_shape *s, int64_t bytes_of_each_part);

/* Bytes, with framing, that a rank on the closed form's longest path sends to other machines, or a negative status. */
int64_t collective_allreduce_crossing(enum collective_algorithm a, const struct collective_shape *s, int64_t bytes);
int64_t collective_allgather_crossing(const struct collective_shape *s, int64_t bytes_of_each_rank);
int64_t collective_alltoall_crossing(const struct collective_shape *s, int64_t bytes_of_each_part);

/* Bytes that the busiest rank sends (hop by hop, framing not counted), or a negative status. */
int64_t collective_allreduce_sent(enum collective_algorithm a, const struct collective_shape *s, int64_t bytes);

/* Block of the tree's pipeline that (nearly) minimises the closed form, of at most 128 in each tree. */
int64_t collective_block_bytes(const struct collective_shape *s, int64_t bytes);

/* Where ranks are: callbacks give the route and latency from one rank to another (a negative route is a status), and
 * the resource (ENGINE_NO_RESOURCE: none) that serializes the sender's transfers. */
struct collective_place {
    int64_t ranks, ranks_per_machine;
    int64_t (*route)(void *context, int64_t from, int64_t to, int64_t *latency_ps);
    int (*sender)(void *context, int64_t rank); /* NULL: none */
    int64_t (*framed)(void *context, int64_t from, int64_t to,
                      int64_t bytes); /* a message with its framing; NULL: as is */
    /* NULL, or called for each transfer that is added. It carries 'bytes' from 'offset' of the vector; the receiver
       adds them to its own ('add'), or replaces its own. (An all-gather's vector is all payloads, one after
       another.) */
    void (*carries)(void *context, int task, int64_t from, int64_t to, int64_t offset, int64_t bytes, bool add);
    void *context;
    /* COLLECTIVE_RING: the vector is divided among so many rings, all at once, each of which enters and leaves machines
       at ranks of its own, as far as there are; 0: one. */
    int64_t rings;
    const int64_t *payloads; /* an all-gather: bytes of each rank; NULL: the same of all */
    int64_t block_bytes;     /* COLLECTIVE_TREE; 0: one block in each tree */
    /* COLLECTIVE_TREE: transfers of at most so many bytes do not wait for others of their sender or receiver. */
    int64_t buffered_bytes;
    int64_t connections; /* ... from one rank to another so many are on their way at once; 0: one */
};

/* Adds an allreduce (or all-gather) of 'bytes' to the engine. Rank r starts when ready[r] (-1: at once) has ended;
 * done[r] receives a task that ends when r has the result and has sent everything. Every transfer has 'label' and
 * 'item'. Status. */
int collective_allreduce(struct engine *e, enum collective_algorithm a, const struct collective_place *place,
                         int64_t bytes, const int ready[], int done[], int label, int item);
int collective_allgather(struct engine *e, const struct collective_place *place, int64_t bytes_of_each_rank,
                         const int ready[], int done[], int label, int item);

/* Each rank has a part for each other rank: it carries part 'to' of the sender's vector. */
int collective_alltoall(struct engine *e, const struct collective_place *place, int64_t bytes_of_each_part,
                        const int ready[], int done[], int label, int item);

/* The first half of a ring's allreduce: rank r ends with the sum of part r + 1 mod n of the vector. */
int collective_reduce_scatter(struct engine *e, const struct collective_place *place, int64_t bytes, const int ready[],
                              int done[], int label, int item);

/* The same by symmetry: the ranks of 'place', which are on one machine or two, stand for all of 'shape'. Each of them
 * makes one transfer for each step of the closed form. With one rank, the transfers go to a rank 1, which sends
 * nothing. 'place' needs routes between these ranks only. */
int collective_allreduce_symmetric(struct engine *e, enum collective_algorithm a, const struct collective_shape *shape,
                                   const struct collective_place *place, int64_t bytes, const int ready[], int done[],
                                   int label, int item);
int collective_allgather_symmetric(struct engine *e, const struct collective_shape *shape,
                                   const struct collective_place *place, int64_t bytes_of_each_rank, const int ready[],
                                   int done[], int label, int item);
int collective_alltoall_symmetric(struct engine *e, const struct collective_shape *shape,
                                  const struct collective_place *place, int64_t bytes_of_each_part, const int ready[],
                                  int done[], int label, int item);

/* Plays one ring allreduce that is too large for a task graph: 2 n (n - 1) flows, n in flight, with contention, over
 * routes[r] from rank r to r + 1. *end_ps: when the last rank has the result. 'nflows' (NULL: not wanted): how many
 * were played. */
int collective_ring_play(struct fabric *f, const uint32_t routes[], const int64_t latency_ps[], int64_t ranks,
                         int64_t bytes, int64_t *end_ps, uint64_t *nflows);

/* Several at once, each of 'bytes': ring i goes over routes[i * ranks + r]. */
int collective_rings_play(struct fabric *f, const uint32_t routes[], const int64_t latency_ps[], int64_t ranks,
                          int64_t rings, int64_t bytes, int64_t *end_ps, uint64_t *nflows);

#endif
