#include "harness/run/calibration.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/run/measures.h"
#include "harness/status.h"

enum { MAX_CONSTANTS = 32, MAX_ROUNDS = 200 };

/* A time is a whole number of picoseconds, so a row of milliseconds is met to 1e-9 at best. */
static const double tolerance = 2e-9;

struct constant {
    char *path;
    double value;
};

struct calibration {
    char *file; /* as the platform names it */
    struct constant *constants;
    size_t count;
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

static const struct calibration *find(const struct calibrations *all, const char *file)
{
    for (const struct calibration *c = all->first; c; c = c->next)
        if (!strcmp(c->file, file))
            return c;
    return NULL;
}

/* One constant's way to its observation. */
struct target {
    const struct fit *fit;
    double *constant;
    double published, reached;
};

/* The point of the fitting scenario that its 'calibrate' section is about. */
static int fitting_point(const struct scenario_file *f, struct point *out)
{
    const char *variant = scenario_fit_variant(f);

    for (size_t i = 0; i < scenario_npoints(f); i++) {
        int rc = scenario_point(f, i, out);
        if (rc || !strcmp(out->variant, variant))
            return rc;
        point_free(out);
    }
    fprintf(stderr, "%s: calibrate.variant: expected a variant of this scenario, got '%s'\n", scenario_path(f),
            variant);
    return NW_EINPUT;
}

static int aim(const struct scenario_file *f, struct store *store, struct point *p, struct target *targets)
{
    const struct fit *fits;
    size_t n = scenario_fits(f, &fits);

    for (size_t i = 0; i < n; i++) {
        const struct cell *c = &fits[i].cell;
        const char *unit;
        targets[i] = (struct target){ .fit = &fits[i], .constant = scenario_number(&p->scenario, fits[i].constant) };
        if (!measure_known(c->measure)) {
            fprintf(stderr, "%s: calibrate: expected the name of a measure, got '%s'\n", scenario_path(f), c->measure);
            return NW_EINPUT;
        }
        if (!targets[i].constant) {
            fprintf(stderr, "%s: calibrate: '%s' is no number of this scenario\n", scenario_path(f), fits[i].constant);
            return NW_EINPUT;
        }
        int there = store_paper_value(store, c->paper, c->table, c->row, c->column, &targets[i].published, &unit);
        if (there < 0)
            return there;
        if (!there) {
            fprintf(stderr, "%s: calibrate: no published value for %s table %s, row '%s', column '%s'\n",
                    scenario_path(f), c->paper, c->table, c->row, c->column);
            return NW_EINPUT;
        }
        if (isnan(*targets[i].constant))
            *targets[i].constant = fits[i].start;
    }
    return NW_OK;
}

/* A constant past what its key allows would fit the cell and mean nothing. */
static int within_range(const struct scenario_file *f, const struct target *targets, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (targets[i].fit->most > 0 && *targets[i].constant > targets[i].fit->most) {
            fprintf(stderr, "%s: calibrate: %s would have to be %g to bring %s to %g; the key allows at most %g\n",
                    scenario_path(f), targets[i].fit->constant, *targets[i].constant, targets[i].fit->cell.measure,
                    targets[i].published, targets[i].fit->most);
            return NW_EINPUT;
        }
    return NW_OK;
}

/* Simulate, scale each constant by how far its row is off, and again until every row is met. */
static int fit(const struct scenario_file *f, struct point *p, struct target *targets, size_t n)
{
    double worst = 0;

    for (int round = 0; round < MAX_ROUNDS; round++) {
        struct measures m;
        char why[256];
        int rc = measures_of(&p->scenario, &m, why, sizeof(why));
        if (rc) {
            fprintf(stderr, "%s: calibrate: %s\n", scenario_path(f), why);
            return rc;
        }
        worst = 0;
        for (size_t i = 0; i < n; i++) {
            targets[i].reached = measure_value(&m, targets[i].fit->cell.measure);
            worst = fmax(worst, fabs(targets[i].reached / targets[i].published - 1));
        }
        if (worst <= tolerance)
            return within_range(f, targets, n);
        for (size_t i = 0; i < n; i++)
            *targets[i].constant *= targets[i].reached / targets[i].published;
    }
    for (size_t i = 0; i < n; i++)
        if (!(fabs(targets[i].reached / targets[i].published - 1) <= tolerance))
            fprintf(stderr, "%s: calibrate: %s does not bring %s to %g: it stays at %g\n", scenario_path(f),
                    targets[i].fit->constant, targets[i].fit->cell.measure, targets[i].published, targets[i].reached);
    return NW_EINPUT;
}

static int record(const struct scenario_file *f, struct store *store, int64_t run_id, const struct point *p,
                  const struct target *targets, size_t n, struct calibration *c)
{
    c->constants = calloc(n, sizeof(*c->constants));
    if (!c->constants)
        return NW_ENOMEM;
    for (size_t i = 0; i < n; i++) {
        const struct fit *t = targets[i].fit;
        struct calibration_fact fact = {
            .platform = p->scenario.platform.name,
            .constant = t->constant,
            .value = *targets[i].constant,
            .unit = t->unit,
            .scenario = scenario_name(f),
            .cell = { t->cell.paper, t->cell.table, t->cell.row, t->cell.column, t->cell.measure },
            .observed = targets[i].published,
            .reached = targets[i].reached,
            .measured_on = "",
        };
        int rc = store_calibration(store, run_id, &fact);
        if (rc)
            return rc;
        c->constants[i].path = strdup(t->constant);
        if (!c->constants[i].path)
            return NW_ENOMEM;
        c->constants[i].value = fact.value;
        c->count = i + 1;
    }
    return NW_OK;
}

/* 'file' must fit something; its own platform's 'calibration' key is not followed. */
static int calibrate(struct store *store, int64_t run_id, const char *file, struct calibration *c)
{
    struct scenario_file *f = NULL;
    struct point p = { 0 };
    struct target targets[MAX_CONSTANTS];
    const struct fit *fits;
    int rc = scenario_open(file, NULL, 0, NULL, 0, stderr, &f);

    if (rc)
        return rc;
    size_t n = scenario_fits(f, &fits);
    if (!n || n > MAX_CONSTANTS) {
        fprintf(stderr, "%s: calibrate: expected 1 to %d constants to fit, got %zu\n", file, MAX_CONSTANTS, n);
        rc = NW_EINPUT;
    }
    if (!rc)
        rc = fitting_point(f, &p);
    if (!rc)
        rc = aim(f, store, &p, targets);
    if (!rc)
        rc = fit(f, &p, targets, n);
    if (!rc)
        rc = record(f, store, run_id, &p, targets, n, c);
    point_free(&p);
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
    size_t n = scenario_calibrated(file, p, paths, MAX_CONSTANTS);
    const struct calibration *c = n && by && *by ? find(all, by) : NULL;

    for (size_t i = 0; i < n; i++) {
        size_t k = 0;
        while (c && k < c->count && strcmp(c->constants[k].path, paths[i]) != 0)
            k++;
        if (!c || k == c->count) {
            fprintf(stderr,
                    "%s: %s: 'calibrated', but %s%s; give a number, or name a scenario that fits it in "
                    "platform.calibration\n",
                    scenario_path(file), paths[i], c ? "it is not fitted by " : "the platform names no calibration",
                    c ? by : "");
            return NW_EINPUT;
        }
        *scenario_number(&p->scenario, paths[i]) = c->constants[k].value;
    }
    return NW_OK;
}
