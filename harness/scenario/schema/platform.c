/* platform.c - the keys of a platform file. */
#include "sim/platform.h"
#include "harness/scenario/schema/rows.h"

WORDS(class_names, CPU_CLASSES, "avx512", "scalar");

static const struct field cpu_fields[] = {
    { "name", TEXT(cpu_spec, name), DOC("product name") },
    { "sockets", INTEGER(cpu_spec, sockets), RANGE(1, 1024), DEFAULT("1"), DOC("processors in the machine") },
    { "cores_per_socket", INTEGER(cpu_spec, cores_per_socket), FLAGS(FIELD_REQUIRED), RANGE(1, 4096),
      DOC("cores of one processor") },
    { "peak", NUMBER(cpu_spec, peak_flops), FLAGS(FIELD_ABOVE), UNIT(DIM_FLOPS),
      DOC("FP32 peak of all sockets together; not needed if no network is computed on the CPU") },
    { "efficiency", NUMBER(cpu_spec, efficiency), FLAGS(FIELD_CALIBRATED | FIELD_ABOVE), MOST(1), DEFAULT("1"),
      DOC("share of the roofline that computing a network on the CPU reaches") },
    { "memory_bandwidth", NUMBER(cpu_spec, memory_Bps), FLAGS(FIELD_REQUIRED | FIELD_ABOVE), UNIT(DIM_BYTES_PER_S),
      DOC("memory bandwidth, from the datasheet") },
    { "memory_efficiency", NUMBER(cpu_spec, memory_efficiency), FLAGS(FIELD_CALIBRATED | FIELD_ABOVE), MOST(1),
      DEFAULT("1"), DOC("share of the memory bandwidth that streaming kernels (update, Bitpack) reach") },
    { "dma_read", NUMBER(cpu_spec, dma_read_Bps), FLAGS(FIELD_CALIBRATED | FIELD_UNLIMITED | FIELD_ABOVE),
      UNIT(DIM_BYTES_PER_S), DEFAULT("unlimited"), DOC("rate at which all GPUs together can read host memory") },
    { "dma_write", NUMBER(cpu_spec, dma_write_Bps), FLAGS(FIELD_CALIBRATED | FIELD_UNLIMITED | FIELD_ABOVE),
      UNIT(DIM_BYTES_PER_S), DEFAULT("unlimited"), DOC("rate at which all GPUs together can write host memory") },
    { "codec", CODEC_RATE(cpu_spec, codec, codec_Bps), FLAGS(FIELD_ABOVE), UNIT(DIM_BYTES_PER_S), DEFAULT("calibrated"),
      DOC("rate of packing, in bytes read and written; calibrated: as fast as memory; measured: timed on this host") },
    { "codec_speed", NUMBER(cpu_spec, codec_speed), FLAGS(FIELD_CALIBRATED | FIELD_ABOVE), MOST(1000), DEFAULT("1"),
      DOC("share of the given codec rates that this CPU reaches, if they were timed on another machine") },
    { "class", CHOICE(cpu_spec, codec_class, class_names), FLAGS(FIELD_SILENT), DEFAULT("avx512"),
      DOC("default codec rates on this CPU: those of vectorized kernels (avx512), or of scalar ones") },
    { "source", TEXT(cpu_spec, source), FLAGS(FIELD_SILENT), DOC("where the figures come from") },
};
static const struct schema cpu_schema = SCHEMA("cpu", cpu_spec, cpu_fields, NULL);

static const struct field gpu_efficiency_fields[] = {
    { "convolution", NUMBER(gpu_spec, efficiency_convolution), FLAGS(FIELD_CALIBRATED | FIELD_ABOVE), MOST(4),
      DEFAULT("1"),
      DOC("reached share of the roofline, FLOPs counted directly: Winograd and FFT convolutions may exceed 1") },
    { "fully_connected", NUMBER(gpu_spec, efficiency_fully_connected), FLAGS(FIELD_CALIBRATED | FIELD_ABOVE), MOST(1),
      DEFAULT("1"), DOC("reached share of the roofline in matrix products") },
    { "memory", NUMBER(gpu_spec, efficiency_memory), FLAGS(FIELD_CALIBRATED | FIELD_ABOVE), MOST(1), DEFAULT("1"),
      DOC("share of the memory bandwidth that streaming kernels reach") },
};
static const struct schema gpu_efficiency = SCHEMA("efficiency", gpu_spec, gpu_efficiency_fields, NULL);

