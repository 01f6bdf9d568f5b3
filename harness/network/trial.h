/* trial.h - one measurement of a network, and what performs it. Rank 0 decides what is tried next; all ranks take part.
 * Members    with several machines the first rank of each, since traffic inside a machine says nothing of its link;
 *            with one machine all ranks. Flows run between members, collectives and barriers among all ranks.
 * Units      bytes, nanoseconds. */
#ifndef NARROWS_HARNESS_NETWORK_TRIAL_H
#define NARROWS_HARNESS_NETWORK_TRIAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum pattern {
    PATTERN_PING_PONG, /* members 0 and 'peer', one message at a time: half of each round trip */
    PATTERN_ONE_WAY,   /* streams, each flow until its last byte is acknowledged: member 0 to 1, */
    PATTERN_TWO_WAY,   /* and 1 to 0 at the same time; */
    PATTERN_RING,      /* each member to the next; */
    PATTERN_INCAST,    /* all others to member 0; */
    PATTERN_FAN_OUT,   /* member 0 to all others */
    PATTERN_ALLREDUCE, /* MPI's own collectives, of floats, sums: the rank that takes longest */
    PATTERN_ALL_GATHER,
    PATTERN_REDUCE_SCATTER,
    PATTERN_BROADCAST,
    PATTERN_ALL_TO_ALL,
    PATTERN_BARRIER, /* each rank's own clock when it leaves a barrier */
    PATTERNS
};

const char *pattern_name(enum pattern p); /* "ping-pong" */

static inline bool pattern_is_stream(enum pattern p)
{
    return p >= PATTERN_ONE_WAY && p <= PATTERN_FAN_OUT;
}

static inline bool pattern_is_collective(enum pattern p)
{
    return p >= PATTERN_ALLREDUCE && p <= PATTERN_ALL_TO_ALL;
}

struct trial {
    enum pattern pattern;
    int peer;              /* ping-pong: the number of a member */
    int repetitions;       /* one for streams */
    int window;            /* streams: messages of a flow under way at once */
    int64_t bytes;         /* of a message; of a flow; of a collective, as nccl-tests counts them */
    int64_t message_bytes; /* streams: of each message; the last one may be shorter */
};

struct flow {
    int from, to; /* members */
};

/* The flows of a stream among so many members; 0 for other patterns. */
int pattern_flows(enum pattern p, int members);
struct flow pattern_flow(enum pattern p, int i, int members);

/* How many times a trial yields: one a flow, one a rank and repetition of a barrier, else one a repetition. */
size_t trial_times(const struct trial *t, int members, int ranks);

/* What performs trials: MPI (world.c), or a test's formula. */
struct transport {
    int ranks, members;
    /* Fills ns[0..trial_times()); those of a barrier are in the order [repetition][rank]. *wrong: elements of a
     * collective's last repetition, over all ranks, that are not what they should be. A nw_status. */
    int (*perform)(void *context, const struct trial *t, int64_t *ns, int64_t *wrong);
    int64_t (*now_ns)(void *context); /* for keeping to the time allowed */
    void *context;
};

#endif
