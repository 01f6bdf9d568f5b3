#include "sim/method/host_sgd.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/numbers.h"
#include "model/refuse.h"
#include "model/status.h"
#include "sim/engine/engine.h"
#include "sim/figures.h"
#include "sim/method/host_sgd_step.h"
#include "sim/method/method.h"
#include "sim/method/report.h"
#include "sim/network/topology.h"

enum { ROUNDS = 4 }; /* of an overlapped step */

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

/* Counts of bytes are 63-bit integers: refuse what could leave them before anything is multiplied. */
static int check_size(const struct platform *p, const struct model *m, int64_t batch, char *why, size_t nwhy)
{
    double values = (double)m->input.channels * (double)m->input.height * (double)m->input.width + (double)model_ids(m);
    double samples = 4 * (double)batch * values;
    double bytes = samples + 8 * (double)p->gpu.count * ((double)m->weights + (double)m->biases);

    if (bytes <= 1e18)
        return E_OK;
    return refuse(why, nwhy, "%s: one step would move %.3g bytes; at most 1e18 can be counted",
                  2 * samples > bytes ? "batch" : "model", bytes);
}

static int check_counts(const struct platform *p, const struct host_sgd *method, int64_t batch, char *why, size_t nwhy)
{
    if (p->gpu.count < 1 || p->gpu.count > MAX_GPUS)
        return refuse(why, nwhy, "platform.gpu.count: expected 1 to %d, got %lld", MAX_GPUS, (long long)p->gpu.count);
    if (p->machines != 1)
        return refuse(why, nwhy, "platform.machines: expected 1, which is all that host-sgd trains on, got %lld",
                      (long long)p->machines);
    if (!platform_gpu_link(p))
        return refuse(why, nwhy, "platform.gpu.link: expected a link of the platform, got '%s'", p->gpu.link);
    if (batch < p->gpu.count)
        return refuse(why, nwhy, "batch: %lld samples are fewer than the %lld GPUs", (long long)batch,
                      (long long)p->gpu.count);
    if (platform_gpu_link(p)->shared_by < 1)
        return refuse(why, nwhy, "platform.link.%s.shared_by: expected 1 or more, got %lld", p->gpu.link,
                      (long long)platform_gpu_link(p)->shared_by);
    if (method->gpus_per_board < 1)
        return refuse(why, nwhy, "method.gpus_per_board: expected 1 or more, got %lld",
                      (long long)method->gpus_per_board);
    if (method->codec == WEIGHT_CODEC_ADT && !(method->bytes_per_weight >= 1 && method->bytes_per_weight <= 4))
        return refuse(why, nwhy, "method.bytes_per_weight: expected 1 to 4, got %g", method->bytes_per_weight);
    return E_OK;
}

static int check_machine(const struct platform *p, char *why, size_t nwhy)
{
    const struct figure positive[] = {
        { "platform.gpu.peak", p->gpu.peak_flops },
        { "platform.gpu.memory_bandwidth", p->gpu.memory_Bps },
        { "platform.gpu.efficiency.convolution", p->gpu.efficiency_convolution },
        { "platform.gpu.efficiency.fully_connected", p->gpu.efficiency_fully_connected },
        { "platform.gpu.efficiency.memory", p->gpu.efficiency_memory },
        { "platform.compute_scale", p->compute_scale },
        { "platform.cpu.memory_bandwidth", p->cpu.memory_Bps },
        { "platform.cpu.memory_efficiency", p->cpu.memory_efficiency },
        { "platform.cpu.codec", p->cpu.codec == CODEC_RATE_MEMORY ? 1 : p->cpu.codec_Bps },
    };
    const struct figure others[] = {
        { "platform.gpu.launch_latency", p->gpu.launch_latency_s },
        { "platform.cpu.dma_read", p->cpu.dma_read_Bps },
        { "platform.cpu.dma_write", p->cpu.dma_write_Bps },
    };
    int rc = figures_positive(positive, COUNT(positive), why, nwhy);

    return rc ? rc : figures_not_negative(others, COUNT(others), why, nwhy);
}

static int check_link(const struct link_spec *link, char *why, size_t nwhy)
{
    const struct figure positive[] = {
        { "bandwidth", link->bandwidth_Bps },
        { "efficiency.to_device", link->efficiency_to_device },
        { "efficiency.to_host", link->efficiency_to_host },
    };
    char prefix[128];
    int rc = figures_not_negative(&(struct figure){ "latency", link->latency_s }, 1, why, nwhy);

    if (!rc && link->above && *link->above)
        rc = refuse(why, nwhy, "above: host-sgd knows of one link between host and GPU, got one on top of '%s'",
                    link->above);
    if (!rc)
        rc = figures_positive(positive, COUNT(positive), why, nwhy);
    snprintf(prefix, sizeof(prefix), "platform.link.%s", link->name);
    return reason_prefix(rc, prefix, why, nwhy);
}

int host_sgd_check(const struct platform *p, const struct model *m, const struct host_sgd *method, int64_t batch,
                   char *why, size_t nwhy)
{
    int rc = check_counts(p, method, batch, why, nwhy);

    if (!rc)
        rc = check_machine(p, why, nwhy);
    if (!rc)
        rc = check_link(platform_gpu_link(p), why, nwhy);
    if (!rc)
        rc = topology_check(p, why, nwhy);
    return rc ? rc : check_size(p, m, batch, why, nwhy);
}

static double capacity(const struct step *s, int channel)
{
    struct channel_state c;

    engine_channel_state(s->e, channel, &c);
    return c.capacity_Bps;
}

/* The busiest direction of the links, or wire of a half-duplex one: what one step sends over it, of what it could carry
 * in that time. */
