/* profile.c - the keys of a network's measured times, and the names of what computes it. */
#include "sim/method/profile.h"
#include "harness/scenario/schema/rows.h"

const char *const schema_device_names[] = { "gpu", "cpu", NULL };

static const struct field second_fields[] = {
    { "samples", INTEGER(compute_times, samples), MOST(1 << 24), DEFAULT("0"),
      DOC("samples of the second batch; 0: none was measured, and times are in proportion to samples") },
    { "forward", NUMBER(compute_times, forward_s), UNIT(DIM_SECONDS), DEFAULT("0 s"), DOC("its forward pass") },
    { "backward", NUMBER(compute_times, backward_s), UNIT(DIM_SECONDS), DEFAULT("0 s"), DOC("its backward pass") },
    { "step", NUMBER(compute_times, step_s), UNIT(DIM_SECONDS), DEFAULT("0 s"), DOC("both, if 'step' is given") },
};
static const struct schema second_schema = SCHEMA("second", compute_times, second_fields, NULL);

static const struct field layer_fields[] = {
    { "layer", TEXT(layer_times, layer), FLAGS(FIELD_REQUIRED), DOC("its name, as narrows show model has it") },
    { "forward", NUMBER(layer_times, forward_s), UNIT(DIM_SECONDS), DEFAULT("0 s"), DOC("its forward pass") },
    { "backward", NUMBER(layer_times, backward_s), UNIT(DIM_SECONDS), DEFAULT("0 s"), DOC("its backward pass") },
};
static const struct schema layer_schema = SCHEMA("layer times", layer_times, layer_fields, NULL);

static const struct field profile_fields[] = {
    { "forward", NUMBER(compute_profile, forward_s), UNIT(DIM_SECONDS), DEFAULT("0 s"),
      DOC("forward pass over all layers and samples") },
    { "backward", NUMBER(compute_profile, backward_s), UNIT(DIM_SECONDS), DEFAULT("0 s"),
      DOC("backward pass over all layers and samples") },
    { "step", NUMBER(compute_profile, step_s), UNIT(DIM_SECONDS), DEFAULT("0 s"),
      DOC("in place of both: a step of one device, its update included, which allreduce takes off, as it plays the "
          "update itself; the passes share the rest in proportion to their FLOPs") },
    { "samples", INTEGER(compute_profile, samples), MOST(1 << 24), DEFAULT("0"),
      DOC("samples that the times were measured with, on one device; 0: use the roofline instead") },
    { "scale", NUMBER(compute_profile, scale), FLAGS(FIELD_CALIBRATED | FIELD_ABOVE), MOST(1e6), DEFAULT("1"),
      DOC("what-if: factor on the measured times") },
    { "second", MAP(compute_profile, second, second_schema),
      DOC("the same of another batch: times of any batch lie on the line through both, t = a + b samples, below the "
          "smaller batch not under its time in proportion") },
    { "layers", LIST(compute_profile, layers, nlayers, layer_schema, 100000), FLAGS(FIELD_TABLE),
      DOC("measured times of single layers, of 'samples' samples: their shares of forward and backward, which may be "
          "left out if the rows are all of it; what the rows leave is shared by all layers in proportion to their "
          "FLOPs. A CSV file's first line is 'layer,forward (us),backward (us)'. narrows import kineto writes them") },
};
const struct schema schema_profile = SCHEMA("profile", compute_profile, profile_fields, NULL);
