/* draws.h - layouts and platforms that the tests of parallelism are played on, drawn at random. */
#ifndef NARROWS_TESTS_SIM_PARALLEL_DRAWS_H
#define NARROWS_TESTS_SIM_PARALLEL_DRAWS_H

#include "sim/parallel/wires.h"
#include "tests/sim/network/clusters.h"

/* From low to high, both included. */
int64_t draw_between(uint64_t *state, int64_t low, int64_t high);

/* A divisor of n. */
int64_t draw_divisor(uint64_t *state, int64_t n);

/* Any order of the axes and sizes of shard and expert groups, for degrees that are there. */
void draw_groups(uint64_t *state, struct parallel *p);

/* Degrees whose product is 'ranks'. */
void draw_layout(uint64_t *state, int64_t ranks, int64_t gpus_per_machine, struct parallel *out);

enum { DRAWN_GPUS = 8, DRAWN_PLATFORMS = 5, DRAWN_NETWORKS = 7 };

/* Machines of eight GPUs with a switch between them: rails of 4 or 8 NICs, and pods of half the machines, or a quarter,
 * oversubscribed 1, 2 or 4 times (0); a star (1); a tree (2). Without one: PCIe to the host, whose memory reads and
 * writes no faster than some rate, and one slow NIC of the machine (3), or a fast one on the same links, which two GPUs
 * share (4). Further networks: a torus (5), and machines whose GPUs are linked in a ring of pairs, and by half-duplex
 * PCIe (6). Latencies differ from link to link. */
void draw_platform(uint64_t *state, int kind, int64_t machines, struct cluster *out);

/* Says what was drawn, for messages: lasts until the next call. */
const char *drawn_as(const struct parallel *p, const struct platform *platform);

#endif
