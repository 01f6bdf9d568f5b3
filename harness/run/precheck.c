#include "harness/run/precheck.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/host/home.h"
#include "harness/run/measures.h"
#include "harness/status.h"
#include "sim/method/method_codecs.h"

enum { MOST_POINTS = 100000, MOST_REASONS = 20, REASON = 512, MOST_CONSTANTS = 32 };

/* What a calibration will supply is taken to be 1 here; without one to supply it, it is a fault. */
static int fill_calibrated(const struct scenario_file *file, struct point *p, char *why, size_t nwhy)
{
    const char *paths[MOST_CONSTANTS];
    size_t n = scenario_calibrated(file, p, paths, MOST_CONSTANTS);
    const char *by = p->scenario.platform.calibration;
    const struct fit *fits;

    if (n && !(by && *by) && !scenario_fits(file, &fits)) {
        snprintf(why, nwhy,
                 "%s: 'calibrated', but the platform names no calibration: give a number, or name the scenario that "
                 "fits it in platform.calibration",
                 paths[0]);
        return NW_EINPUT;
    }
    for (size_t i = 0; i < n; i++)
        *scenario_number(&p->scenario, paths[i]) = 1;
    return NW_OK;
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

static int judge(const struct scenario_file *file, struct point *p, char *why, size_t nwhy)
{
    struct scenario *sc = &p->scenario;
    struct model m = { 0 };
    struct job job = { &sc->platform, &m, &sc->method, sc->batch };
    int rc = fill_calibrated(file, p, why, nwhy);

    fill_measured(sc);
    if (!rc && (measures_model(sc, &m, why, nwhy) || method_check(&job, why, nwhy)))
        rc = NW_EINPUT;
    model_free(&m);
    return rc;
}

/* A figure is a template of plots/. */
static int check_figure(const struct scenario_file *file, FILE *err)
{
    const char *figure = scenario_figure(file);
    char path[4096];

    snprintf(path, sizeof(path), "%s/plots/%s.gp", home_dir(), figure);
    if (!*figure || (!strchr(figure, '/') && !access(path, R_OK)))
        return NW_OK;
    fprintf(err, "%s: figure: expected the name of a template in plots/, got '%s'\n", scenario_path(file), figure);
    return NW_EINPUT;
}

int precheck(const struct scenario_file *file, FILE *err)
{
    size_t n = scenario_npoints(file), step = n / MOST_POINTS + 1, nreasons = 0;
    char(*reasons)[REASON] = calloc(MOST_REASONS + 1, REASON);
    int rc = reasons ? check_figure(file, err) : NW_ENOMEM;

    for (size_t i = 0; i < n && rc != NW_ENOMEM && nreasons < MOST_REASONS; i += step) {
        struct point p;
        char *why = reasons[nreasons];
        if (scenario_point(file, i, &p)) {
            rc = NW_ENOMEM;
            break;
        }
        if (judge(file, &p, why, REASON)) {
            size_t known = 0;
            while (strcmp(reasons[known], why) != 0)
                known++;
            if (known == nreasons) {
                scenario_refuse(file, &p, why, err);
                nreasons++;
            }
            rc = NW_EINPUT;
        }
        point_free(&p);
    }
    free(reasons);
    return rc;
}
