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
      DOC("0: even patches; else stochastic ones, whose borders move by up to this share of a patch (the paper: "
          "0.2)") },
    { "seed", INTEGER(split_spec, seed), MOST(1e15), DEFAULT("1"), DOC("of stochastic patches") },
};
static const struct schema split_schema = SCHEMA("split", split_spec, split_fields, NULL);

static const struct field workspace_fields[] = {
    { "factor", NUMBER(memory_plan_options, workspace_factor), MOST(1000), DEFAULT("1"),
      DOC("of a convolution's input and output bytes: what it takes besides them while it runs") },
    { "limit", INTEGER(memory_plan_options, workspace_limit), FLAGS(FIELD_UNLIMITED), MOST(1e15), UNIT(DIM_BYTES),
      DEFAULT("unlimited"), DOC("of one convolution") },
};
static const struct schema workspace_schema = SCHEMA("workspace", memory_plan_options, workspace_fields, NULL);

static const struct field rate_fields[] = {
    { "kernel", INTEGER(conv_rate, kernel), MOST(1 << 24),
      DOC("side of the window of layers that the row is for; 0, here and below: any") },
    { "stride", INTEGER(conv_rate, stride), MOST(1 << 24), DOC("likewise") },
    { "plane", INTEGER(conv_rate, plane), MOST(1 << 24),
      DOC("height of the output of the unsplit layer; of a fully-connected layer 1") },
    { "in_channels", INTEGER(conv_rate, in_channels), MOST(1e12), DOC("of a fully-connected layer: input values") },
    { "out_channels", INTEGER(conv_rate, out_channels), MOST(1 << 24), DOC("of a fully-connected layer: units") },
    { "efficiency", NUMBER(conv_rate, efficiency), FLAGS(FIELD_ABOVE), MOST(16),
      DOC("share of gpu.peak that such layers reach, FLOPs counted directly: Winograd passes 1; or give a rate") },
    { "rate", NUMBER(conv_rate, rate_flops), FLAGS(FIELD_ABOVE), UNIT(DIM_FLOPS), DOC("that such layers reach") },
    { "source", TEXT(conv_rate, source), FLAGS(FIELD_SILENT), DOC("where the figure comes from") },
};
static const struct schema rate_schema = SCHEMA("rate", conv_rate, rate_fields, NULL);

static const struct field timing_fields[] = {
    { "name", TEXT(timing, name), FLAGS(FIELD_REQUIRED | FIELD_SILENT), MOST(63),
      DOC("short name, as tables and figures show it") },
    { "source", TEXT(timing, source), FLAGS(FIELD_SILENT), DOC("where the figures come from, in a line") },
    { "memory", NUMBER(timing, memory_Bps), FLAGS(FIELD_ABOVE), UNIT(DIM_BYTES_PER_S),
      DOC("rate of operations that stream over the GPU's memory; by default gpu.memory_bandwidth x "
          "gpu.efficiency.memory") },
    { "rates", LIST(timing, rates, nrates, rate_schema, 512), FLAGS(FIELD_REQUIRED),
      DOC("of convolutions and fully-connected layers: the first row that fits a layer counts") },
    { "split_efficiency", NUMBER(timing, split_efficiency), FLAGS(FIELD_ABOVE), MOST(1), DEFAULT("1"),
      DOC("share of a layer's rate that its patches reach") },
};
const struct schema schema_timing = SCHEMA("timing", timing, timing_fields, NULL);

