/* host_sgd.c - the keys of a method with the weights on the host. */
#include "sim/method/host_sgd.h"
#include "harness/scenario/schema/rows.h"

static const char *const schedule_names[] = { "serial", "overlapped", NULL };
static const char *const codec_names[] = { "none", "adt", NULL };
static const char *const norms_names[] = { "gpu", "cpu", NULL };
static const char *const reduce_names[] = { "none", "link", "all", NULL };

static const struct field fields[] = {
    { "schedule", CHOICE(host_sgd, schedule, schedule_names), DEFAULT("serial"),
      DOC("serial: a barrier after each phase; overlapped: each layer as soon as its inputs are ready") },
    { "codec", CHOICE(host_sgd, codec, codec_names), DEFAULT("none"),
      DOC("none: unchanged weights; adt: the leading bytes of each weight") },
    { "bytes_per_weight", NUMBER(host_sgd, bytes_per_weight), RANGE(1, 4), DEFAULT("4"),
      DOC("bytes sent of each weight, averaged over the layers and the run; ignored without a codec; at 4 nothing is "
          "packed") },
    { "awp", BOOL(host_sgd, awp), DEFAULT("false"),
      DOC("compute the l2 norm of each layer's weights, as the adaptive policy does; none at 4 bytes a weight") },
    { "norms", CHOICE(host_sgd, norms, norms_names), DEFAULT("gpu"),
      DOC("where: of the weights that the GPUs unpacked, or of those that the CPU updated") },
    { "send_samples", BOOL(host_sgd, send_samples), DEFAULT("false"),
      DOC("samples cross the link within the step, instead of having arrived before it") },
    { "gradient_reduce", CHOICE(host_sgd, reduce, reduce_names), DEFAULT("none"),
      DOC("copies of the gradient that return: one per GPU, one per board, or a single one") },
    { "gpus_per_board", INTEGER(host_sgd, gpus_per_board), RANGE(1, 1024), DEFAULT("1"),
      DOC("GPUs that 'gradient_reduce: link' sums over") },
};
const struct schema schema_host_sgd = SCHEMA("host-sgd", host_sgd, fields, NULL);
