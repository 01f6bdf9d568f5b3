/* sharded.h - training with parameters that are sharded and networks that are divided: any product of tensor, context,
 * data and pipeline parallelism, with ZeRO's three levels or FSDP, on a stated order of ranks.
 * Levels     of sharding among a shard group of d ranks (arXiv 1910.02054): 0: nothing; 1: the optimizer's states;
 *            2: and gradients; 3: and parameters, gathered unit by unit before each pass (FSDP). A shard group that is
 *            smaller than the replicas leaves several copies (hybrid sharding), which add up their gradients.
 * Step       'batch' samples in micro-batches; gradients are added up over them. Of parallelism without pipeline stages
 *            and without tensor groups any model can be trained; tensor and context groups and pipelines need a decoder
 *            (model.gpt).
 * Codecs     'weights': what an all-gather of parameters moves; each rank encodes its part, every rank decodes all.
 *            'gradients': what is reduced; codecs whose payloads do not add up go in an all-to-all, are decoded and
 *            added up by their owner (ZeRO++'s qgZ, arXiv 2306.10209), 'two_steps': first within each machine, then
 *            across. 'activations': what a pipeline stage sends to the next, and their gradients back. 'dispatch':
 *            tokens on their way to experts, and gradients of results on theirs (FP8: arXiv 2412.19437, section 3.3).
 * Experts    of a layer are divided among 'expert' replicas; their gradients are reduced, and they are sharded, among
 *            the ranks that have the same ones (decoder.h).
 * Memory     by class, of each stage, at the moment of its peak (memory.h). A step that does not fit is refused.
 * Time       of products, attention and streams as gpu_work.h says; what the host needs to launch layers' kernels
 *            counts where the GPU would be faster ('dispatch'), over all that it launches before it has to wait for
 *            another stage. Without 'overlap' gradients that are kept whole are reduced when a stage's passes are over.
 *            Without sequence parallelism a stage sends each rank's part and gathers behind (arXiv 2104.04473, 4.1).
 *            Collectives are flows on the platform's links (wires.h), after platform.collective's launch.
 * Units      names end in them; ps are integer picoseconds. */
#ifndef NARROWS_SIM_METHOD_SHARDED_SHARDED_H
#define NARROWS_SIM_METHOD_SHARDED_SHARDED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/precision.h"
#include "sim/codec/codec_spec.h"
#include "sim/parallel/decoder.h"
#include "sim/parallel/layout.h"
#include "sim/parallel/pipeline.h"

enum recompute { RECOMPUTE_NONE, RECOMPUTE_SELECTIVE, RECOMPUTE_FULL };
enum optimizer { OPTIMIZER_SGD, OPTIMIZER_MOMENTUM, OPTIMIZER_ADAM };
enum offload { OFFLOAD_NONE, OFFLOAD_STATES, OFFLOAD_PARAMETERS }; /* parameters: and states */
enum play_level {
    PLAY_FOLDED, /* a rank of each class of alike ranks */
    PLAY_WHOLE,  /* every rank */
    PLAY_CLOSED, /* no tasks: a closed form */
};