static const struct field fields[] = {
    { "timing", MAP(memory_planned, plan.timing, schema_timing), FLAGS(FIELD_REQUIRED | FIELD_PATH),
      DOC("how fast the GPU computes each layer") },
    { "split", MAP(memory_planned, plan.split, split_schema),
      DOC("into patches that know nothing of each other (Split-CNN); by default the network is not split") },
    { "generated", CHOICE(memory_planned, plan.generated, generated_names), DEFAULT("stored"),
      DOC("what stands between forward and backward. stored: what the arithmetic needs; algorithm-1: the paper's, "
          "as printed; cudnn: what cuDNN's backward calls ask for; outputs: of every layer") },
    { "in_place", BOOL(memory_planned, plan.in_place), DEFAULT("true"),
      DOC("ReLU and dropout write over their input where they may") },
    { "share_sums", BOOL(memory_planned, plan.share_sums), DEFAULT("true"),
      DOC("the errors of a sum's inputs share the memory of its output's error") },
    { "recompute_norm", BOOL(memory_planned, plan.recompute_norm), DEFAULT("false"),
      DOC("batch norms' outputs are computed again in the backward pass instead of kept; with generated: stored or "
          "algorithm-1") },
    { "workspace", MAP(memory_planned, plan, workspace_schema), DOC("of convolutions") },
    { "schedule", CHOICE(memory_planned, plan.schedule, schedule_names), DEFAULT("per-object"),
      DOC("keep-all: nothing is offloaded; layer-wise: each layer waits for its copies (vDNN); algorithm-1: the "
          "paper's, as printed; clamped: the same without spending idle link time twice; per-object: each object's "
          "memory is free as its own copy ends") },
    { "granularity", CHOICE(memory_planned, plan.granularity, granularity_names), DEFAULT("group"),
      DOC("layer-wise waits after every operation, or after a convolution and what follows it until the next one") },
    { "choice", CHOICE(memory_planned, plan.choice, choice_names), DEFAULT("in-order"),
      DOC("what is offloaded first while the limit allows") },
    { "limit", NUMBER(memory_planned, plan.limit), MOST(1), DEFAULT("1"),
      DOC("share of the generated bytes that may be offloaded") },
    { "limit_by_link", BOOL(memory_planned, plan.limit_by_link), DEFAULT("true"),
      DOC("and at most what the link carries during the forward pass") },
    { "keep_last", INTEGER(memory_planned, plan.keep_last), RANGE(-1, 1 << 24), DEFAULT("2"),
      DOC("what so many first operations of the backward pass need stays, as does what cannot be copied before that "
          "pass; -1: even that goes") },
    { "placement", CHOICE(memory_planned, plan.placement, placement_names), DEFAULT("exact"),
      DOC("of buffers in the pools; first-fit is the paper's") },
    { "placement_nodes", INTEGER(memory_planned, plan.placement_nodes), MOST(1e12), DEFAULT("1000000"),
      DOC("after which the exact search keeps the best it has, or after 1000 looks at a buffer or a step for each "
          "of them: by default that is some seconds of a large plan; 0: 10 million") },
    { "alignment", INTEGER(memory_planned, plan.alignment), RANGE(1, 1 << 30), UNIT(DIM_BYTES), DEFAULT("256 B"),
      DOC("of buffers") },
    { "parameter_copies", NUMBER(memory_planned, plan.parameter_copies), MOST(1000), DEFAULT("3"),
      DOC("of each parameter that stay on the GPU: weight, gradient, momentum") },
    { "usable", NUMBER(memory_planned, plan.usable), FLAGS(FIELD_ABOVE), MOST(1), DEFAULT("0.97"),
      DOC("share of gpu.memory that the pools may take: context and libraries have the rest") },
    { "contention", BOOL(memory_planned, play.contention), DEFAULT("true"),
      DOC("copies and operations that stream share the GPU's memory") },
    { "streams", INTEGER(memory_planned, play.streams), RANGE(1, 1024), DEFAULT("1"),
      DOC("copies under way at once, in each direction") },
    { "pin", NUMBER(memory_planned, play.pin_s), MOST(1000), UNIT(DIM_SECONDS), DEFAULT("0 s"),
      DOC("that pinning the host memory of each copy takes, compute waiting; 0 s: it comes from a pool made once") },
    { "largest", BOOL(memory_planned, largest), DEFAULT("false"),
      DOC("find the largest batch that fits, up to 2^24: the reading largest_batch") },
    { "fill", BOOL(memory_planned, fill), DEFAULT("false"),
      DOC("play the largest batch that fits in place of the scenario's") },
    { "strict", BOOL(memory_planned, strict), DEFAULT("false"),
      DOC("refuse a batch that does not fit; else it is played, and the reading fits is 0") },
    { "detail", BOOL(memory_planned, detail), DEFAULT("false"),
      DOC("the database keeps the plan operation by operation, and the timeline") },
    { "workers", INTEGER(memory_planned, workers), RANGE(1, 1 << 20), DEFAULT("1"),
      DOC("replicas, one on each GPU; more than one sum their gradients during the backward pass in 2 |G| / B, B "
          "the payload rate of the network's link") },
};
const struct schema schema_memory_planned = SCHEMA("memory-plan", memory_planned, fields, NULL);
