/* plan.h - HMMS's five steps in a row (Split-CNN, ASPLOS 2019, section 4): split, graph, storage, offload and prefetch,
 * placement in three pools.
 * Pools      device general: activations, errors, workspaces (placed); device parameters: weights, their gradients and the optimizer's
 *            state, batch-norm statistics; host: homes of what is offloaded (placed, pinned).
 * Units      bytes, integer picoseconds.
 * Ownership  memory_plan_free() releases a plan; the model must outlive it.
 * Errors     SIM_EINVAL with "KEY: reason", KEY as in struct memory_plan_options ("split.depth", "timing.rates"), or with the full key
 *            of a figure of the platform. */
#ifndef NARROWS_SIM_MEMORY_PLAN_H
#define NARROWS_SIM_MEMORY_PLAN_H

#include <stddef.h>
#include <stdint.h>

#include "sim/memory/graph.h"
#include "sim/memory/lifetime.h"
#include "sim/memory/patches.h"
#include "sim/memory/placement.h"
#include "sim/memory/storage.h"
#include "sim/memory/timing.h"
#include "sim/memory/transfer.h"
#include "sim/platform.h"

struct memory_plan_options {
    struct split_spec split;
    enum generated generated;
    _Bool in_place, share_sums, recompute_norm;
    double workspace_factor;
    int64_t workspace_limit;
    enum schedule schedule;
    enum granularity granularity;
    enum transfer_choice choice;
    double limit;
    _Bool limit_by_link;
    int64_t keep_last;
    enum placement_method placement;
    int64_t placement_nodes; /* the exact search's budget, as placement.h counts it; 0: 10 million */
    int64_t alignment;       /* of tensors in the pools: cudaMalloc and cuDNN want 256 bytes */
    double parameter_copies; /* weights, gradients, momentum: 3 */
    double usable;           /* share of gpu.memory that the two device pools may take */
    struct timing timing;
};

struct memory_plan {
    const struct model *model;
    struct memory_plan_options options;
    int64_t batch;
    struct split_net split;
    struct graph graph;
    struct storage_list storages;
    int64_t *operation_ps; /* [graph.noperations] */
    int64_t *live;         /* [graph.noperations] bytes alive in the device general pool */
    struct transfer_list transfers;
    struct lifetimes device, host; /* with offsets */
    struct placement device_pool, host_pool;
    int64_t parameter_bytes;         /* the parameter pool */
    int64_t device_bytes;            /* both device pools */
    int64_t forward_ps, backward_ps; /* sums of the operations, nothing waiting */
};

/* The five steps for this batch, whether it fits or not. EXACT looks for a placement that fits first, then for lower ones. */
int memory_plan_make(const struct model *m, const struct platform *p, const struct memory_plan_options *options,
                     int64_t batch, struct memory_plan *out, char *why, size_t nwhy);
void memory_plan_free(struct memory_plan *plan); /* accepts an all-zero one */

/* The largest batch whose device pools fit into usable x gpu.memory, by doubling and bisection; 0 if not even one sample does. One that
 * is too large to count does not fit. FIRST_FIT and GREEDY_SIZE are asked for each batch; EXACT, whose searches take their time, from the
 * largest batch whose bound fits downwards: mostly once. */
int memory_plan_largest(const struct model *m, const struct platform *p, const struct memory_plan_options *options,
                        int64_t *batch, char *why, size_t nwhy);

/* Bytes a second of one copy over the GPU's link alone: what the link's direction carries, and the host's memory (cpu.dma_write, dma_read)
 * where that is less. 0: there is no link. */
enum copy_way { COPY_TO_HOST, COPY_TO_DEVICE };
double memory_plan_copy_Bps(const struct platform *p, enum copy_way way);

int64_t memory_plan_capacity(const struct platform *p, const struct memory_plan_options *options); /* bytes */

#endif
