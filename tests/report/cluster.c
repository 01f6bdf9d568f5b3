#include "tests/report/cluster.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/store/synthetic.h"
#include "tests/test.h"

struct place {
    const char *text; /* as a scenario writes it */
    double Bps;
};

static const struct place bandwidths[] = {
    { "10 Mbit/s", 1.25e6 },
    { "100 Mbit/s", 1.25e7 },
    { "1 Gbit/s", 1.25e8 },
};

static void store_one(struct store *s, int64_t run, const char *scenario, struct point_fact *p)
{
    char key[33], text[128];

    snprintf(text, sizeof(text), "%s %zu", scenario, p->index);
    synthetic_key(key, text);
    p->key = key;
    assert_int_equal(store_point(s, run, p), 0);
}

static void fit(struct store *s, int64_t run, const char *constant, const char *unit, double value,
                struct cell_fact cell, double observed, double reached)
{
    struct calibration_fact fact = { .platform = "a cluster",
                                     .constant = constant,
                                     .value = value,
                                     .unit = unit,
                                     .scenario = "made up",
                                     .cell = cell,
                                     .observed = observed,
                                     .reached = reached,
                                     .measured_on = "" };

    assert_int_equal(store_calibration(s, run, &fact), 0);
}

static const struct design {
    const char *name;
    double ratio, codec_ms;
} designs[] = {
    { "32-bit float", 1, 0 },     { "8-bit int", 3.9, 8 },         { "Stoch 3-value + QE", 18, 9 },
    { "MQE 1-bit int", 25, 300 }, { "25% sparsification", 3, 70 }, { "5% sparsification", 10, 60 },
    { "2 local steps", 2, 5 },    { "3LC (s=1.00)", 32, 21 },      { "3LC (s=1.50)", 45, 22 },
    { "3LC (s=1.75)", 57, 23 },   { "3LC (s=1.90)", 70, 24 },
};

static void threelc_point(struct store *s, int64_t run, size_t place)
{
    const struct design *d = &designs[place % COUNT(designs)];
    const struct place *at = &bandwidths[place / COUNT(designs)];
    double MB = 7 / d->ratio + 0.1, travels_ms = 1e9 * MB / at->Bps;
    struct measure_fact m[] = {
        { "step_ms", 700 + travels_ms + d->codec_ms, "ms" },
        { "compute_ms", 600, "ms" },
        { "push_ms", 0.5 * travels_ms, "ms" },
        { "pull_ms", 0.45 * travels_ms, "ms" },
        { "encode_ms", 0.4 * d->codec_ms, "ms" },
        { "decode_ms", 0.7 * d->codec_ms, "ms" },
        { "exposed_ms", 100 + travels_ms + d->codec_ms, "ms" },
        { "push_bytes", 1e6 * MB, "B" },
        { "pull_bytes", 1.1e6 * MB, "B" },
    };
    struct param_fact param = { "platform.link.eth.bandwidth", at->text, at->Bps, "bytes/s" };
    struct cell_fact cell = { "3lc", "1", d->name, at->text, "speedup" };
    struct point_fact p = { .variant = d->name,
                            .index = place,
                            .combination = place / COUNT(designs),
                            .params = &param,
                            .nparams = 1,
                            .measures = m,
                            .nmeasures = COUNT(m),
                            .cells = &cell,
                            .ncells = 1 };

    store_one(s, run, "3lc-table-1", &p);
}

void cluster_threelc(struct store *s, size_t npoints)
{
    int64_t run = synthetic_run(s, "3lc-table-1", designs[0].name, "");

    for (size_t i = 0; i < COUNT(designs) * COUNT(bandwidths) && (!npoints || i < npoints); i++)
        threelc_point(s, run, i);
    fit(s, run, "platform.link.eth.efficiency.wire", "", 0.87,
        (struct cell_fact){ "3lc", "1", "3LC (s=1.75)", "10 Mbit/s", "speedup" }, 22.8, 22.9);
    fit(s, run, "platform.gpu.memory_bandwidth", "bytes/s", 123e9,
        (struct cell_fact){ "3lc", "1", "3LC (s=1.75)", "1 Gbit/s", "speedup" }, 1.53, 1.49);
}

