/* method.c - the keys of a method: its kind, and those that the kind has. */
#include <strings.h>

#include "harness/scenario/schema/rows.h"
#include "sim/method/method.h"

WORDS(kind_names, METHOD_KINDS, "host-sgd", "parameter-server", "allreduce", "model-parallel", "flows", "memory-plan",
      "collective", "sharded");

static const struct field flows_fields[] = {
    { "file", DIGESTED(flows, file, digest), FLAGS(FIELD_REQUIRED | FIELD_DIGEST),
      DOC("CSV file with the columns id,src,dst,bytes,start_s: who sends how much to whom, and when; if it has them, "
          "after,delay_s: the ids of flows that must have arrived before, and how long after that") },
};
const struct schema schema_flows = SCHEMA("flows", flows, flows_fields, NULL);

/* The keys of one kind of method, among those of every method. */
#define PART(member, kind)                                                                  \
    {                                                                                       \
        .type = FIELD_PART, AT(method, member), .sub = &schema_##member, ONLY(1u << (kind)) \
    }

/* What others call these methods. */
static const char *meant(const char *word)
{
    static const char *const words[][2] = {
        { "ddp", "allreduce" },        { "data-parallel", "allreduce" },
        { "horovod", "allreduce" },    { "ring", "allreduce" },
        { "ps", "parameter-server" },  { "pipeline", "model-parallel" },
        { "gpipe", "model-parallel" }, { "hybrid", "model-parallel" },
        { "offload", "memory-plan" },  { "hmms", "memory-plan" },
        { "traffic", "flows" },        { "nccl-tests", "collective" },
        { "fsdp", "sharded" },         { "zero", "sharded" },
        { "megatron", "sharded" },
    };

    for (size_t i = 0; i < COUNT(words); i++)
        if (!strcasecmp(words[i][0], word))
            return words[i][1];
    return NULL;
}

static const struct field method_fields[] = {
    { "kind", CHOICE(method, kind, kind_names), FLAGS(FIELD_REQUIRED | FIELD_FIXED), .meant = meant,
      DOC("where the weights are. host-sgd: on the host, whose CPU updates them and sends them to every GPU; "
          "parameter-server: on servers of a network; allreduce: on every GPU, which sum their gradients; "
          "model-parallel: the network is cut into stages; flows: no weights, only traffic from a file; "
          "memory-plan: on one GPU, whose memory is planned; collective: no weights, one collective by itself; "
          "sharded: divided by tensor, context and pipeline parallelism, and sharded among replicas (FSDP, ZeRO)") },
    PART(host_sgd, METHOD_HOST_SGD),
    PART(parameter_server, METHOD_PARAMETER_SERVER),
    PART(allreduce, METHOD_ALLREDUCE),
    PART(model_parallel, METHOD_MODEL_PARALLEL),
    PART(flows, METHOD_FLOWS),
    PART(memory_planned, METHOD_MEMORY_PLAN),
    PART(collective, METHOD_COLLECTIVE),
    PART(sharded, METHOD_SHARDED),
};
const struct schema schema_method = SCHEMA("method", method, method_fields, "kind");
