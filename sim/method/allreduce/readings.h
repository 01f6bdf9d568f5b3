/* allreduce_read.h - what a played data-parallel job reports. */
#ifndef NARROWS_SIM_METHOD_ALLREDUCE_READ_H
#define NARROWS_SIM_METHOD_ALLREDUCE_READ_H

#include "sim/engine/timeline.h"
#include "sim/method/allreduce/tasks.h"
#include "sim/readings.h"

/* 'alone_ps' is the step of one worker alone, of the larger share. */
int laid_read(const struct laid_step *g, double alone_ps, struct readings *out);
int laid_timeline(const struct laid_step *g, struct timeline *out);

/* Of all measured steps together. */
int64_t laid_window(const struct laid_step *g, int64_t *from_ps, int64_t *to_ps);

#endif
