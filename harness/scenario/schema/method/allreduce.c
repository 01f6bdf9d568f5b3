/* allreduce.c - the keys of a method with an allreduce of the gradients. */
#include "sim/method/allreduce/allreduce.h"
#include "harness/scenario/schema/rows.h"
#include "harness/scenario/schema/schema.h"

static const char *const level_names[] = { "flows", "symmetric", "analytic", NULL };
static const char *const barrier_names[] = { "layer", "step", NULL };
static const char *const order_names[] = { "backward", "size", "forward", NULL };

static const struct field fields[] = {
    { "workers", INTEGER(allreduce, workers), FLAGS(FIELD_REQUIRED), RANGE(1, 1 << 20),
      DOC("replicas of the network, each on one device") },
    { "workers_per_machine", INTEGER(allreduce, workers_per_machine), RANGE(1, 1024), DEFAULT("1"),
      DOC("workers on one machine; machines are filled in order") },
    { "device", CHOICE(allreduce, device, schema_device_names), DEFAULT("gpu"),
      DOC("what computes the network: a GPU, or all cores of a machine") },
    { "algorithm", CHOICE(allreduce, algorithm, schema_algorithm_names), DEFAULT("ring"),
      DOC("ring, tree (double binary), halving-doubling, hierarchical (within machines, then across); bound: 2 (n - "
          "1) / n times the bytes over each link; ideal: 2 times; measured: as long as platform.collective says") },
    { "rings", INTEGER(allreduce, rings), RANGE(1, 1024), DEFAULT("1"),
      DOC("of the algorithm ring at level flows: at once, each with its part of a bucket, through machines at workers "
          "of its own: as many as a machine has NICs use them all") },
    { "level", CHOICE(allreduce, level, level_names), DEFAULT("flows"),
      DOC("what is simulated. flows: every transfer; symmetric: those of one rank, if all ranks are alike; "
          "analytic: the closed form") },
    { "bucket", INTEGER(allreduce, bucket_bytes), MOST(1e12), UNIT(DIM_BYTES), DEFAULT("25 MiB"),
      DOC("fp32 bytes of gradients in a full bucket; 0 B: one bucket per tensor") },
    { "order", CHOICE(allreduce, order, order_names), DEFAULT("backward"),
      DOC("order of full buckets: as they fill, smallest first, or first needed by the next forward pass first") },
    { "partition", INTEGER(allreduce, partition_bytes), MOST(1e12), UNIT(DIM_BYTES), DEFAULT("0 B"),
      DOC("most fp32 bytes that go together: larger tensors are cut, and their parts go into buckets like tensors "
          "(ByteScheduler, with order 'forward'); 0 B: whole tensors") },
    { "cycle_time", NUMBER(allreduce, cycle_s), MOST(3600), UNIT(DIM_SECONDS), DEFAULT("0 s"),
      DOC("only gradients that are ready at the end of one cycle share a bucket, and wait for that end (Horovod's "
          "tensor fusion); cycles begin with the backward pass; 0 s: none") },
    { "merge_start", NUMBER(allreduce, merge_start_s), MOST(3600), UNIT(DIM_SECONDS), DEFAULT("0 s"),
      DOC("time to start an exchange, as merge_bandwidth takes it") },
    { "merge_bandwidth", NUMBER(allreduce, merge_Bps), UNIT(DIM_BYTES_PER_S), DEFAULT("0 B/s"),
      DOC("bytes of gradients over the time of their exchange, but for merge_start: a gradient joins the bucket before "
          "it if waiting for it costs less than another start (MG-WFBP); 0 B/s: it does not") },
    { "merge_least", INTEGER(allreduce, merge_least_bytes), MOST(1e12), UNIT(DIM_BYTES), DEFAULT("0 B"),
      DOC("with merge_bandwidth: a bucket of fewer fp32 bytes of gradients always waits for the next one") },
    { "start_time", NUMBER(allreduce, start_s), FLAGS(FIELD_CALIBRATED), MOST(3600), UNIT(DIM_SECONDS), DEFAULT("0 s"),
      DOC("time from when all workers have a bucket until its exchange may begin, of one bucket after another, while "
          "others are exchanged: what workers agree on") },
    { "start_time_per_worker", NUMBER(allreduce, start_per_worker_s), FLAGS(FIELD_CALIBRATED), MOST(3600),
      UNIT(DIM_SECONDS), DEFAULT("0 s"), DOC("added to start_time for each worker") },
    { "start_alone", BOOL(allreduce, start_alone), DEFAULT("false"),
      DOC("buckets start in turn with exchanges, not while others are exchanged: the latencies of a collective's "
          "messages") },
    { "barrier", CHOICE(allreduce, barrier, barrier_names), DEFAULT("layer"),
      DOC("what the forward pass waits for. layer: each layer for its own updates; step: all for all updates") },
    { "barrier_time", NUMBER(allreduce, barrier_s), FLAGS(FIELD_CALIBRATED), MOST(3600), UNIT(DIM_SECONDS),
      DEFAULT("0 s"),
      DOC("time of each worker from the last update of an exchange with others to the forward pass: barrier 'step'") },
    { "computing_share", NUMBER(allreduce, computing_share), FLAGS(FIELD_CALIBRATED), RANGE(0.001, 1), DEFAULT("1"),
      DOC("share of the rate of a GPU's link that is left while the GPU computes: what is exchanged by kernels of the "
          "GPU waits for its processors") },
    { "update_bytes", NUMBER(allreduce, update_bytes), FLAGS(FIELD_CALIBRATED), MOST(1e6), DEFAULT("20"),
      DOC("bytes of memory that an update moves for each parameter; 20: gradient, weight and momentum are read, the "
          "two written") },
    { "overlap", BOOL(allreduce, overlap), DEFAULT("true"),
      DOC("communicate during the backward pass instead of after it") },
    { "streams", INTEGER(allreduce, streams), RANGE(1, 1024), DEFAULT("1"),
      DOC("buckets in transfer at the same time") },
    { "local_steps", INTEGER(allreduce, local_steps), RANGE(1, 1000000), DEFAULT("1"),
      DOC("steps from one exchange to the next") },
    { "gradients", MAP(allreduce, gradients, schema_codec), DOC("codec of the gradients") },
    { "offload_share", NUMBER(allreduce, offload_share), MOST(1), DEFAULT("0"),
      DOC("share of each layer's activations that is copied to the host after its forward pass and back before its "
          "backward pass") },
    { "pinned", BOOL(allreduce, pinned), DEFAULT("true"),
      DOC("offload to pinned host memory; else the link's efficiency.pageable applies") },
    { "unevenness", NUMBER(allreduce, unevenness), MOST(1), DEFAULT("0"),
      DOC("how far workers differ in what they send, with codecs that send a share of the values: that of the first "
          "worker is so much below the codec's density, that of the last so much above") },
    { "steps", INTEGER(allreduce, steps), RANGE(1, 100000), DEFAULT("4"), DOC("steps simulated in steady state") },
    { "profile", MAP(allreduce, profile, schema_profile),
      DOC("measured times of the network, which replace the roofline") },
};
const struct schema schema_allreduce = SCHEMA("allreduce", allreduce, fields, NULL);
