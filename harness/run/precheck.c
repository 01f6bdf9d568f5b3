#include "harness/run/precheck.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/host/home.h"
#include "harness/run/point/fits.h"
#include "harness/run/point/measures.h"
#include "harness/run/reasons.h"
#include "harness/run/trace_time.h"
#include "harness/status.h"
#include "harness/training/check.h"
#include "sim/method/method_codecs.h"

enum { MOST_POINTS = 100000, MOST_CONSTANTS = 32 };

/* The scenario that fits a platform's constants, kept from point to point. */
struct supplier {
    char *by; /* as the platform names it; NULL: none opened yet */
    struct scenario_file *file;
};

struct check {
    const struct scenario_file *file;
    struct supplier supplier;
    struct reasons wrong, full; /* full: the GPUs' memory */
    struct precheck_misfits misfits;
    bool checked; /* one of them is refused by platform.gpu.memory_checked */
    FILE *err;
};

static void close_supplier(struct supplier *s)
{
    scenario_close(s->file);
    free(s->by);
    *s = (struct supplier){ 0 };
}

/* Its own errors are printed as they are found. */
static int open_supplier(struct check *c, const char *by)
{
    struct supplier *s = &c->supplier;

    if (s->by && !strcmp(s->by, by))
        return NW_OK;
    close_supplier(s);
    if (!(s->by = strdup(by)))
        return NW_ENOMEM;
    scenario_open(by, NULL, 0, NULL, 0, c->err, &s->file);
    return NW_OK;
}

static bool fits_it(const struct scenario_file *f, const char *path)
{
    const struct fit *fits;
    size_t n = scenario_fits(f, &fits);

    for (size_t i = 0; i < n; i++)
        if (fits[i].constant && !strcmp(fits[i].constant, path))
            return true;
    return false;
}

/* Is there a scenario that fits all of them? */
static int check_supply(struct check *c, const char *by, const char *const paths[], size_t n, char *why, size_t nwhy)
{
    const struct fit *fits;

    if (!(by && *by)) {
        if (scenario_fits(c->file, &fits))
            return NW_OK;
        snprintf(why, nwhy,
                 "%s: 'calibrated', but the platform names no calibration: give a number, or name the scenario that "
                 "fits it in platform.calibration",
                 paths[0]);
        return NW_EINPUT;
    }
    if (open_supplier(c, by))
        return NW_ENOMEM;
    if (!c->supplier.file || !scenario_fits(c->supplier.file, &fits)) {
        snprintf(why, nwhy, "platform.calibration: expected a scenario that fits constants (key 'calibrate'), got '%s'",
                 by);
        return NW_EINPUT;
    }
    for (size_t i = 0; i < n; i++)
        if (!fits_it(c->supplier.file, paths[i])) {
            snprintf(why, nwhy, "%s: 'calibrated', but it is not fitted by %s: give a number, or have it fitted there",
                     paths[i], by);
            return NW_EINPUT;
        }
    return NW_OK;
}

/* What a calibration will supply is taken to be 1 here. */
static int fill_calibrated(struct check *c, struct point *p, char *why, size_t nwhy)
{
    const char *paths[MOST_CONSTANTS];
    size_t n = scenario_calibrated(c->file, p, paths, MOST_CONSTANTS);

    if (n > MOST_CONSTANTS) {
        snprintf(why, nwhy, "%s: expected at most %d figures 'calibrated', got %zu", paths[0], MOST_CONSTANTS, n);
        return NW_EINPUT;
    }
    int rc = n ? check_supply(c, p->scenario.platform.calibration, paths, n, why, nwhy) : NW_OK;
    for (size_t i = 0; !rc && i < n; i++)
        *scenario_number(&p->scenario, paths[i]) = 1;
    return rc;
}

