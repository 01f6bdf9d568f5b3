/* nccl.h - how NCCL sends a collective, and how long that takes by NCCL's own figures. Before a call NCCL estimates the
 * time of each algorithm and protocol and uses the fastest; so does this:
 *   time = latency + bytes / rate
 * Latency    one of the algorithm and protocol, and for each step one of the kind of link: a ring's all-reduce has
 *            2 (n - 1) steps, 2 (m - 1) of them between m machines, the others half as many, a broadcast one; a tree
 *            goes along the ranks of a machine, down log2 m levels of machines, and back. Large rings over machines
 *            take 1.4 times the latency (Volta: 1.9).
 * Rate       the bus over nccl-tests' factor (a tree: over 2), less what a protocol adds to the payload: LL sends half,
 *            LL128 0.92; each has a largest rate of a channel, or of the GPU, by the GPU's generation and for 1, 2 or
 *            more machines. A tree's rate also has a correction by size, in powers of two.
 * Trees      are of all-reduces only. LL128 is used over NVLink only, and where 'll128' says so.
 * Left out   NVLS, CollNet and PAT; balanced trees and a processor that is not AMD's are assumed; between machines the
 *            bus is the slower of links and NICs, also between two.
 * Source     NVIDIA/nccl, version 2.28.3 (f1308997; BSD-3 licence): src/graph/tuning.cc has the figures and the rules,
 *            src/graph/topo.h the rate of an NVLink. NVLinks of a GPU: datasheets of V100, A100, H100, B200. */
#ifndef NARROWS_SIM_COLLECTIVE_NCCL_H
#define NARROWS_SIM_COLLECTIVE_NCCL_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/collective/operation.h"

enum nccl_generation {
    NCCL_UNUSED, /* the library is not NCCL, or its tuning is not to be used */
    NCCL_VOLTA,
    NCCL_AMPERE,
    NCCL_HOPPER,
    NCCL_BLACKWELL,
    NCCL_GENERATIONS,
};

/* Between the GPUs of a machine. */
enum nccl_link { NCCL_NVLINK, NCCL_PCIE, NCCL_LINKS };

struct nccl {
    enum nccl_generation generation;
    enum nccl_link link;
    int64_t channels; /* rings, or trees, side by side; 0: as many as the GPU has NVLinks */
    bool ll128;       /* may be used: NCCL does not where GPUs reach NICs through the host */
};

struct nccl_call {
    enum collective_operation operation;
    int64_t ranks, machines; /* at least 2, at least 1 */
    int64_t bytes;           /* as nccl-tests counts them */
    double bus_Bps;          /* of all channels, between machines where there are several */
    double network_s;        /* that a NIC adds to a step between machines; twice with Simple, which also flushes */
};

struct nccl_choice {
    const char *name; /* "ring-LL128" */
    double time_s;
};

/* Of a generation that is not NCCL_UNUSED. */
struct nccl_choice nccl_choose(const struct nccl *n, const struct nccl_call *c);

/* What all NVLinks of a GPU carry each way; 0 over PCIe, of which NCCL knows no rate by generation. */
double nccl_nvlink_Bps(const struct nccl *n);

#endif
