/* readings.h - the readings and the timeline of a played data-parallel job. */
#ifndef NARROWS_SIM_METHOD_ALLREDUCE_READINGS_H
#define NARROWS_SIM_METHOD_ALLREDUCE_READINGS_H

#include "sim/engine/timeline.h"
#include "sim/method/allreduce/tasks.h"
#include "sim/readings.h"

/* 'alone_ps' is the step of one worker alone, of the larger share. */
int ar_read(const struct ar_step *g, double alone_ps, struct readings *out);
int ar_timeline(const struct ar_step *g, struct timeline *out);

/* Of all measured steps together. */
int64_t ar_window(const struct ar_step *g, int64_t *from_ps, int64_t *to_ps);

#endif
