#include "sim/host_sgd.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/engine.h"
#include "sim/host_sgd_step.h"
#include "sim/status.h"

static const char *const row_names[SGD_ROWS] = {
    [ROW_TO_DEVICE] = "to_device",
    [ROW_TO_HOST] = "to_host",
    [ROW_CONVOLUTION] = "convolution",
    [ROW_FULLY_CONNECTED] = "fully_connected",
    [ROW_UPDATE] = "update",
    [ROW_L2NORM] = "l2norm",
    [ROW_PACK] = "pack",
    [ROW_UNPACK] = "unpack",
};

const char *sgd_row_name(enum sgd_row row)
{
    return row_names[row];
}

__attribute__((format(printf, 3, 4))) static int refuse(char *why, size_t nwhy, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    if (nwhy)
        vsnprintf(why, nwhy, format, args);
    va_end(args);
    return SIM_EINVAL;
}

static int check_positive(char *why, size_t nwhy, const char *name, double value)
{
    if (value > 0 && isfinite(value))
        return SIM_OK;
    return refuse(why, nwhy, "%s must be a positive number, got %g%s", name, value,
                  isnan(value) ? " (a calibrated constant that no calibration supplied)" : "");
}

/* Counts of bytes are 63-bit integers: refuse what could leave them before anything is multiplied. */
static int check_size(const struct platform *p, const struct model *m, int64_t batch, char *why, size_t nwhy)
{
    double values = (double)m->input.channels * (double)m->input.height * (double)m->input.width;
    double bytes = 4 * ((double)batch * values + 2 * (double)p->gpu.count * ((double)m->weights + (double)m->biases));

    if (bytes <= 1e18)
        return SIM_OK;
    return refuse(why, nwhy, "one step would move %.3g bytes; at most 1e18 can be counted", bytes);
}

static int check_knobs(const struct platform *p, const struct host_sgd *method, int64_t batch, char *why, size_t nwhy)
{
    const struct link_spec *link = platform_gpu_link(p);

    if (!link)
        return refuse(why, nwhy, "platform.gpu.link names no link of the platform: '%s'", p->gpu.link);
    if (p->gpu.count < 1 || p->gpu.count > MAX_GPUS)
        return refuse(why, nwhy, "platform.gpu.count must be 1..%d, got %lld", MAX_GPUS, (long long)p->gpu.count);
    if (batch < p->gpu.count)
        return refuse(why, nwhy, "batch %lld is smaller than the number of GPUs, %lld", (long long)batch,
                      (long long)p->gpu.count);
    if (link->shared_by < 1 || method->gpus_per_board < 1)
        return refuse(why, nwhy, "shared_by and gpus_per_board must be at least 1");
    if (method->codec == WEIGHT_CODEC_ADT && !(method->bytes_per_weight >= 1 && method->bytes_per_weight <= 4))
        return refuse(why, nwhy, "method.bytes_per_weight must be 1..4, got %g", method->bytes_per_weight);
    if (!(p->cpu.dma_read_Bps >= 0) || !(p->cpu.dma_write_Bps >= 0))
        return refuse(why, nwhy, "platform.cpu.dma_read and dma_write must be 0 (unlimited) or a rate%s",
                      isnan(p->cpu.dma_read_Bps + p->cpu.dma_write_Bps) ? " (no calibration supplied one)" : "");
    if (!(link->latency_s >= 0) || !(p->gpu.launch_latency_s >= 0))
        return refuse(why, nwhy, "latencies must not be negative");
    const struct {
        const char *name;
        double value;
    } positive[] = {
        { "platform.gpu.peak", p->gpu.peak_flops },
        { "platform.gpu.memory_bandwidth", p->gpu.memory_Bps },
        { "platform.gpu.efficiency.convolution", p->gpu.efficiency_convolution },
        { "platform.gpu.efficiency.fully_connected", p->gpu.efficiency_fully_connected },
        { "platform.gpu.efficiency.memory", p->gpu.efficiency_memory },
        { "platform.compute_scale", p->compute_scale },
        { "platform.cpu.memory_bandwidth", p->cpu.memory_Bps },
        { "platform.cpu.memory_efficiency", p->cpu.memory_efficiency },
        { "platform.cpu.codec", p->cpu.codec == CODEC_RATE_MEMORY ? 1 : p->cpu.codec_Bps },
        { "the link's bandwidth", link->bandwidth_Bps },
        { "the link's efficiency.to_device", link->efficiency_to_device },
        { "the link's efficiency.to_host", link->efficiency_to_host },
    };
    for (size_t i = 0; i < sizeof(positive) / sizeof(positive[0]); i++)
        if (check_positive(why, nwhy, positive[i].name, positive[i].value))
            return SIM_EINVAL;
    return SIM_OK;
}

