#include "harness/run/supply.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/host/identity.h"
#include "harness/run/fit/refit.h"
#include "harness/status.h"
#include "sim/method/method_codecs.h"

bool supply_needed(const struct scenario_file *f, struct point *p)
{
    struct codec_spec *specs[METHOD_CODECS_MAX];
    const char *paths[1];
    size_t n = method_codecs(&p->scenario.method, specs, NULL, METHOD_CODECS_MAX);
    bool measured = p->scenario.platform.cpu.codec == CODEC_RATE_MEASURED;

    for (size_t i = 0; i < n; i++)
        measured |= specs[i]->timing == CODEC_COST_MEASURED;
    return measured || scenario_calibrated(f, p, paths, 1);
}

int supply_open(struct supply *s, const struct scenario_file *f, const char *db, const char *suffix,
                const char *baseline, const char *command)
{
    char name[256];
    int rc;

    snprintf(name, sizeof(name), "%s+%s", scenario_name(f), suffix);
    struct run_fact run = { .command = command,
                            .scenario = name,
                            .title = scenario_title(f),
                            .notes = "",
                            .baseline = baseline,
                            .figure = "",
                            .file = scenario_path(f),
                            .commit = identity_commit(),
                            .build = identity_build(),
                            .machine = identity_machine() };
    s->file = f;
    s->calibrations = calibrations_new();
    s->rates = calloc(1, sizeof(*s->rates));
    rc = s->calibrations && s->rates ? store_open(db, &s->store) : NW_ENOMEM;
    return rc ? rc : store_run(s->store, &run, &s->run_id);
}

int supply_point(struct supply *s, struct point *p)
{
    char why[256] = "";
    int rc = calibration_prepare(s->calibrations, s->store, s->run_id, s->file, p);

    if (!rc)
        rc = calibration_supply(s->calibrations, s->file, p);
    if (rc)
        return rc;
    scenario_renew_rates(p, NULL);
    rc = codec_rate_prepare(s->rates, s->store, s->run_id, p, why, sizeof(why));
    if (rc == NW_ESIM)
        scenario_refuse(s->file, p, why, stderr);
    if (!rc)
        codec_rate_supply(s->rates, p);
    return rc;
}

int supply_refits(struct supply *s, const struct point *p, const struct refits **out)
{
    return calibration_refit(s->calibrations, s->store, s->file, p, out);
}

void supply_refit(struct supply *s, const struct refits *r, size_t i, struct point *p)
{
    refit_supply(r, i, p);
    scenario_renew_rates(p, NULL);
    codec_rate_supply(s->rates, p);
}

int supply_close(struct supply *s, int rc)
{
    if (!rc && s->run_id)
        rc = store_run_finished(s->store, s->run_id);
    store_close(s->store);
    calibrations_free(s->calibrations);
    free(s->rates);
    *s = (struct supply){ .file = NULL };
    return rc;
}
