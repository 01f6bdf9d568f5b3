/* profile.c - the keys of a network's measured times, and the names of what computes it. */
#include "sim/method/profile.h"
#include "harness/scenario/schema/rows.h"

const char *const schema_device_names[] = { "gpu", "cpu", NULL };

static const struct field profile_fields[] = {
    { "forward", NUMBER(compute_profile, forward_s), UNIT(DIM_SECONDS), DEFAULT("0 s"),
      DOC("forward pass over all layers and samples") },
    { "backward", NUMBER(compute_profile, backward_s), UNIT(DIM_SECONDS), DEFAULT("0 s"),
      DOC("backward pass over all layers and samples") },
    { "samples", INTEGER(compute_profile, samples), MOST(1 << 24), DEFAULT("0"),
      DOC("samples that the times were measured with, on one device; 0: use the roofline instead") },
    { "scale", NUMBER(compute_profile, scale), FLAGS(FIELD_CALIBRATED | FIELD_ABOVE), MOST(1e6), DEFAULT("1"),
      DOC("what-if: factor on the measured times") },
};
const struct schema schema_profile = SCHEMA("profile", compute_profile, profile_fields, NULL);
