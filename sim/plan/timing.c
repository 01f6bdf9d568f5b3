#include "sim/plan/timing.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "model/numbers.h"
#include "model/refuse.h"
#include "model/status.h"
#include "sim/cost.h"
#include "sim/figures.h"

/* At each position of a sequence, too: the vector's values are what it reads. */
static bool is_fully_connected(const struct layer *l)
{
    return l->kind == LAYER_FC || l->kind == LAYER_CLASSIFIER || l->kind == LAYER_LINEAR || l->kind == LAYER_ATTENTION;
}

static bool is_per_position(const struct layer *l)
{
    return l->kind == LAYER_LINEAR || l->kind == LAYER_ATTENTION;
}

static int64_t values_read(const struct layer *l)
{
    return is_per_position(l) ? l->in.width : l->in.channels * l->in.height * l->in.width;
}

static int64_t units_of(const struct layer *l)
{
    return is_per_position(l) ? l->out.width : l->out.channels;
}

static bool has_rate(const struct layer *l)
{
    return l->kind == LAYER_CONV || is_fully_connected(l);
}

static bool agrees(int64_t wanted, int64_t got)
{
    return !wanted || wanted == got;
}

/* Side of a square window. */
static int64_t square_of(const struct layer *l)
{
    return l->kernel == l->kernel_width ? l->kernel : -1;
}

/* A fully-connected layer has no window: a row that asks for a kernel or a stride is one of convolutions. */
static bool fits(const struct conv_rate *r, const struct layer *l)
{
    bool fc = is_fully_connected(l);

    return agrees(r->kernel, fc ? -1 : square_of(l)) && agrees(r->stride, fc ? -1 : l->stride) &&
           agrees(r->plane, l->out.height) && agrees(r->in_channels, fc ? values_read(l) : l->in.channels) &&
           agrees(r->out_channels, units_of(l));
}

static const struct conv_rate *row_of(const struct timing *t, const struct layer *l)
{
    for (size_t i = 0; i < t->nrates; i++)
        if (fits(&t->rates[i], l))
            return &t->rates[i];
    return NULL;
}

double timing_memory_Bps(const struct timing *t, const struct platform *p)
{
    return t->memory_Bps != 0 ? t->memory_Bps : p->gpu.memory_Bps * p->gpu.efficiency_memory;
}

static int check_machine(const struct timing *t, const struct platform *p, char *why, size_t nwhy)
{
    const struct figure gpu_memory[] = {
        { "platform.gpu.memory_bandwidth", p->gpu.memory_Bps },
        { "platform.gpu.efficiency.memory", p->gpu.efficiency_memory },
    };
    const struct figure own_memory = { "timing.memory", t->memory_Bps };
    const struct figure others[] = {
        { "platform.compute_scale", p->compute_scale },
        { "timing.split_efficiency", t->split_efficiency },
    };
    int rc =
        t->memory_Bps != 0 ? figures_positive(&own_memory, 1, why, nwhy) : figures_positive(gpu_memory, 2, why, nwhy);

    if (!rc)
        rc = figures_positive(others, COUNT(others), why, nwhy);
    if (!rc && !(p->gpu.launch_latency_s >= 0 && isfinite(p->gpu.launch_latency_s)))
        rc = refuse(why, nwhy, "platform.gpu.launch_latency: expected 0 or more, got %g", p->gpu.launch_latency_s);
    return rc;
}

static int check_rate(const struct timing *t, size_t row, const struct platform *p, char *why, size_t nwhy)
{
    const struct conv_rate *r = &t->rates[row];
    const struct figure peak = { "platform.gpu.peak", p->gpu.peak_flops };
    double value = r->rate_flops != 0 ? r->rate_flops : r->efficiency;

    if (!(value > 0 && isfinite(value)))
        return refuse(why, nwhy, "timing.rates: row %zu: expected a positive %s, got %g", row + 1,
                      r->rate_flops != 0 ? "rate" : "rate or efficiency", value);
    return r->rate_flops != 0 ? E_OK : figures_positive(&peak, 1, why, nwhy);
}

static int check_layer(const struct timing *t, const struct layer *l, char *why, size_t nwhy)
{
    if (!has_rate(l) || row_of(t, l))
        return E_OK;
    if (is_fully_connected(l))
        return refuse(why, nwhy,
                      "timing.rates: expected a row that fits layer %s (fully connected, %lld values to %lld), "
                      "got none among %zu",
                      l->name, (long long)values_read(l), (long long)units_of(l), t->nrates);
    return refuse(why, nwhy,
                  "timing.rates: expected a row that fits layer %s (kernel %lld%s, stride %lld, plane %lld, %lld to "
                  "%lld channels), got none among %zu",
                  l->name, (long long)l->kernel, square_of(l) < 0 ? " high, not square" : "", (long long)l->stride,
                  (long long)l->out.height, (long long)l->in.channels, (long long)l->out.channels, t->nrates);
}

int timing_check(const struct timing *t, const struct platform *p, const struct model *m, char *why, size_t nwhy)
{
    int rc = check_machine(t, p, why, nwhy);

    for (size_t i = 0; !rc && i < t->nrates; i++)
        rc = check_rate(t, i, p, why, nwhy);
    for (size_t l = 0; !rc && l < m->nlayers; l++)
        rc = check_layer(t, &m->layers[l], why, nwhy);
    return rc;
}

/* FLOP/s of a convolution or fully-connected layer; 0 if no row fits, so that the time leaves its range. */
static double rate_flops(const struct timing *t, const struct platform *p, const struct layer *l, bool patch)
{
    const struct conv_rate *r = row_of(t, l);
    double rate = !r ? 0 : r->rate_flops != 0 ? r->rate_flops : r->efficiency * p->gpu.peak_flops;

    return patch ? rate * t->split_efficiency : rate;
}

static double operation_s(const struct timing *t, const struct platform *p, const struct model *m,
                          const struct operation *o)
{
    double streaming_s = o->bytes / timing_memory_Bps(t, p), s = streaming_s;

    if (o->compute_bound) {
        const struct layer *l = &m->layers[o->layer];
        s = o->flops / rate_flops(t, p, l, o->patch != NO_PATCH);
        if (is_fully_connected(l) && s < streaming_s)
            s = streaming_s;
    }
    return s / p->compute_scale + p->gpu.launch_latency_s;
}

/* What was measured holds for one graph; whatever has as many operations is taken for the same network and split. */
static int64_t measured_ps(const struct timing *t, const struct graph *g, size_t i)
{
    __int128 ps = (__int128)t->measured_ps[i] * g->batch / t->measured_batch;

    return ps < INT64_MAX ? (int64_t)ps : -1;
}

int timing_operations(const struct timing *t, const struct platform *p, const struct graph *g, int64_t *operation_ps)
{
    int64_t sum = 0;

    for (size_t i = 0; i < g->noperations; i++) {
        int64_t ps = t->nmeasured == g->noperations ? measured_ps(t, g, i)
                                                    : seconds_to_ps(operation_s(t, p, g->model, &g->operations[i]));
        if (ps < 0 || ps >= INT64_MAX - sum)
            return E_RANGE;
        operation_ps[i] = ps;
        sum += ps;
    }
    return E_OK;
}
