/* narrows run - simulate or train every point of one or more scenarios. */
#include <argp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/command/cluster/slurm.h"
#include "harness/command/cluster/spread.h"
#include "harness/command/commands.h"
#include "harness/command/line/command_line.h"
#include "harness/command/line/real_data.h"
#include "harness/report/answer/run_table.h"
#include "harness/report/answer/summary.h"
#include "harness/run/experiment.h"
#include "harness/run/interrupt.h"
#include "harness/run/precheck.h"
#include "harness/run/selection.h"
#include "harness/run/uneven.h"
#include "harness/status.h"

enum {
    KEY_VARIANT = 256,
    KEY_NO_STORE,
    KEY_CSV,
    KEY_JSON,
    KEY_DATA_DIR,
    KEY_PART,
    KEY_ONLY,
    KEY_SLURM,
    KEY_SLURM_WAIT,
    KEY_SLURM_OPTION,
    KEY_SLURM_TASKS,
    KEY_SLURM_DIR,
    KEY_NCCL
};
enum format { FORMAT_TEXT, FORMAT_CSV, FORMAT_JSON };

struct arguments {
    const char *db, *data;
    const char *sets[COMMAND_SETS], *sweeps[COMMAND_SETS], *files[COMMAND_SETS], *variants[COMMAND_SETS];
    size_t points[COMMAND_SETS];
    size_t nsets, nsweeps, nfiles, nvariants, npoints;
    size_t part, nparts; /* nparts 0: no part, all */
    const char *only;    /* a file with numbers of points; NULL: all */
    int jobs;            /* 0: as many as there are processors for */
    bool slurm, slurm_wait;
    const char *slurm_options[COMMAND_SETS];
    size_t nslurm_options, slurm_tasks;
    const char *slurm_dir; /* NULL: DB.slurm */
    bool nccl, dry_run;
    enum format format;
};

/* A scenario that is to be played, and which of its points. */
struct chosen {
    struct scenario_file *file;
    size_t *points; /* NULL: all */
    size_t npoints;
    bool real; /* its data were exchanged for real ones */
};

static const struct argp_option options[] = {
    { "db", 'd', "FILE", 0, "results database (default " DEFAULT_DB "); :memory: keeps nothing", 0 },
    { "no-store", KEY_NO_STORE, NULL, 0, "keep nothing: the same as --db :memory:", 0 },
    { "variant", KEY_VARIANT, "NAME", 0, "only this variant, and the baseline; may be given several times", 0 },
    { "point", 'p', "N", 0,
      "only this point, and the baseline of its place (with --variant: those variants at its place); may be given "
      "several times",
      0 },
    { "part", KEY_PART, "I/N", 0,
      "only every N-th point, from point I on: parts 0/N to N-1/N have each point once, baselines included, for N "
      "machines with a database each (narrows merge)",
      0 },
    { "only", KEY_ONLY, "FILE", 0, "only the points whose numbers are in FILE, one a line, without baselines", 0 },
    { "slurm", KEY_SLURM, NULL, 0,
      "compute what is missing by an array job of Slurm; the same command again collects (narrows help clusters)", 0 },
    { "slurm-wait", KEY_SLURM_WAIT, NULL, 0, "the same, wait for the job's end, and collect", 0 },
    { "slurm-option", KEY_SLURM_OPTION, "OPT", 0,
      "an option of sbatch, e.g. --slurm-option=--partition=short; may be given several times", 0 },
    { "slurm-tasks", KEY_SLURM_TASKS, "N", 0,
      "tasks of the job (default 16; where points are trained one for each, up to 256)", 0 },
    { "slurm-dir", KEY_SLURM_DIR, "DIR", 0,
      "folder for the job's files, which the nodes must see (default: the database's name followed by .slurm)", 0 },
    { "nccl", KEY_NCCL, NULL, 0,
      "under mpirun: what each step of a training exchanges goes by NCCL, between a GPU for each rank, in place of MPI "
      "(narrows help training)",
      0 },
    { "csv", KEY_CSV, NULL, 0, "print every point with all digits, as CSV", 0 },
    { "json", KEY_JSON, NULL, 0, "the same as JSON", 0 },
    { "set", 's', "PATH=VALUE", 0,
      "override any key, e.g. --set platform.cpu.codec=measured; the command line wins over the file, its variants "
      "included",
      0 },
    { "sweep", 'w', "PATH=RANGE", 0,
      "sweep any key: a list 'a, b, c' or a range 'LOW..HIGH UNIT:log|lin:COUNT', e.g. --sweep "
      "'link.pcie.bandwidth=2..32 GB/s:log:8'; axes multiply, those given as 'zip:PATH=RANGE' advance together",
      0 },
    { "data-dir", KEY_DATA_DIR, "DIR", 0,
      "train on the public data sets in DIR in place of synthetic data (narrows data lists them; default: the "
      "environment's NARROWS_DATA); the model takes their size and classes",
      0 },
    { "jobs", 'j', "N", 0, "threads (default: all processors); the results do not depend on it", 0 },
    { "dry-run", 'n', NULL, 0, "check everything and say how many points there are, run nothing", 0 },
    { 0 }
};

