/* stages.h - private to model_parallel: which layers each machine has. A cut comes after a layer that no residual
 * shortcut, branch or attention's memory passes by: only its output crosses. */
#ifndef NARROWS_SIM_METHOD_MODEL_PARALLEL_STAGES_H
#define NARROWS_SIM_METHOD_MODEL_PARALLEL_STAGES_H

#include <stddef.h>

#include "model/model.h"
#include "sim/method/model_parallel/model_parallel.h"

/* Layers first .. end - 1. */
struct mp_stage {
    size_t first, end;
};

/* Fills stage[0 .. mp->stages): as 'cuts' say, or so that the largest stage has as few FLOPs as possible and every
 * stage has a layer with weights; of several such divisions, the one whose first stages are the longest. E_INVAL with
 * the wrong key in why[], E_NOMEM. */
int mp_divide(const struct model_parallel *mp, const struct model *m, struct mp_stage stage[], char *why, size_t nwhy);

#endif
