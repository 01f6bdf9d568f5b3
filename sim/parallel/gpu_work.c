#include "sim/parallel/gpu_work.h"

#include <math.h>
#include <stdlib.h>

#include "model/status.h"
#include "model/vec.h"
#include "sim/cost.h"

int gpu_works_add(struct gpu_works *o, struct gpu_work op)
{
    if (!VEC_RESERVE(o->list, o->capacity, o->n))
        return E_NOMEM;
    o->list[o->n++] = op;
    return E_OK;
}

void gpu_works_free(struct gpu_works *o)
{
    free(o->list);
    *o = (struct gpu_works){ 0 };
}

static double peak(const struct platform *p, enum compute_precision precision)
{
    return platform_peak_flops(p, precision) * (p->gpu.clock > 0 ? p->gpu.clock : 1) * p->compute_scale;
}

static double stream_s(const struct platform *p, double bytes, double share)
{
    const struct gpu_spec *g = &p->gpu;
    double hit = fmin(bytes, (double)g->cache_bytes);
    double seconds = (bytes - hit) / g->memory_Bps + (hit > 0 ? hit / g->cache_Bps : 0);

    return seconds / (share > 0 ? share : g->efficiency_memory) / p->compute_scale + g->launch_latency_s;
}

static int64_t rounded_up(int64_t a, int64_t b)
{
    return (a + b - 1) / b;
}

/* How much of the multiprocessors' time is work. */
static double filled(const struct gpu_spec *g, const struct gpu_work *op)
{
    double work = (double)op->m * (double)op->n * (double)op->batch, at_once;
    int64_t tiles;

    if (!g->multiprocessors)
        return 1;
    tiles = rounded_up(op->m, g->matrix_tile_rows) * rounded_up(op->n, g->matrix_tile_columns) * op->batch;
    at_once = (double)(g->matrix_tile_rows * g->matrix_tile_columns * g->multiprocessors);
    return work / (at_once * (double)rounded_up(tiles, g->multiprocessors));
}

static double product_s(const struct platform *p, enum compute_precision precision, const struct gpu_work *op)
{
    const struct gpu_spec *g = &p->gpu;
    double m = (double)op->m, n = (double)op->n, k = (double)op->k, batch = (double)op->batch;
    double value = (double)compute_precision_bytes(precision);
    double depth = op->batch > 1 ? 1 : k / (k + g->matrix_half_depth);
    double share = g->matrix_share * filled(g, op) * depth;
    double seconds = 2 * m * n * k * batch / (peak(p, precision) * share) + g->launch_latency_s;
    double bytes = batch * (value * (m * k + k * n) + (op->accumulates ? 8 : value) * m * n);

    if (op->accumulates)
        seconds += 4 * m * n / (g->memory_Bps * g->efficiency_memory * p->compute_scale);
    return fmax(seconds, stream_s(p, bytes, 0));
}

static double grouped_s(const struct platform *p, enum compute_precision precision, const struct gpu_work *op)
{
    const struct gpu_spec *g = &p->gpu;
    double m = (double)op->m, n = (double)op->n, k = (double)op->k, value = (double)compute_precision_bytes(precision);
    double share = g->matrix_share * filled(g, op) * k / (k + g->matrix_half_depth);
    double bytes = value * (m * k + k * n) + (op->accumulates ? 8 : value) * m * n;

    return gpu_work_flops(op) / (peak(p, precision) * share) + stream_s(p, (double)op->batch * bytes, 0);
}

static double attention_s(const struct platform *p, enum compute_precision precision, const struct gpu_work *op)
{
    const struct gpu_spec *g = &p->gpu;
    bool back = op->kind == GPU_ATTENTION_BACK;
    double x = (double)op->heads * (double)op->positions;
    double half = back ? g->attention_back_half : g->attention_half;
    double most = back ? g->attention_back_share : g->attention_share;

    if (back && op->unequal && g->attention_back_unequal > 0)
        most *= g->attention_back_unequal;
    return op->flops / (peak(p, precision) * most * x / (x + half)) + g->launch_latency_s;
}

int64_t gpu_work_ps(const struct platform *p, enum compute_precision precision, const struct gpu_work *op)
{
    switch (op->kind) {
    case GPU_PRODUCT: return seconds_to_ps(product_s(p, precision, op));
    case GPU_GROUPED: return seconds_to_ps(grouped_s(p, precision, op));
    case GPU_FIXED: return seconds_to_ps(op->seconds);
    case GPU_ATTENTION:
    case GPU_ATTENTION_BACK: return seconds_to_ps(attention_s(p, precision, op));
    case GPU_STREAM: return op->bytes > 0 ? seconds_to_ps(stream_s(p, op->bytes, op->share)) : 0;
    default: return 0;
    }
}

double gpu_work_flops(const struct gpu_work *op)
{
    if (op->kind == GPU_PRODUCT || op->kind == GPU_GROUPED)
        return 2 * (double)op->m * (double)op->n * (double)op->k * (double)op->batch;
    return op->kind == GPU_ATTENTION || op->kind == GPU_ATTENTION_BACK ? op->flops : 0;
}
