#include "tests/store/synthetic.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "tests/test.h"

void synthetic_key(char key[33], const char *text)
{
    uint64_t a = 14695981039346656037u, b = 1099511628211u;

    for (; *text; text++) {
        a = (a ^ (unsigned char)*text) * 1099511628211u;
        b = (b + (unsigned char)*text) * 6364136223846793005u + 1442695040888963407u;
    }
    snprintf(key, 33, "%016llx%016llx", (unsigned long long)a, (unsigned long long)b);
}

int64_t synthetic_run(struct store *s, const char *scenario, const char *baseline, const char *figure)
{
    struct run_fact run = { .command = "narrows run",
                            .scenario = scenario,
                            .title = "made up",
                            .baseline = baseline,
                            .figure = figure,
                            .file = "none",
                            .commit = "0",
                            .build = "gcc",
                            .machine = "a machine",
                            .seed = 1,
                            .npoints = 2 };
    int64_t id = 0;

    assert_int_equal(store_run(s, &run, &id), 0);
    return id;
}

/* One batch: times in ms of what the tables list, transfers scaled by the link and by the bytes per weight. */
static const struct system {
    const char *name, *table, *scenario;
    double to_device, to_host, convolution, connected, update, norm, pack, unpack, link_GBps, kflop;
} systems[] = {
    { "x86-k80", "II", "a2dtwp-table-ii", 153.93, 68.51, 128.72, 33.51, 54.39, 4.1, 17.5, 4.9, 7.88, 1.2236 },
    { "power9-v100", "III", "a2dtwp-table-iii", 39.12, 17.34, 69.78, 12.66, 41.29, 0.9, 11.2, 1.2, 25, 0.8666 },
};

static const struct row {
    const char *name, *measure;
    bool baseline;
} rows[] = {
    { "Data Transfer CPU→GPU", "to_device_ms", true },
    { "Data Transfer GPU→CPU", "to_host_ms", true },
    { "Convolution", "convolution_ms", true },
    { "Fully-connected", "fully_connected_ms", true },
    { "Gradient update", "update_ms", true },
    { "AWP (l²-norm)", "l2norm_ms", false },
    { "ADT (Bitpack)", "pack_ms", false },
    { "ADT (Bitunpack)", "unpack_ms", false },
};

struct batch {
    const struct system *system;
    double link;    /* bandwidth over the machine's own */
    double compute; /* speed over the machine's own */
    double size;    /* of the weights over VGG's */
    double bytes;   /* per weight */
};

static void put(struct store *s, int64_t run, const char *key_text, const struct batch *b, bool packed, size_t place,
                const struct param_fact *param, const struct cell_fact *cells, size_t ncells)
{
    const struct system *y = b->system;
    double bytes = packed ? b->bytes : 4;
    double ms[] = { y->to_device * bytes / 4 / b->link * b->size,
                    y->to_host / b->link * b->size,
                    y->convolution / b->compute,
                    y->connected / b->compute,
                    y->update * b->size,
                    packed ? y->norm * b->size : 0,
                    packed ? y->pack * b->size : 0,
                    packed ? y->unpack * b->size : 0 };
    struct measure_fact m[COUNT(rows) + 4];
    struct point_fact p = { .variant = packed ? "A2DTWP" : "32-bit FP",
                            .index = 2 * place + packed,
                            .combination = place,
                            .params = param,
                            .nparams = param != NULL,
                            .measures = m,
                            .nmeasures = COUNT(m),
                            .cells = cells,
                            .ncells = ncells };
    double step = 0;
    char key[33], text[128];

    for (size_t i = 0; i < COUNT(rows); i++) {
        m[i] = (struct measure_fact){ rows[i].measure, ms[i], "ms" };
        step += ms[i];
    }
    m[COUNT(rows)] = (struct measure_fact){ "step_ms", step, "ms" };
    m[COUNT(rows) + 1] = (struct measure_fact){ "link_bandwidth_GBps", y->link_GBps * b->link, "GB/s" };
    m[COUNT(rows) + 2] = (struct measure_fact){ "bytes_per_kflop", y->kflop * b->link / b->compute, "B/kFLOP" };
    m[COUNT(rows) + 3] = (struct measure_fact){ "bytes_per_weight", bytes, "B" };
    snprintf(text, sizeof(text), "%s %s %zu %d", key_text, y->name, place, packed);
    synthetic_key(key, text);
    p.key = key;
    assert_int_equal(store_point(s, run, &p), 0);
}

