/* sharded.c - the keys of the method sharded. */
#include "sim/method/sharded/sharded.h"
#include "harness/scenario/schema/rows.h"
#include "harness/scenario/schema/schema.h"

WORDS(order_names, PIPELINE_ORDERS, "gpipe", "1f1b");
static const char *const attention_names[] = { "eager", "flash", NULL };
static const char *const recompute_names[] = { "none", "selective", "full", NULL };
static const char *const optimizer_names[] = { "sgd", "momentum", "adam", NULL };
static const char *const offload_names[] = { "none", "states", "parameters", NULL };
static const char *const play_names[] = { "folded", "whole", "closed", NULL };

WORDS(product_names, COMPUTE_PRECISIONS + 1, "fp32", "tf32", "bf16", "fp16", "fp8", "activations");

static const struct field precision_fields[] = {
    { "weights", CHOICE(sharded, weights, compute_precision_names), DEFAULT("bf16"),
      DOC("parameters as they are computed with, and gathered") },
    { "gradients", CHOICE(sharded, gradients, compute_precision_names), DEFAULT("fp32"),
      DOC("gradients as they are added up, and reduced") },
    { "activations", CHOICE(sharded, activations, compute_precision_names), DEFAULT("bf16"),
      DOC("activations, and what products are computed in: platform.gpu.peaks has its peak") },
    { "products", CHOICE(sharded, products, product_names), DEFAULT("activations"),
      DOC("what weights are multiplied in: fp8, over activations that are kept in bf16") },
    { "states", CHOICE(sharded, states, compute_precision_names), DEFAULT("fp32"),
      DOC("the optimizer's moments: adam has two of each parameter, momentum one; scales of fp8 are not counted") },
    { "master", BOOL(sharded, master), DEFAULT("true"),
      DOC("the optimizer keeps the parameters in fp32, too, where weights are narrower") },
};
static const struct schema precision_schema = SCHEMA("precision", sharded, precision_fields, NULL);

static const struct field codecs_fields[] = {
    { "weights", MAP(sharded, codec_weights, schema_codec),
      DOC("codec of parameters that are gathered (ZeRO++'s qwZ: {format: blockwise, bits: 8})") },
    { "gradients", MAP(sharded, codec_gradients, schema_codec),
      DOC("codec of gradients that are reduced (ZeRO++'s qgZ: {format: blockwise, bits: 4, aggregation: scatter})") },
    { "activations", MAP(sharded, codec_activations, schema_codec),
      DOC("codec of what a pipeline stage sends to the next, and of the gradients back") },
    { "dispatch", MAP(sharded, codec_dispatch, schema_codec),
      DOC("codec of tokens that are sent to experts, and of the gradients of their results; what comes back travels as "
          "it is") },
};
static const struct schema codecs_schema = SCHEMA("codecs", sharded, codecs_fields, NULL);

