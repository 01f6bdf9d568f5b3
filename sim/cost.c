#include "sim/cost.h"

#include <math.h>

static const double bytes_per_value = 4; /* fp32 */

int64_t seconds_to_ps(double s)
{
    return s < 9e6 ? (int64_t)floor(s * 1e12 + 0.5) : INT64_MAX; /* 9e6 s is 104 days: past that, E_RANGE */
}

static double values(struct shape s)
{
    return (double)s.channels * (double)s.height * (double)s.width;
}

/* That it multiplies with, also where they are another layer's. */
static double parameters_of(const struct layer *l)
{
    return (double)(l->weights + l->shared_weights + l->biases);
}

struct work work_forward(const struct layer *l, int64_t samples)
{
    double moved = (double)samples * (values(l->in) + values(l->out)) + parameters_of(l);

    return (struct work){ .flops = (double)samples * (double)l->flops_forward, .bytes = bytes_per_value * moved };
}

struct work work_backward(const struct layer *l, int64_t samples)
{
    double n = (double)samples, parameters = parameters_of(l);
    double moved = n * (values(l->in) + values(l->out)) + parameters;

    if (l->flops_backward > l->flops_forward)
        moved += n * (values(l->in) + values(l->out)) + parameters;
    return (struct work){ .flops = n * (double)l->flops_backward, .bytes = bytes_per_value * moved };
}

int64_t cost_layer_ps(const struct platform *p, const struct layer *l, struct work w)
{
    double efficiency = l->kind == LAYER_CONV ? p->gpu.efficiency_convolution : p->gpu.efficiency_fully_connected;
    double by_flops = w.flops / p->gpu.peak_flops, by_bytes = w.bytes / p->gpu.memory_Bps;

    if (!l->weights && !l->shared_weights)
        return 0;
    return seconds_to_ps((by_flops > by_bytes ? by_flops : by_bytes) / efficiency / p->compute_scale +
                         p->gpu.launch_latency_s);
}

int64_t cost_layer_core_ps(const struct platform *p, const struct layer *l, struct work w)
{
    double cores = (double)p->cpu.sockets * (double)p->cpu.cores_per_socket;
    double by_flops = w.flops / p->cpu.peak_flops, by_bytes = w.bytes / p->cpu.memory_Bps;

    if (!l->weights && !l->shared_weights)
        return 0;
    return seconds_to_ps((by_flops > by_bytes ? by_flops : by_bytes) * cores / p->cpu.efficiency);
}

int64_t cost_gpu_stream_ps(const struct platform *p, double bytes)
{
    return seconds_to_ps(bytes / (p->gpu.memory_Bps * p->gpu.efficiency_memory) + p->gpu.launch_latency_s);
}

int64_t cost_cpu_stream_ps(const struct platform *p, double bytes)
{
    return seconds_to_ps(bytes / (p->cpu.memory_Bps * p->cpu.memory_efficiency));
}

int64_t cost_cpu_codec_ps(const struct platform *p, double bytes)
{
    if (p->cpu.codec == CODEC_RATE_MEMORY)
        return cost_cpu_stream_ps(p, bytes);
    return seconds_to_ps(bytes / p->cpu.codec_Bps);
}
