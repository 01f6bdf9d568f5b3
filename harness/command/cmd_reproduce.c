/* narrows reproduce - the papers' scenarios, their tables and their figures, in one go. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/command/command_line.h"
#include "harness/command/commands.h"
#include "harness/host/home.h"
#include "harness/report/report.h"
#include "harness/run/experiment.h"
#include "harness/run/interrupt.h"
#include "harness/status.h"

enum { MOST_PAPERS = 16 };

struct arguments {
    const char *db, *out;
    const char *papers[MOST_PAPERS + 1]; /* ends with NULL */
    size_t npapers;
    _Bool named;       /* else all of them */
    const char *train; /* "small", "paper"; NULL: only the quick ones */
    int jobs;
};

enum { OPTION_TRAIN = 0x100 };

static const struct argp_option options[] = {
    { "db", 'd', "FILE", 0, "results database (default " DEFAULT_DB ")", 0 },
    { "out", 'o', "DIR", 0, "where the figures go (default " DEFAULT_REPORT_DIR ")", 0 },
    { "jobs", 'j', "N", 0, "threads (default: all processors)", 0 },
    { "train", OPTION_TRAIN, "SIZE", OPTION_ARG_OPTIONAL,
      "train as well what the papers trained: 'small' (the default; networks and "
      "data for minutes on two cores) or 'paper' (their own sizes, for a GPU)",
      0 },
    { 0 }
};

