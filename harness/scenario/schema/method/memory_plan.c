/* memory_plan.c - the keys of a method that trains on one GPU by a memory plan. */
#include "sim/method/memory_plan.h"
#include "harness/scenario/schema/rows.h"

WORDS(generated_names, GENERATED_KINDS, "stored", "algorithm-1", "cudnn", "outputs");
WORDS(schedule_names, SCHEDULE_KINDS, "keep-all", "layer-wise", "algorithm-1", "clamped", "per-object");
WORDS(granularity_names, GRANULARITY_GROUP + 1, "operation", "group");
WORDS(choice_names, CHOICE_KINDS, "in-order", "largest", "best-hidden", "spread");
WORDS(placement_names, PLACEMENT_METHODS, "first-fit", "greedy-by-size", "exact");

static const struct field split_fields[] = {
    { "depth", NUMBER(split_spec, depth), MOST(1), DEFAULT("0"),
      DOC("share of the convolutions whose layers work on patches; they are joined at the nearest possible place") },
    { "rows", INTEGER(split_spec, rows), RANGE(1, 4096), DEFAULT("1"), DOC("patches along the height") },
    { "columns", INTEGER(split_spec, columns), RANGE(1, 4096), DEFAULT("1"), DOC("patches along the width") },
    { "wiggle", NUMBER(split_spec, wiggle), MOST(0.499), DEFAULT("0"),
      DOC("0: even patches; else stochastic patches, whose borders move by up to this share of a patch (the paper: "
          "0.2)") },
    { "seed", INTEGER(split_spec, seed), MOST(1e15), DEFAULT("1"), DOC("seed of stochastic patches") },
};
static const struct schema split_schema = SCHEMA("split", split_spec, split_fields, NULL);

static const struct field workspace_fields[] = {
    { "factor", NUMBER(memory_plan_options, workspace_factor), MOST(1000),
      DEFAULT_NUMBER(MEMORY_PLAN_WORKSPACE_FACTOR, ""),
      DOC("workspace of a running convolution, as a multiple of its input and output bytes") },
    { "limit", INTEGER(memory_plan_options, workspace_limit), FLAGS(FIELD_UNLIMITED), MOST(1e15), UNIT(DIM_BYTES),
      DEFAULT("unlimited"), DOC("largest workspace of one convolution") },
};
static const struct schema workspace_schema = SCHEMA("workspace", memory_plan_options, workspace_fields, NULL);

static const struct field rate_fields[] = {
    { "kernel", INTEGER(conv_rate, kernel), MOST(1 << 24),
      DOC("window side of the layers that the row applies to; 0, here and below: any") },
    { "stride", INTEGER(conv_rate, stride), MOST(1 << 24), DOC("stride of those layers") },
    { "plane", INTEGER(conv_rate, plane), MOST(1 << 24),
      DOC("output height of the unsplit layer; 1 for a fully-connected layer") },
    { "in_channels", INTEGER(conv_rate, in_channels), MOST(1e12),
      DOC("input channels; input values of a fully-connected layer") },
    { "out_channels", INTEGER(conv_rate, out_channels), MOST(1 << 24),
      DOC("output channels; units of a fully-connected layer") },
    { "efficiency", NUMBER(conv_rate, efficiency), FLAGS(FIELD_ABOVE), MOST(16),
      DOC("share of gpu.peak that such layers reach, FLOPs counted directly: Winograd exceeds 1; or give a rate") },
    { "rate", NUMBER(conv_rate, rate_flops), FLAGS(FIELD_ABOVE), UNIT(DIM_FLOPS),
      DOC("FLOP/s that such layers reach") },
    { "source", TEXT(conv_rate, source), FLAGS(FIELD_SILENT), DOC("where the figure comes from") },
};
static const struct schema rate_schema = SCHEMA("rate", conv_rate, rate_fields, NULL);

static const struct field timing_fields[] = {
    { "name", TEXT(timing, name), FLAGS(FIELD_REQUIRED | FIELD_SILENT), MOST(63),
      DOC("short name, as tables and figures show it") },
    { "source", TEXT(timing, source), FLAGS(FIELD_SILENT), DOC("where the figures come from, in a line") },
    { "memory", NUMBER(timing, memory_Bps), FLAGS(FIELD_ABOVE), UNIT(DIM_BYTES_PER_S),
      DOC("rate of operations that stream through GPU memory; by default gpu.memory_bandwidth x "
          "gpu.efficiency.memory") },
    { "rates", LIST(timing, rates, nrates, rate_schema, 512), FLAGS(FIELD_REQUIRED),
      DOC("rates of convolutions and fully-connected layers: the first row that fits a layer applies") },
    { "split_efficiency", NUMBER(timing, split_efficiency), FLAGS(FIELD_ABOVE), MOST(1), DEFAULT("1"),
      DOC("share of a layer's rate that its patches reach") },
};
const struct schema schema_timing = SCHEMA("timing", timing, timing_fields, NULL);