static const struct field framework_fields[] = {
    { "dispatch", NUMBER(sharded, dispatch_s), FLAGS(FIELD_CALIBRATED), MOST(10), UNIT(DIM_SECONDS), DEFAULT("0 s"),
      DOC("time in which the host launches the kernels of a decoder layer, forward and backward; where GPUs are faster "
          "they wait. Two fifths of it are the forward pass's, and again where all is computed again") },
    { "dispatch_far", NUMBER(sharded, dispatch_far_s), FLAGS(FIELD_CALIBRATED), MOST(10), UNIT(DIM_SECONDS),
      DEFAULT("0 s"), DOC("the same, further, where a tensor group has all GPUs of a machine") },
    { "dispatch_experts", NUMBER(sharded, dispatch_experts_s), FLAGS(FIELD_CALIBRATED), MOST(10), UNIT(DIM_SECONDS),
      DEFAULT("0 s"), DOC("the same, further, of a layer with experts") },
    { "route", NUMBER(sharded, route_s), FLAGS(FIELD_CALIBRATED), MOST(10), UNIT(DIM_SECONDS), DEFAULT("0 s"),
      DOC("time of a GPU to choose a layer's experts for all tokens, in each pass, besides the router's product") },
    { "permute_share", NUMBER(sharded, permute_share), FLAGS(FIELD_CALIBRATED), MOST(1), DEFAULT("0"),
      DOC("share of the memory's bandwidth that copying tokens into experts' order reaches; 0: as any kernel") },
    { "hop", NUMBER(sharded, hop_s), FLAGS(FIELD_CALIBRATED), MOST(10), UNIT(DIM_SECONDS), DEFAULT("0 s"),
      DOC("time that a GPU loses with each message from another pipeline stage, besides what the links take") },
    { "gradient_bytes", NUMBER(sharded, gradient_bytes), MOST(1e3), UNIT(DIM_BYTES), DEFAULT("0 B"),
      DOC("that kernels read and write for each value of a gradient before it is reduced (Megatron looks for NaN: 4 of "
          "fp32, and divides by the replicas: 8)") },
    { "update_share", NUMBER(sharded, update_share), FLAGS(FIELD_CALIBRATED), MOST(1), DEFAULT("0"),
      DOC("share of the memory's bandwidth that kernels over gradients and states reach; 0: as any kernel") },
    { "loss_share", NUMBER(sharded, loss_share), FLAGS(FIELD_CALIBRATED), MOST(1), DEFAULT("0"),
      DOC("share of the memory's bandwidth that a fused loss reaches; 0: as any kernel") },
    { "workspace", NUMBER(sharded, workspace_bytes), MOST(1e12), UNIT(DIM_BYTES), DEFAULT("0 B"),
      DOC("memory of libraries, on each GPU") },
    { "shape_gradients", BOOL(sharded, shape_gradients), DEFAULT("false"),
      DOC("a gradient of each shape of weights is kept for good, as Transformer Engine's fused accumulation does") },
};
static const struct schema framework_schema = SCHEMA("framework", sharded, framework_fields, NULL);

