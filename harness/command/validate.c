/* narrows validate - predictions held against measurements. */
#include <argp.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "harness/command/commands.h"
#include "harness/command/line/command_line.h"
#include "harness/exec/suite.h"
#include "harness/report/report.h"
#include "harness/run/interrupt.h"
#include "harness/status.h"

enum { KEY_LIMIT = 256, KEY_AGAIN, KEY_LAB, KEY_ONLY };

struct arguments {
    const char *set, *files[COMMAND_SETS];
    struct suite suite;
};

static const struct argp_option options[] = {
    { "db", 'd', "FILE", 0, "results database (default " DEFAULT_DB ")", 0 },
    { "repetitions", 'r', "N", 0, "how often each point is executed, after one that does not count (default 3)", 0 },
    { "limit", KEY_LIMIT, "SECONDS", 0, "the longest that a repetition may take (default 20)", 0 },
    { "only", KEY_ONLY, "TEXT", 0, "only the scenarios whose file's name has this in it", 0 },
    { "lab", KEY_LAB, "NAME", 0, "in a lab of eight machines that is up (narrows lab), not in one of its own", 0 },
    { "again", KEY_AGAIN, NULL, 0, "also what the database holds already in the same setting", 0 },
    { 0 }
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct arguments *a = state->input;

    switch (key) {
    case 'd': a->suite.db = text; return 0;
    case 'r': a->suite.repetitions = command_number("--repetitions", text, 1, 100000); return 0;
    case KEY_LIMIT: a->suite.limit_s = command_number("--limit", text, 1, 1000000); return 0;
    case KEY_ONLY: a->suite.only = text; return 0;
    case KEY_LAB: a->suite.join = text; return 0;
    case KEY_AGAIN: a->suite.again = true; return 0;
    case ARGP_KEY_ARG:
        if (a->set)
            return command_add(a->files, &a->suite.nfiles, text, state);
        if (strcmp(text, "shaped") != 0)
            argp_error(state, "expected shaped, got '%s'", text);
        a->set = text;
        return 0;
    case ARGP_KEY_NO_ARGS: argp_error(state, "which set? shaped"); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    .options = options,
    .parser = parse,
    .args_doc = "shaped [SCENARIO...]",
    .doc =
        "Hold predictions against measurements. shaped: on this machine alone, in network namespaces whose links the "
        "kernel shapes, two calibration runs; then the suite in scenarios/validation/shaped: every point is "
        "simulated, and the predictions are stored, before the first one is executed over MPI. The same for SCENARIOs "
        "of your own in place of the suite's: on the platform shaped-lab, or another whose machines' link is eth.\v"
        "The views 'validation' and 'validation_by_kind' of the database have the errors; narrows report --validation "
        "prints and draws them. A suite that was interrupted goes on where it stopped.",
};

int cmd_validate(int argc, char **argv)
{
    struct arguments a = { .suite = { .db = DEFAULT_DB, .repetitions = 3, .limit_s = 20, .stop = interrupted } };
    struct store *store = NULL;

    if (command_parse(&argp, argc, argv, &a))
        return NW_EINPUT;
    a.suite.command = command_text();
    a.suite.files = a.files;
    interrupt_catch();
    int rc = suite_run(&a.suite);
    if (rc && rc != NW_EIO)
        return rc;
    int shown = store_open_readonly(a.suite.db, &store);
    shown = shown ? shown : report_validation(store, REPORT_TEXT, stdout);
    store_close(store);
    return rc ? rc : shown;
}
