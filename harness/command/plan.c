/* narrows plan - the memory plan of one point of a scenario: printed, drawn, written, run. */
#include <argp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/buffers/csv.h"
#include "harness/command/commands.h"
#include "harness/command/line/command_line.h"
#include "harness/command/plan/print.h"
#include "harness/command/plan/run.h"
#include "harness/host/home.h"
#include "harness/report/figure/plan.h"
#include "harness/run/break_even/break_even.h"
#include "harness/run/point/planned.h"
#include "harness/run/supply.h"
#include "harness/scenario/scenario.h"
#include "harness/scenario/schema/units.h"
#include "harness/status.h"

enum {
    KEY_VARIANT = 256,
    KEY_LAYERS,
    KEY_CSV,
    KEY_RUN,
    KEY_PROFILE,
    KEY_REAL,
    KEY_OPS,
    KEY_GPU,
    KEY_STEPS,
    KEY_LINK,
    KEY_SEED,
    KEY_POOL
};

struct arguments {
    struct command_point at;
    const char *db, *draw, *csv;
    bool run, profile, layers;
    struct plan_run_options how;
};

static const struct argp_option options[] = {
    { "point", 'p', "N", 0, "of a scenario with several points: this one (default 0)", 0 },
    { "variant", KEY_VARIANT, "NAME", 0, "the point's combination with this variant", 0 },
    { "set", 's', "PATH=VALUE", 0, "override any key, e.g. method.schedule=per-object", 0 },
    { "layers", KEY_LAYERS, NULL, 0, "print it layer by layer, too, however many there are (without it up to 64)", 0 },
    { "draw", 'o', "DIR", 0, "draw what is generated and can be offloaded, the live memory and the timeline into DIR",
      0 },
    { "csv", KEY_CSV, "FILE", 0,
      "write the buffers of the device's general pool as id,lower,upper,size,offset; -: to standard output, the "
      "table to the other",
      0 },
    { "run", KEY_RUN, NULL, 0, "also run the plan: real copies in a pool of the planned size, every content checked",
      1 },
    { "real", KEY_REAL, NULL, 0,
      "--run: compute the layers too, instead of stamping what they would write (needs the memory that the plan says)",
      1 },
    { "profile", KEY_PROFILE, NULL, 0,
      "first time every operation here, plan with those times, run that plan and say how long its step was predicted "
      "to take (--run --real, contents unchecked)",
      1 },
    { "ops", KEY_OPS, "NAME", 0, "--real: cuda, dnnl, gemm or reference (default: the best one here)", 1 },
    { "gpu", KEY_GPU, NULL, 0, "--run: on a GPU, its memory and its link, instead of threads that play one", 1 },
    { "link", KEY_LINK, "RATE", 0,
      "--run on threads: speed of their link, each direction (default: the platform's); its latency stays", 1 },
    { "pool", KEY_POOL, "SIZE", 0,
      "--run: refuse a plan whose general pool is larger; with --real, that pool with weights and gradients", 1 },
    { "steps", KEY_STEPS, "N", 0, "--run: so many steps (default 1)", 1 },
    { "seed", KEY_SEED, "N", 0, "--run: of weights and images (default 1)", 1 },
    { "db", 'd', "FILE", 0, "results database, opened only for calibrated constants (default " DEFAULT_DB ")", 2 },
    { 0 }
};

/* Of bytes, or bytes a second: whole ones, that a number of 64 bits holds. */
static const double MOST = 1e18;

static double quantity(const char *option, const char *text, enum dimension dimension)
{
    struct quantity_error error;
    const struct unit *unit;
    double value = 0;

    if (!quantity_read(text, dimension, &value, &unit, &error) && value >= 1 && value <= MOST)
        return value;
    command_misused(option,
                    dimension == DIM_BYTES ? "a size, such as '4 GB', from 1 B to 1e18"
                                           : "a rate, such as '12 GB/s', from 1 B/s to 1e18",
                    text);
}

static error_t parse_run(int key, char *text, struct arguments *a, struct argp_state *state)
{
    struct plan_run_options *how = &a->how;

    switch (key) {
    case KEY_REAL: how->real = true; return 0;
    case KEY_OPS: how->ops = text; return 0;
    case KEY_GPU: how->on_gpu = true; return 0;
    case KEY_LINK: how->link_Bps = quantity("--link", text, DIM_BYTES_PER_S); return 0;
    case KEY_POOL: how->pool_bytes = (int64_t)quantity("--pool", text, DIM_BYTES); return 0;
    case KEY_STEPS: how->steps = command_number("--steps", text, 1, 1000000000); return 0;
    case KEY_SEED: how->seed = (uint64_t)command_number("--seed", text, 0, 1000000000); return 0;
    default: return command_parse_point(key, text, state, &a->at);
    }
}

