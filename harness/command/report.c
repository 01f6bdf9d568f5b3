/* narrows report: a paper's tables next to ours, and its figures; or those of a scenario's sweep; or of a bench. */
#include <argp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/command/commands.h"
#include "harness/command/line/command_line.h"
#include "harness/command/line/namesakes.h"
#include "harness/host/home.h"
#include "harness/report/bench.h"
#include "harness/report/report.h"
#include "harness/report/sweep/sweep.h"
#include "harness/status.h"
#include "harness/store/store.h"

enum {
    KEY_DB = 256,
    KEY_PAPER,
    KEY_OUT,
    KEY_NO_FIGURES,
    KEY_CSV,
    KEY_JSON,
    KEY_BENCH,
    KEY_SUMMARY,
    KEY_VALIDATION,
    KEY_SCENARIO,
    KEY_X,
    KEY_Y,
    KEY_TABLE,
    KEY_CELL,
    KEY_FIGURE,
    KEY_FORMAT,
    KEY_HTML,
    KEY_DEFINE
};

static const struct argp_option options[] = {
    { "paper", KEY_PAPER, "PAPER", 0, "whose tables to print (default a2dtwp); the same as PAPER alone", 0 },
    { "table", KEY_TABLE, "TABLE", 0,
      "of the paper: one table or paragraph, by its number or the name that its heading's link has", 0 },
    { "cell", KEY_CELL, "ROW, COLUMN", 0,
      "of --table, by the paper's number: one cell, and the command that computes it again", 0 },
    { "figure", KEY_FIGURE, "NAME", 0, "of the paper: draw one figure, print nothing", 0 },
    { "define", KEY_DEFINE, "DIR", 0, "add a paper of your own: the *.sql of this folder, as in results_schema/papers/",
      0 },
    { "scenario", KEY_SCENARIO, "NAME", 0,
      "instead of a paper: what this scenario's newest run says, changed by --set or --sweep or not, and its figures "
      "by what it sweeps",
      0 },
    { "x", KEY_X, "PATH", 0, "of --scenario: the swept key along the figures (default: the first one it lists)", 0 },
    { "y", KEY_Y, "PATH", 0, "of --scenario: the swept key up the maps (default: the next one)", 0 },
    { "db", KEY_DB, "FILE", 0, "results (default " DEFAULT_DB ")", 0 },
    { "out", KEY_OUT, "DIR", 0, "where the figures and their data go (default " DEFAULT_REPORT_DIR ")", 0 },
    { "no-figures", KEY_NO_FIGURES, NULL, 0, "print the tables only", 0 },
    { "csv", KEY_CSV, NULL, 0, "print the cells (of --scenario: the points) as CSV, no figures", 0 },
    { "bench", KEY_BENCH, NULL, 0,
      "instead of a paper: draw what was timed, kernel by kernel against the wall, and how the simulator's cost grows",
      0 },
    { "summary", KEY_SUMMARY, NULL, 0,
      "instead of a paper: every table, figure and claim of all papers in a line each, as text or Markdown", 0 },
    { "validation", KEY_VALIDATION, NULL, 0,
      "instead of a paper: predictions held against executions and measured rows (narrows validate), and their "
      "figures; --csv and --json print every point",
      0 },
    { "json", KEY_JSON, NULL, 0, "print the cells or points as JSON, no figures", 0 },
    { "format", KEY_FORMAT, "FORMAT", 0, "text (the default), csv, json, markdown or html", 0 },
    { "html", KEY_HTML, NULL, 0, "write one page of everything the database has: DIR/index.html of --out", 0 },
    { 0 },
};

struct arguments {
    const char *paper, *scenario, *x, *y, *db, *out, *table, *cell, *figure, *define;
    bool figures, bench, summary, validation, html;
    enum report_format format;
};

static void check(const struct arguments *a, const struct argp_state *state)
{
    if ((a->paper != NULL) + (a->scenario != NULL) + a->bench + a->summary + a->validation > 1)
        argp_error(state, "expected one of --paper, --scenario, --bench, --summary and --validation, got several");
    if (a->summary && a->format != REPORT_TEXT && a->format != REPORT_MARKDOWN)
        argp_error(state, "--summary: expected --format text or markdown");
    if ((a->table || a->figure) && !a->paper)
        argp_error(state, "--table and --figure choose among what a paper has: expected --paper PAPER with them");
    if (a->cell && !a->table)
        argp_error(state, "--cell chooses among what a table has: expected --table TABLE with it");
    if ((a->x || a->y) && !a->scenario)
        argp_error(state, "--x and --y choose among what a scenario sweeps: expected --scenario NAME with them");
    if (a->bench && a->format != REPORT_TEXT)
        argp_error(state, "--bench only draws figures: narrows bench --csv FILE writes what it timed");
}

