/* engine.h - plays a graph of tasks on resources and links. The engine knows tasks and resources, and no paper.
 * Tasks      a task waits for its dependencies, then for a slot of its resource: FIFO; ties are broken by the order in
 *            which last dependencies completed. A compute task then takes its duration; a transfer takes its latency,
 *            then the time of its bytes at the rate that the fabric gives its route. A synchronization task takes no
 *            time and no slot.
 * Kinds      resources and channels have a kind ("gpu", "nic") and a number within it: they name the tracks of a
 *            timeline, and the time of a step is attributed to kinds. Kinds are string constants, not copied.
 * Labels     integers of the caller's: 'label' is the row of a table that a task counts for, 'item' its layer, bucket
 *            or worker.
 * Units      integer picoseconds of simulated time, bytes.
 * Ownership  the engine owns everything; engine_free() releases it.
 * Errors     are remembered: after the first failed call the builders return -1 and engine_run() returns its status, so
 *            building code needs no checks of its own. E_RANGE past 2^31 - 1 tasks or dependencies.
 * Invariants checked by assert: every task ran once; see fabric.h for the links. */
#ifndef NARROWS_SIM_ENGINE_ENGINE_H
#define NARROWS_SIM_ENGINE_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/fabric/fabric.h"

struct engine;

enum { ENGINE_NO_RESOURCE = -1, ENGINE_NO_LABEL = -1, ENGINE_NO_ITEM = -1 };

struct engine *engine_new(void); /* NULL if memory ran out */
void engine_free(struct engine *e);

int engine_resource(struct engine *e, const char *kind, int number, int slots); /* a stream is one slot, a pool k */
int engine_channel(struct engine *e, const char *kind, int number, double capacity_Bps);
void engine_bucket(struct engine *e, int channel, double bytes);        /* of tokens: see fabric.h */
int engine_route(struct engine *e, const uint32_t *channels, size_t n); /* of no channels: within one memory */

int engine_compute(struct engine *e, int resource, int64_t duration_ps, int label);
int engine_transfer(struct engine *e, int resource, int route, int64_t bytes, int64_t latency_ps, int label);
int engine_sync(struct engine *e);
void engine_after(struct engine *e, int task, int earlier); /* 'task' starts when 'earlier' has ended */

/* 'task' starts when all but 'missing' of its dependencies have ended (backup workers); it does not wait for the
 * others. */
void engine_all_but(struct engine *e, int task, int missing);

/* While a compute task runs, a channel without a bucket has this share of its capacity, however many such tasks
 * run: the share is one of the channel's. */
void engine_slows(struct engine *e, int task, int channel, double share);

/* 'task' starts no earlier than this. */
void engine_not_before(struct engine *e, int task, int64_t at_ps);

/* Of the tasks in a resource's queue the one with the lowest priority value goes first, FIFO among equals. The default
 * is 0. */
void engine_priority(struct engine *e, int task, int priority);

/* 'task' returns its slot when both it and 'until' have ended: a chain of tasks holds the slot. One 'task' for each
 * 'until'. */
void engine_hold(struct engine *e, int task, int until);

/* A group of tasks that may be cancelled together, numbered from 0: work that would be too late to be used. If 'over'
 * has ended when 'gate' ends (or is 'gate' itself), the tasks of the group that have not begun become void: each ends
 * as soon as it could begin and takes no time, no slot and no bytes. A task is in one group at most, and cannot take
 * part in engine_hold(). */
int engine_group(struct engine *e);
void engine_in_group(struct engine *e, int task, int group);
void engine_void_if(struct engine *e, int gate, int group, int over);

void engine_item(struct engine *e, int task, int item);

/* Where a task is executed, for a graph that is not only simulated (task_graph.h): by which of the caller's ranks. The
 * simulation does not look at it. Kept only after engine_keep_places(), which comes before the first task. */
