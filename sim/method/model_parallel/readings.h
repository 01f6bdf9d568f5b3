/* readings.h - private to model_parallel: the readings of a played plan. */
#ifndef NARROWS_SIM_METHOD_MODEL_PARALLEL_READINGS_H
#define NARROWS_SIM_METHOD_MODEL_PARALLEL_READINGS_H

#include "sim/method/model_parallel/plan.h"

/* All readings of model_parallel.h. E_INVAL with the reason in why[] if all threads are never busy at the same time. */
int mp_read(const struct mp_plan *p, struct readings *out, char *why, size_t nwhy);

extern const char *const mp_row_names[MP_ROWS];

#endif
