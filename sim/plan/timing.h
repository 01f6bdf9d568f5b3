/* timing.h - how long each operation of a training step takes on a GPU, from a profile that is data (the paper measures
 * one, section 4.3; ours are published rates, or times that narrows measured). Convolutions and fully-connected layers
 * take FLOPs / rate, by the first row of 'rates' that fits the unsplit layer; fully-connected ones at least bytes /
 * memory rate. Linear layers and attentions count as fully connected, from a position's values to its units. All other
 * operations stream: bytes / memory rate. Each operation adds the GPU's launch latency; the rest is divided by
 * platform.compute_scale.
 * Units      FLOP/s, bytes/s; integer picoseconds. */
#ifndef NARROWS_SIM_PLAN_TIMING_H
#define NARROWS_SIM_PLAN_TIMING_H

#include <stddef.h>
#include <stdint.h>

#include "model/graph/graph.h"
#include "sim/platform.h"

/* 0 fits anything. A row's kernel is the side of a square window. A fully-connected layer has no window, so that a row
 * with a kernel or a stride never fits it. */
struct conv_rate {
    int64_t kernel, stride;
    int64_t plane;                     /* height of the unsplit layer's output; fully connected: 1 */
    int64_t in_channels, out_channels; /* fully connected: values and units */
    double efficiency;                 /* share of gpu.peak (Winograd passes 1); used if 'rate' is 0 */
    double rate_flops;                 /* FLOP/s */
    const char *source;
};

struct timing {
    const char *name;
    const char *source;
    double memory_Bps; /* that streaming operations reach; 0: gpu.memory_bandwidth x gpu.efficiency.memory */
    struct conv_rate *rates;
    size_t nrates;
    /* Measured times of all 'nmeasured' operations of a graph at batch 'measured_batch': they replace all rates and
       scale with the batch. Not owned. */
    const int64_t *measured_ps;
    size_t nmeasured; /* 0: none */
    int64_t measured_batch;
    double split_efficiency; /* share of a layer's rate that its patches reach; default 1 */
};

/* E_INVAL with "KEY: reason" (KEY: "timing.rates", "timing.memory", "timing.split_efficiency", "platform.gpu...",
 * "platform.compute_scale"): a layer that no rate fits (says which), a rate of zero. */
int timing_check(const struct timing *t, const struct platform *p, const struct model *m, char *why, size_t nwhy);

/* operation_ps[0..g->noperations). E_RANGE. */
int timing_operations(const struct timing *t, const struct platform *p, const struct graph *g, int64_t *operation_ps);

double timing_memory_Bps(const struct timing *t, const struct platform *p); /* rate of streaming operations */

#endif