enum task_work {
    WORK_FORWARD, /* of the item's layer, and those behind it that have no task */
    WORK_BACKWARD,
    WORK_CLOCK,   /* takes its duration and leaves nothing */
    WORK_NOTHING, /* stands for what a message takes besides its bytes: there is nothing to do */
    WORK_FILL,    /* puts a rank's gradients of an item into the vector that is summed */
    WORK_ENCODE,
    WORK_DECODE,
    WORK_SUM,
    WORK_UPDATE,
    WORK_REDUCE, /* the whole exchange of an item by the MPI library (harness/exec/native.h) */
    WORK_MOVE,   /* a transfer, from the rank to its peer; within one rank it takes as long as in the simulation */
    WORK_ORDER,  /* a synchronization */
};
enum { RANK_NONE = -1, RANK_EACH = -2 }; /* nobody was named; of a synchronization: every rank by itself */
struct task_place {
    enum task_work work;
    int32_t rank, peer;    /* peer: the rank that a transfer leads to; that a piece of work is for; -1: none, or all */
    int64_t offset, bytes; /* WORK_MOVE: of its item's vector, framing not counted; bytes -1: a payload as it is */
    bool add;              /* WORK_MOVE: the receiver adds it to its own, else replaces it. WORK_DECODE: parts are added
                              up; WORK_ENCODE: what is encoded is their sum */
    bool when_ready;       /* WORK_MOVE: the sender waits for what its peer waits for, too */
    int32_t tensor;        /* WORK_ENCODE, WORK_DECODE: of its item; -1: all of them */
    /* WORK_DECODE: of the payloads, those whose number is 'share' mod 'shares'. WORK_MOVE of a payload: which of so
       many parts of it; shares 0: all of it. */
    int32_t share, shares;
};
void engine_keep_places(struct engine *e);
bool engine_keeps_places(const struct engine *e);
void engine_place(struct engine *e, int task, const struct task_place *place);

/* Play everything. E_CYCLE if some task can never start, E_RANGE past 2^63 ps. Call it once. */
int engine_run(struct engine *e);

/* After engine_run(). */
int64_t engine_end_ps(const struct engine *e); /* when the last task ended */
uint64_t engine_ntasks(const struct engine *e);
void engine_task(const struct engine *e, int task, int64_t *start_ps, int64_t *end_ps);
int64_t engine_ended_ps(const struct engine *e, int task);
bool engine_was_void(const struct engine *e, int task);
int engine_row_ps(const struct engine *e, int label, int64_t *ps); /* time during which some task of this label ran */
uint64_t engine_digest(const struct engine *e);                    /* of every task's start and end */

/* What a channel did over the whole run, and how long the slots of a resource were held, summed. */
void engine_channel_state(const struct engine *e, int channel, struct channel_state *out);
int64_t engine_resource_busy_ps(const struct engine *e, int resource);

/* One task as a timeline shows it. */
struct task_view {
    int64_t start_ps, end_ps; /* of the task itself: it may return its slot later (engine_hold) */
    int64_t bytes;            /* of a transfer, else -1 */
    int resource;             /* -1: none */
    int channel;              /* of a transfer: the most loaded channel of its route, else -1 */
    int label, item;
    int cause; /* the task whose end let it start: its last dependency, or the one that returned the slot; -1: none */
};
void engine_view(const struct engine *e, int task, struct task_view *out);
int engine_nresources(const struct engine *e);
int engine_nchannels(const struct engine *e);
const char *engine_resource_name(const struct engine *e, int resource, int *number);
const char *engine_channel_name(const struct engine *e, int channel, int *number);

/* Attributes the time between two instants to kinds: it follows the causes backwards from the task that ended last
 * before to_ps, and each picosecond counts for the kind of resource or channel that the task on this path held ("wait":
 * none). Calls visit() once for each kind, in the order of their first use in the graph. E_NOMEM. */
int engine_critical(const struct engine *e, int64_t from_ps, int64_t to_ps,
                    void (*visit)(void *context, const char *kind, int64_t ps), void *context);

#endif