static void set_format(struct arguments *a, const char *word, const struct argp_state *state)
{
    static const char *const words[] = { "text", "csv", "json", "markdown" };

    if (!strcmp(word, "html")) {
        a->html = true;
        return;
    }
    for (int i = 0; i < 4; i++)
        if (!strcmp(words[i], word)) {
            a->format = (enum report_format)i;
            return;
        }
    argp_error(state, "--format: expected text, csv, json, markdown or html, got '%s'", word);
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
    case KEY_SUMMARY: a->summary = true; break;
    case KEY_VALIDATION: a->validation = true; break;
    case KEY_CSV: a->format = REPORT_CSV; break;
    case KEY_JSON: a->format = REPORT_JSON; break;
    case KEY_TABLE: a->table = text; break;
    case KEY_CELL: a->cell = text; break;
    case KEY_FIGURE: a->figure = text; break;
    case KEY_DEFINE: a->define = text; break;
    case KEY_FORMAT: set_format(a, text, state); break;
    case KEY_HTML: a->html = true; break;
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
    .options = options,
    .parser = parse,
    .args_doc = "[PAPER]",
    .doc =
        "Print the tables of a paper next to what the runs in the database say, and draw its figures as SVG and PNG, "
        "with their data.\v"
        "--scenario draws lines of the speedup over the baseline where one key of numbers is swept. Where two are, it "
        "draws a heat map of the speedup for each variant, and a map of which variant is the best choice where; where "
        "more are, both for each of their values. Of memory plans it prints each one's batch, throughput and loss, "
        "and draws lines of the largest batch (of the throughput where no plan looks for that) along --x. --x and --y "
        "take a key's path or the end of it: --x link.eth.bandwidth.",
};

static int draw(struct store *s, const struct arguments *a)
{
    char *plots;
    int rc;

    if (asprintf(&plots, "%s/plots", home_dir()) < 0)
        return NW_ENOMEM;
    rc = a->bench      ? report_bench_figures(s, plots, a->out)
         : a->scenario ? report_sweep_figures(s, a->scenario, a->x, a->y, plots, a->out)
                       : report_figures(s, a->validation ? "" : a->paper, a->figure, plots, a->out);
    free(plots);
    /* The tables are the result; what is lacking for figures has been said. */
    if (rc == NW_EENV)
        return NW_OK;
    if (!rc)
        fprintf(stderr, "narrows report: figures in %s\n", a->out);
    return rc;
}

static int page(struct store *s, const struct arguments *a)
{
    char plots[4096], file[4096];
    int rc;

    snprintf(plots, sizeof(plots), "%s/plots", home_dir());
    snprintf(file, sizeof(file), "%s/index.html", a->out);
    rc = report_page(s, a->scenario, plots, a->out, file);
    if (!rc)
        printf("%s\n", file);
    return rc;
}

static int report(struct store *s, struct arguments *a)
{
    const struct report_choice choice = { a->paper ? a->paper : "a2dtwp", a->table, a->cell };
    int rc = NW_OK;

    if (a->html)
        return page(s, a);
    if (a->summary)
        return report_summary(s, a->format, stdout);
    a->paper = choice.paper;
    if (a->validation)
        rc = report_validation(s, a->format, stdout);
    if (a->scenario)
        namesakes_tell(s, a->scenario, stderr);
    if (a->scenario && a->format == REPORT_TEXT)
        rc = report_sweep_which(s, a->scenario, a->x, a->y, stdout);
    if (!rc && a->scenario)
        rc = report_sweep(s, a->scenario, a->x, a->y, a->format, stdout);
    else if (!rc && !a->bench && !a->validation && !a->figure)
        rc = report_print(s, &choice, a->format, stdout);
    if (!rc && a->figures && !a->table && a->format == REPORT_TEXT)
        rc = draw(s, a);
    return rc;
}

int cmd_report(int argc, char **argv)
{
    struct arguments a = { .db = DEFAULT_DB, .out = DEFAULT_REPORT_DIR, .figures = true, .format = REPORT_TEXT };
    struct store *s;
    int rc;

    if (command_parse(&argp, argc, argv, &a))
        return NW_EINPUT;
    rc = a.define ? store_open(a.db, &s) : store_open_readonly(a.db, &s);
    if (rc)
        return rc;
    if (a.define)
        rc = command_define(s, a.define);
    if (!rc)
        rc = report(s, &a);
    store_close(s);
    return rc;
}
