/* nodes.h - private to chakra.h: the nodes of all ranks while they become flows. */
#ifndef NARROWS_HARNESS_IMPORT_CHAKRA_NODES_H
#define NARROWS_HARNESS_IMPORT_CHAKRA_NODES_H

#include <stdbool.h>

#include "harness/import/chakra/chakra.h"

enum { CHAKRA_NONE = -1, CHAKRA_TYPES = 11 };

enum chakra_type {
    CHAKRA_INVALID,
    CHAKRA_METADATA,
    CHAKRA_LOAD,
    CHAKRA_STORE,
    CHAKRA_COMP,
    CHAKRA_SEND,
    CHAKRA_RECV,
    CHAKRA_COLL
};

enum chakra_collective {
    CHAKRA_ALL_REDUCE,
    CHAKRA_REDUCE,
    CHAKRA_ALL_GATHER,
    CHAKRA_GATHER,
    CHAKRA_SCATTER,
    CHAKRA_BROADCAST,
    CHAKRA_ALL_TO_ALL,
    CHAKRA_REDUCE_SCATTER,
    CHAKRA_REDUCE_SCATTER_BLOCK,
    CHAKRA_BARRIER
};

struct chakra_node {
    uint64_t id;
    int32_t rank, type;
    int32_t other; /* of a receive: the node that sends; of a collective: its number; else CHAKRA_NONE */
    bool on_cpu;
    int64_t duration_ps, start_us;
    int64_t bytes, src, dst, tag; /* of messages */
    int64_t ops;                  /* of a computation: num_ops */
    int64_t collective, root;     /* of collectives: root is a rank of the group, counted from 0 */
    char group[32];               /* the name's beginning */
    size_t ndeps;                 /* in the order of nodes, one node's after another's */
    uint32_t done;                /* the flow at whose end it is over */
};

struct chakra_rank {
    const char *file;
    size_t first, n; /* nodes */
};

/* Nodes that are one collective: members[first .. first + n), by rank. */
struct chakra_group {
    size_t first, n;
    size_t missing; /* members that still wait for others */
};

struct chakra {
    FILE *err;
    struct chakra_node *nodes;
    size_t nnodes, nodes_capacity;
    uint64_t *deps; /* ids; then places among the nodes */
    size_t ndeps, deps_capacity;
    struct chakra_rank *ranks;
    size_t nranks, ranks_capacity;
    uint32_t *members;
    struct chakra_group *groups;
    size_t ngroups;
    uint32_t *order; /* nodes in an order in which they can run; a collective's last member stands for it */
    size_t norder;
    struct flow_spec *flows;
    size_t nflows, flows_capacity;
    uint32_t *after; /* of all flows, one after another */
    size_t nafter, after_capacity;
    size_t counts[CHAKRA_TYPES], unknown, without_duration;
    int gpus;
    double flops_per_s;
};

/* "FILE: node ID: " and the rest; NW_EINPUT. */
int chakra_refuse(const struct chakra *c, const struct chakra_node *n, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

int chakra_match(struct chakra *c); /* sends with receives, collectives of all ranks */
int chakra_sort(struct chakra *c);  /* fills order[] */

/* Add a flow that waits for after[0..n). NW_ENOMEM, NW_EINPUT for too many. */
int chakra_add(struct chakra *c, int64_t from, int64_t to, int64_t bytes, int64_t delay_ps, const uint32_t *after,
               size_t n);

/* The flows of a collective whose members have begun with the flows begun[0..n): done[i] is that of member i's end. */
int chakra_collective(struct chakra *c, const struct chakra_group *g, const uint32_t *begun, uint32_t *done);

#endif