void precheck_fill_measured(struct scenario *sc)
{
    struct codec_spec *codecs[METHOD_CODECS_MAX];
    size_t n = method_codecs(&sc->method, codecs, NULL, METHOD_CODECS_MAX);

    if (sc->platform.cpu.codec == CODEC_RATE_MEASURED)
        sc->platform.cpu.codec = CODEC_RATE_MEMORY;
    for (size_t i = 0; i < n; i++)
        if (codec_spec_measurable(codecs[i])) /* the others are refused for it */
            codecs[i]->timing = CODEC_COST_GIVEN;
}

static int check_cells(const struct check *c, const struct point *p, char *why, size_t nwhy)
{
    for (size_t i = 0; i < p->ncells; i++) {
        const struct cell *cell = &p->cells[i];

        if (!measure_known(cell->measure)) {
            snprintf(why, nwhy, "compare[%zu].measure: expected the name of a measure, got '%s'", cell->place,
                     cell->measure);
            return NW_EINPUT;
        }
        if (measure_derived(cell->measure) && !*scenario_baseline(c->file)) {
            snprintf(why, nwhy, "compare[%zu].measure: '%s' is counted from the key 'baseline', which is not given",
                     cell->place, cell->measure);
            return NW_EINPUT;
        }
    }
    return NW_OK;
}

static int judge(struct check *c, struct point *p, char *why, size_t nwhy)
{
    struct scenario *sc = &p->scenario;
    struct model m = { 0 };
    struct job job = { &sc->platform, &m, &sc->method, sc->batch };
    int rc = fill_calibrated(c, p, why, nwhy);

    if (!rc && measures_model(sc, &m, why, nwhy))
        rc = NW_EINPUT;
    if (!rc && sc->simulated) {
        precheck_fill_measured(sc);
        rc = method_check(&job, why, nwhy) ? NW_EINPUT : fits_check(sc, &m, why, nwhy);
    }
    if (!rc && sc->trained)
        rc = training_check(sc, &m, why, nwhy) ? NW_EINPUT : NW_OK;
    model_free(&m);
    return rc ? rc : check_cells(c, p, why, nwhy);
}

/* A figure is a template of plots/. */
static int check_figure(const struct scenario_file *file, FILE *err)
{
    const char *figure = scenario_figure(file);
    char path[4096], text[256];

    snprintf(path, sizeof(path), "%s/plots/%s.gp", home_dir(), figure);
    if (!*figure || (!strchr(figure, '/') && !access(path, R_OK)))
        return NW_OK;
    snprintf(text, sizeof(text), "expected the name of a template in plots/, got '%s'", figure);
    scenario_error(file, "figure", text, err);
    return NW_EINPUT;
}

static bool has_variant(const struct scenario_file *file, const char *variant)
{
    bool found = false;

    for (size_t i = 0; i < scenario_npoints(file) && !found; i++) {
        struct point p;

        if (scenario_point(file, i, &p))
            return false;
        found = !*p.variant || !strcmp(p.variant, variant);
        point_free(&p);
    }
    return found;
}

/* Does it simulate, and anything that was trained? */
static int check_time(const struct scenario_file *file, size_t which, const struct trained_time *time, FILE *err)
{
    char path[64], text[512] = "";
    struct scenario_file *simulated = NULL;
    bool any = false;

    snprintf(path, sizeof(path), "time[%zu].scenario", which);
    if (trace_time_open(time, err, &simulated))
        snprintf(text, sizeof(text), "expected a scenario that can be read, got '%s'", time->scenario);
    else if (scenario_trained(simulated))
        snprintf(text, sizeof(text), "expected a scenario that simulates, got '%s', which trains", time->scenario);
    for (size_t i = 0; !*text && i < scenario_npoints(file) && !any; i++) {
        struct point p;

        if (scenario_point(file, i, &p))
            break;
        any = has_variant(simulated, p.variant);
        point_free(&p);
    }
    if (!*text && !any)
        snprintf(text, sizeof(text),
                 "expected a scenario with one of the variants trained here, got '%s', which has none", time->scenario);
    scenario_close(simulated);
    if (!*text)
        return NW_OK;
    scenario_error(file, path, text, err);
    return NW_EINPUT;
}

