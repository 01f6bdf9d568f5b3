/* operation.h - what ranks do together, and where they are: what a time of a collective is asked for. */
#ifndef NARROWS_SIM_COLLECTIVE_OPERATION_H
#define NARROWS_SIM_COLLECTIVE_OPERATION_H

#include <stdint.h>

enum collective_operation {
    COLLECTIVE_ALLREDUCE,
    COLLECTIVE_ALLGATHER,
    COLLECTIVE_REDUCE_SCATTER,
    COLLECTIVE_BROADCAST,
    COLLECTIVE_OPERATIONS,
};

struct collective_group {
    int64_t ranks, machines; /* ranks fill machine after machine */
    double network_Bps;      /* into a machine, by all its NICs; not used on one machine */
};

#endif
