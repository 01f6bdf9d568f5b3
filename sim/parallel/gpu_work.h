/* gpu_work.h - what one GPU computes, as products of matrices, attention and streams of bytes, and how long it takes.
 * Product    'batch' products of m x k and k x n: the longer of its FLOPs at the share of the precision's peak that the
 *            platform's products reach (gpu.matrix), and its bytes at the memory's. GPUs compute tiles, as many at a
 *            time as there are multiprocessors: a last round that is not full, and tiles that hang over, cost as much
 *            as whole ones. A single product is slower the less deep it is (k); those of a batch are not. A product
 *            into an fp32 gradient that is already there reads and writes it.
 * Grouped    'batch' products of one kernel, each with weights of its own, a layer's experts: as a product, but reading
 *            and writing are not hidden behind computing.
 * Attention  fused (FlashAttention, arXiv 2205.14135): FLOPs of the whole square of positions, half of which a causal
 *            one leaves out, at the share that the platform's reach (gpu.attention), which grows with heads x
 *            positions; backward another one where values are not as long as queries (back_unequal).
 * Stream     bytes that a kernel reads and writes, at the memory's bandwidth x gpu.efficiency.memory; as many as fit in
 *            its cache at the cache's.
 * FLOPs are at the precision's peak x gpu.clock. Each has a launch latency.
 * Units      integer picoseconds, bytes, FLOPs. */
#ifndef NARROWS_SIM_PARALLEL_GPU_WORK_H
#define NARROWS_SIM_PARALLEL_GPU_WORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/precision.h"
#include "sim/platform.h"

enum gpu_work_kind {
    GPU_PRODUCT,
    GPU_GROUPED,
    GPU_ATTENTION, /* forward */
    GPU_ATTENTION_BACK,
    GPU_STREAM,
    GPU_ALLREDUCE, /* of 'bytes' among the tensor group */
    GPU_GATHER,    /* the group's 'bytes' to all, or the sum of all of them apart: reduce-scatter */
    GPU_CONTEXT,   /* an all-to-all of each rank's 'bytes' among the context group */
    GPU_EXPERT,    /* the same, of 'values' if not 0, among the ranks that a layer's experts are divided among */
    GPU_FIXED,     /* many small kernels that take 'seconds' */
};

struct gpu_work {
    enum gpu_work_kind kind;
    bool core;        /* of attention between its projections: what selective recomputation computes again */
    bool accumulates; /* a product that adds to fp32 */
    int64_t batch, m, n, k;
    int64_t heads, positions; /* GPU_ATTENTION: on this GPU, of all samples; of the sequence */
    double flops;             /* the same */
    double bytes;             /* GPU_STREAM, ALLREDUCE, GATHER, CONTEXT, EXPERT */
    bool unequal;             /* GPU_ATTENTION_BACK: values are not as long as queries */
    int64_t values, row; /* GPU_EXPERT: tokens on their way to experts, which a codec may take; values of a token */
    double seconds;      /* GPU_FIXED */
    double share;        /* GPU_STREAM: of the memory's bandwidth, if not the platform's; else 0 */
};

struct gpu_works {
    struct gpu_work *list;
    size_t n, capacity;
};

/* E_NOMEM. */
int gpu_works_add(struct gpu_works *o, struct gpu_work op);
void gpu_works_free(struct gpu_works *o);

/* How long a product, an attention or a stream takes; values of 'precision' lie in memory as that. 0 for the others. */
int64_t gpu_work_ps(const struct platform *p, enum compute_precision precision, const struct gpu_work *op);

/* FLOPs that it takes. */
double gpu_work_flops(const struct gpu_work *op);

#endif
