/* begin.c - what is known of a run before its first point. */
#include <stdio.h>

#include "harness/host/identity.h"
#include "harness/run/experiment.h"
#include "harness/status.h"

static int put_chosen(const struct experiment *x, const struct scenario_file *file, int64_t run_id)
{
    const struct chosen_cell *chosen;
    size_t n = x->altered ? 0 : scenario_chosen(file, &chosen);
    int rc = NW_OK;

    for (size_t i = 0; i < n && !rc; i++) {
        const struct cell_fact cell = { chosen[i].paper, chosen[i].table, chosen[i].row, chosen[i].column, "" };
        rc = store_assumption(x->store, run_id, &cell, chosen[i].what);
    }
    return rc;
}

int experiment_begin(const struct experiment *x, const struct scenario_file *file, int64_t *run_id)
{
    char name[256];
    snprintf(name, sizeof(name), "%s%s", scenario_name(file), x->altered ? "+changes" : "");
    struct run_fact run = {
        .command = x->command,
        .scenario = name,
        .title = scenario_title(file),
        .notes = scenario_notes(file),
        .baseline = scenario_baseline(file),
        .figure = scenario_figure(file),
        .file = scenario_path(file),
        .commit = identity_commit(),
        .build = identity_build(),
        .machine = identity_machine(),
        .seed = 0,
        .npoints = x->points ? x->npoints : scenario_npoints(file),
    };
    int rc = store_run(x->store, &run, run_id);

    return rc ? rc : put_chosen(x, file, *run_id);
}
