/* host_sgd.c - the keys of a method with the weights on the host. */
#include "sim/method/host_sgd.h"
#include "harness/scenario/schema/schema.h"

static const char *const schedule_names[] = { "serial", "overlapped", NULL };
static const char *const codec_names[] = { "none", "adt", NULL };
static const char *const reduce_names[] = { "none", "link", "all", NULL };

static const struct field fields[] = {
    { .key = "schedule",
      .type = FIELD_ENUM,
      .names = schedule_names,
      .fallback = "serial",
      SCHEMA_AT(host_sgd, schedule),
      .doc = "serial: a barrier after each phase; overlapped: each layer as soon as what it needs is there" },
    { .key = "codec",
      .type = FIELD_ENUM,
      .names = codec_names,
      .fallback = "none",
      SCHEMA_AT(host_sgd, codec),
      .doc = "none: weights as they are; adt: the leading bytes of each weight" },
    { .key = "bytes_per_weight",
      .type = FIELD_NUMBER,
      .min = 1,
      .max = 4,
      .fallback = "4",
      SCHEMA_AT(host_sgd, bytes_per_weight),
      .doc = "average over the layers and the run; ignored without a codec" },
    { .key = "awp",
      .type = FIELD_BOOL,
      .fallback = "false",
      SCHEMA_AT(host_sgd, awp),
      .doc = "compute the l2 norm of each layer's weights, as the adaptive policy does" },
    { .key = "send_samples",
      .type = FIELD_BOOL,
      .fallback = "false",
      SCHEMA_AT(host_sgd, send_samples),
      .doc = "the samples cross the link within the step, or arrive unseen before it" },
    { .key = "gradient_reduce",
      .type = FIELD_ENUM,
      .names = reduce_names,
      .fallback = "none",
      SCHEMA_AT(host_sgd, reduce),
      .doc = "copies of the gradient that return: one a GPU, one a board, or one in all" },
    { .key = "gpus_per_board",
      .type = FIELD_INTEGER,
      .min = 1,
      .max = 1024,
      .fallback = "1",
      SCHEMA_AT(host_sgd, gpus_per_board),
      .doc = "the group that 'gradient_reduce: link' sums over" },
};
const struct schema schema_host_sgd = { "host-sgd", sizeof(struct host_sgd), fields, SCHEMA_COUNT(fields), NULL };