int host_sgd_check(const struct platform *p, const struct model *m, const struct host_sgd *method, int64_t batch,
                   char *why, size_t nwhy)
{
    int rc = check_knobs(p, method, batch, why, nwhy);

    return rc ? rc : check_size(p, m, batch, why, nwhy);
}

/* The busiest direction of the links, or wire of a half-duplex one: what one step sends over it, of what it could carry in that time. */
static double utilisation(const struct step *s, int64_t step_ps)
{
    double most = 0, seconds = (double)step_ps / 1e12;

    for (int g = 0; g < s->ngpus; g += (int)s->link->shared_by) {
        double in = 0, out = 0;
        for (int k = g; k < s->ngpus && k < g + s->link->shared_by; k++) {
            in += (double)s->gpus[k].bytes_in;
            out += (double)s->gpus[k].bytes_out;
        }
        double both = in + out;
        in /= engine_channel_state(s->e, (int)s->gpus[g].path_in[0])->capacity_Bps;
        out /= engine_channel_state(s->e, (int)s->gpus[g].path_out[0])->capacity_Bps;
        most = fmax(most, fmax(in, out));
        if (s->link->duplex == DUPLEX_HALF)
            most = fmax(most, both / engine_channel_state(s->e, (int)s->gpus[g].path_in[1])->capacity_Bps);
    }
    return seconds > 0 ? most / seconds : 0;
}

static int64_t ended_ps(const struct step *s, int task)
{
    int64_t start_ps, end_ps;

    engine_task(s->e, task, &start_ps, &end_ps);
    return end_ps;
}

/* Rows and duration of one repetition. */
static int read_out(const struct step *s, const int ends[], int round, struct sgd_result *out)
{
    int rc = SIM_OK;

    for (int row = 0; !rc && row < SGD_ROWS; row++)
        rc = engine_row_ps(s->e, row + SGD_ROWS * round, &out->row_ps[row]);
    out->step_ps = ended_ps(s, ends[round]) - (round ? ended_ps(s, ends[round - 1]) : 0);
    out->link_utilisation = utilisation(s, out->step_ps);
    out->ntasks = engine_ntasks(s->e);
    out->digest = engine_digest(s->e);
    return rc;
}

/* A serial chain repeats exactly. Overlapped steps reach into each other: the third of four repetitions has others on
 * both sides, as in the steady state. */
static int play(struct step *s, int64_t batch, int per_layer[], int per_copy[], struct sgd_result *out)
{
    _Bool overlapped = s->method->schedule == SCHEDULE_OVERLAPPED;
    int ends[4], rounds = overlapped ? 4 : 1, rc;

    step_machine(s, batch);
    for (size_t i = 0; i < s->m->nlayers; i++)
        per_layer[i] = -1;
    for (int round = 0; round < rounds; round++) {
        s->round = round;
        ends[round] = step_build(s, per_layer, per_copy);
    }
    rc = engine_run(s->e);
    return rc ? rc : read_out(s, ends, overlapped ? 2 : 0, out);
}

static const char *words(int rc)
{
    switch (rc) {
    case SIM_ENOMEM: return "out of memory";
    case SIM_ERANGE: return "the step takes longer than 106 days";
    case SIM_ECYCLE: return "the task graph has a cycle";
    default:
        return "a rate or a duration is out of the simulator's range: does a bandwidth times its efficiency vanish?";
    }
}

int host_sgd_run(const struct platform *p, const struct model *m, const struct host_sgd *method, int64_t batch,
                 struct sgd_result *out, char *why, size_t nwhy)
{
    int rc = host_sgd_check(p, m, method, batch, why, nwhy);

    if (rc)
        return rc;
    struct sgd_result result = { 0 };
    struct step s = { .p = p, .m = m, .method = method, .link = platform_gpu_link(p), .out = &result };
    int *per_layer = calloc(m->nlayers, sizeof(int));
    int *per_copy = calloc(m->nlayers * (size_t)p->gpu.count, sizeof(int));
    s.e = engine_new();
    rc = SIM_ENOMEM;
    if (!per_layer || !per_copy || !s.e)
        goto done;
    rc = play(&s, batch, per_layer, per_copy, &result);
    if (rc)
        snprintf(why, nwhy, "%s", words(rc));
done:
    free(per_layer);
    free(per_copy);
    engine_free(s.e);
    if (!rc)
        *out = result;
    return rc;
}
