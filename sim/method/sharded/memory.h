/* memory.h - what a step needs of a GPU's memory, by class, at the moment when it is most.
 * Weights      as they are computed with; sharded at level 3.
 * Gradients    at level 2 and 3 a rank has its part, and whole ones of the unit that is computed (two, while the one
 *              before is still reduced).
 * States       of the optimizer: moments, and the parameters in fp32.
 * Gathered     at level 3: the parameters of the unit in use and of those gathered ahead.
 * Activations  of all micro-batches whose backward pass has not begun (pipeline_alive()).
 * Transient    the largest of what lives for a moment: while the logits' gradient is computed, while a layer's is, and
 *              what is computed again for it.
 * Placeholders a gradient of each shape of weights (sharded.h: shape_gradients).
 * Codec        what codecs keep between steps.
 * Workspace    of libraries, and the buffer that a tensor group gathers into.
 * Units        bytes. */
#ifndef NARROWS_SIM_METHOD_SHARDED_MEMORY_H
#define NARROWS_SIM_METHOD_SHARDED_MEMORY_H

#include "sim/method/sharded/plan.h"

enum memory_class {
    MEMORY_WEIGHTS,
    MEMORY_GRADIENTS,
    MEMORY_STATES,
    MEMORY_GATHERED,
    MEMORY_ACTIVATIONS,
    MEMORY_TRANSIENT,
    MEMORY_PLACEHOLDERS,
    MEMORY_CODEC,
    MEMORY_WORKSPACE,
    MEMORY_CLASSES,
};

struct stage_memory {
    int64_t stage;
    double bytes[MEMORY_CLASSES];
    double total;
    double host; /* of one rank, in its machine's memory: what is offloaded */
};

const char *memory_class_name(enum memory_class c);

/* Of a rank of one of the plan's stages, and of the fullest one: of stages alike the first, which has most
 * micro-batches alive. The units' sizes are enough (plan_sizes()). */
struct stage_memory memory_of_stage(const struct sharded_plan *p, const struct stage *s);
struct stage_memory memory_fullest(const struct sharded_plan *p);

/* What may be filled of a GPU. */
double memory_limit(const struct sharded_plan *p);

/* E_INVAL with the numbers, and with the least change that would fit, if the fullest stage does not fit. */
int memory_check(const struct sharded_plan *p, const struct plan_links *links, char *why, size_t nwhy);

#endif