static const struct field gpu_peak_fields[] = {
    { "tf32", NUMBER(gpu_spec, precision_flops[COMPUTE_TF32]), UNIT(DIM_FLOPS), DEFAULT("0 Flop/s"),
      DOC("in TF32, dense (no sparsity); 0: not given") },
    { "bf16", NUMBER(gpu_spec, precision_flops[COMPUTE_BF16]), UNIT(DIM_FLOPS), DEFAULT("0 Flop/s"),
      DOC("in BF16, summed in FP32") },
    { "fp16", NUMBER(gpu_spec, precision_flops[COMPUTE_FP16]), UNIT(DIM_FLOPS), DEFAULT("0 Flop/s"),
      DOC("in FP16, summed in FP32") },
    { "fp8", NUMBER(gpu_spec, precision_flops[COMPUTE_FP8]), UNIT(DIM_FLOPS), DEFAULT("0 Flop/s"),
      DOC("in FP8, summed in FP32") },
};
static const struct schema gpu_peaks = SCHEMA("peaks", gpu_spec, gpu_peak_fields, NULL);

static const struct field gpu_matrix_fields[] = {
    { "share", NUMBER(gpu_spec, matrix_share), FLAGS(FIELD_ABOVE), MOST(1), DEFAULT("1"),
      DOC("share of its precision's peak that a large product reaches") },
    { "half_k", NUMBER(gpu_spec, matrix_half_depth), MOST(1e6), DEFAULT("0"),
      DOC("a product of depth k reaches k / (k + half_k) of that") },
    { "tile_m", INTEGER(gpu_spec, matrix_tile_rows), RANGE(1, 1 << 20), DEFAULT("128"),
      DOC("rows of the result that a multiprocessor computes at a time") },
    { "tile_n", INTEGER(gpu_spec, matrix_tile_columns), RANGE(1, 1 << 20), DEFAULT("128"),
      DOC("columns of the result that a multiprocessor computes at a time") },
    { "multiprocessors", INTEGER(gpu_spec, multiprocessors), MOST(1 << 20), DEFAULT("0"),
      DOC("tiles that one GPU computes at a time; 0: waves of tiles are not counted") },
};
static const struct schema gpu_matrix = SCHEMA("matrix", gpu_spec, gpu_matrix_fields, NULL);

static const struct field gpu_attention_fields[] = {
    { "share", NUMBER(gpu_spec, attention_share), FLAGS(FIELD_ABOVE), MOST(4), DEFAULT("1"),
      DOC("share of the peak that fused attention reaches forward with very many heads x positions; FLOPs count as if "
          "nothing were masked, so a causal one may pass 1") },
    { "half", NUMBER(gpu_spec, attention_half), MOST(1e12), DEFAULT("0"),
      DOC("heads x positions at which it reaches half of that") },
    { "back_share", NUMBER(gpu_spec, attention_back_share), FLAGS(FIELD_ABOVE), MOST(4), DEFAULT("1"),
      DOC("the same backward") },
    { "back_half", NUMBER(gpu_spec, attention_back_half), MOST(1e12), DEFAULT("0"), DOC("the same backward") },
    { "back_unequal", NUMBER(gpu_spec, attention_back_unequal), FLAGS(FIELD_ABOVE), MOST(4), DEFAULT("1"),
      DOC("share of back_share that it reaches where a head's values are not as long as its queries (latent "
          "attention)") },
};
static const struct schema gpu_attention = SCHEMA("attention", gpu_spec, gpu_attention_fields, NULL);

static const struct field gpu_cache_fields[] = {
    { "size", INTEGER(gpu_spec, cache_bytes), MOST(1e12), UNIT(DIM_BYTES), DEFAULT("0 B"),
      DOC("last level; of what a kernel streams, so much goes at the cache's bandwidth; 0: nothing does") },
    { "bandwidth", NUMBER(gpu_spec, cache_Bps), FLAGS(FIELD_ABOVE), UNIT(DIM_BYTES_PER_S), DEFAULT("1 TB/s"),
      DOC("of the cache") },
};
static const struct schema gpu_cache = SCHEMA("cache", gpu_spec, gpu_cache_fields, NULL);

static const struct field pair_fields[] = {
    { "from", INTEGER(gpu_pair, from), FLAGS(FIELD_REQUIRED), MOST(1023), DOC("a GPU of a machine, from 0 on") },
    { "to", INTEGER(gpu_pair, to), FLAGS(FIELD_REQUIRED), MOST(1023), DOC("another") },
    { "links", INTEGER(gpu_pair, links), RANGE(1, 1024), DEFAULT("1"), DOC("so many of peer_link join them") },
};
static const struct schema pair_schema = SCHEMA("pair", gpu_pair, pair_fields, NULL);

