#include "harness/run/fit/calibration.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/run/fit/fit.h"
#include "harness/run/fit/memory.h"
#include "harness/run/fit/refit.h"
#include "harness/status.h"

enum { MAX_CONSTANTS = 32 };

struct constant {
    char *path;
    double value;
};

struct calibration {
    char *file; /* as the platform names it */
    struct constant *constants;
    size_t count;
    struct refits refits;
    bool refitted;
    struct calibration *next;
};

struct calibrations {
    struct calibration *first;
};

struct calibrations *calibrations_new(void)
{
    return calloc(1, sizeof(struct calibrations));
}

static void calibration_free(struct calibration *c)
{
    for (size_t i = 0; i < c->count; i++)
        free(c->constants[i].path);
    free(c->constants);
    refits_free(&c->refits);
    free(c->file);
    free(c);
}

void calibrations_free(struct calibrations *all)
{
    if (!all)
        return;
    for (struct calibration *c = all->first, *next; c; c = next) {
        next = c->next;
        calibration_free(c);
    }
    free(all);
}

static struct calibration *find(const struct calibrations *all, const char *file)
{
    for (struct calibration *c = all->first; c; c = c->next)
        if (!strcmp(c->file, file))
            return c;
    return NULL;
}

/* A row without a constant is a further observation: it is recorded under the constant of the row before it. */
static int record(const struct scenario_file *f, struct store *store, int64_t run_id, const struct fit_result *results,
                  size_t n, struct calibration *c)
{
    const struct fit_result *of = results;

    c->constants = calloc(n, sizeof(*c->constants));
    if (!c->constants)
        return NW_ENOMEM;
    for (size_t i = 0; i < n; i++) {
        const struct cell *cell = &results[i].fit->cell;
        if (!isnan(results[i].value))
            of = &results[i];
        struct calibration_fact fact = {
            .platform = of->platform,
            .constant = of->fit->constant,
            .value = of->value,
            .unit = of->fit->unit,
            .scenario = scenario_name(f),
            .cell = { cell->paper, cell->table, cell->row, cell->column, cell->measure },
            .observed = results[i].published,
            .reached = results[i].reached,
            .measured_on = "",
        };
        int rc = store_calibration(store, run_id, &fact);
        if (rc)
            return rc;
        if (of != &results[i])
            continue;
        c->constants[c->count].path = strdup(fact.constant);
        if (!c->constants[c->count].path)
            return NW_ENOMEM;
        c->constants[c->count++].value = fact.value;
    }
    return NW_OK;
}

/* 'file' must fit something; its own platform's 'calibration' key is not followed. */
static int calibrate(struct store *store, int64_t run_id, const char *file, struct calibration *c)
{
    struct scenario_file *f = NULL;
    struct fit_result *results = NULL;
    char key[POINT_KEY_LENGTH + 1];
    size_t n = 0;
    int rc = scenario_open(file, NULL, 0, NULL, 0, stderr, &f);

    rc = rc ? rc : fit_or_recall(f, store, key, &results, &n);
    rc = rc ? rc : record(f, store, run_id, results, n, c);
    free(results);
    scenario_close(f);
    return rc;
}

int calibration_prepare(struct calibrations *all, struct store *store, int64_t run_id, const struct scenario_file *file,
                        const struct point *p)
{
    const char *by = p->scenario.platform.calibration, *paths[1];

    if (!by || !*by || find(all, by) || !scenario_calibrated(file, p, paths, 1))
        return NW_OK;
    struct calibration *c = calloc(1, sizeof(*c));
    int rc = c && (c->file = strdup(by)) ? NW_OK : NW_ENOMEM;
    if (!rc)
        rc = calibrate(store, run_id, by, c);
    if (rc) {
        if (c)
            calibration_free(c);
        return rc;
    }
    c->next = all->first;
    all->first = c;
    return NW_OK;
}

int calibration_supply(const struct calibrations *all, const struct scenario_file *file, struct point *p)
{
    const char *by = p->scenario.platform.calibration, *paths[MAX_CONSTANTS];
    size_t all_of_them = scenario_calibrated(file, p, paths, MAX_CONSTANTS);
    size_t n = all_of_them < MAX_CONSTANTS ? all_of_them : MAX_CONSTANTS;
    const struct calibration *c = n && by && *by ? find(all, by) : NULL;

    for (size_t i = 0; i < n; i++) {
        size_t k = 0;
        while (c && k < c->count && strcmp(c->constants[k].path, paths[i]) != 0)
            k++;
        if (!c || k == c->count)
            return status_error(NW_EINPUT,
                                "%s: %s: 'calibrated', but %s%s; give a number, or name a scenario that fits it in "
                                "platform.calibration\n",
                                scenario_path(file), paths[i],
                                c ? "it is not fitted by " : "the platform names no calibration", c ? by : "");
        *scenario_number(&p->scenario, paths[i]) = c->constants[k].value;
    }
    if (all_of_them > n)
        return status_error(NW_EINPUT, "%s: expected at most %d figures 'calibrated', got %zu\n", scenario_path(file),
                            MAX_CONSTANTS, all_of_them);
    return NW_OK;
}

int calibration_refit(struct calibrations *all, struct store *store, const struct scenario_file *file,
                      const struct point *p, const struct refits **out)
{
    const char *by = p->scenario.platform.calibration, *paths[1];
    struct calibration *c = by && *by && scenario_calibrated(file, p, paths, 1) ? find(all, by) : NULL;
    int rc = NW_OK;

    *out = NULL;
    if (!c)
        return NW_OK;
    if (!c->refitted)
        rc = refits_make(store, by, &c->refits);
    c->refitted = !rc;
    *out = rc ? NULL : &c->refits;
    return rc;
}