static error_t add_point(struct arguments *a, const char *text, struct argp_state *state)
{
    if (a->npoints == COMMAND_SETS)
        argp_error(state, "more than %d --point", COMMAND_SETS);
    a->points[a->npoints++] = (size_t)command_number("--point", text, 0, COMMAND_POINTS);
    return 0;
}

static error_t set_part(struct arguments *a, const char *text)
{
    unsigned long part, parts;
    int end = 0;

    if (sscanf(text, "%9lu/%9lu%n", &part, &parts, &end) != 2 || text[end] || part >= parts || *text < '0')
        command_misused("--part", "I/N with I in 0..N-1, such as 2/4", text);
    a->part = part;
    a->nparts = parts;
    return 0;
}

/* A job is one scenario's, and its tasks take the points that a file lists. */
static void check_slurm(const struct arguments *a, struct argp_state *state)
{
    if (!a->slurm && (a->nslurm_options || a->slurm_tasks || a->slurm_dir))
        argp_error(state, "--slurm-option, --slurm-tasks and --slurm-dir are of --slurm or --slurm-wait");
    if (a->slurm && a->nccl)
        argp_error(state, "--nccl is for ranks of one training, and not for --slurm, whose tasks are alone");
    if (a->slurm && (a->nfiles > 1 || a->nparts || a->only))
        argp_error(state, "--slurm is for one scenario, and not for --part or --only of it");
    if (a->slurm && (store_nowhere(a->db) || !strcmp(a->files[0], "-")))
        argp_error(state, "--slurm: expected a database and a scenario in files, got '%s' and '%s'", a->db,
                   a->files[0]);
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct arguments *a = state->input;

    switch (key) {
    case 'd': a->db = text; return 0;
    case 's': return command_add(a->sets, &a->nsets, text, state);
    case 'w': return command_add(a->sweeps, &a->nsweeps, text, state);
    case 'n': a->dry_run = true; return 0;
    case KEY_VARIANT: return command_add(a->variants, &a->nvariants, text, state);
    case KEY_DATA_DIR: a->data = text; return 0;
    case KEY_NO_STORE: a->db = STORE_NOWHERE; return 0;
    case KEY_PART: return set_part(a, text);
    case KEY_ONLY: a->only = text; return 0;
    case KEY_SLURM_WAIT: a->slurm_wait = true; /* fall through */
    case KEY_SLURM: a->slurm = true; return 0;
    case KEY_SLURM_OPTION: return command_add(a->slurm_options, &a->nslurm_options, text, state);
    case KEY_SLURM_DIR: a->slurm_dir = text; return 0;
    case KEY_SLURM_TASKS: a->slurm_tasks = (size_t)command_number("--slurm-tasks", text, 1, 10000); return 0;
    case KEY_NCCL: a->nccl = true; return 0;
    case KEY_CSV: a->format = FORMAT_CSV; return 0;
    case KEY_JSON: a->format = FORMAT_JSON; return 0;
    case 'p': return add_point(a, text, state);
    case 'j': a->jobs = command_number("--jobs", text, 1, 256); return 0;
    case ARGP_KEY_ARG: return command_add(a->files, &a->nfiles, text, state);
    case ARGP_KEY_NO_ARGS: argp_error(state, "which SCENARIO? A file, or one of narrows list scenarios"); return 0;
    case ARGP_KEY_END:
        check_slurm(a, state);
        if (a->format != FORMAT_TEXT && a->nfiles > 1)
            argp_error(state, "--csv and --json print one scenario, got %zu of them", a->nfiles);
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    .options = options,
    .parser = parse,
    .args_doc = "SCENARIO...",
    .doc =
        "Simulate every point of the scenarios, or train its model for real, and store the results. A point that the "
        "database already holds is not computed again, so an interrupted sweep goes on where it stopped.\v"
        "SCENARIO is a YAML file, '-' for standard input, or the name of a shipped one (narrows list scenarios). A "
        "model, a platform or a timing that --set or --sweep exchanges is named the same way: --set model=resnet-152.",
};

static void close_all(struct chosen *chosen, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        scenario_close(chosen[i].file);
        free(chosen[i].points);
    }
}

