/* cost.h - how long a piece of arithmetic takes: the roofline of a device, times the share of it that is reached.
 * Units      bytes, FLOPs, integer picoseconds (rounded to nearest). */
#ifndef NARROWS_SIM_COST_H
#define NARROWS_SIM_COST_H

#include <stdint.h>

#include "model/model.h"
#include "sim/platform.h"

/* FLOPs and bytes of fp32 that one pass over 'samples' samples needs at least. */
struct work {
    double flops, bytes;
};

/* Forward: read input and weights, write output. */
struct work work_forward(const struct layer *l, int64_t samples);

/* Backward: for the weights read the output's gradient and the input and write theirs; for the input read the output's
 * gradient and the weights and write its own. The first layer has no input gradient to compute. */
struct work work_backward(const struct layer *l, int64_t samples);

/* max(flops / peak, bytes / memory) / efficiency / compute_scale + one kernel launch. Layers without weights take no
 * time: no row of the tables has them, so the calibrated efficiencies include their share. */
int64_t cost_layer_ps(const struct platform *p, const struct layer *l, struct work w);

/* The same on one core of the CPU, which has its share of the peak and of the memory's bandwidth: max(flops / peak,
 * bytes / memory) x cores / efficiency. */
int64_t cost_layer_core_ps(const struct platform *p, const struct layer *l, struct work w);

/* A streaming kernel on the GPU: Bitunpack, l2 norm. */
int64_t cost_gpu_stream_ps(const struct platform *p, double bytes);

/* Streaming kernels on the CPU: the optimizer at the calibrated memory rate, Bitpack at the codec's. */
int64_t cost_cpu_stream_ps(const struct platform *p, double bytes);
int64_t cost_cpu_codec_ps(const struct platform *p, double bytes);

int64_t seconds_to_ps(double s);

#endif