/* Time saved in per cent of 100 ms. */
static const struct saving {
    const char *variant, *table, *row;
    double percent, network, cpu;
} savings[] = {
    { "baseline", NULL, NULL, 0, 0.94, 0.48 },
    { "L=1", "fig7a", "L=1", -9, 0.9, 0.7 },
    { "L=1000", "fig7a", "L=1000", 23.5, 0.9, 0.5 },
    { "L=10000", "fig7a", "L=10000", 23.75, 0.9, 0.5 },
    { "75%", "5", "75%", 8.5, 0.9, 0.5 },
    { "90%", "5", "90%", 12.25, 0.9, 0.5 },
    { "95%", "5", "95%", 14.5, 0.9, 0.5 },
    { "hybrid", "text", "hybrid", 36, 0.75, 0.8 },
};

static void dct_table(struct store *s)
{
    int64_t run = synthetic_run(s, "dct-section-3-3", "baseline", "");

    for (size_t i = 0; i < COUNT(savings); i++) {
        const struct saving *v = &savings[i];
        const char *when = !i ? "before" : "after";
        struct measure_fact m[] = { { "step_ms", 100 - v->percent, "ms" },
                                    { "nic_utilisation", v->network, "share" },
                                    { "cpu_utilisation", v->cpu, "share" } };
        struct cell_fact cells[3];
        struct point_fact p = {
            .variant = v->variant, .index = i, .measures = m, .nmeasures = COUNT(m), .cells = cells
        };

        if (v->table)
            cells[p.ncells++] = (struct cell_fact){ "dct", v->table, v->row, "time gain", "gain_pct" };
        if (!i || i + 1 == COUNT(savings)) {
            cells[p.ncells++] = (struct cell_fact){ "dct", "utilisation", "network", when, "nic_utilisation" };
            cells[p.ncells++] = (struct cell_fact){ "dct", "utilisation", "CPU", when, "cpu_utilisation" };
        }
        store_one(s, run, "dct-section-3-3", &p);
    }
    fit(s, run, "method.sample_out", "bytes", 24250,
        (struct cell_fact){ "dct", "fig7a", "L=1000", "time gain", "gain_pct" }, 23, 23.5);
    fit(s, run, "platform.cpu.efficiency", "", 0.3746,
        (struct cell_fact){ "dct", "utilisation", "CPU", "before", "cpu_utilisation" }, 0.487, 0.48);
}

static void dct_curve(struct store *s, const char *scenario, const char *path, const double *x, const double *percent,
                      size_t n)
{
    int64_t run = synthetic_run(s, scenario, "baseline", "");

    for (size_t i = 0; i < 2 * n; i++) {
        char text[32];
        struct param_fact param = { path, text, x[i / 2], "" };
        struct measure_fact m = { "step_ms", i % 2 ? 100 - percent[i / 2] : 100, "ms" };
        struct point_fact p = { .variant = i % 2 ? "sparse" : "baseline",
                                .index = i,
                                .combination = i / 2,
                                .params = &param,
                                .nparams = 1,
                                .measures = &m,
                                .nmeasures = 1 };
        snprintf(text, sizeof(text), "%g", x[i / 2]);
        store_one(s, run, scenario, &p);
    }
}

void cluster_dct(struct store *s, bool curves)
{
    static const double life[] = { 1, 2, 10, 1000, 10000 }, life_percent[] = { -9, 19, 22.5, 23.5, 23.75 };
    static const double density[] = { 0.25, 0.1, 0.05, 0.01 }, density_percent[] = { 12, 20.5, 23.5, 25 };

    dct_table(s);
    if (!curves)
        return;
    dct_curve(s, "dct-figure-7a-curve", "method.push.life", life, life_percent, COUNT(life));
    dct_curve(s, "dct-figure-7c", "method.push.density", density, density_percent, COUNT(density));
}

