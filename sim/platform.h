/* platform.h - machines as the simulator sees them: sockets, GPUs, the links between them, and the network.
 * Units      bytes per second, FLOP per second, seconds, bytes: decimal, and the names end in them.
 *            Efficiencies are shares of the figure they multiply.
 * Calibrated a number that no datasheet gives is NaN until a calibration supplies it. */
#ifndef NARROWS_SIM_PLATFORM_H
#define NARROWS_SIM_PLATFORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/precision.h"
#include "sim/collective/measured.h"

enum { PLATFORM_MAX_LINKS = 8 };

enum duplex { DUPLEX_FULL, DUPLEX_HALF };

/* One kind of link: between host and GPU, GPU and GPU, machine and switch, or switch and switch. 'shared_by' GPUs share
 * each instance of a link to the GPUs. An instance may be below one of another link: a PCIe tree. */
struct link_spec {
    const char *name;
    double bandwidth_Bps; /* per direction, as the datasheet has it */
    double latency_s;     /* per transfer */
    enum duplex duplex;   /* half: both directions share bandwidth_Bps */
    int64_t shared_by;
    double efficiency_to_device; /* reached share of bandwidth_Bps, host to GPU */
    double efficiency_to_host;
    double efficiency_wire; /* of a network link: payload's share of the bandwidth, both directions */
    /* Of a network link that is shaped: passes at once after idling, in bytes of the wire; what the bandwidth moves in
       so long, if that is more; 0: nothing does. */
    double burst_bytes, burst_s;
    double efficiency_pageable; /* further factor for host memory that is not pinned */
    const char *above;          /* name of the link whose instance is above this one; "" for none */
    const char *source;
};

/* How fast the host packs weights. */
enum codec_rate {
    CODEC_RATE_MEMORY,   /* "calibrated": memory_Bps * memory_efficiency, for stores that first read what they write */
    CODEC_RATE_MEASURED, /* "measured": timed on this host; the harness turns it into CODEC_RATE_GIVEN */
    CODEC_RATE_GIVEN,    /* codec_Bps, in bytes that must move: read plus written */
};

/* Which class of known codec rates applies to a CPU. */
enum cpu_class { CPU_AVX512, CPU_SCALAR, CPU_CLASSES };

struct cpu_spec {
    const char *name;
    int64_t sockets, cores_per_socket;
    double peak_flops;        /* FP32, all sockets; 0: no network is computed on the CPU */
    double efficiency;        /* of the roofline, in computing a network on the CPU */
    double memory_Bps;        /* all sockets, datasheet */
    double memory_efficiency; /* reached by streaming kernels: gradient update, Bitpack */
    double dma_read_Bps;      /* host memory read by all GPUs together; 0 is unlimited */
    double dma_write_Bps;
    enum codec_rate codec;
    double codec_Bps;
    /* factor from the codec rates given, which another machine timed, to the rates of this CPU */
    double codec_speed;
    enum cpu_class codec_class; /* selects the default rates of codecs that the scenario gives none */
    const char *source;
};

/* Two GPUs of a machine that are joined directly, by so many of the peer_link. */
struct gpu_pair {
    int64_t from, to, links;
};

struct gpu_spec {
    const char *name;
    int64_t count;     /* in each machine; 0: the machines have none, and the rest is not used */
    double peak_flops; /* FP32, one GPU */
    double memory_Bps; /* one GPU */
    int64_t memory_bytes;
    bool memory_checked;               /* is a step refused that does not fit in it? Not asked about here */
    double efficiency_convolution;     /* of the roofline of peak_flops and memory_Bps, FLOPs counted directly: */
    double efficiency_fully_connected; /* Winograd and FFT convolutions may exceed 1 */
    double efficiency_memory;          /* streaming kernels: Bitunpack, l2 norm */
    /* Of matrix products, dense; 0: not given. That of FP32 is peak_flops: platform_peak_flops() knows. */
    double precision_flops[COMPUTE_PRECISIONS];
    double clock; /* share of its clock that it keeps in long runs, as its power allows; 0 is 1 */
    /* What a matrix product reaches of its precision's peak: a large one matrix_share, one of depth k a
       k / (k + matrix_half_depth) of that. GPUs compute it in tiles, 'multiprocessors' at a time; 0: not counted. */
    double matrix_share, matrix_half_depth;
    int64_t matrix_tile_rows, matrix_tile_columns, multiprocessors;
    /* Fused attention reaches share x X / (X + half) of its precision's peak, X = heads x positions; FLOPs of the whole
       square count, so a causal one may pass 1. Forward, and backward; times 'unequal' where a head's values are not as
       long as its queries (0: 1). */
    double attention_share, attention_half, attention_back_share, attention_back_half, attention_back_unequal;
    int64_t cache_bytes; /* what a kernel streams is that much faster than memory; 0: nothing is */
    double cache_Bps;
    double launch_latency_s; /* per kernel */
    const char *link;        /* name of its link_spec */
    const char *peer_link;   /* name of the link between the GPUs of a machine (NVLink); "": through 'link' */
    /* Which GPUs peer_link joins (a mesh); the others reach each other through 'link'. Without any, each GPU has one
       peer_link to a switch that never blocks (NVSwitch). */
    struct gpu_pair *peers;
    size_t npeers;
    const char *source;
};

