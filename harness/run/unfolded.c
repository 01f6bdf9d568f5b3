#include "harness/run/unfolded.h"

#include <stdbool.h>

#include "harness/run/point/measures.h"
#include "harness/run/precheck.h"
#include "sim/method/method.h"

enum { MOST_POINTS = 100 }; /* each needs its plan */

/* NULL: there is none, or no plan before something has been calibrated. */
static const char *reason_of(const struct scenario_file *file, struct point *p)
{
    struct scenario *sc = &p->scenario;
    struct model m = { 0 };
    struct job job = { &sc->platform, &m, &sc->method, sc->batch };
    const char *reason = NULL, *constant;
    char why[512];

    if (!sc->simulated || sc->method.kind != METHOD_SHARDED || scenario_calibrated(file, p, &constant, 1))
        return NULL;
    precheck_fill_measured(sc);
    if (measures_model(sc, &m, why, sizeof(why)) || sharded_why_whole(&job, &reason, why, sizeof(why)))
        reason = NULL;
    model_free(&m);
    return reason;
}

static bool note(const struct scenario_file *file, struct point *p, FILE *err)
{
    const char *reason = reason_of(file, p);
    char text[256];

    if (!reason)
        return false;
    snprintf(text, sizeof(text), "method.play: note: every rank is played, not one of each class: %s", reason);
    scenario_refuse(file, p, text, err);
    return true;
}

void unfolded_note(const struct scenario_file *file, FILE *err)
{
    size_t n = scenario_npoints(file), step = n / MOST_POINTS + 1;
    struct point p;
    bool noted = false;

    for (size_t i = 0; i < n && !noted && !scenario_point(file, i, &p); i += step) {
        noted = note(file, &p, err);
        point_free(&p);
    }
}