static int choose(const struct arguments *a, const struct precheck_misfits *misfits, struct chosen *c)
{
    struct selection selection = { a->variants, a->nvariants, a->points,       a->npoints, a->part,
                                   a->nparts,   a->only,      misfits->points, misfits->n };

    if (store_nowhere(a->db) && scenario_trained(c->file))
        return status_error(NW_EINPUT, "%s: expected a database to keep the training and its checkpoints in, got %s\n",
                            scenario_path(c->file), a->db);
    return selection_points(c->file, &selection, &c->points, &c->npoints);
}

/* All files are read before anything runs: an error in the last one costs nothing. 'look': are its points accepted? */
static int open_all(const struct arguments *a, bool look, struct chosen *chosen)
{
    const struct real_data_overrides overrides = { a->sets, a->nsets, a->sweeps, a->nsweeps };
    int rc = NW_OK;

    for (size_t i = 0; i < a->nfiles; i++) {
        char path[4096];
        struct precheck_misfits misfits = { .n = 0 };
        int one = command_find("scenarios", a->files[i], path, sizeof(path));
        if (!one)
            one = scenario_open(path, a->sets, a->nsets, a->sweeps, a->nsweeps, stderr, &chosen[i].file);
        if (!one && a->data)
            one = real_data_exchange(path, a->data, &overrides, &chosen[i].file, &chosen[i].real);
        if (!one && look)
            one = precheck_fitting(chosen[i].file, &misfits, stderr);
        one = one ? one : choose(a, &misfits, &chosen[i]);
        free(misfits.points);
        rc = rc ? rc : one;
    }
    return rc;
}

/* What simulated points come to, after their table. */
static int say(const struct answered_run *w, bool plans, FILE *out)
{
    struct answer a = { .n = 0 }; /* plans say themselves what fits, and at what cost */
    int rc = plans ? NW_OK : answer_read(w->store, w->run_id, COMMAND_POINTS, &a);

    if (!rc && !plans)
        fputc('\n', out);
    rc = rc || plans ? rc : answer_sentences(w, &a, out);
    rc = rc ? rc : answer_notes(w, &a, out);
    rc = rc ? rc : answer_cells(w, out);
    answer_free(&a);
    return rc;
}

static int answer(const struct arguments *a, const struct experiment *x, const struct chosen *c, int64_t run_id)
{
    struct answered_run w = { c->file, x->store, x->calibrations, run_id, c->points, c->npoints };
    int rc;

    if (a->format != FORMAT_TEXT)
        return a->format == FORMAT_CSV ? run_table_csv(x->store, run_id, stdout)
                                       : run_table_json(x->store, run_id, stdout);
    rc = run_table_print(x->store, run_id, a->db, stdout);
    enum run_kind kind = run_kind(x->store, run_id);
    if (!rc && kind != RUN_TRAINED)
        rc = say(&w, kind == RUN_PLANNED, stdout);
    if (!rc && !store_nowhere(a->db))
        printf("stored in %s: run %lld, %s%s\n", a->db, (long long)run_id, scenario_name(c->file),
               x->altered ? "+changes" : "");
    return rc;
}

/* The points by Slurm's nodes. What a task is to run is what was given, but for what says which points. */
static int play_slurm(const struct arguments *a, const struct experiment *x, const struct chosen *c,
                      struct experiment_result *result, bool *complete)
{
    struct slurm s = { .options = a->slurm_options,
                       .noptions = a->nslurm_options,
                       .tasks = a->slurm_tasks,
                       .wait = a->slurm_wait,
                       .db = a->db,
                       .dir = a->slurm_dir,
                       .sets = a->sets,
                       .nsets = a->nsets,
                       .sweeps = a->sweeps,
                       .nsweeps = a->nsweeps,
                       .data = a->data,
                       .jobs = a->jobs };

    return slurm_run(&s, x, c->file, result, complete);
}

/* One scenario, by as many processes as there are. */
static int play_one(const struct arguments *a, const struct world *w, struct link_nccl *nccl,
                    const struct experiment *x, const struct chosen *c, struct experiment_result *result,
                    bool *complete)
{
    *complete = true;
    if (a->slurm)
        return play_slurm(a, x, c, result, complete);
    if (w->ranks > 1 && !scenario_trained(c->file))
        return spread_run(w, x, c->file, result);
    if (w->ranks > 1)
        return spread_train(w, nccl, x, c->file, result);
    return command_experiment(x, c->file, result);
}