static const struct field fields[] = {
    { "tensor", INTEGER(sharded, tensor), RANGE(1, 1 << 16), DEFAULT("1"),
      DOC("ranks that a layer's matrices are divided among (Megatron)") },
    { "sequence", BOOL(sharded, sequence), DEFAULT("true"),
      DOC("sequence parallelism: between its matrices a tensor group divides the positions, by all-gathers and "
          "reduce-scatters in place of all-reduces") },
    { "context", INTEGER(sharded, context), RANGE(1, 1 << 16), DEFAULT("1"),
      DOC("ranks that a sequence's positions are divided among, with all-to-alls around attention") },
    { "expert", INTEGER(sharded, expert), RANGE(1, 1 << 16), DEFAULT("1"),
      DOC("replicas that a layer's experts are divided among") },
    { "imbalance", NUMBER(sharded, imbalance), RANGE(1, 1 << 16), DEFAULT("1"),
      DOC("tokens that the fullest expert gets, over the mean: every rank computes, keeps and sends as if all of its "
          "experts were as full, as far as model.gpt.capacity lets them") },
    { "data", INTEGER(sharded, data), MOST(1 << 20), DEFAULT("0"),
      DOC("replicas of the whole, each with its part of the batch; 0: as many as the platform has GPUs for") },
    { "pipeline", INTEGER(sharded, pipeline), RANGE(1, 4096), DEFAULT("1"), DOC("stages") },
    { "schedule", CHOICE(sharded, schedule, order_names), DEFAULT("1f1b"),
      DOC("gpipe: all micro-batches forward, then all backward; 1f1b: one backward, one forward, as soon as may be") },
    { "chunks", INTEGER(sharded, chunks), RANGE(1, 1024), DEFAULT("1"),
      DOC("parts of the network on each stage: above 1 interleaved 1f1b") },
    { "order", TEXT(sharded, order), DEFAULT("tensor, context, data, pipeline"),
      DOC("in which of them neighbouring ranks differ first; ranks fill machine after machine") },
    { "micro_batch", INTEGER(sharded, micro_batch), RANGE(1, 1 << 20), DEFAULT("1"),
      DOC("samples of one pass; a step's batch has data x micro_batch x so many of them") },
    { "level", INTEGER(sharded, level), RANGE(0, 3), DEFAULT("3"),
      DOC("what is sharded among replicas: 0 nothing (DDP), 1 the optimizer's states, 2 gradients, too, 3 parameters, "
          "too (FSDP): ZeRO's levels") },
    { "shard", INTEGER(sharded, shard), MOST(1 << 20), DEFAULT("0"),
      DOC("replicas that share one copy of what is sharded: a machine's GPUs for FSDP's hybrid sharding; 0: all") },
    { "unit_layers", INTEGER(sharded, unit_layers), RANGE(1, 1 << 16), DEFAULT("1"),
      DOC("decoder layers that are gathered, reduced and updated together") },
    { "bucket", INTEGER(sharded, bucket_bytes), MOST(1e15), UNIT(DIM_BYTES), DEFAULT("25 MiB"),
      DOC("of other models: bytes of gradients that are gathered, reduced and updated together, at least") },
    { "prefetch", INTEGER(sharded, prefetch), MOST(1 << 16), DEFAULT("1"),
      DOC("units that may be gathered ahead of the one that is computed, at level 3") },
    { "reshard", BOOL(sharded, reshard), DEFAULT("true"),
      DOC("at level 3 a unit's parameters are given up after each pass; false: they stay until the step's end") },
    { "secondary", BOOL(sharded, secondary), DEFAULT("false"),
      DOC("at level 3 each machine keeps a copy, from which backward passes gather (ZeRO++'s hpZ)") },
    { "overlap", BOOL(sharded, overlap), DEFAULT("true"),
      DOC("gathers and reductions go on while GPUs compute; false: passes wait for them") },
    { "reduce_each", BOOL(sharded, reduce_each), DEFAULT("false"),
      DOC("from level 2 on: gradients are reduced after every micro-batch; false: after the last one") },
    { "two_steps", BOOL(sharded, two_steps), DEFAULT("false"),
      DOC("gradients whose payloads do not add up are summed within each machine first, then across") },
    { "recompute", CHOICE(sharded, recompute, recompute_names), DEFAULT("none"),
      DOC("what the backward pass computes again: nothing; attention between its projections (selective); all but each "
          "layer's input") },
    { "attention", CHOICE(sharded, attention, attention_names), DEFAULT("flash"),
      DOC("eager: scores are written and kept; flash: they are not") },
    { "dropout", BOOL(sharded, dropout), DEFAULT("false"),
      DOC("of GPT: after attention's softmax and each half layer") },
    { "fused_loss", BOOL(sharded, fused_loss), DEFAULT("true"), DOC("softmax and cross entropy in one kernel") },
    { "precision", SAME(precision_schema), DOC("number formats") },
    { "optimizer", CHOICE(sharded, optimizer, optimizer_names), DEFAULT("adam"),
      DOC("its moments are in precision.states") },
    { "offload", CHOICE(sharded, offload, offload_names), DEFAULT("none"),
      DOC("to the host's memory: the optimizer's states, which its processors then update, or parameters, too") },
    { "codecs", SAME(codecs_schema), DOC("of what the wires carry") },
    { "framework", SAME(framework_schema), DOC("what the software adds") },
    { "usable", NUMBER(sharded, usable), FLAGS(FIELD_ABOVE), MOST(1), DEFAULT("1"),
      DOC("share of a GPU's memory that may be filled; a step that needs more is refused") },
    { "local_steps", INTEGER(sharded, local_steps), RANGE(1, 1 << 20), DEFAULT("1"),
      DOC("steps that shard groups make by themselves before their copies are brought together (local SGD, DiLoCo), by "
          "the gradients' codec") },
    { "outer_overlap", BOOL(sharded, outer_overlap), DEFAULT("false"),
      DOC("copies are brought together while the next steps are made") },
    { "play", CHOICE(sharded, play, play_names), DEFAULT("folded"),
      DOC("folded: a rank of each class of ranks that do the same at the same time; whole: every rank; closed: "
          "no events, sums and maxima") },
};
const struct schema schema_sharded = SCHEMA("sharded", sharded, fields, NULL);