static bool about_running(const struct plan_run_options *how)
{
    return how->real || how->on_gpu || *how->ops || how->link_Bps > 0 || how->pool_bytes || how->steps != 1 ||
           how->seed != 1;
}

static const char *not_empty(const char *option, const char *path)
{
    if (*path)
        return path;
    fprintf(stderr, "narrows plan: %s: expected a path, got none\n", option);
    exit(EXIT_MISUSED);
}

/* What does not go together, or without the other. */
static void check(const struct arguments *a, struct argp_state *state)
{
    if (!a->run && about_running(&a->how))
        argp_error(state, "--real, --ops, --gpu, --link, --pool, --steps and --seed go with --run");
    if (*a->how.ops && !a->how.real)
        argp_error(state, "--ops goes with --real: without it nothing is computed");
    if (a->how.link_Bps > 0 && a->how.on_gpu)
        argp_error(state, "--link goes without --gpu: a GPU's link is as fast as it is");
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct arguments *a = state->input;

    switch (key) {
    case KEY_VARIANT: a->at.variant = text; return 0;
    case KEY_LAYERS: a->layers = true; return 0;
    case 'o': a->draw = not_empty("--draw", text); return 0;
    case KEY_CSV: a->csv = not_empty("--csv", text); return 0;
    case 'd': a->db = not_empty("--db", text); return 0;
    case KEY_RUN: a->run = true; return 0;
    case KEY_PROFILE:
        a->run = a->profile = a->how.real = true;
        a->how.verify = false;
        return 0;
    case ARGP_KEY_END:
        command_parse_point(key, text, state, &a->at);
        check(a, state);
        return 0;
    default: return parse_run(key, text, a, state);
    }
}

static const struct argp argp = {
    .options = options,
    .parser = parse,
    .args_doc = "SCENARIO",
    .doc =
        "Plan the memory of one training step on one GPU (Split-CNN's HMMS): what each layer generates, what of it is "
        "offloaded and when it comes back, where every tensor lies; what is alive, the peak and the gap to its bound, "
        "what the schedule stalls, and the largest batch that fits.\v"
        "SCENARIO is a YAML file with the method memory-plan, or the name of a shipped one (narrows list scenarios). "
        "Examples:\n"
        "  narrows plan memory --set method.schedule=clamped --draw out/plan\n"
        "  narrows plan memory --set batch=4 --set method.fill=false --run --real\n"
        "  narrows plan memory --csv vgg.csv; narrows place vgg.csv",
};

static int open_point(const struct arguments *a, struct scenario_file **file, struct point *p)
{
    int rc = command_open_point(&a->at, file, p);

    if (!rc && p->scenario.method.kind != METHOD_MEMORY_PLAN)
        rc = status_error(NW_EINPUT, "%s: narrows plan needs the method 'memory-plan'\n", scenario_path(*file));
    return rc;
}

/* Ids say what lies there: "t12", "t12'" when it has come back, "w7" a workspace. */
static int write_csv(const char *path, const struct lifetimes *l)
{
    char(*ids)[24] = calloc(l->n + 1, sizeof(*ids));
    const char **names = calloc(l->n + 1, sizeof(*names));
    int rc = ids && names ? NW_OK : NW_ENOMEM;

    for (size_t i = 0; !rc && i < l->n; i++) {
        const struct resident *r = &l->residents[i];
        if (r->storage == NO_STORAGE)
            snprintf(ids[i], sizeof(ids[i]), "w%d", r->operation);
        else
            snprintf(ids[i], sizeof(ids[i]), "t%d%s", r->storage, r->part ? "'" : "");
        names[i] = ids[i];
    }
    if (!rc)
        rc = buffers_csv_write(path, l->buffers, names, l->n, true, stderr);
    free(names);
    free(ids);
    return rc;
}

static int draw(const struct arguments *a, const struct planned *planned, const struct plan_rows *rows,
                const struct timeline *t)
{
    char plots[4096];

    int rc;

    snprintf(plots, sizeof(plots), "%s/plots", home_dir());
    rc = plan_drawings(planned, rows, t, plots, a->draw);
    if (!rc)
        fprintf(stderr, "narrows plan: generated, live and timeline are drawn in %s, as SVG and PNG with their data\n",
                a->draw);
    return rc;
}