static int check_times(const struct scenario_file *file, FILE *err)
{
    const struct trained_time *times;
    size_t n = scenario_times(file, &times);
    int rc = NW_OK;

    for (size_t i = 0; i < n; i++) {
        int one = check_time(file, i, &times[i], err);

        rc = rc ? rc : one;
    }
    return rc;
}

static int add_misfit(struct check *c, struct point *p, const char *why)
{
    size_t *points = realloc(c->misfits.points, (c->misfits.n + 1) * sizeof(*points));

    if (!points)
        return NW_ENOMEM;
    c->misfits.points = points;
    points[c->misfits.n++] = p->index;
    c->checked |= p->scenario.method.kind != METHOD_SHARDED;
    reasons_add(&c->full, c->file, p, why, c->err);
    return NW_OK;
}

/* Judge points until there are reasons enough; each is printed once. The number of points judged, or a status. */
static int judge_points(struct check *c, size_t *judged)
{
    size_t n = scenario_npoints(c->file), step = n / MOST_POINTS + 1;
    char why[REASON];
    int rc = NW_OK;

    for (size_t i = 0; i < n && rc != NW_ENOMEM && c->wrong.n < MOST_REASONS; i += step, ++*judged) {
        struct point p;
        if (scenario_point(c->file, i, &p))
            return NW_ENOMEM;
        int one = judge(c, &p, why, REASON);
        if (one == NW_EINPUT && fits_reason(&p.scenario, why))
            one = add_misfit(c, &p, why);
        else if (one == NW_EINPUT)
            reasons_add(&c->wrong, c->file, &p, why, c->err);
        rc = one ? one : rc;
        point_free(&p);
    }
    reasons_tell(&c->wrong, c->file, c->err);
    reasons_tell(&c->full, c->file, c->err);
    return rc;
}

/* Points that do not fit are refused, unless others do and it is enough that they do. */
static int judge_misfits(const struct check *c, size_t judged, bool leave_out)
{
    size_t n = c->misfits.n;

    leave_out &= n < judged;
    if (judged > 1 && n)
        fprintf(c->err, "%s: %zu of %zu points %s not fit in a GPU's memory%s\n", scenario_path(c->file), n, judged,
                n > 1 ? "do" : "does",
                !leave_out ? ""
                : n > 1    ? " and are left out"
                           : " and is left out");
    if (c->checked)
        fprintf(c->err, "%s: with platform.gpu.memory_checked=false what does not fit is simulated all the same\n",
                scenario_path(c->file));
    return n && !leave_out ? NW_EINPUT : NW_OK;
}

static int check_all(struct check *c, bool leave_out)
{
    size_t judged = 0;
    int figure = check_figure(c->file, c->err), times = check_times(c->file, c->err);
    int points = judge_points(c, &judged), rc = points ? points : times ? times : figure;
    int misfits = rc == NW_ENOMEM ? rc : judge_misfits(c, judged, leave_out);

    return rc ? rc : misfits;
}

int precheck_fitting(const struct scenario_file *file, struct precheck_misfits *misfits, FILE *err)
{
    struct check *c = calloc(1, sizeof(*c));
    int rc = NW_ENOMEM;

    if (misfits)
        *misfits = (struct precheck_misfits){ .n = 0 };
    if (!c)
        return rc;
    c->file = file;
    c->err = err;
    c->full.by_variant = true; /* its bytes differ from point to point, and so the units and the classes */
    rc = check_all(c, misfits);
    if (misfits && !rc)
        *misfits = c->misfits;
    else
        free(c->misfits.points);
    close_supplier(&c->supplier);
    free(c);
    return rc;
}

int precheck(const struct scenario_file *file, FILE *err)
{
    return precheck_fitting(file, NULL, err);
}
