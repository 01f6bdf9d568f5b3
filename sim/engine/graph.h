/* graph.h - the inside of an engine: put together by build.c, played by engine.c, read by view.c. */
#ifndef NARROWS_SIM_ENGINE_GRAPH_H
#define NARROWS_SIM_ENGINE_GRAPH_H

#include <stdbool.h>

#include "sim/engine/calendar.h"
#include "sim/engine/engine.h"

enum task_state { WAITING, QUEUED, RUNNING, ENDED };

struct task {
    int64_t duration_ps; /* compute: how long; transfer: its latency */
    int64_t start_ps, end_ps;
    int64_t bytes;         /* -1: not a transfer */
    int64_t not_before_ps; /* 0: as soon as it may */
    int32_t resource, label, item, route;
    int32_t first_edge;  /* into edges: the tasks that wait for this one */
    int32_t next_queued; /* in its resource's queue */
    int32_t waits_for;   /* dependencies still waited for; below 0: one of the 'missing' ended as well */
    int32_t missing;     /* how many dependencies it does not wait for */
    int32_t cause;       /* the task whose end let it start */
    int32_t priority;    /* in its resource's queue: lower first */
    int32_t until;       /* -1, or the task whose end returns its slot */
    int32_t gives_back;  /* -1, or the task whose slot this one's end returns */
    int32_t first_slow;  /* into slows: the channels that it slows down while it runs */
    int32_t group;       /* -1, or the group it is cancelled with */
    int32_t decides;     /* -1, or the group that its end may make void */
    enum task_state state;
    bool is_void;
};

/* Tasks that may be cancelled together. */
struct group {
    int32_t over; /* the group becomes void if this task has ended when the gate ends */
    bool is_void;
};

struct edge {
    int32_t to, next;
};

struct resource {
    const char *kind;
    int32_t number, slots;
    int32_t free_slots, head, tail;
    int64_t busy_ps;
};

struct channel_name {
    const char *kind;
    int32_t number;
    int32_t slowed; /* by so many tasks that run */
    double capacity_Bps, share;
};

struct slow {
    int32_t channel, next;
};

/* The channels of a route: pool[first .. first + n). */
struct route {
    size_t first, n;
};

struct engine {
    struct calendar calendar;
    struct fabric *fabric;
    struct task *tasks;
    size_t ntasks, task_capacity;
    struct task_place *places; /* of each task, where places are kept */
    size_t nplaces, place_capacity;
    bool keeps_places;
    struct edge *edges;
    size_t nedges, edge_capacity;
    struct slow *slows;
    size_t nslows, slow_capacity;
    struct group *groups;
    size_t ngroups, group_capacity;
    struct resource *resources;
    size_t nresources, resource_capacity;
    struct channel_name *channels;
    size_t nchannels, channel_capacity;
    struct route *routes;
    size_t nroutes, route_capacity;
    uint32_t *pool;
    size_t npool, pool_capacity;
    struct channel_state *states; /* of every channel, when all is played */
    uint64_t nended;
    int64_t now_ps;
    int rc;
};

#endif