static double utilisation(const struct step *s, int64_t step_ps)
{
    double most = 0, seconds = (double)step_ps / 1e12;

    for (int g = 0; g < s->ngpus; g += (int)s->link->shared_by) {
        double in = 0, out = 0;
        for (int k = g; k < s->ngpus && k < g + s->link->shared_by; k++) {
            in += (double)s->gpus[k].bytes_in;
            out += (double)s->gpus[k].bytes_out;
        }
        most = fmax(most, in / capacity(s, s->gpus[g].channel_in));
        most = fmax(most, out / capacity(s, s->gpus[g].channel_out));
        if (s->gpus[g].wire >= 0)
            most = fmax(most, (in + out) / capacity(s, s->gpus[g].wire));
    }
    return seconds > 0 ? most / seconds : 0;
}

/* Rows and duration of one repetition. */
static int read_out(const struct step *s, const int ends[], int round, struct sgd_result *out)
{
    int rc = E_OK;

    for (int row = 0; !rc && row < SGD_ROWS; row++)
        rc = engine_row_ps(s->e, row + SGD_ROWS * round, &out->row_ps[row]);
    out->step_ps = engine_ended_ps(s->e, ends[round]) - (round ? engine_ended_ps(s->e, ends[round - 1]) : 0);
    out->link_utilisation = utilisation(s, out->step_ps);
    out->ntasks = engine_ntasks(s->e);
    out->digest = engine_digest(s->e);
    return rc;
}

/* A serial chain repeats exactly. Overlapped steps reach into each other: the third of four repetitions has others on
 * both sides, as in the steady state. */
static int play(struct step *s, int64_t batch, int per_layer[], int per_copy[], struct sgd_result *out)
{
    bool overlapped = s->method->schedule == SCHEDULE_OVERLAPPED;
    int ends[ROUNDS], rounds = overlapped ? ROUNDS : 1, rc;

    step_machine(s, batch);
    for (size_t i = 0; i < s->m->nlayers; i++)
        per_layer[i] = -1;
    for (int round = 0; round < rounds; round++) {
        s->round = round;
        ends[round] = step_build(s, per_layer, per_copy);
    }
    rc = engine_run(s->e);
    if (rc)
        return rc;
    s->until_ps = engine_ended_ps(s->e, ends[overlapped ? 2 : 0]);
    return read_out(s, ends, overlapped ? 2 : 0, out);
}

static void name_layer(const void *model, size_t item, char *name, size_t size)
{
    snprintf(name, size, "%s", ((const struct model *)model)->layers[item].name);
}

static int take_timeline(const struct step *s, struct timeline *t)
{
    const char *rows[SGD_ROWS * ROUNDS];

    for (int i = 0; i < SGD_ROWS * ROUNDS; i++)
        rows[i] = row_names[i % SGD_ROWS];
    return timeline_take(t, s->e, rows, SGD_ROWS * ROUNDS, name_layer, s->m);
}

/* readings and timeline may be NULL. */
static int run(const struct platform *p, const struct model *m, const struct host_sgd *method, int64_t batch,
               struct sgd_result *out, struct readings *readings, struct timeline *timeline, char *why, size_t nwhy)
{
    int rc = host_sgd_check(p, m, method, batch, why, nwhy);

    if (rc)
        return rc;
    struct sgd_result result = { 0 };
    struct step s = { .p = p, .m = m, .method = method, .link = platform_gpu_link(p), .out = &result };
    int *per_layer = calloc(m->nlayers, sizeof(int));
    int *per_copy = calloc(m->nlayers * (size_t)p->gpu.count, sizeof(int));
    s.e = engine_new();
    rc = E_NOMEM;
    if (!per_layer || !per_copy || !s.e)
        goto done;
    rc = play(&s, batch, per_layer, per_copy, &result);
    if (!rc && readings)
        rc = report_readings(readings, s.e, s.until_ps - result.step_ps, s.until_ps, 1, (double)batch);
    if (!rc && timeline)
        rc = take_timeline(&s, timeline);
    if (rc)
        snprintf(why, nwhy, "%s", reason_words(rc));
done:
    free(per_layer);
    free(per_copy);
    engine_free(s.e);
    if (!rc)
        *out = result;
    return rc;
}

int host_sgd_run(const struct platform *p, const struct model *m, const struct host_sgd *method, int64_t batch,
                 struct sgd_result *out, char *why, size_t nwhy)
{
    return run(p, m, method, batch, out, NULL, NULL, why, nwhy);
}

int host_sgd_play(const struct job *j, struct readings *out, struct timeline *timeline, char *why, size_t nwhy)
{
    struct sgd_result r;
    int rc = run(j->platform, j->model, &j->method->host_sgd, j->batch, &r, out, timeline, why, nwhy);

    if (rc)
        return rc;
    for (int row = 0; row < SGD_ROWS; row++)
        reading_add(out, (double)r.row_ps[row] / 1e9, "ms", "%s_ms", row_names[row]);
    reading_add(out, (double)r.to_device_bytes, "B", "to_device_bytes");
    reading_add(out, (double)r.to_host_bytes, "B", "to_host_bytes");
    reading_add(out, (double)r.weight_bytes, "B", "weight_bytes");
    reading_add(out, (double)r.weight_bytes / (double)j->model->weights, "B", "bytes_per_weight");
    reading_add(out, r.link_utilisation, "share", "link_utilisation");
    reading_add(out, platform_gpu_link(j->platform)->bandwidth_Bps / 1e9, "GB/s", "link_bandwidth_GBps");
    reading_add(out, platform_bytes_per_kflop(j->platform), "B/kFLOP", "bytes_per_kflop");
    return E_OK;
}
