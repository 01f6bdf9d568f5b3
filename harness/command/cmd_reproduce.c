/* narrows reproduce - the papers' scenarios, their tables and their figures, in one go. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "harness/command/command_line.h"
#include "harness/command/commands.h"
#include "harness/host/home.h"
#include "harness/report/report.h"
#include "harness/run/experiment.h"
#include "harness/run/interrupt.h"
#include "harness/status.h"

struct arguments {
    const char *db, *out;
    int jobs;
};

static const struct argp_option options[] = { { "db", 'd', "FILE", 0, "results database (default " DEFAULT_DB ")", 0 },
                                              { "out", 'o', "DIR", 0,
                                                "where the figures go (default " DEFAULT_REPORT_DIR ")", 0 },
                                              { "jobs", 'j', "N", 0, "threads (default: all processors)", 0 },
                                              { 0 } };

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
    case ARGP_KEY_ARG: argp_error(state, "expected no argument, got '%s'", text); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    options,
    parse,
    "",
    "Run every scenario of scenarios/papers/, print each paper's tables beside the published values, draw its figures. "
    "What the database holds already is not simulated again.",
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

static int report(struct store *store, const char *dir)
{
    char plots[4096];
    int rc = report_print(store, "a2dtwp", REPORT_TEXT, stdout);

    if (rc)
        return rc;
    fflush(stdout);
    snprintf(plots, sizeof(plots), "%s/plots", home_dir());
    return report_figures(store, "a2dtwp", plots, dir);
}

int cmd_reproduce(int argc, char **argv)
{
    struct arguments a = { .db = DEFAULT_DB, .out = DEFAULT_REPORT_DIR, .jobs = (int)sysconf(_SC_NPROCESSORS_ONLN) };
    char command[4096];

    command_join(argc, argv, command, sizeof(command));
    argp_err_exit_status = EXIT_MISUSED;
    if (argp_parse(&argp, argc, argv, 0, NULL, &a))
        return NW_EINPUT;
    struct experiment x = { .command = command, .jobs = a.jobs, .calibrations = calibrations_new() };
    int rc = x.calibrations ? store_open(a.db, &x.store) : NW_ENOMEM;
    interrupt_catch();
    if (!rc)
        rc = command_each("papers", play, &x);
    if (!rc)
        rc = report(x.store, a.out);
    store_close(x.store);
    calibrations_free(x.calibrations);
    return rc;
}
