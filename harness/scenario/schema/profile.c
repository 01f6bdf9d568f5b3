/* profile.c - the keys of a network's measured times, and the names of what computes it. */
#include "sim/method/profile.h"
#include "harness/scenario/schema/schema.h"

const char *const schema_device_names[] = { "gpu", "cpu", NULL };

static const struct field profile_fields[] = {
    { .key = "forward",
      .type = FIELD_NUMBER,
      .dimension = DIM_SECONDS,
      .fallback = "0 s",
      SCHEMA_AT(compute_profile, forward_s),
      .doc = "forward pass over all layers and samples" },
    { .key = "backward",
      .type = FIELD_NUMBER,
      .dimension = DIM_SECONDS,
      .fallback = "0 s",
      SCHEMA_AT(compute_profile, backward_s),
      .doc = "backward pass over all layers and samples" },
    { .key = "samples",
      .type = FIELD_INTEGER,
      .max = 1 << 24,
      .fallback = "0",
      SCHEMA_AT(compute_profile, samples),
      .doc = "that the times are of, on one device; 0: the roofline, and no times" },
    { .key = "scale",
      .type = FIELD_NUMBER,
      .flags = FIELD_CALIBRATED | FIELD_ABOVE,
      .max = 1e6,
      .fallback = "1",
      SCHEMA_AT(compute_profile, scale),
      .doc = "what if the device took this many times as long" },
};
const struct schema schema_profile = { "profile", sizeof(struct compute_profile), profile_fields,
                                       SCHEMA_COUNT(profile_fields), NULL };