static const struct field fields[] = {
    { "timing", MAP(memory_planned, plan.timing, schema_timing), FLAGS(FIELD_REQUIRED | FIELD_PATH),
      DOC("GPU speed for each layer") },
    { "split", MAP(memory_planned, plan.split, split_schema),
      DOC("split into patches that do not exchange data (Split-CNN); by default the network is not split") },
    { "generated", CHOICE(memory_planned, plan.generated, generated_names), DEFAULT("stored"),
      DOC("tensors kept from the forward to the backward pass. stored: what the arithmetic needs; algorithm-1: the "
          "paper's, as printed; cudnn: what cuDNN's backward calls take; outputs: the output of every layer") },
    { "in_place", BOOL(memory_planned, plan.in_place), DEFAULT("true"),
      DOC("ReLU and dropout overwrite their input where possible") },
    { "share_sums", BOOL(memory_planned, plan.share_sums), DEFAULT("true"),
      DOC("the errors of a sum's inputs share the memory of its output's error") },
    { "recompute_norm", BOOL(memory_planned, plan.recompute_norm), DEFAULT("false"),
      DOC("recompute the outputs of batch norms in the backward pass instead of keeping them; with generated: "
          "stored or algorithm-1") },
    { "workspace", MAP(memory_planned, plan, workspace_schema), DOC("workspace of convolutions") },
    { "schedule", CHOICE(memory_planned, plan.schedule, schedule_names), DEFAULT("per-object"),
      DOC("keep-all: nothing is offloaded; layer-wise: each layer waits for its copies (vDNN); algorithm-1: the "
          "paper's, as printed; clamped: the same without counting idle link time twice; per-object: each object's "
          "memory is freed when its own copy ends") },
    { "granularity", CHOICE(memory_planned, plan.granularity, granularity_names), DEFAULT("group"),
      DOC("layer-wise waits after every operation, or after each group: a convolution and all operations up to the "
          "next one") },
    { "choice", CHOICE(memory_planned, plan.choice, choice_names), DEFAULT("in-order"),
      DOC("what is offloaded first within the limit") },
    { "limit", NUMBER(memory_planned, plan.limit), MOST(1), DEFAULT("1"),
      DOC("share of the generated bytes that may be offloaded") },
    { "limit_by_link", BOOL(memory_planned, plan.limit_by_link), DEFAULT("true"),
      DOC("offload at most what the link can carry during the forward pass") },
    { "keep_last", INTEGER(memory_planned, plan.keep_last), RANGE(-1, 1 << 24), DEFAULT("2"),
      DOC("keep what this many first operations of the backward pass need, and what cannot be copied before that "
          "pass; -1: offload even that") },
    { "placement", CHOICE(memory_planned, plan.placement, placement_names), DEFAULT("exact"),
      DOC("placement of buffers in the pools; first-fit is the paper's") },
    { "placement_nodes", INTEGER(memory_planned, plan.placement_nodes), MOST(1e12), DEFAULT("1000000"),
      DOC("nodes after which the exact search stops with the best placement found, or after 1000 visits of a buffer "
          "or a step per node: by default some seconds for a large plan; 0: 10 million") },
    { "alignment", INTEGER(memory_planned, plan.alignment), RANGE(1, 1 << 30), UNIT(DIM_BYTES),
      DEFAULT_NUMBER(MEMORY_PLAN_ALIGNMENT, " B"), DOC("alignment of buffers") },
    { "parameter_copies", NUMBER(memory_planned, plan.parameter_copies), MOST(1000), DEFAULT("3"),
      DOC("copies of each parameter on the GPU: weight, gradient, momentum") },
    { "usable", NUMBER(memory_planned, plan.usable), FLAGS(FIELD_ABOVE), MOST(1), DEFAULT("0.97"),
      DOC("share of gpu.memory for the pools: the context and libraries use the rest") },
    { "contention", BOOL(memory_planned, play.contention), DEFAULT("true"),
      DOC("copies share the GPU's memory bandwidth with operations that stream") },
    { "streams", INTEGER(memory_planned, play.streams), RANGE(1, 1024), DEFAULT("1"),
      DOC("copies in progress at the same time, in each direction") },
    { "pin", NUMBER(memory_planned, play.pin_s), MOST(1000), UNIT(DIM_SECONDS), DEFAULT("0 s"),
      DOC("time to pin the host memory of each copy, during which compute waits; 0 s: memory comes from a pool that "
          "is pinned once") },
    { "largest", BOOL(memory_planned, largest), DEFAULT("false"),
      DOC("find the largest batch that fits, up to 2^24: the reading largest_batch") },
    { "fill", BOOL(memory_planned, fill), DEFAULT("false"),
      DOC("simulate the largest batch that fits instead of the scenario's") },
    { "strict", BOOL(memory_planned, strict), DEFAULT("false"),
      DOC("refuse a batch that does not fit; else it is simulated, and the reading fits is 0") },
    { "detail", BOOL(memory_planned, detail), DEFAULT("false"),
      DOC("store the plan operation by operation, and the timeline") },
    { "workers", INTEGER(memory_planned, workers), RANGE(1, 1 << 20), DEFAULT("1"),
      DOC("replicas, one on each GPU; more than one sum their gradients during the backward pass in 2 |G| / B, B "
          "the payload rate of the network's link") },
};
const struct schema schema_memory_planned = SCHEMA("memory-plan", memory_planned, fields, NULL);
