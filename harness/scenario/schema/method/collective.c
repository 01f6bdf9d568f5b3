/* collective.c - the keys of platform.collective and of the method collective, and the names of algorithms. */
#include "sim/method/collective.h"
#include "harness/scenario/schema/rows.h"
#include "harness/scenario/schema/schema.h"
#include "sim/method/allreduce/allreduce.h"

WORDS(operation_names, COLLECTIVE_OPERATIONS, "all-reduce", "all-gather", "reduce-scatter", "broadcast");
const char *const schema_algorithm_names[] = { "ring",  "tree",  "halving-doubling", "hierarchical",
                                               "bound", "ideal", "measured",         NULL };
_Static_assert(COUNT(schema_algorithm_names) == COLLECTIVE_ALGORITHMS + 1, "a word for every value");
WORDS(generation_names, NCCL_GENERATIONS, "none", "volta", "ampere", "hopper", "blackwell");
WORDS(link_names, NCCL_LINKS, "nvlink", "pcie");
static const char *const shape_names[] = { "ring", "tree", NULL };

static const struct field protocol_fields[] = {
    { "name", TEXT(protocol, name), FLAGS(FIELD_SILENT), DOC("as the library calls it: LL, LL128, simple") },
    { "algorithm", CHOICE(protocol, shape, shape_names), DEFAULT("ring"),
      DOC("ring: 2 (n - 1) steps of an all-reduce, n - 1 of the others; tree: 2 log2 n, rounded up, of an all-reduce "
          "only") },
    { "latency", NUMBER(protocol, latency_ratio), MOST(1000), DEFAULT("1"),
      DOC("latency of a step, as a multiple of the collective's") },
    { "bandwidth", NUMBER(protocol, bandwidth_ratio), FLAGS(FIELD_ABOVE), MOST(1000), DEFAULT("1"),
      DOC("bandwidth, as a multiple of the collective's: 0.5 for LL, 0.9375 for LL128") },
    { "least", INTEGER(protocol, least_bytes), MOST(1e15), UNIT(DIM_BYTES), DEFAULT("0 B"),
      DOC("bytes of the smallest collective that it is used for") },
    { "most", INTEGER(protocol, most_bytes), FLAGS(FIELD_UNLIMITED), MOST(1e15), UNIT(DIM_BYTES), DEFAULT("unlimited"),
      DOC("bytes of the largest collective that it is used for; of those that apply the fastest is taken") },
};
static const struct schema protocol_schema = SCHEMA("protocol", protocol, protocol_fields, NULL);

static const struct field row_fields[] = {
    { "operation", CHOICE(measured_row, operation, operation_names), DEFAULT("all-reduce"), DOC("what was timed") },
    { "ranks", INTEGER(measured_row, ranks), FLAGS(FIELD_REQUIRED), RANGE(2, 1 << 20), DOC("among how many ranks") },
    { "bytes", INTEGER(measured_row, bytes), FLAGS(FIELD_REQUIRED), MOST(1e15), UNIT(DIM_BYTES),
      DOC("as nccl-tests counts them: the whole vector; of an all-gather what each rank has in the end") },
    { "time", NUMBER(measured_row, time_s), FLAGS(FIELD_REQUIRED | FIELD_ABOVE), MOST(1e6), UNIT(DIM_SECONDS),
      DOC("of one collective") },
};
static const struct schema row_schema = SCHEMA("row", measured_row, row_fields, NULL);

static const struct field nccl_fields[] = {
    { "generation", CHOICE(nccl, generation, generation_names), DEFAULT("none"),
      DOC("of the GPUs; none: the library is another, or 'protocols' say how it sends. Else NCCL 2.28's own figures "
          "give each algorithm (ring, tree) and protocol (LL, LL128, Simple) a time by size, ranks and machines, and "
          "the fastest is taken") },
    { "link", CHOICE(nccl, link, link_names), DEFAULT("nvlink"),
      DOC("between the GPUs of a machine; over PCIe 'bandwidth' has to say the rate, and LL128 is not used") },
    { "channels", INTEGER(nccl, channels), MOST(1024), DEFAULT("0"),
      DOC("rings or trees side by side, each of which has a largest rate; 0: as many as the GPU has NVLinks") },
    { "ll128", BOOL(nccl, ll128), DEFAULT("true"),
      DOC("LL128 may be used: NCCL does not where GPUs reach NICs through the host's memory") },
};
static const struct schema nccl_schema = SCHEMA("nccl", nccl, nccl_fields, NULL);

