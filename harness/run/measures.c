#include "harness/run/measures.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/status.h"
#include "sim/status.h"

static const double ps_per_ms = 1e9;

static const char *const row_measures[SGD_ROWS] = {
    [ROW_TO_DEVICE] = "to_device_ms",
    [ROW_TO_HOST] = "to_host_ms",
    [ROW_CONVOLUTION] = "convolution_ms",
    [ROW_FULLY_CONNECTED] = "fully_connected_ms",
    [ROW_UPDATE] = "update_ms",
    [ROW_L2NORM] = "l2norm_ms",
    [ROW_PACK] = "pack_ms",
    [ROW_UNPACK] = "unpack_ms",
};

/* Every measure with its unit; the last ones are of the view gain, not of a point. */
static const struct {
    const char *name, *unit;
} names[] = {
    { "step_ms", "ms" },
    { "to_device_bytes", "B" },
    { "to_host_bytes", "B" },
    { "weight_bytes", "B" },
    { "bytes_per_weight", "B" },
    { "link_utilisation", "share" },
    { "link_bandwidth_GBps", "GB/s" },
    { "bytes_per_kflop", "B/kFLOP" },
    { "samples_per_s", "1/s" },
    { "gain_pct", "%" },
    { "speedup", "x" },
};

_Bool measure_known(const char *name)
{
    for (int row = 0; row < SGD_ROWS; row++)
        if (!strcmp(row_measures[row], name))
            return 1;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (!strcmp(names[i].name, name))
            return 1;
    return 0;
}

static const char *unit_of(const char *name)
{
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (!strcmp(names[i].name, name))
            return names[i].unit;
    return "ms"; /* a row */
}

static void add(struct measures *m, const char *name, double value)
{
    m->list[m->count++] = (struct measure_fact){ .name = name, .value = value, .unit = unit_of(name) };
}

int measures_of(const struct scenario *sc, struct measures *out, char *why, size_t nwhy)
{
    struct model model = { 0 };
    struct sgd_result r;
    int rc = model_infer(&sc->model, &model, why, nwhy);

    if (!rc)
        rc = host_sgd_run(&sc->platform, &model, &sc->method, sc->batch, &r, why, nwhy);
    int64_t weights = model.weights;
    model_free(&model);
    if (rc) {
        if (rc == SIM_ENOMEM)
            snprintf(why, nwhy, "out of memory");
        return rc == SIM_ENOMEM ? NW_ENOMEM : NW_ESIM;
    }
    *out = (struct measures){ 0 };
    add(out, "step_ms", (double)r.step_ps / ps_per_ms);
    for (int row = 0; row < SGD_ROWS; row++)
        add(out, row_measures[row], (double)r.row_ps[row] / ps_per_ms);
    add(out, "to_device_bytes", (double)r.to_device_bytes);
    add(out, "to_host_bytes", (double)r.to_host_bytes);
    add(out, "weight_bytes", (double)r.weight_bytes);
    add(out, "bytes_per_weight", (double)r.weight_bytes / (double)weights);
    add(out, "link_utilisation", r.link_utilisation);
    add(out, "link_bandwidth_GBps", platform_gpu_link(&sc->platform)->bandwidth_Bps / 1e9);
    add(out, "bytes_per_kflop", platform_bytes_per_kflop(&sc->platform));
    add(out, "samples_per_s", (double)sc->batch / ((double)r.step_ps / 1e12));
    return NW_OK;
}

double measure_value(const struct measures *m, const char *name)
{
    for (size_t i = 0; i < m->count; i++)
        if (!strcmp(m->list[i].name, name))
            return m->list[i].value;
    return NAN;
}
