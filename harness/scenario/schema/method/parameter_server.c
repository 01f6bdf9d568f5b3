/* parameter_server.c - the keys of a method with parameter servers. */
#include "sim/method/parameter_server/parameter_server.h"
#include "harness/scenario/schema/rows.h"
#include "harness/scenario/schema/schema.h"

static const char *const mode_names[] = { "sync", "stale", "async", NULL };
static const char *const barrier_names[] = { "layer", "update", "step", "pulls", NULL };

static const char *const order_names[] = { "ready", "forward", NULL };

static const struct field fields[] = {
    { "workers", INTEGER(parameter_server, workers), FLAGS(FIELD_REQUIRED), RANGE(1, 1 << 20),
      DOC("replicas of the network, each on one device") },
    { "servers", INTEGER(parameter_server, servers), RANGE(1, 1 << 16), DEFAULT("1"),
      DOC("servers, among which the tensors are divided") },
    { "workers_per_machine", INTEGER(parameter_server, workers_per_machine), RANGE(1, 1024), DEFAULT("1"),
      DOC("workers on one machine; machines are filled in order") },
    { "colocated", BOOL(parameter_server, colocated), DEFAULT("false"),
      DOC("servers run on the workers' machines instead of on the machines after those") },
    { "device", CHOICE(parameter_server, device, schema_device_names), DEFAULT("gpu"),
      DOC("what computes the network: a GPU, or all cores of a machine") },
    { "mode", CHOICE(parameter_server, mode, mode_names), DEFAULT("sync"),
      DOC("sync: a tensor is updated from all workers' pushes; async: from each push; stale: async with a bound on "
          "how far ahead a worker runs") },
    { "staleness", INTEGER(parameter_server, staleness), MOST(1000000), DEFAULT("0"),
      DOC("steps by which a worker may be ahead of the slowest: stale") },
    { "backup_workers", INTEGER(parameter_server, backup_workers), MOST(1 << 20), DEFAULT("0"),
      DOC("sync: number of workers that an update does not wait for; their late pushes are dropped, and they "
          "continue with the newest model. Only samples that entered an update count") },
    { "local_steps", INTEGER(parameter_server, local_steps), RANGE(1, 1000000), DEFAULT("1"),
      DOC("steps from one exchange to the next") },
    { "barrier", CHOICE(parameter_server, barrier, barrier_names), DEFAULT("layer"),
      DOC("layer: a tensor is sent as soon as possible; update: pulls wait until every tensor is updated; step: "
          "pushes wait for the whole backward pass, and the forward pass for all pulls; pulls: the forward pass waits "
          "for all pulls") },
    { "barrier_time", NUMBER(parameter_server, barrier_s), FLAGS(FIELD_CALIBRATED), MOST(3600), UNIT(DIM_SECONDS),
      DEFAULT("0 s"), DOC("time from the last update to the first pull: barrier 'update', mode sync") },
    { "streams", INTEGER(parameter_server, streams), MOST(1000000), DEFAULT("0"),
      DOC("tensors in transfer at the same time between a worker and a server, in each direction, in the order in "
          "which they became ready; 0: all ready tensors share the links") },
    { "order", CHOICE(parameter_server, order, order_names), DEFAULT("ready"),
      DOC("of tensors that wait for their turn (streams, rings within machines, senders): as they become ready, or "
          "first needed by the next forward pass first") },
    { "partition", INTEGER(parameter_server, partition_bytes), MOST(1e12), UNIT(DIM_BYTES), DEFAULT("0 B"),
      DOC("most fp32 bytes that go together: larger tensors are cut, and each part goes by itself, to a server of its "
          "own; 0 B: whole tensors") },
    { "merged", BOOL(parameter_server, merged), DEFAULT("false"),
      DOC("all tensors are one vector, which partition cuts: barrier 'step'") },
    { "machine_sums", BOOL(parameter_server, machine_sums), DEFAULT("false"),
      DOC("the GPUs of a machine sum their gradients in a ring before one push, and share what one pull brought "
          "(BytePS); machines that are alone push nothing") },
    { "ring_start", NUMBER(parameter_server, ring_start_s), FLAGS(FIELD_CALIBRATED), MOST(3600), UNIT(DIM_SECONDS),
      DEFAULT("0 s"), DOC("time before each ring within a machine, during which no other runs: machine_sums") },
    { "computing_share", NUMBER(parameter_server, computing_share), FLAGS(FIELD_CALIBRATED), RANGE(0.001, 1),
      DEFAULT("1"),
      DOC("share of the rate of a GPU's link that is left while the GPU computes: what is exchanged by kernels of the "
          "GPU waits for its processors") },
    { "updates_on_workers", BOOL(parameter_server, updates_on_workers), DEFAULT("false"),
      DOC("servers only sum; a worker updates when it has pulled everything, before the forward pass: barriers step "
          "and pulls") },
    { "update_bytes", NUMBER(parameter_server, update_bytes), FLAGS(FIELD_CALIBRATED), MOST(1e6), DEFAULT("20"),
      DOC("bytes of memory that an update moves for each parameter; 20: gradient, weight and momentum are read, the "
          "two written") },
    { "shared_pull", BOOL(parameter_server, shared_pull), DEFAULT("true"),
      DOC("the server encodes a tensor once for all workers instead of once for each") },
    { "push", MAP(parameter_server, push, schema_codec), DOC("codec of the gradients, from worker to server") },
    { "pull", MAP(parameter_server, pull, schema_codec), DOC("codec of the parameters, from server to worker") },
    { "jitter", NUMBER(parameter_server, jitter), MOST(4), DEFAULT("0"),
      DOC("relative standard deviation of a worker's compute time") },
    { "seed", INTEGER(parameter_server, seed), DEFAULT("1"), DOC("seed of the jitter") },
    { "steps", INTEGER(parameter_server, steps), RANGE(1, 100000), DEFAULT("4"),
      DOC("steps simulated in steady state") },
    { "profile", MAP(parameter_server, profile, schema_profile),
      DOC("measured times of the network, which replace the roofline") },
};
const struct schema schema_parameter_server = SCHEMA("parameter-server", parameter_server, fields, NULL);
