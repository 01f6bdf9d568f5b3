/* narrows report: a paper's tables beside ours, and its figures. */
#include <argp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/command/command_line.h"
#include "harness/command/commands.h"
#include "harness/host/home.h"
#include "harness/report/bench.h"
#include "harness/report/report.h"
#include "harness/status.h"
#include "harness/store/store.h"

enum { KEY_DB = 256, KEY_PAPER, KEY_OUT, KEY_NO_FIGURES, KEY_CSV, KEY_JSON, KEY_BENCH };

static const struct argp_option options[] = {
    { "paper", KEY_PAPER, "PAPER", 0, "whose tables to print (default a2dtwp)", 0 },
    { "db", KEY_DB, "FILE", 0, "results (default " DEFAULT_DB ")", 0 },
    { "out", KEY_OUT, "DIR", 0, "where the figures and their data go (default " DEFAULT_REPORT_DIR ")", 0 },
    { "no-figures", KEY_NO_FIGURES, NULL, 0, "print the tables only", 0 },
    { "csv", KEY_CSV, NULL, 0, "print the cells as CSV, no figures", 0 },
    { "bench", KEY_BENCH, NULL, 0, "instead of a paper: draw what was timed, kernel by kernel against the wall", 0 },
    { "json", KEY_JSON, NULL, 0, "print the cells as JSON, no figures", 0 },
    { 0 },
};

struct arguments {
    const char *paper, *db, *out;
    bool figures, bench;
    enum report_format format;
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct arguments *a = state->input;

    switch (key) {
    case KEY_PAPER: a->paper = text; break;
    case KEY_DB: a->db = text; break;
    case KEY_OUT: a->out = text; break;
    case KEY_NO_FIGURES: a->figures = false; break;
    case KEY_BENCH: a->bench = true; break;
    case KEY_CSV: a->format = REPORT_CSV; break;
    case KEY_JSON: a->format = REPORT_JSON; break;
    case ARGP_KEY_ARG: argp_error(state, "unexpected argument '%s'", text); return EINVAL;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static const struct argp argp = {
    options,
    parse,
    NULL,
    "Print the tables of a paper beside what the runs in the database say, and draw its figures as SVG and PNG with "
    "the data beside them.",
    NULL,
    NULL,
    NULL
};

static int draw(struct store *s, const struct arguments *a)
{
    char *plots;
    int rc;

    if (asprintf(&plots, "%s/plots", home_dir()) < 0)
        return NW_ENOMEM;
    rc = a->bench ? report_bench_figures(s, plots, a->out) : report_figures(s, a->paper, plots, a->out);
    free(plots);
    /* The tables are the result; a machine without gnuplot has been told what it lacks. */
    if (rc == NW_EENV)
        return NW_OK;
    if (!rc)
        fprintf(stderr, "narrows report: figures in %s\n", a->out);
    return rc;
}

int cmd_report(int argc, char **argv)
{
    struct arguments a = { "a2dtwp", DEFAULT_DB, DEFAULT_REPORT_DIR, true, false, REPORT_TEXT };
    struct store *s;
    int rc;

    argp_err_exit_status = EXIT_MISUSED;
    if (argp_parse(&argp, argc, argv, 0, NULL, &a))
        return NW_EINPUT;
    rc = store_open_readonly(a.db, &s);
    if (rc)
        return rc;
    if (!a.bench)
        rc = report_print(s, a.paper, a.format, stdout);
    if (!rc && a.figures && a.format == REPORT_TEXT)
        rc = draw(s, &a);
    store_close(s);
    return rc;
}
