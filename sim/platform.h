/* platform.h - a machine as the simulator sees it: sockets, GPUs, and the links between them.
 * Units      bytes per second, FLOP per second, seconds, bytes: decimal, and the names end in them.
 *            Efficiencies are shares of the figure they multiply.
 * Calibrated a number that no datasheet gives is NaN until a calibration supplies it. */
#ifndef NARROWS_SIM_PLATFORM_H
#define NARROWS_SIM_PLATFORM_H

#include <stddef.h>
#include <stdint.h>

enum { PLATFORM_MAX_LINKS = 8 };

enum duplex { DUPLEX_FULL, DUPLEX_HALF };

/* One kind of host-to-GPU connection. 'shared_by' GPUs hang on each instance of it. */
struct link_spec {
    const char *name;
    double bandwidth_Bps; /* per direction, as the datasheet has it */
    double latency_s;     /* per transfer */
    enum duplex duplex;   /* half: both directions share bandwidth_Bps */
    int64_t shared_by;
    double efficiency_to_device; /* reached share of bandwidth_Bps, host to GPU */
    double efficiency_to_host;
    const char *source;
};

/* How fast the host packs weights. */
enum codec_rate {
    CODEC_RATE_MEMORY,   /* "calibrated": memory_Bps * memory_efficiency, for stores that first read what they write */
    CODEC_RATE_MEASURED, /* "measured": timed on this host; the harness turns it into CODEC_RATE_GIVEN */
    CODEC_RATE_GIVEN,    /* codec_Bps, in bytes that must move: read plus written */
};

struct cpu_spec {
    const char *name;
    int64_t sockets, cores_per_socket;
    double memory_Bps;        /* all sockets, datasheet */
    double memory_efficiency; /* reached by streaming kernels: gradient update, Bitpack */
    double dma_read_Bps;      /* host memory read by all GPUs together; 0 is unlimited */
    double dma_write_Bps;
    enum codec_rate codec;
    double codec_Bps;
    const char *source;
};

struct gpu_spec {
    const char *name;
    int64_t count;
    double peak_flops; /* FP32, one GPU */
    double memory_Bps; /* one GPU */
    int64_t memory_bytes;
    double efficiency_convolution;     /* of the roofline of peak_flops and memory_Bps, FLOPs counted directly: */
    double efficiency_fully_connected; /* Winograd and FFT convolutions may pass 1 */
    double efficiency_memory;          /* streaming kernels: Bitunpack, l2 norm */
    double launch_latency_s;           /* per kernel */
    const char *link;                  /* name of the link_spec it hangs on */
    const char *source;
};

struct platform {
    const char *name;
    const char *title;
    const char *source;
    const char *calibration; /* scenario file that fits the calibrated constants; "" if none */
    double peak_flops;       /* the whole machine, as its paper counts it (bytes-per-flop) */
    double compute_scale;    /* what if every GPU computed this many times as fast; 1 is the machine */
    struct cpu_spec cpu;
    struct gpu_spec gpu;
    struct link_spec *links; /* in the file's order */
    size_t nlinks;
};

/* The link that the GPUs hang on, or NULL if gpu.link names none. */
const struct link_spec *platform_gpu_link(const struct platform *p);

/* Bytes that can reach a GPU per 1000 FLOP of the machine's peak: the paper's "Bytes per Flop" (section V-B)
 * is bandwidth (GB/s) over peak (TFlop/s), so it counts thousands. compute_scale multiplies the peak. */
double platform_bytes_per_kflop(const struct platform *p);

#endif