static const struct field gpu_fields[] = {
    { "name", TEXT(gpu_spec, name), DOC("product name") },
    { "count", INTEGER(gpu_spec, count), FLAGS(FIELD_REQUIRED), RANGE(1, 1024), DOC("GPUs (dies) in each machine") },
    { "peak", NUMBER(gpu_spec, peak_flops), FLAGS(FIELD_REQUIRED | FIELD_ABOVE), UNIT(DIM_FLOPS),
      DOC("FP32 peak of one GPU") },
    { "peaks", SAME(gpu_peaks), DOC("its peaks in matrix products of other precisions") },
    { "clock", NUMBER(gpu_spec, clock), FLAGS(FIELD_CALIBRATED | FIELD_ABOVE), MOST(2), DEFAULT("1"),
      DOC("share of it that long runs keep, as power allows, of that of the runs which matrix and attention are of") },
    { "matrix", SAME(gpu_matrix), DOC("what matrix products reach of these peaks") },
    { "attention", SAME(gpu_attention), DOC("what fused attention reaches of them") },
    { "cache", SAME(gpu_cache), DOC("on the GPU") },
    { "memory_bandwidth", NUMBER(gpu_spec, memory_Bps), FLAGS(FIELD_REQUIRED | FIELD_ABOVE), UNIT(DIM_BYTES_PER_S),
      DOC("memory bandwidth, from the datasheet") },
    { "memory", INTEGER(gpu_spec, memory_bytes), FLAGS(FIELD_REQUIRED), LEAST(1), UNIT(DIM_BYTES),
      DOC("memory of one GPU: what needs more is refused; memory-plan fits its plan in it") },
    { "memory_checked", BOOL(gpu_spec, memory_checked), FLAGS(FIELD_SILENT), DEFAULT("true"),
      DOC("false: simulate what does not fit in 'memory' all the same, and mark it, since the memory is made up, or "
          "less is needed than fp32 without offloading, as in fp16; memory-plan has 'strict' for this, and sharded, "
          "which counts by itself, always refuses") },
    { "efficiency", SAME(gpu_efficiency), DOC("reached shares of the roofline") },
    { "launch_latency", NUMBER(gpu_spec, launch_latency_s), FLAGS(FIELD_CALIBRATED), MOST(1), UNIT(DIM_SECONDS),
      DEFAULT("0 s"), DOC("launch latency of each kernel") },
    { "link", TEXT(gpu_spec, link), FLAGS(FIELD_REQUIRED | FIELD_LINK),
      DOC("name of the link that connects the GPUs to the host") },
    { "peer_link", TEXT(gpu_spec, peer_link), FLAGS(FIELD_LINK),
      DOC("name of the link between the GPUs of a machine (NVLink); by default they use 'link'") },
    { "peers", LIST(gpu_spec, peers, npeers, pair_schema, 4096), FLAGS(FIELD_TABLE),
      DOC("pairs of GPUs that peer_link joins, each once, for both directions: a mesh, whose other pairs use 'link'; "
          "without any, each GPU has one peer_link to a switch that never blocks (NVSwitch). A ring goes through "
          "GPUs in the order of their numbers") },
    { "source", TEXT(gpu_spec, source), FLAGS(FIELD_SILENT), DOC("where the figures come from") },
};
static const struct schema gpu_schema = SCHEMA("gpu", gpu_spec, gpu_fields, NULL);

static const struct field platform_fields[] = {
    { "name", TEXT(platform, name), FLAGS(FIELD_REQUIRED), MOST(63), DOC("short name, as tables and figures show it") },
    { "title", TEXT(platform, title), FLAGS(FIELD_SILENT), DOC("one line of description") },
    { "source", TEXT(platform, source), FLAGS(FIELD_SILENT), DOC("where the figures come from") },
    { "calibration", PATH(platform, calibration), FLAGS(FIELD_SILENT),
      DOC("scenario file that fits the figures given as 'calibrated'") },
    { "peak", NUMBER(platform, peak_flops), FLAGS(FIELD_REQUIRED | FIELD_ABOVE), UNIT(DIM_FLOPS),
      DOC("peak of the whole machine, as its paper counts it, for bytes per FLOP; not needed without GPUs") },
    { "compute_scale", NUMBER(platform, compute_scale), FLAGS(FIELD_ABOVE), MOST(1e6), DEFAULT("1"),
      DOC("what-if: speed-up of every GPU") },
    { "machines", INTEGER(platform, machines), RANGE(1, 1 << 20), DEFAULT("1"),
      DOC("number of machines, all alike, connected by the network") },
    { "cpu", MAP(platform, cpu, cpu_schema), FLAGS(FIELD_REQUIRED), DOC("the host's processors and memory") },
    { "gpu", MAP(platform, gpu, gpu_schema), FLAGS(FIELD_WHOLE),
      DOC("the GPUs of a machine, all alike; without it there are none") },
    { "network", MAP(platform, network, schema_network), DOC("how the machines are connected") },
    { "collective", MAP(platform, collective, schema_measured),
      DOC("how long the collectives of this platform's library take, for methods with the algorithm 'measured'") },
    { "link", NAMED(platform, links, nlinks, schema_link, PLATFORM_MAX_LINKS), FLAGS(FIELD_REQUIRED),
      DOC("the kinds of link, by name; not needed in a single machine without GPUs") },
};
const struct schema schema_platform = SCHEMA("platform", platform, platform_fields, NULL);