static error_t add_paper(struct arguments *a, const char *name, struct argp_state *state)
{
    for (size_t i = 0; report_papers[i]; i++)
        if (!strcmp(report_papers[i], name) && a->npapers < MOST_PAPERS) {
            a->papers[a->npapers++] = report_papers[i];
            return 0;
        }
    char known[256] = "";
    for (size_t i = 0; report_papers[i]; i++)
        snprintf(known + strlen(known), sizeof(known) - strlen(known), "%s%s", i ? ", " : "", report_papers[i]);
    argp_error(state, "expected a paper (%s), got '%s'", known, name);
    return 0;
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct arguments *a = state->input;

    switch (key) {
    case 'd': a->db = text; return 0;
    case 'o': a->out = text; return 0;
    case 'j':
        a->jobs = command_number("--jobs", text, 1, 256);
        if (a->jobs < 0)
            exit(EXIT_MISUSED);
        return 0;
    case OPTION_TRAIN:
        a->train = text ? text : "small";
        if (strcmp(a->train, "small") != 0 && strcmp(a->train, "paper") != 0)
            argp_error(state, "--train: expected small or paper, got '%s'", text);
        return 0;
    case ARGP_KEY_ARG: return add_paper(a, text, state);
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    options,
    parse,
    "[PAPER...]",
    "Run every scenario of scenarios/papers/ (or of the papers named: 3lc, a2dtwp, dct, dynprec, splitcnn), print each paper's "
    "tables beside the published values, draw its figures. A quick training of each paper is part of it. What the database "
    "holds already is not computed again.",
    NULL,
    NULL,
    NULL
};

static int play(const char *path, void *argument)
{
    const struct experiment *x = argument;
    struct scenario_file *file = NULL;
    struct experiment_result result;
    int rc = scenario_open(path, NULL, 0, NULL, 0, stderr, &file);

    if (!rc)
        rc = command_experiment(x, file, &result);
    scenario_close(file);
    return rc;
}

/* After these nothing else would come right. */
static _Bool ends_all(int rc)
{
    return rc == NW_EINTR || rc == NW_ENOMEM || rc == NW_EDB;
}

/* The tables, then the figures: a table that cannot be computed is a failure, a figure that was not drawn goes to 'undrawn'. */
static int report(struct store *store, const char *paper, const char *dir, FILE *undrawn)
{
    char plots[4096];
    int rc = report_print(store, paper, REPORT_TEXT, stdout);

    if (rc)
        return rc;
    fflush(stdout);
    snprintf(plots, sizeof(plots), "%s/plots", home_dir());
    rc = report_figures_noting(store, paper, plots, dir, undrawn);
    return ends_all(rc) ? rc : NW_OK;
}

static int first_of(int rc, int next)
{
    return rc ? rc : next;
}

static _Bool is_there(const char *folder)
{
    char path[4096];

    snprintf(path, sizeof(path), "%s/scenarios/%s", home_dir(), folder);
    return !access(path, F_OK);
}

/* What the paper simulated; of a paper that only trained there is none. */
static int simulate(struct experiment *x, const char *paper, _Bool named)
{
    char folder[256], trained[256];

    snprintf(folder, sizeof(folder), "papers/%s", paper);
    snprintf(trained, sizeof(trained), "training/%s", paper);
    if (is_there(folder) || (named && !is_there(trained)))
        return command_each(folder, play, x);
    return NW_OK; /* it is left out below, if nothing was trained either */
}

static int train(struct experiment *x, const char *paper, const char *size)
{
    char folder[256];

    snprintf(folder, sizeof(folder), "training/%s/%s", paper, size);
    return is_there(folder) ? command_each(folder, play, x) : NW_OK;
}

/* What is wrong with one paper's scenarios keeps no other paper's tables back: the first fault is the answer. */
static int compute(struct experiment *x, const struct arguments *a)
{
    int rc = NW_OK;

    for (size_t i = 0; a->papers[i] && !ends_all(rc); i++) {
        rc = first_of(rc, simulate(x, a->papers[i], a->named));
        if (!ends_all(rc))
            rc = first_of(rc, train(x, a->papers[i], "quick"));
        if (a->train && !ends_all(rc))
            rc = first_of(rc, train(x, a->papers[i], a->train));
    }
    return rc;
}

static int print_papers(struct store *store, const struct arguments *a, FILE *undrawn)
{
    int rc = NW_OK;

    for (size_t i = 0, n = 0; a->papers[i] && !ends_all(rc); i++) {
        int spoken = report_spoken(store, a->papers[i]);
        if (!spoken)
            fprintf(stderr, "narrows reproduce: %s is left out: none of its scenarios has a cell to show\n",
                    a->papers[i]);
        if (spoken <= 0) {
            rc = first_of(rc, spoken);
            continue;
        }
        printf("%s%s\n\n", n++ ? "\n" : "", a->papers[i]);
        rc = first_of(rc, report(store, a->papers[i], a->out, undrawn));
    }
    return rc;
}

/* What was not drawn, and why, is the last line. */
static int print(struct store *store, const struct arguments *a)
{
    size_t size = 0;
    char *text = NULL;
    FILE *undrawn = open_memstream(&text, &size);
    int rc = undrawn ? print_papers(store, a, undrawn) : NW_ENOMEM;

    if (undrawn)
        fclose(undrawn);
    fflush(stdout);
    if (size)
        fprintf(stderr, "narrows reproduce: figures that were not drawn: %s\n", text);
    free(text);
    return rc;
}

static int reproduce(struct experiment *x, const struct arguments *a)
{
    int rc = compute(x, a);

    return ends_all(rc) ? rc : first_of(rc, print(x->store, a));
}

int cmd_reproduce(int argc, char **argv)
{
    struct arguments a = { .db = DEFAULT_DB, .out = DEFAULT_REPORT_DIR, .jobs = (int)sysconf(_SC_NPROCESSORS_ONLN) };
    char command[4096];

    command_join(argc, argv, command, sizeof(command));
    argp_err_exit_status = EXIT_MISUSED;
    if (argp_parse(&argp, argc, argv, 0, NULL, &a))
        return NW_EINPUT;
    a.named = a.npapers > 0;
    for (size_t i = 0; !a.named && report_papers[i]; i++)
        a.papers[i] = report_papers[i];
    struct experiment x = { .command = command, .jobs = a.jobs, .calibrations = calibrations_new() };
    int rc = x.calibrations ? store_open(a.db, &x.store) : NW_ENOMEM;
    interrupt_catch();
    if (!rc)
        rc = reproduce(&x, &a);
    store_close(x.store);
    calibrations_free(x.calibrations);
    return rc;
}
