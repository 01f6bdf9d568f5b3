/* narrows reproduce - the papers' scenarios, their tables and their figures, in one go. */
#include <argp.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "harness/command/commands.h"
#include "harness/command/line/command_line.h"
#include "harness/command/line/records.h"
#include "harness/exec/suite.h"
#include "harness/host/home.h"
#include "harness/report/report.h"
#include "harness/run/experiment.h"
#include "harness/run/interrupt.h"
#include "harness/status.h"

enum { MOST_PAPERS = 32, NAME = 64 };

struct arguments {
    const char *db, *out;
    const char *asked[MOST_PAPERS]; /* on the command line */
    size_t nasked;
    char papers[MOST_PAPERS][NAME];
    size_t npapers;
    const char *train;  /* "small", "paper"; NULL: only the quick ones */
    const char *define; /* a folder with a paper's definitions; NULL: none */
    bool full, validate;
    int jobs;
};

enum { OPTION_TRAIN = 0x100, OPTION_FULL, OPTION_DEFINE, OPTION_VALIDATE };

static const struct argp_option options[] = {
    { "db", 'd', "FILE", 0, "results database (default " DEFAULT_DB ")", 0 },
    { "out", 'o', "DIR", 0, "where the page and its figures go (default " DEFAULT_REPORT_DIR ")", 0 },
    { "jobs", 'j', "N", 0, "threads (default: all processors)", 0 },
    { "train", OPTION_TRAIN, "SIZE", OPTION_ARG_OPTIONAL,
      "train as well what the papers trained: 'small' (the default; networks and "
      "data for minutes on two cores) or 'paper' (their own sizes, for a GPU)",
      0 },
    { "full", OPTION_FULL, NULL, 0, "print every table and claim, not only what they come to", 0 },
    { "validate", OPTION_VALIDATE, NULL, 0,
      "then execute the suite of narrows validate shaped over MPI, on links that the kernel shapes: some ten minutes",
      0 },
    { "define", OPTION_DEFINE, "DIR", 0,
      "add a paper of your own: the *.sql of this folder, as in results_schema/papers/; its scenarios lie in "
      "scenarios/papers/NAME/",
      0 },
    { 0 }
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct arguments *a = state->input;

    switch (key) {
    case 'd': a->db = text; return 0;
    case 'o': a->out = text; return 0;
    case 'j': a->jobs = command_number("--jobs", text, 1, 256); return 0;
    case OPTION_TRAIN:
        a->train = text ? text : "small";
        if (strcmp(a->train, "small") != 0 && strcmp(a->train, "paper") != 0)
            argp_error(state, "--train: expected small or paper, got '%s'", text);
        return 0;
    case OPTION_FULL: a->full = true; return 0;
    case OPTION_VALIDATE: a->validate = true; return 0;
    case OPTION_DEFINE: a->define = text; return 0;
    case ARGP_KEY_ARG:
        if (a->nasked == MOST_PAPERS)
            argp_error(state, "expected at most %d papers", MOST_PAPERS);
        a->asked[a->nasked++] = text;
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    .options = options,
    .parser = parse,
    .args_doc = "[PAPER...]",
    .doc =
        "Run every scenario of scenarios/papers/ (or of the papers named: 3lc, a2dtwp, dct, dynprec, splitcnn), print "
        "how near each paper's published values they come, and write all tables, claims and figures to one page. A "
        "quick training of each paper is part of it. What the database holds already is not computed again. Training "
        "runs that were recorded elsewhere ship with narrows and are imported: see narrows record.",
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
static bool ends_all(int rc)
{
    return rc == NW_EINTR || rc == NW_ENOMEM || rc == NW_EDB;
}

static int first_of(int rc, int next)
{
    return rc ? rc : next;
}

/* What the paper simulated; of a paper that only trained there is none. */
static int simulate(struct experiment *x, const char *paper, bool named)
{
    char folder[256], trained[256];

    snprintf(folder, sizeof(folder), "papers/%s", paper);
    snprintf(trained, sizeof(trained), "training/%s", paper);
    if (command_has_folder(folder) || (named && !command_has_folder(trained)))
        return command_each(folder, play, x);
    return NW_OK; /* it is left out below, if nothing was trained either */
}

static int train(struct experiment *x, const char *paper, const char *size)
{
    char folder[256];

    snprintf(folder, sizeof(folder), "training/%s/%s", paper, size);
    return command_has_folder(folder) ? command_each(folder, play, x) : NW_OK;
}

/* A record that cannot be imported leaves its paper to what is computed here; its message has been printed. */
static int import(const struct experiment *x, const struct arguments *a)
{
    int rc = NW_OK;

    for (size_t i = 0; i < a->npapers && !ends_all(rc); i++) {
        rc = records_import(x->store, a->papers[i]);
        if (!ends_all(rc))
            rc = records_time(x, a->papers[i]);
    }
    return ends_all(rc) ? rc : NW_OK;
}

/* What is wrong with one paper's scenarios keeps no other paper's tables back: the first error is the answer. */
static int compute(struct experiment *x, const struct arguments *a)
{
    int rc = import(x, a);

    for (size_t i = 0; i < a->npapers && !ends_all(rc); i++) {
        rc = first_of(rc, simulate(x, a->papers[i], a->nasked > 0));
        if (!ends_all(rc))
            rc = first_of(rc, train(x, a->papers[i], "quick"));
        if (a->train && !ends_all(rc))
            rc = first_of(rc, train(x, a->papers[i], a->train));
    }
    return rc;
}

static int print_all(struct store *store, const struct arguments *a)
{
    int rc = NW_OK;

    for (size_t i = 0; i < a->npapers && !ends_all(rc); i++) {
        int spoken = report_spoken(store, a->papers[i]);

        if (!spoken)
            fprintf(stderr, "narrows reproduce: %s is left out: none of its scenarios has a cell to show\n",
                    a->papers[i]);
        rc = first_of(
            rc, spoken < 0 ? spoken
                : spoken   ? report_print(store, &(struct report_choice){ .paper = a->papers[i] }, REPORT_TEXT, stdout)
                           : NW_OK);
    }
    return rc;
}

/* The tables are the result. What could not be drawn has been said, and changes no exit status. */
static int print(struct store *store, const struct arguments *a)
{
    char plots[4096], page[4096];
    int rc = a->full ? print_all(store, a) : NW_OK, drawn;

    if (!ends_all(rc))
        rc = first_of(rc, report_scoreboard(store, REPORT_TEXT, stdout));
    fflush(stdout);
    if (ends_all(rc))
        return rc;
    snprintf(plots, sizeof(plots), "%s/plots", home_dir());
    snprintf(page, sizeof(page), "%s/index.html", a->out);
    drawn = report_page(store, NULL, plots, a->out, page);
    if (!drawn)
        printf("The whole report, with every cell, claim and figure: %s\n", page);
    return first_of(rc, drawn);
}

static int add_paper(const char *paper, void *argument)
{
    struct arguments *a = argument;

    if (a->npapers < MOST_PAPERS)
        snprintf(a->papers[a->npapers++], NAME, "%s", paper);
    return NW_OK;
}

/* All papers, or those that were asked for. */
static int choose(struct store *store, struct arguments *a)
{
    int rc = a->define ? command_define(store, a->define) : NW_OK;

    if (!rc && !a->nasked)
        return report_papers(store, add_paper, a);
    for (size_t i = 0; i < a->nasked && !rc; i++)
        if (!(rc = report_find(store, a->asked[i])))
            add_paper(a->asked[i], a);
    return rc;
}

/* Also where the papers' part failed: it needs none of it. */
static int validate(const struct experiment *x, const struct arguments *a)
{
    /* Twice, so that all of it takes ten minutes. */
    const struct suite s = { .db = a->db, .command = x->command, .repetitions = 2, .limit_s = 20, .stop = interrupted };
    int rc = suite_run(&s);

    return ends_all(rc) || rc == NW_EENV ? rc : first_of(rc, report_validation(x->store, REPORT_TEXT, stdout));
}

static int reproduce(struct experiment *x, struct arguments *a)
{
    int rc = choose(x->store, a);

    if (rc)
        return rc;
    rc = compute(x, a);
    if (!ends_all(rc) && a->validate)
        rc = first_of(rc, validate(x, a));
    return ends_all(rc) ? rc : first_of(rc, print(x->store, a));
}

int cmd_reproduce(int argc, char **argv)
{
    struct arguments a = { .db = DEFAULT_DB, .out = DEFAULT_REPORT_DIR, .jobs = (int)sysconf(_SC_NPROCESSORS_ONLN) };

    if (command_parse(&argp, argc, argv, &a))
        return NW_EINPUT;
    struct experiment x = { .command = command_text(), .jobs = a.jobs, .calibrations = calibrations_new() };
    int rc = x.calibrations ? store_open(a.db, &x.store) : NW_ENOMEM;
    interrupt_catch();
    if (!rc)
        rc = reproduce(&x, &a);
    store_close(x.store);
    calibrations_free(x.calibrations);
    return rc;
}