void cluster_splitcnn(struct store *s)
{
    static const struct place places[] = { { "1 Gbit/s", 1.25e8 }, { "10 Gbit/s", 1.25e9 }, { "32 Gbit/s", 4e9 } };
    static const double speedup[] = { 5.5, 2.125, 0.9875 }, closed[] = { 5.6, 2.11, 0.985 };
    int64_t run = synthetic_run(s, "splitcnn-fig11", "baseline", "");
    const struct cell_fact chosen = { "splitcnn", "fig11", "10 Gbit/s", "speedup", "" };

    assert_int_equal(store_assumption(s, run, &chosen, "how long an iteration takes"), 0);

    for (size_t i = 0; i < 2 * COUNT(places); i++) {
        bool larger = i % 2; /* six times the batch */
        double ms = larger ? 6000 / speedup[i / 2] : 1000, closed_ms = larger ? 6000 / closed[i / 2] : 1000;
        struct measure_fact m[] = { { "step_ms", ms, "ms" },
                                    { "closed_form_ms", closed_ms, "ms" },
                                    { "sample_us", 1e3 * ms / (larger ? 384 : 64), "us" } };
        struct param_fact param = { "platform.link.eth.bandwidth", places[i / 2].text, places[i / 2].Bps, "bytes/s" };
        struct cell_fact cell = { "splitcnn", "fig11", places[i / 2].text, "speedup", "speedup" };
        struct point_fact p = { .variant = larger ? "Split-CNN" : "baseline",
                                .index = i,
                                .combination = i / 2,
                                .params = &param,
                                .nparams = 1,
                                .measures = m,
                                .nmeasures = COUNT(m),
                                .cells = &cell,
                                .ncells = larger && i / 2 == 1 };
        store_one(s, run, "splitcnn-fig11", &p);
    }
}

void cluster_sweep(struct store *s, const struct cluster_sweep *c)
{
    static const struct place at[] = {
        { "1 Gbit/s", 1.25e8 }, { "4 Gbit/s", 5e8 }, { "16 Gbit/s", 2e9 }, { "64 Gbit/s", 8e9 }
    };
    static const struct {
        const char *text;
        double value;
    } densities[] = { { "0.001", 0.001 }, { "0.01", 0.01 }, { "0.1", 0.1 } };
    static const char *const variants[] = { "fp16", "3lc", "10% sparse" };
    size_t nworkers = c->workers ? 2 : 1, n = c->nbandwidths * c->ndensities * nworkers * COUNT(variants);
    int64_t run = synthetic_run(s, c->name, c->no_baseline ? "" : "fp16", "");

    for (size_t i = 0; i < n && (!c->npoints || i < c->npoints); i++) {
        size_t combination = i / COUNT(variants), w = combination % nworkers, rest = combination / nworkers;
        size_t d = rest % c->ndensities, b = rest / c->ndensities, v = i % COUNT(variants);
        double workers = w ? 16 : 4, wire_ms = 1e11 / at[b].Bps; /* 100 MB */
        double ms[] = { 100 + wire_ms, 120 + 0.02 * workers * wire_ms, 130 + workers * densities[d].value * wire_ms };
        struct measure_fact m = { "step_ms", ms[v], "ms" };
        struct param_fact params[4];
        struct point_fact p = { .variant = variants[v],
                                .index = i,
                                .combination = combination,
                                .params = params,
                                .measures = &m,
                                .nmeasures = 1 };
        if (v && c->slower > 0)
            m.value *= c->slower;
        params[p.nparams++] = (struct param_fact){ "platform.link.eth.bandwidth", at[b].text, at[b].Bps, "bytes/s" };
        if (c->ndensities > 1)
            params[p.nparams++] =
                (struct param_fact){ "method.gradients.density", densities[d].text, densities[d].value, "" };
        if (c->workers) {
            params[p.nparams++] = (struct param_fact){ "method.workers", w ? "16" : "4", workers, "" };
            params[p.nparams++] = (struct param_fact){ "batch", w ? "1024" : "256", w ? 1024 : 256, "" };
        }
        char what[96]; /* a point is what it simulates, whatever scenario lists it */
        snprintf(what, sizeof(what), "sweep %zu %zu %zu %zu of %d %d %g", b, d, w, v, c->ndensities > 1, c->workers,
                 c->slower);
        store_one(s, run, what, &p);
    }
}