static const struct field measured_fields[] = {
    { "launch", NUMBER(measured, launch_s), FLAGS(FIELD_CALIBRATED), MOST(10), UNIT(DIM_SECONDS), DEFAULT("0 s"),
      DOC("time of a collective besides its steps and its bytes") },
    { "local", NUMBER(measured, local_Bps), UNIT(DIM_BYTES_PER_S), DEFAULT("0 B/s"),
      DOC("rate at which a rank takes in the bytes of a collective, besides what the links take; 0 B/s: at once. Of "
          "the method sharded alone, which plays the links themselves and takes 'launch' and 'latency' from here") },
    { "floor", NUMBER(measured, floor_s), MOST(10), UNIT(DIM_SECONDS), DEFAULT("0 s"),
      DOC("no collective takes less: the time in which the host launches one on all GPUs, where that hides the rest "
          "of a small one") },
    { "latency", NUMBER(measured, latency_s), FLAGS(FIELD_CALIBRATED), MOST(1), UNIT(DIM_SECONDS), DEFAULT("0 s"),
      DOC("time of each step besides its bytes; a ring's all-reduce has 2 (n - 1). With nccl.generation: what a NIC "
          "adds to each step between machines") },
    { "bandwidth", NUMBER(measured, bandwidth_Bps), FLAGS(FIELD_CALIBRATED), UNIT(DIM_BYTES_PER_S), DEFAULT("0 B/s"),
      DOC("of the bus, as nccl-tests counts it: what each rank's links carry; 0 B/s: only the table is known, or "
          "with nccl.generation what the GPU's NVLinks carry. Between machines NCCL's is that of a machine's NICs, if "
          "slower") },
    { "bandwidth_at", NUMBER(measured, bandwidth_at_bytes), FLAGS(FIELD_ABOVE), MOST(1e15), UNIT(DIM_BYTES),
      DEFAULT("1 GiB"),
      DOC("size of the collective at which the bus has that bandwidth, where the exponent is not 1") },
    { "exponent", NUMBER(measured, exponent), FLAGS(FIELD_CALIBRATED | FIELD_ABOVE), MOST(2), DEFAULT("1"),
      DOC("the time of the bytes grows with this power of them: 1: one rate for all sizes; below 1: large collectives "
          "reach more of the links") },
    { "protocols", LIST(measured, protocols, nprotocols, protocol_schema, 64),
      DOC("ways to send, each for some sizes; without any a ring at any size") },
    { "nccl", MAP(measured, nccl, nccl_schema), DOC("how NCCL chooses the way to send") },
    { "table", LIST(measured, rows, nrows, row_schema, 100000), FLAGS(FIELD_TABLE),
      DOC("measured times, from small to large for each operation and number of ranks; what lies between two rows is "
          "on the line through them, less than the first takes as long, more than the last goes on along the line "
          "through the last two. Where there are rows they count, not the figures above. A CSV file's first line "
          "is 'ranks,bytes (B),time (us)', with the keys that it has and their units") },
};
const struct schema schema_measured = SCHEMA("collective", measured, measured_fields, NULL);

static const struct field lone_fields[] = {
    { "operation", CHOICE(lone_collective, operation, operation_names), DEFAULT("all-reduce"),
      DOC("what the ranks do together") },
    { "algorithm", CHOICE(lone_collective, algorithm, schema_algorithm_names), DEFAULT("ring"),
      DOC("as of the method allreduce; all-gather and reduce-scatter: ring; measured: platform.collective says how "
          "long, and nothing is on the links") },
    { "ranks", INTEGER(lone_collective, ranks), FLAGS(FIELD_REQUIRED), RANGE(1, 1 << 20),
      DOC("GPUs, or machines where the platform has none") },
    { "ranks_per_machine", INTEGER(lone_collective, ranks_per_machine), RANGE(1, 1024), DEFAULT("1"),
      DOC("ranks on one machine; machines are filled in order") },
    { "rings", INTEGER(lone_collective, rings), RANGE(1, 1024), DEFAULT("1"),
      DOC("of an all-reduce by ring: at once, each with its part of the bytes, through machines at ranks of its own, "
          "as NCCL's channels: as many as a machine has NICs use them all") },
    { "bytes", INTEGER(lone_collective, bytes), FLAGS(FIELD_REQUIRED), MOST(1e15), UNIT(DIM_BYTES),
      DOC("as nccl-tests counts them: the whole vector; of an all-gather what each rank has in the end") },
};
const struct schema schema_collective = SCHEMA("collective", lone_collective, lone_fields, NULL);
