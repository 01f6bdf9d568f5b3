/* plan.h - the five steps of HMMS (Split-CNN, ASPLOS 2019, section 4): split, graph, storage, offload and prefetch,
 * placement in three pools.
 * Pools      device general: activations, errors, workspaces (placed); device parameters: weights, gradients, the
 *            optimizer's state and batch-norm statistics; host: homes, the buffers of what is offloaded (placed,
 *            pinned).
 * Units      bytes, integer picoseconds.
 * Ownership  memory_plan_free() releases a plan; the model must outlive it.
 * Errors     E_INVAL with "KEY: reason", KEY as in struct memory_plan_options ("split.depth", "timing.rates") or the
 *            full key of a figure of the platform or the model. E_RANGE: bytes or a time that is too large. E_NOMEM. */
#ifndef NARROWS_SIM_PLAN_PLAN_H
#define NARROWS_SIM_PLAN_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/graph/graph.h"
#include "model/placement/placement.h"
#include "model/split/patches.h"
#include "model/storage/lifetime.h"
#include "model/storage/storage.h"
#include "model/transfer/transfer.h"
#include "sim/plan/timing.h"
#include "sim/platform.h"

/* What a plan takes where nothing is given: by these the memory of methods without a plan is counted, too. */
#define MEMORY_PLAN_WORKSPACE_FACTOR 1
#define MEMORY_PLAN_ALIGNMENT 256

struct memory_plan_options {
    struct split_spec split;
    enum generated generated;
    bool in_place, share_sums, recompute_norm;
    double workspace_factor;
    int64_t workspace_limit;
    enum schedule schedule;
    enum granularity granularity;
    enum transfer_choice choice;
    double limit;
    bool limit_by_link;
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
    int64_t forward_ps, backward_ps; /* sums of the operations' times, without waits */
};

/* The five steps for this batch, whether it fits or not. EXACT first searches for a placement that fits, then for lower
 * ones. */
int memory_plan_make(const struct model *m, const struct platform *p, const struct memory_plan_options *options,
                     int64_t batch, struct memory_plan *out, char *why, size_t nwhy);
void memory_plan_free(struct memory_plan *plan); /* accepts an all-zero one */

/* The largest batch whose device pools fit in usable x gpu.memory: 0 if no batch does, at most MEMORY_PLAN_LARGEST. A
 * batch too large to count does not fit.
 * No latency  of the GPU's link: larger batches need more memory, so doubling and bisection find the answer. EXACT,
 *             whose searches are slow, starts at the largest batch whose lower bound fits and steps down, doubling the
 *             step after each failed search; usually one search is enough.
 * A latency   weighs less in larger batches, so a large one may fit where a smaller one does not. All batches are
 *             tried, downwards from the largest for which the bytes that no schedule can move fit. If these are more
 *             than 1023, only every k-th is tried (k = batch / 1024 + 1), then those between it and the one before by
 *             bisection. EXACT's steps double as above.
 * EXACT       spends at most placement_nodes on a search, but no more than its first round needs, 10000 + 16 for each
 *             buffer, since a search that fails spends it all. So a batch may be missed that a plan with the full
 *             budget would place.
 * Known       'known' is a batch of interest, 0: none. If it fits with the full placement_nodes, the answer is not
 *             below it. */
enum { MEMORY_PLAN_LARGEST = 1 << 24 };
int memory_plan_largest_from(const struct model *m, const struct platform *p, const struct memory_plan_options *options,
                             int64_t known, int64_t *batch, char *why, size_t nwhy);
int memory_plan_largest(const struct model *m, const struct platform *p, const struct memory_plan_options *options,
                        int64_t *batch, char *why, size_t nwhy); /* no batch known */

/* Bytes per second of one copy over the idle GPU link: the rate of the link's direction, or that of the host's memory
 * (cpu.dma_write, cpu.dma_read) where it is lower. 0: there is no link. */
enum copy_way { COPY_TO_HOST, COPY_TO_DEVICE };
double memory_plan_copy_Bps(const struct platform *p, enum copy_way way);

int64_t memory_plan_capacity(const struct platform *p, const struct memory_plan_options *options); /* bytes */

#endif