enum topology_kind {
    TOPOLOGY_SINGLE, /* one machine, no network */
    TOPOLOGY_STAR,   /* every machine on one switch that never blocks */
    TOPOLOGY_TREE,   /* switches of 'per_switch' machines, each with one 'uplink' to a core that never blocks */
    TOPOLOGY_MESH,   /* a grid of 'width' machines a row, linked to their neighbours; routes go along the row, then the
                        column */
    TOPOLOGY_TORUS,  /* the same, rows and columns closed to rings; the shorter way round, forward if they are equal */
    /* A rail-optimised fat tree: pods of 'per_switch' machines, each with a leaf switch for every NIC of a machine, and
       each leaf with one 'uplink' to a spine that never blocks. */
    TOPOLOGY_RAILS,
};

/* How the machines are joined. */
struct network_spec {
    enum topology_kind topology;
    const char *link;   /* name of a machine's link to the switch, or to each neighbour */
    const char *uplink; /* TOPOLOGY_TREE, TOPOLOGY_RAILS: name of the link between a switch and the core, or spine */
    int64_t per_switch; /* TOPOLOGY_TREE; TOPOLOGY_RAILS: machines of a pod, 0: all */
    double oversubscription; /* TOPOLOGY_RAILS without 'uplink': bandwidth of a leaf's NICs over its uplink's; 0 is 1 */
    int64_t width;           /* TOPOLOGY_MESH, TOPOLOGY_TORUS */
    int64_t nics;    /* of each machine, alike; 0 is 1. Those of its GPUs are divided among them in order; its memory
                            uses the first */
    const char *via; /* name of the host's link that traffic of the network also crosses (the PCIe root of the GPUs
                             on too); "": none */
    bool gpu_direct; /* from GPU to NIC and back, traffic crosses the GPU's own link alone, not the host */
    double unshaped_Bps; /* star, tree: machines' links are wider than their 'bandwidth' where nothing shapes them:
                             into every machine, and out of the first 'unshaped_machines'; 0: shaped both ways */
    int64_t unshaped_machines;
    double message_bytes; /* framing that each message adds: headers, metadata, acknowledgements */
    /* A message of at most so many bytes is over for its sender at once: kernel and MPI library hold what has not left
       yet, and the next message shares the link with it. 0: the next one waits. */
    double send_buffer_bytes;
    double send_buffer_s; /* or what the network's link moves in so long, if that is more */
    double message_s;     /* of its sender's time that each message takes, besides its bytes and the links' latency */
    double message_latency_s; /* until a message from another machine is noticed, besides the links' latency */
    /* Messages from one rank of a tree to another take turns on so many connections: as many are on their way at
       once where a buffer takes them. At least 1. */
    int64_t connections;
};

struct platform {
    const char *name;
    const char *title;
    const char *source;
    const char *calibration; /* scenario file that fits the calibrated constants; "" if none */
    double peak_flops;       /* the whole machine, as its paper counts it (bytes-per-flop) */
    double compute_scale;    /* what if every GPU computed this many times as fast; 1 is the machine */
    int64_t machines;        /* all alike */
    struct cpu_spec cpu;     /* of one machine */
    struct gpu_spec gpu;
    struct network_spec network;
    struct measured collective; /* of GPUs that are filled machine by machine, by the library of this platform */
    struct link_spec *links;    /* in the file's order */
    size_t nlinks;
};

/* The link of that name, or NULL. */
const struct link_spec *platform_link(const struct platform *p, const char *name);

/* The GPUs' link, or NULL if gpu.link names none. */
const struct link_spec *platform_gpu_link(const struct platform *p);

/* Of matrix products on one GPU, compute_scale left out: 0 where the platform does not give that precision's. */
double platform_peak_flops(const struct platform *p, enum compute_precision precision);

/* NaN where it is to be calibrated. */
double link_burst_bytes(const struct link_spec *link);
double platform_send_buffer_bytes(const struct platform *p);

/* Ranks, so many on each machine that they fill in order, and what all NICs of a machine carry. */
struct collective_group platform_group(const struct platform *p, int64_t ranks, int64_t ranks_per_machine);

/* Bytes that can reach a GPU per 1000 FLOP of the machine's peak: the paper's "Bytes per Flop" (section V-B)
 * is bandwidth (GB/s) over peak (TFlop/s), so it counts thousands. compute_scale multiplies the peak. */
double platform_bytes_per_kflop(const struct platform *p);

#endif
