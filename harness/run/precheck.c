#include "harness/run/precheck.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/host/home.h"
#include "harness/run/point/measures.h"
#include "harness/run/trace_time.h"
#include "harness/status.h"
#include "harness/training/check.h"
#include "sim/method/method_codecs.h"

enum { MOST_POINTS = 100000, MOST_REASONS = 20, REASON = 512, MOST_CONSTANTS = 32 };

/* The scenario that fits a platform's constants, kept from point to point. */
struct supplier {
    char *by; /* as the platform names it; NULL: none opened yet */
    struct scenario_file *file;
};

struct check {
    const struct scenario_file *file;
    struct supplier supplier;
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

/* Rates that are measured will be there when it is run. */
static void fill_measured(struct scenario *sc)
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
        fill_measured(sc);
        rc = method_check(&job, why, nwhy) ? NW_EINPUT : NW_OK;
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

/* Points refused for one reason: it is printed for the first, and at the end how many more there are. */
struct reason {
    char text[REASON], last[REASON];
    size_t points;
};

/* The same reason, but for the numbers in it, which a sweep changes: "batch: 3 samples are fewer than the 16
 * workers". The numbers of a path count. */
static bool same_reason(const char *a, const char *b)
{
    bool path = true;

    while (*a && *b) {
        if (!path && isdigit((unsigned char)*a) && isdigit((unsigned char)*b)) {
            a += strspn(a, "0123456789.");
            b += strspn(b, "0123456789.");
            continue;
        }
        if (*a != *b)
            return false;
        path &= *a != ' ';
        a++;
        b++;
    }
    return *a == *b;
}

/* What tells the point from those before it. */
static void note_point(const struct point *p, char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, "point %zu", p->index);

    if (*p->variant)
        used += (size_t)snprintf(text + used, size - used, ", variant %s", p->variant);
    for (size_t i = 0; i < p->nparams && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, ", %s=%s", p->params[i].path, p->params[i].text);
}

static void refuse(struct check *c, struct point *p, const char *why, struct reason *reasons, size_t *nreasons)
{
    size_t known = 0;

    while (known < *nreasons && !same_reason(reasons[known].text, why))
        known++;
    if (known == MOST_REASONS)
        return;
    if (known == *nreasons) {
        scenario_refuse(c->file, p, why, c->err);
        snprintf(reasons[known].text, sizeof(reasons[known].text), "%s", why);
        ++*nreasons;
    }
    reasons[known].points++;
    note_point(p, reasons[known].last, sizeof(reasons[known].last));
}

static void tell_more(const struct check *c, const struct reason *reasons, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (reasons[i].points > 1)
            fprintf(c->err, "%s: %.*s: %zu more points are refused for the same reason, the last of them %s\n",
                    scenario_path(c->file), (int)strcspn(reasons[i].text, " :"), reasons[i].text, reasons[i].points - 1,
                    reasons[i].last);
}

/* Judge points until there are reasons enough; each is printed once. */
static int judge_points(struct check *c, struct reason *reasons)
{
    size_t n = scenario_npoints(c->file), step = n / MOST_POINTS + 1, nreasons = 0;
    char why[REASON];
    int rc = NW_OK;

    for (size_t i = 0; i < n && rc != NW_ENOMEM && nreasons < MOST_REASONS; i += step) {
        struct point p;
        if (scenario_point(c->file, i, &p))
            return NW_ENOMEM;
        int one = judge(c, &p, why, REASON);
        if (one == NW_EINPUT)
            refuse(c, &p, why, reasons, &nreasons);
        rc = one ? one : rc;
        point_free(&p);
    }
    tell_more(c, reasons, nreasons);
    return rc;
}

int precheck(const struct scenario_file *file, FILE *err)
{
    struct reason *reasons = calloc(MOST_REASONS, sizeof(*reasons));
    struct check c = { .file = file, .err = err };
    int rc = NW_ENOMEM;

    if (reasons) {
        int figure = check_figure(file, err), times = check_times(file, err), points = judge_points(&c, reasons);
        rc = points ? points : times ? times : figure;
    }
    close_supplier(&c.supplier);
    free(reasons);
    return rc;
}
