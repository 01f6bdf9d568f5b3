/* engine.h - play a graph of tasks on resources and links. The engine knows tasks and resources, and no paper.
 * A task waits for its dependencies, then for a slot of its resource: first come, first served, and of those that come at
 * one instant the one whose last dependency was noticed first. Then it lasts: a compute task its duration, a transfer its
 * latency and then as long as its bytes take at the rate that the channels of its path leave it. A synchronization task
 * takes no time and no slot.
 * Units      integer picoseconds of simulated time, bytes.
 * Ownership  the engine owns everything; engine_free() releases it. Labels are integers of the caller's.
 * Errors     are remembered: after the first failed call the builders return -1 and engine_run() returns its status, so
 *            building code needs no check of its own.
 * Invariants checked by assert: every task ran once; see fabric.h for the links. */
#ifndef NARROWS_SIM_ENGINE_H
#define NARROWS_SIM_ENGINE_H

#include <stddef.h>
#include <stdint.h>

#include "sim/fabric.h"

struct engine;

enum { ENGINE_NO_RESOURCE = -1, ENGINE_NO_LABEL = -1 };

struct engine *engine_new(void); /* NULL if memory ran out */
void engine_free(struct engine *e);

int engine_resource(struct engine *e, int slots); /* a stream is one slot, a pool of k workers k */
int engine_channel(struct engine *e, double capacity_Bps);

int engine_compute(struct engine *e, int resource, int64_t duration_ps, int label);
int engine_transfer(struct engine *e, int resource, const uint32_t *path, size_t npath, int64_t bytes,
                    int64_t latency_ps, int label);
int engine_sync(struct engine *e);
void engine_after(struct engine *e, int task, int earlier); /* 'task' starts when 'earlier' has ended */

/* Play everything. SIM_ECYCLE if some task can never start, SIM_ERANGE past 2^63 ps. Call it once. */
int engine_run(struct engine *e);

/* After engine_run(). */
int64_t engine_end_ps(const struct engine *e); /* when the last task ended */
uint64_t engine_ntasks(const struct engine *e);
void engine_task(const struct engine *e, int task, int64_t *start_ps, int64_t *end_ps);
const struct channel *engine_channel_state(const struct engine *e, int channel);
int engine_row_ps(const struct engine *e, int label, int64_t *ps); /* time during which some task of this label ran */
uint64_t engine_digest(const struct engine *e);                    /* of every task's start and end */

#endif