static int show(const struct arguments *a, const struct point *p, size_t npoints, const struct planned *planned,
                const struct plan_rows *rows)
{
    /* what is printed must not get into what is written */
    FILE *to = a->csv && !strcmp(a->csv, "-") ? stderr : stdout;
    struct timeline t = { 0 };
    struct plan_played played;
    int rc = plan_play(&planned->plan, &p->scenario.platform, &p->scenario.method.memory_planned.play, &played, &t,
                       NULL, NULL);
    int drawn = NW_OK;

    rc = rc ? NW_ESIM : NW_OK;
    if (!rc)
        plan_print(planned, p, npoints, rows, &played, a->layers, to);
    if (!rc && a->draw)
        drawn = draw(a, planned, rows, &t);
    if (drawn != NW_EENV) /* without gnuplot the rest can still be had */
        rc = rc ? rc : drawn;
    if (!rc && a->csv)
        rc = write_csv(a->csv, &planned->plan.device);
    if (!rc && a->run)
        rc = plan_run(planned, &a->how, &played, to);
    timeline_free(&t);
    return rc ? rc : drawn;
}

/* How long the operations take here, timed in a plan that keeps everything: the same operations, with nothing to
 * wait for. The times are put into the scenario; the caller frees them. */
static int profile(const struct arguments *a, struct scenario *sc, int64_t **ps, char *why, size_t nwhy)
{
    struct scenario keeping = *sc;
    struct planned planned = { 0 };
    int rc;

    if (sc->method.memory_planned.fill) {
        snprintf(why, nwhy, "method.fill: --profile times one batch, and the largest is not known yet: expected false");
        return NW_ESIM;
    }
    keeping.method.memory_planned.plan.schedule = SCHEDULE_KEEP_ALL;
    rc = planned_make(&keeping, false, &planned, why, nwhy);
    size_t n = rc ? 0 : planned.plan.graph.noperations;
    *ps = rc ? NULL : calloc(n + 1, sizeof(**ps));
    if (!rc)
        rc = *ps ? plan_profile(&planned.plan, &a->how, *ps) : NW_ENOMEM;
    for (size_t i = 0; !rc && i < n; i++)
        (*ps)[i] *= 1000;
    struct timing *timing = &sc->method.memory_planned.plan.timing;
    timing->measured_ps = *ps;
    timing->nmeasured = rc ? 0 : n;
    timing->measured_batch = planned.plan.batch;
    timing->name = "measured here";
    planned_free(&planned);
    return rc;
}

static int plan_point(const struct arguments *a, const struct scenario_file *file, struct point *p)
{
    struct planned planned = { 0 };
    struct plan_rows rows = { 0 };
    int64_t *measured_ps = NULL;
    char why[512] = "";
    int rc = a->profile ? profile(a, &p->scenario, &measured_ps, why, sizeof(why)) : NW_OK;

    if (!rc)
        rc = planned_make(&p->scenario, true, &planned, why, sizeof(why));
    if (!rc)
        rc = plan_rows_of(&planned, &rows);
    if (!rc)
        rc = show(a, p, scenario_npoints(file), &planned, &rows);
    if (rc == NW_ESIM) {
        scenario_refuse(file, p, *why ? why : "method: the step takes longer than 106 days", stderr);
        rc = NW_EINPUT; /* as of narrows run */
    }
    plan_rows_free(&rows);
    planned_free(&planned);
    free(measured_ps);
    return rc;
}

/* The database is opened where a constant comes from it, and not without need. */
static int supplied(const struct arguments *a, const struct scenario_file *file, struct point *p)
{
    struct supply supply = { .file = NULL };
    int rc = NW_OK;

    if (supply_needed(file, p)) {
        rc = supply_open(&supply, file, a->db, "plan", scenario_baseline(file), command_text());
        rc = rc ? rc : supply_point(&supply, p);
    }
    if (!rc)
        rc = plan_point(a, file, p);
    return supply_close(&supply, rc);
}

int cmd_plan(int argc, char **argv)
{
    struct arguments a = { .db = DEFAULT_DB, .how = { .verify = true, .steps = 1, .seed = 1, .ops = "" } };
    struct scenario_file *file = NULL;
    struct point p = { .arena = NULL };
    int rc;

    if (command_parse(&argp, argc, argv, &a))
        return NW_EINPUT;
    rc = open_point(&a, &file, &p);
    if (!rc)
        rc = supplied(&a, file, &p);
    point_free(&p);
    scenario_close(file);
    return rc;
}
