#include "harness/run/point/measures.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "harness/run/point/footprint.h"
#include "harness/status.h"
#include "harness/training/readings.h"
#include "model/status.h"

/* What the database's views 'gain' and 'batch_gain' derive from the measures of two points. */
static const char *const derived[] = { "gain_pct", "speedup", "loss_pct", "batch_ratio", NULL };

static bool listed(const char *const *names, const char *name)
{
    for (; *names; names++) {
        size_t n = strlen(*names);

        if ((*names)[n - 1] == '.' ? !strncmp(*names, name, n) && name[n] : !strcmp(*names, name))
            return true;
    }
    return false;
}

bool measure_derived(const char *name)
{
    return listed(derived, name);
}

bool measure_known(const char *name)
{
    return listed(method_readings, name) || listed(footprint_readings, name) || listed(training_readings, name) ||
           listed(derived, name);
}

int measures_model(const struct scenario *sc, struct model *out, char *why, size_t nwhy)
{
    char reason[256] = "";
    int rc = !method_has_model(sc->method.kind) ? E_OK : model_infer(&sc->model, out, reason, sizeof(reason));

    if (rc && nwhy)
        snprintf(why, nwhy, "%s%s", strncmp(reason, "layers[", 7) && strncmp(reason, "gpt.", 4) ? "model: " : "model.",
                 reason);
    return rc;
}

void measures_list(struct measures *m)
{
    m->count = 0;
    for (size_t i = 0; i < m->readings.n; i++) {
        const struct reading *r = &m->readings.list[i];

        m->list[m->count++] = (struct measure_fact){ .name = r->name, .value = r->value, .unit = r->unit };
    }
}

int measures_and_timeline(const struct scenario *sc, struct measures *out, struct timeline *timeline, char *why,
                          size_t nwhy)
{
    struct model model = { 0 };
    struct job job = { &sc->platform, &model, &sc->method, sc->batch };
    int rc;

    out->count = 0;
    if (!sc->simulated) {
        snprintf(why, nwhy, "method: expected one, since there is nothing else to simulate, got only training");
        return NW_ESIM;
    }
    rc = measures_model(sc, &model, why, nwhy);
    if (!rc)
        rc = method_play(&job, &out->readings, timeline, why, nwhy);
    int added = rc ? NW_OK : footprint_add(sc, &model, &out->readings);
    model_free(&model);
    if (rc) {
        if (rc == E_NOMEM)
            snprintf(why, nwhy, "out of memory");
        return rc == E_NOMEM ? NW_ENOMEM : NW_ESIM;
    }
    if (added)
        return added;
    measures_list(out);
    return NW_OK;
}

int measures_of(const struct scenario *sc, struct measures *out, char *why, size_t nwhy)
{
    return measures_and_timeline(sc, out, NULL, why, nwhy);
}

double measure_value(const struct measures *m, const char *name)
{
    for (size_t i = 0; i < m->count; i++)
        if (!strcmp(m->list[i].name, name))
            return m->list[i].value;
    return NAN;
}
