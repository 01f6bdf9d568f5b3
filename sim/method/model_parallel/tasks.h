/* model_parallel_lay.h - private to model_parallel: the tasks that both schedules are made of.
 * 'earlier' is the task that comes before (-1: none), 'item' what a timeline names the task after. */
#ifndef NARROWS_SIM_METHOD_MODEL_PARALLEL_LAY_H
#define NARROWS_SIM_METHOD_MODEL_PARALLEL_LAY_H

#include "sim/method/model_parallel/plan.h"

void mp_after(struct mp_plan *p, int task, int earlier);

/* Work on a resource; none is laid where it would take no time. Returns the last task. */
int mp_work(struct mp_plan *p, int resource, int64_t ps, int earlier, enum mp_row row, int item);

/* Encode, send, decode. A codec of the CPU takes from the host's memory and leaves there: what a GPU computed or needs is
 * copied. Returns the task after which the message is there; the one before it where there is nothing to send. */
int mp_send(struct mp_plan *p, const struct mp_message *m, int64_t from_node, int64_t to_node, int earlier,
            enum mp_row row, int item);

/* What a stage receives besides, -1 if that is nothing; its other end is mp_sample_node(): the servers in turn. */
int mp_sample_in(struct mp_plan *p, const struct mp_part *part, int64_t node, size_t s, int earlier);
int64_t mp_sample_node(const struct mp_plan *p, int64_t node);

int64_t mp_server_node(const struct mp_plan *p, int64_t server);
int mp_cut_item(const struct mp_plan *p, size_t s); /* the layer that stage s ends with */
int mp_stage_item(const struct mp_plan *p, size_t s);

#endif