struct sharded {
    int64_t tensor, context, expert, data, pipeline; /* data 0: what the platform's GPUs leave */
    const char *order;                               /* "tensor, context, data, pipeline": neighbouring ranks first */
    int64_t shard;                                   /* ranks of a shard group; 0: all replicas */
    int64_t level;                                   /* of sharding, 0..3 */
    enum pipeline_order schedule;
    int64_t chunks;      /* parts of a stage */
    double imbalance;    /* tokens of the fullest expert over the mean: all ranks are as slow as the one that has it */
    int64_t micro_batch; /* samples */
    bool sequence;       /* sequence parallelism in tensor groups */
    enum attention_form attention;
    enum recompute recompute;
    bool dropout, fused_loss;
    enum compute_precision products; /* what weights are multiplied in; COMPUTE_PRECISIONS: as activations are kept */
    enum compute_precision weights, gradients, activations; /* as they lie in memory and travel */
    enum compute_precision states;                          /* the optimizer's moments */
    enum optimizer optimizer;
    bool master; /* the optimizer keeps the parameters in fp32, too, where 'weights' are narrower */
    enum offload offload;
    int64_t unit_layers;  /* decoder layers of a unit */
    int64_t bucket_bytes; /* other models: a unit has layers of as many bytes of parameters, at least */
    int64_t prefetch;
    bool reshard;     /* level 3: parameters are given up after a forward pass */
    bool secondary;   /* level 3: ... but a copy is kept on each machine, from which backward gathers (hpZ) */
    bool overlap;     /* gathers and reductions go on while GPUs compute */
    bool reduce_each; /* gradients are reduced after every micro-batch */
    bool two_steps;
    struct codec_spec codec_weights, codec_gradients, codec_activations, codec_dispatch;
    double dispatch_s;         /* of the host, a layer forward and backward; recomputation adds its share */
    double dispatch_far_s;     /* the same, further, where a tensor group has all GPUs of a machine */
    double dispatch_experts_s; /* the same, further, of a layer with experts */
    double route_s;            /* of a GPU, to choose a layer's experts, in each pass */
    double permute_share;      /* of the memory's bandwidth, in copying tokens into experts' order; 0: the platform's */
    double hop_s;              /* of a GPU, for each message between stages */
    double gradient_bytes;     /* that kernels read and write for each value of a gradient, before it is reduced */
    double update_share;       /* of the memory's bandwidth that updates reach; 0: the platform's */
    double loss_share;         /* of the memory's bandwidth that a fused loss reaches; 0: the platform's */
    double workspace_bytes;    /* of libraries, on each GPU */
    bool shape_gradients; /* a gradient of each shape of weights is kept (Transformer Engine's fused accumulation) */
    double usable;        /* share of a GPU's memory that may be filled */
    int64_t local_steps;  /* that shard groups make by themselves before copies are brought together; 1: none */
    bool outer_overlap;   /* ... while the next ones are made */
    enum play_level play;
};

struct job;
struct readings;
struct timeline;

/* The layout that the job's platform gives it. E_INVAL with the reason ("method.tensor: ..."). */
int sharded_layout(const struct job *j, struct parallel *out, char *why, size_t nwhy);

/* What products with weights are computed in. */
static inline enum compute_precision sharded_products(const struct sharded *m)
{
    return m->products == COMPUTE_PRECISIONS ? m->activations : m->products;
}

/* What the optimizer keeps of each parameter, besides the parameter and its copy in fp32. */
static inline int64_t sharded_moments_bytes(const struct sharded *m)
{
    int64_t moments = m->optimizer == OPTIMIZER_ADAM ? 2 : m->optimizer == OPTIMIZER_MOMENTUM ? 1 : 0;

    return moments * compute_precision_bytes(m->states);
}

/* How many ranks that has; 0 if there is none. */
int64_t sharded_ranks(const struct platform *p, const struct sharded *m);

int sharded_check(const struct job *j, char *why, size_t nwhy);

/* The same but for the platform's links, and for whether the step fits into memory; with the layout. */
int sharded_check_keys(const struct job *j, struct parallel *layout, char *why, size_t nwhy);

/* Besides what every method reports, of one step:
 *   forward_ms recompute_ms backward_ms update_ms encode_ms decode_ms   time in which a GPU of the first stage does it
 *   wire.NAME_ms      time in which something of it is on the wire NAME (wires.h)
 *   exposed_ms        step_ms without what that GPU computes
 *   bubble_share      of the GPUs' time between the step's first and last pass, mean over stages: not computing
 *   sent.NAME         bytes that all ranks together send on the wire
 *   memory.CLASS, memory_bytes, memory_stage, memory_limit_bytes   of the fullest stage (memory.h)
 *   mfu               FLOPs of the model over those that the GPUs' peak would make in that time: a decoder's
 *   tokens_per_s_gpu  a decoder's
 *   ranks, classes    GPUs, and the classes that they were folded to */
int sharded_play(const struct job *j, struct readings *out, struct timeline *timeline, char *why, size_t nwhy);

/* What keeps its ranks from being folded, so that every one is played: a sentence of static storage; NULL where
 * they are folded, or need not be. Status, with the reason why there is no plan. */
int sharded_why_whole(const struct job *j, const char **reason, char *why, size_t nwhy);

#endif