static int play(const struct arguments *a, const struct world *w, const struct chosen *chosen)
{
    struct experiment x = { .command = command_text(),
                            .jobs = a->jobs ? a->jobs : spread_jobs(w),
                            .calibrations = calibrations_new() };
    struct experiment_result result = { 0 };
    struct link_nccl *nccl = NULL;
    int rc = x.calibrations ? NW_OK : NW_ENOMEM;

    if (!rc && a->nccl)
        rc = link_nccl_open(w, &nccl);
    if (!rc && !w->rank)
        rc = store_open(a->db, &x.store);
    rc = spread_status(w, rc);
    const bool altered = a->nsets || a->nsweeps || a->nvariants || a->npoints || a->nparts || a->only;
    interrupt_catch();
    for (size_t i = 0; !rc && i < a->nfiles; i++) {
        x.altered = altered || chosen[i].real;
        x.points = chosen[i].points;
        x.npoints = chosen[i].npoints;
        bool complete;
        rc = play_one(a, w, nccl, &x, &chosen[i], &result, &complete);
        if (!rc && a->nfiles > 1 && !w->rank)
            printf("%s%s\n", i ? "\n" : "", scenario_name(chosen[i].file));
        if (!rc && !w->rank && complete)
            rc = answer(a, &x, &chosen[i], result.run_id);
        rc = spread_status(w, rc);
    }
    store_close(x.store);
    calibrations_free(x.calibrations);
    link_nccl_close(nccl);
    return rc == NW_ESIM ? NW_EINPUT : rc; /* found late, but it is an error of the scenario all the same */
}

/* Rank 0 looks first, so that what is wrong is said once. Elsewhere there may still be a file missing. */
static int open_everywhere(const struct arguments *a, const struct world *w, struct chosen *chosen)
{
    int rc = NW_OK;

    for (size_t i = 0; i < a->nfiles && w->ranks > 1; i++)
        if (!strcmp(a->files[i], "-"))
            rc = NW_EINPUT;
    if (rc)
        return w->rank ? rc : status_error(rc, "narrows run: expected files, which every process reads, got '-'\n");
    rc = spread_status(w, w->rank ? NW_OK : open_all(a, true, chosen));

    if (rc || !w->rank)
        return rc;
    rc = open_all(a, false, chosen);
    if (rc)
        world_abort(exit_code(rc));
    return rc;
}

/* NCCL is for ranks that have something to exchange. Said by rank 0. */
static int check_nccl(const struct arguments *a, const struct world *w, const struct chosen *chosen)
{
    if (w->ranks <= 1)
        return status_error(NW_EINPUT, "narrows run --nccl: expected several ranks, which exchange by it (mpirun -np 4 "
                                       "narrows run --nccl ...), got one process\n");
    for (size_t i = 0; i < a->nfiles; i++)
        if (!scenario_trained(chosen[i].file))
            return w->rank ? NW_EINPUT
                           : status_error(NW_EINPUT,
                                          "narrows run --nccl: expected scenarios that are trained, got %s, which is "
                                          "simulated\n",
                                          scenario_path(chosen[i].file));
    return NW_OK;
}

static int run(const struct arguments *a, const struct world *w)
{
    struct chosen chosen[COMMAND_SETS] = { 0 };
    int rc = open_everywhere(a, w, chosen);

    if (!rc && a->nccl)
        rc = check_nccl(a, w, chosen);
    if (!rc && a->dry_run)
        for (size_t i = 0; i < a->nfiles && !w->rank; i++)
            printf("%s: %zu points\n", scenario_name(chosen[i].file),
                   chosen[i].points ? chosen[i].npoints : scenario_npoints(chosen[i].file));
    else if (!rc)
        rc = play(a, w, chosen);
    close_all(chosen, a->nfiles);
    return rc;
}

int cmd_run(int argc, char **argv)
{
    struct arguments a = { .db = DEFAULT_DB, .data = real_data_folder() };
    struct world w;
    int rc = command_parse(&argp, argc, argv, &a);

    if (!rc && a.slurm)
        rc = world_launched() ? status_error(NW_EINPUT, "narrows run: --slurm submits a job: expected no mpirun\n")
                              : slurm_there();
    rc = rc ? rc : spread_open(&w);
    if (rc)
        return rc;
    rc = run(&a, &w);
    spread_close(&w);
    return rc;
}