static void fill_table(struct store *s, const struct system *y)
{
    int64_t run = synthetic_run(s, y->scenario, "32-bit FP", "");
    struct batch b = { y, 1, 1, 1, 4.0 / 3 };

    for (int packed = 0; packed < 2; packed++) {
        struct cell_fact cells[COUNT(rows) + 1];
        size_t n = 0;

        for (size_t i = 0; i < COUNT(rows); i++)
            if (packed || rows[i].baseline)
                cells[n++] = (struct cell_fact){ "a2dtwp", y->table, rows[i].name, packed ? "A2DTWP" : "32-bit FP",
                                                 rows[i].measure };
        if (!packed)
            cells[n++] = (struct cell_fact){ "a2dtwp", "text", "bytes per flop", y->name, "bytes_per_kflop" };
        put(s, run, "table", &b, packed, 0, NULL, cells, n);
    }
    for (size_t i = 0; i < COUNT(rows); i++)
        if (rows[i].baseline) {
            struct calibration_fact fact = { .platform = y->name,
                                             .constant = "platform.constant",
                                             .value = 0.85,
                                             .unit = "",
                                             .scenario = y->scenario,
                                             .observed = 1,
                                             .reached = 1,
                                             .measured_on = "" };

            fact.cell = (struct cell_fact){ "a2dtwp", y->table, rows[i].name, "32-bit FP", rows[i].measure };
            assert_int_equal(store_calibration(s, run, &fact), 0);
        }
    assert_int_equal(store_run_finished(s, run), 0);
}

static void fill_figure4(struct store *s, const struct system *y)
{
    static const struct {
        const char *network;
        double size, compute;
        int batch[3];
    } networks[] = {
        { "alexnet-a2dtwp", 0.6, 3.0, { 16, 32, 64 } },
        { "vgg-a", 1, 1, { 16, 32, 64 } },
        { "resnet-34", 0.17, 0.9, { 32, 64, 128 } },
    };
    char name[64];
    int64_t run;

    snprintf(name, sizeof(name), "a2dtwp-figure-4-%s", y->name);
    run = synthetic_run(s, name, "32-bit FP", "fig4");
    for (size_t place = 0; place < 9; place++) {
        int batch = networks[place / 3].batch[place % 3];
        struct batch b = { y, 1, networks[place / 3].compute * 64 / batch, networks[place / 3].size, 4.0 / 3 };
        struct cell_fact cell = { "a2dtwp", "fig4", name, y->name, "gain_pct" };
        char row[64];

        snprintf(row, sizeof(row), "%s %d", networks[place / 3].network, batch);
        cell.row = row;
        put(s, run, "fig4", &b, false, place, NULL, NULL, 0);
        put(s, run, "fig4", &b, true, place, NULL, &cell, 1);
    }
}

static void fill_sweep(struct store *s, const struct system *y, const char *figure)
{
    char name[64], value[32];
    int64_t run;

    snprintf(name, sizeof(name), "a2dtwp-%s-%s", figure, y->name);
    for (char *c = name; *c; c++)
        *c = *c == '_' ? '-' : *c;
    run = synthetic_run(s, name, "32-bit FP", figure);
    for (size_t place = 0; place < 25; place++) {
        double at = 2 * pow(2, (double)place / 4);
        struct batch b = { y, 1, 1, 1, 4.0 / 3 };
        struct param_fact param = { "platform.link.bus.bandwidth", value, at * 1e9, "B/s" };

        if (strcmp(figure, "bandwidth") == 0)
            b.link = at / y->link_GBps;
        else if (strcmp(figure, "bytes_per_flop") == 0)
            b.compute = y->kflop / (0.125 * at / 2);
        else
            b.bytes = 1 + (double)place / 8;
        snprintf(value, sizeof(value), "%g GB/s", at);
        put(s, run, figure, &b, false, place, &param, NULL, 0);
        put(s, run, figure, &b, true, place, &param, NULL, 0);
    }
}

void synthetic_fill(struct store *s, unsigned parts)
{
    static const char *const sweeps[] = { "bandwidth", "bytes_per_flop", "bytes_per_weight" };

    for (size_t i = 0; i < COUNT(systems); i++) {
        if (parts & SYNTHETIC_TABLES)
            fill_table(s, &systems[i]);
        if (parts & SYNTHETIC_FIGURE4)
            fill_figure4(s, &systems[i]);
        for (size_t j = 0; j < COUNT(sweeps) && parts & SYNTHETIC_SWEEPS; j++)
            fill_sweep(s, &systems[i], sweeps[j]);
    }
}
