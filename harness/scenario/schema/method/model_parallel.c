/* model_parallel.c - the keys of a method that cuts the network into stages. */
#include "sim/method/model_parallel/model_parallel.h"
#include "harness/scenario/schema/rows.h"
#include "harness/scenario/schema/schema.h"

static const char *const schedule_names[] = { "gpipe", "hogwild", NULL };

static const struct field cut_fields[] = {
    { "after", TEXT(cut, after), FLAGS(FIELD_REQUIRED), MOST(47),
      DOC("name of the last layer of a stage, as narrows show model prints it") },
};
static const struct schema cut_schema = SCHEMA("cut", cut, cut_fields, NULL);

static const struct field fields[] = {
    { "trainers", INTEGER(model_parallel, trainers), RANGE(1, 1 << 16), DEFAULT("1"),
      DOC("pipelines, each with its own batch") },
    { "stages", INTEGER(model_parallel, stages), FLAGS(FIELD_REQUIRED), RANGE(1, MODEL_PARALLEL_MAX_CUTS + 1),
      DOC("machines of a trainer, each with some of the layers") },
    { "servers", INTEGER(model_parallel, servers), MOST(1 << 16), DEFAULT("0"),
      DOC("parameter servers that the trainers share") },
    { "device", CHOICE(model_parallel, device, schema_device_names), DEFAULT("gpu"),
      DOC("what computes the network: a GPU, or all cores of a machine") },
    { "schedule", CHOICE(model_parallel, schedule, schedule_names), DEFAULT("gpipe"),
      DOC("gpipe: all micro-batches of a step forward, then backward, then the exchange; hogwild: iterations that "
          "do not wait for each other") },
    { "micro_batches", INTEGER(model_parallel, micro_batches), RANGE(1, 1 << 16), DEFAULT("1"),
      DOC("micro-batches per step: gpipe") },
    { "threads", INTEGER(model_parallel, threads), RANGE(1, 1 << 16), DEFAULT("1"),
      DOC("iterations in progress in each trainer: hogwild") },
    { "cuts", LIST(model_parallel, cuts, ncuts, cut_schema, MODEL_PARALLEL_MAX_CUTS),
      DOC("ends of all stages but the last; none: where FLOPs are divided most evenly") },
    { "activations", MAP(model_parallel, activations, schema_codec),
      DOC("codec of what crosses a cut, forward and back") },
    { "mask_known", BOOL(model_parallel, mask_known), DEFAULT("false"),
      DOC("gradients cross a cut as values alone, since the mask of the activations is known") },
    { "push", MAP(model_parallel, push, schema_codec), DOC("codec of the gradients, from stage to server") },
    { "pull", MAP(model_parallel, pull, schema_codec), DOC("codec of the parameters, from server to stage") },
    { "sample_in", NUMBER(model_parallel, sample_in_bytes), FLAGS(FIELD_CALIBRATED), MOST(1e12), UNIT(DIM_BYTES),
      DEFAULT("0 B"), DOC("further bytes that each stage receives per sample, uncoded") },
    { "sample_out", NUMBER(model_parallel, sample_out_bytes), FLAGS(FIELD_CALIBRATED), MOST(1e12), UNIT(DIM_BYTES),
      DEFAULT("0 B"), DOC("further bytes that each stage sends per sample, uncoded") },
    { "parameter_scale", NUMBER(model_parallel, parameter_scale), FLAGS(FIELD_CALIBRATED | FIELD_ABOVE), MOST(1e6),
      DEFAULT("1"), DOC("what-if: factor on the values of pushed and pulled tensors") },
    { "activation_scale", NUMBER(model_parallel, activation_scale), FLAGS(FIELD_CALIBRATED | FIELD_ABOVE), MOST(1e6),
      DEFAULT("1"), DOC("what-if: factor on the values that cross a cut") },
    { "steps", INTEGER(model_parallel, steps), RANGE(1, 100000), DEFAULT("4"),
      DOC("measured iterations of each trainer and thread") },
    { "profile", MAP(model_parallel, profile, schema_profile),
      DOC("measured times of the network, which replace the roofline") },
};
const struct schema schema_model_parallel = SCHEMA("model-parallel", model_parallel, fields, NULL);
