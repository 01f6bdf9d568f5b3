/* method.c - the keys of a method: its kind, and those that the kind has. */
#include <strings.h>

#include "harness/scenario/schema/schema.h"
#include "sim/method/method.h"

static const char *const kind_names[] = { "host-sgd", "parameter-server", "allreduce", "model-parallel",
                                          "flows",    "memory-plan",      NULL };

_Static_assert(SCHEMA_COUNT(kind_names) == METHOD_KINDS + 1, "a name for every kind");

static const struct field flows_fields[] = {
    { .key = "file",
      .type = FIELD_FILE,
      .flags = FIELD_REQUIRED | FIELD_DIGEST,
      SCHEMA_AT(flows, file),
      .second = offsetof(struct flows, digest),
      .doc = "CSV with the columns id,src,dst,bytes,start_s: who sends how much to whom, and when" },
};
const struct schema schema_flows = { "flows", sizeof(struct flows), flows_fields, SCHEMA_COUNT(flows_fields), NULL };

#define PART(member, kind)                                                                           \
    {                                                                                                \
        .type = FIELD_PART, .only = 1u << (kind), .sub = &schema_##member, SCHEMA_AT(method, member) \
    }

/* What others call these methods. */
static const char *meant(const char *word)
{
    static const char *const words[][2] = {
        { "ddp", "allreduce" },        { "data-parallel", "allreduce" }, { "horovod", "allreduce" },
        { "ring", "allreduce" },       { "ps", "parameter-server" },     { "pipeline", "model-parallel" },
        { "gpipe", "model-parallel" }, { "hybrid", "model-parallel" },   { "offload", "memory-plan" },
        { "hmms", "memory-plan" },     { "traffic", "flows" },
    };

    for (size_t i = 0; i < SCHEMA_COUNT(words); i++)
        if (!strcasecmp(words[i][0], word))
            return words[i][1];
    return NULL;
}

static const struct field method_fields[] = {
    { .key = "kind",
      .type = FIELD_ENUM,
      .meant = meant,
      .flags = FIELD_REQUIRED | FIELD_FIXED,
      .names = kind_names,
      SCHEMA_AT(method, kind),
      .doc =
          "host-sgd: the weights live on the host, the CPU updates them and sends them to every GPU; parameter-server: on servers of a network; allreduce: on every GPU, which sum their gradients; model-parallel: the network is cut into stages; flows: traffic as a file gives it; memory-plan: on one GPU, whose memory is planned" },
    PART(host_sgd, METHOD_HOST_SGD),
    PART(parameter_server, METHOD_PARAMETER_SERVER),
    PART(allreduce, METHOD_ALLREDUCE),
    PART(model_parallel, METHOD_MODEL_PARALLEL),
    PART(flows, METHOD_FLOWS),
    PART(memory_planned, METHOD_MEMORY_PLAN),
};
const struct schema schema_method = { "method", sizeof(struct method), method_fields, SCHEMA_COUNT(method_fields),
                                      "kind" };
