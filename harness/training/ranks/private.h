/* private.h - what the files of the ranks share. */
#ifndef NARROWS_HARNESS_TRAINING_RANKS_PRIVATE_H
#define NARROWS_HARNESS_TRAINING_RANKS_PRIVATE_H

#include "harness/training/ranks/link.h"
#include "harness/training/ranks/ranks.h"

/* One step on this rank. */
struct rank_step {
    int64_t ns[TRAINER_PARTS], sent_bytes, received_bytes;
};

struct ranks {
    struct world world;
    struct link_nccl *nccl; /* NULL: steps exchange by MPI */
    struct trainer_peers peers;
    bool broken; /* rank 0 has left a training in its middle */

    bool (*stop)(void);
    bool asked, stopping; /* by a rank; decided by rank 0 */
    enum trainer_part part;
    int64_t since_ns;
    struct rank_step now, *steps;
    size_t nsteps, steps_capacity;
    bool lost; /* no memory for the times of a step: there are none then */
};

/* A message of n bytes, all zero. NULL bytes: no memory. */
struct trainer_message ranks_message(size_t n);

#endif
