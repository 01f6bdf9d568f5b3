/* tasks.h - private to model_parallel: the tasks of both schedules. 'earlier' is the task before (-1: none), 'item'
 * what a timeline names the task after. */
#ifndef NARROWS_SIM_METHOD_MODEL_PARALLEL_TASKS_H
#define NARROWS_SIM_METHOD_MODEL_PARALLEL_TASKS_H

#include "sim/method/model_parallel/plan.h"

void mp_after(struct mp_plan *p, int task, int earlier);

/* Work on a resource; no task is added for 0 ps. Returns the last task. */
int mp_work(struct mp_plan *p, int resource, int64_t ps, int earlier, enum mp_row row, int item);

/* Encode, send, decode. A codec on the CPU reads and writes the host's memory: what a GPU computed or needs is copied.
 * Returns the task after which the message has arrived, or 'earlier' if there is nothing to send. */
int mp_send(struct mp_plan *p, const struct mp_message *m, int64_t from_node, int64_t to_node, int earlier,
            enum mp_row row, int item);

/* The task that receives a stage's further traffic, -1: none. It comes from mp_sample_node(): the servers in turn. */
int mp_sample_in(struct mp_plan *p, const struct mp_part *part, int64_t node, size_t s, int earlier);
int64_t mp_sample_node(const struct mp_plan *p, int64_t node);

int64_t mp_server_node(const struct mp_plan *p, int64_t server);
int mp_cut_item(const struct mp_plan *p, size_t s); /* the layer that stage s ends with */
int mp_stage_item(const struct mp_plan *p, size_t s);

#endif
