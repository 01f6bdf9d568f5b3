#include "harness/run/precheck.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/host/home.h"
#include "harness/status.h"

enum { MOST_POINTS = 100000, MOST_REASONS = 20, REASON = 512, MOST_CONSTANTS = 32 };

void point_print_place(const struct scenario_file *file, const struct point *p, FILE *out)
{
    fprintf(out, "%s: point %zu%s%s", scenario_path(file), p->index, *p->variant ? ", variant " : "", p->variant);
    for (size_t i = 0; i < p->nparams; i++)
        fprintf(out, ", %s=%s", p->params[i].path, p->params[i].text);
    fputs(": ", out);
}

/* What a calibration will supply is taken to be 1 here; without one to supply it, it is a fault. */
static int fill_calibrated(const struct scenario_file *file, struct point *p, char *why, size_t nwhy)
{
    const char *paths[MOST_CONSTANTS];
    size_t n = scenario_calibrated(file, p, paths, MOST_CONSTANTS);
    const char *by = p->scenario.platform.calibration;
    const struct fit *fits;

    if (n && !(by && *by) && !scenario_fits(file, &fits)) {
        snprintf(why, nwhy,
                 "%s is 'calibrated', but the platform names no calibration: give a number, or name the "
                 "scenario that fits it in platform.calibration",
                 paths[0]);
        return NW_EINPUT;
    }
    for (size_t i = 0; i < n; i++)
        *scenario_number(&p->scenario, paths[i]) = 1;
    return NW_OK;
}

static int judge(const struct scenario_file *file, struct point *p, char *why, size_t nwhy)
{
    struct scenario *sc = &p->scenario;
    struct model m = { 0 };
    int rc = fill_calibrated(file, p, why, nwhy);

    if (sc->platform.cpu.codec == CODEC_RATE_MEASURED)
        sc->platform.cpu.codec = CODEC_RATE_MEMORY; /* a rate will be there when it is run */
    if (!rc && (model_infer(&sc->model, &m, why, nwhy) ||
                host_sgd_check(&sc->platform, &m, &sc->method, sc->batch, why, nwhy)))
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
                point_print_place(file, &p, err);
                fprintf(err, "%s\n", why);
                nreasons++;
            }
            rc = NW_EINPUT;
        }
        point_free(&p);
    }
    free(reasons);
    return rc;
}
