/* narrows report: a paper's tables beside ours, and its figures; or those of a scenario's sweep; or of a bench. */
#include <argp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/command/command_line.h"
#include "harness/command/commands.h"
#include "harness/command/namesakes.h"
#include "harness/host/home.h"
#include "harness/report/bench.h"
#include "harness/report/report.h"
#include "harness/report/sweep.h"
#include "harness/status.h"
#include "harness/store/store.h"

enum { KEY_DB = 256, KEY_PAPER, KEY_OUT, KEY_NO_FIGURES, KEY_CSV, KEY_JSON, KEY_BENCH, KEY_SCENARIO, KEY_X, KEY_Y };

static const struct argp_option options[] = {
    { "paper", KEY_PAPER, "PAPER", 0, "whose tables to print (default a2dtwp); the same as PAPER alone", 0 },
    { "scenario", KEY_SCENARIO, "NAME", 0,
      "instead of a paper: what this scenario's newest run says, and its figures by what it sweeps", 0 },
    { "x", KEY_X, "PATH", 0, "of --scenario: the swept key along the figures (default: the first one it lists)", 0 },
    { "y", KEY_Y, "PATH", 0, "of --scenario: the swept key up the maps (default: the next one)", 0 },
    { "db", KEY_DB, "FILE", 0, "results (default " DEFAULT_DB ")", 0 },
    { "out", KEY_OUT, "DIR", 0, "where the figures and their data go (default " DEFAULT_REPORT_DIR ")", 0 },
    { "no-figures", KEY_NO_FIGURES, NULL, 0, "print the tables only", 0 },
    { "csv", KEY_CSV, NULL, 0, "print the cells (of --scenario: the points) as CSV, no figures", 0 },
    { "bench", KEY_BENCH, NULL, 0,
      "instead of a paper: draw what was timed, kernel by kernel against the wall, and how the simulator's cost grows",
      0 },
    { "json", KEY_JSON, NULL, 0, "print the cells or points as JSON, no figures", 0 },
    { 0 },
};

struct arguments {
    const char *paper, *scenario, *x, *y, *db, *out;
    bool figures, bench;
    enum report_format format;
};

static void check(const struct arguments *a, const struct argp_state *state)
{
    if ((a->paper != NULL) + (a->scenario != NULL) + a->bench > 1)
        argp_error(state, "expected one of --paper, --scenario and --bench, got several");
    if ((a->x || a->y) && !a->scenario)
        argp_error(state, "--x and --y choose among what a scenario sweeps: expected --scenario NAME beside them");
    if (a->bench && a->format != REPORT_TEXT)
        argp_error(state, "--bench only draws figures: narrows bench --csv FILE writes what it timed");
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct arguments *a = state->input;

    switch (key) {
    case KEY_PAPER: a->paper = text; break;
    case KEY_SCENARIO: a->scenario = text; break;
    case KEY_X: a->x = text; break;
    case KEY_Y: a->y = text; break;
    case KEY_DB: a->db = text; break;
    case KEY_OUT: a->out = text; break;
    case KEY_NO_FIGURES: a->figures = false; break;
    case KEY_BENCH: a->bench = true; break;
    case KEY_CSV: a->format = REPORT_CSV; break;
    case KEY_JSON: a->format = REPORT_JSON; break;
    case ARGP_KEY_END: check(a, state); break;
    case ARGP_KEY_ARG:
        if (a->paper)
            argp_error(state, "expected one paper, got '%s' and '%s'", a->paper, text);
        a->paper = text;
        break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static const struct argp argp = {
    options,
    parse,
    "[PAPER]",
    "Print the tables of a paper beside what the runs in the database say, and draw its figures as SVG and PNG with "
    "the data beside them.\v"
    "--scenario draws lines of the speedup over the baseline where one key of numbers is swept. Where two are, it draws "
    "a heat map of the speedup for each variant, and a map of which variant is the best choice where; where more are, "
    "both for each of their values. Of memory plans it prints each one's batch, throughput and loss, and draws lines of the "
    "largest batch (of the throughput where no plan looks for that) along --x. --x and --y take a key's path or the end of it: --x link.eth.bandwidth.",
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
    rc = a->bench      ? report_bench_figures(s, plots, a->out)
         : a->scenario ? report_sweep_figures(s, a->scenario, a->x, a->y, plots, a->out)
                       : report_figures(s, a->paper, plots, a->out);
    free(plots);
    /* The tables are the result; what is lacking for figures has been said. */
    if (rc == NW_EENV)
        return NW_OK;
    if (!rc)
        fprintf(stderr, "narrows report: figures in %s\n", a->out);
    return rc;
}

int cmd_report(int argc, char **argv)
{
    struct arguments a = { .db = DEFAULT_DB, .out = DEFAULT_REPORT_DIR, .figures = true, .format = REPORT_TEXT };
    struct store *s;
    int rc;

    argp_err_exit_status = EXIT_MISUSED;
    if (argp_parse(&argp, argc, argv, 0, NULL, &a))
        return NW_EINPUT;
    if (!a.paper)
        a.paper = "a2dtwp";
    rc = store_open_readonly(a.db, &s);
    if (rc)
        return rc;
    if (a.scenario)
        namesakes_tell(s, a.scenario, stderr);
    if (a.scenario)
        rc = report_sweep(s, a.scenario, a.x, a.y, a.format, stdout);
    else if (!a.bench)
        rc = report_print(s, a.paper, a.format, stdout);
    if (!rc && a.figures && a.format == REPORT_TEXT)
        rc = draw(s, &a);
    store_close(s);
    return rc;
}
