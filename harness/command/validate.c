/* narrows validate - predictions held against measurements. */
#include <argp.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "harness/command/commands.h"
#include "harness/command/line/command_line.h"
#include "harness/command/validate/rows.h"
#include "harness/exec/suite.h"
#include "harness/report/report.h"
#include "harness/run/interrupt.h"
#include "harness/status.h"

enum { KEY_LIMIT = 256, KEY_AGAIN, KEY_LAB, KEY_ONLY, KEY_DATA };

struct arguments {
    const char *files[COMMAND_SETS]; /* the first may be 'shaped' */
    size_t nfiles;
    const char *data, *of_shaped; /* of_shaped: an option that only 'shaped' has; NULL: none was given */
    struct suite suite;
};

static const struct argp_option options[] = {
    { "db", 'd', "FILE", 0, "results database (default " DEFAULT_DB ")", 0 },
    { "data", KEY_DATA, "CSV", 0,
      "of measured rows: predict those of this file, which has the columns of the validation's own; of these the "
      "calibrating ones remain",
      0 },
    { 0, 0, NULL, 0, "shaped:", 1 },
    { "repetitions", 'r', "N", 0, "how often each point is executed, after one that does not count (default 3)", 0 },
    { "limit", KEY_LIMIT, "SECONDS", 0, "the longest that a repetition may take (default 20)", 0 },
    { "only", KEY_ONLY, "TEXT", 0, "only the scenarios whose file's name has this in it", 0 },
    { "lab", KEY_LAB, "NAME", 0, "in a lab of eight machines that is up (narrows lab), not in one of its own", 0 },
    { "again", KEY_AGAIN, NULL, 0, "also what the database holds already in the same setting", 0 },
    { 0 }
};

static bool is_shaped(const struct arguments *a)
{
    return a->nfiles && !strcmp(a->files[0], "shaped");
}

static void check(const struct arguments *a, const struct argp_state *state)
{
    if (!is_shaped(a) && a->of_shaped)
        argp_error(state, "%s: only of narrows validate shaped", a->of_shaped);
    if (is_shaped(a) && a->data)
        argp_error(state, "--data: not of narrows validate shaped, which measures for itself");
    if (a->data && a->nfiles == 1 && !strcmp(a->files[0], "public"))
        argp_error(state, "--data: expected one validation with it, got public, which is all that are shipped");
    if (a->data && a->nfiles > 1)
        argp_error(state, "--data: expected one validation with it, got several");
    for (size_t i = 0; !is_shaped(a) && i < a->nfiles; i++)
        if (!rows_known(a->files[i]))
            argp_error(
                state,
                "expected shaped, public, a shipped validation (narrows list validations) or a file of one, got '%s'",
                a->files[i]);
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct arguments *a = state->input;

    switch (key) {
    case 'd': a->suite.db = text; return 0;
    case 'r':
        a->suite.repetitions = command_number("--repetitions", text, 1, 100000);
        a->of_shaped = "--repetitions";
        return 0;
    case KEY_LIMIT:
        a->suite.limit_s = command_number("--limit", text, 1, 1000000);
        a->of_shaped = "--limit";
        return 0;
    case KEY_ONLY:
        a->suite.only = text;
        a->of_shaped = "--only";
        return 0;
    case KEY_LAB:
        a->suite.join = text;
        a->of_shaped = "--lab";
        return 0;
    case KEY_AGAIN:
        a->suite.again = true;
        a->of_shaped = "--again";
        return 0;
    case KEY_DATA: a->data = text; return 0;
    case ARGP_KEY_ARG: return command_add(a->files, &a->nfiles, text, state);
    case ARGP_KEY_NO_ARGS: argp_error(state, "which set? shaped, public, or a file of measured rows"); return 0;
    case ARGP_KEY_END: check(a, state); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    .options = options,
    .parser = parse,
    .args_doc = "shaped [SCENARIO...]\npublic\nNAME|FILE...",
    .doc = "Hold predictions against measurements. public: rows that others measured and published, a file for each "
           "source in scenarios/validation/public; or those of the NAMEs, or of FILEs of your own (narrows schema "
           "validation): constants are fitted to the rows that calibrate, the others are predicted, and the errors are"
           " printed next to those of a closed form and of others. shaped: on this machine alone, in network "
           "namespaces whose links the kernel shapes, two calibration runs; then the suite in "
           "scenarios/validation/shaped: every point is simulated, and the predictions are stored, before the first "
           "one is executed over MPI. The same for SCENARIOs of your own in place of the suite's: on the platform "
           "shaped-lab, or another whose machines' link is eth.\v"
           "The views 'validation', 'validation_by_kind' and 'measured_by_set' of the database have the errors; "
           "narrows report --validation prints and draws them. A suite that was interrupted goes on where it stopped.",
};

static int validate_shaped(struct arguments *a)
{
    struct store *store = NULL;

    a->suite.files = a->files + 1;
    a->suite.nfiles = a->nfiles - 1;
    int rc = suite_run(&a->suite);
    if (rc && rc != NW_EIO)
        return rc;
    int shown = store_open_readonly(a->suite.db, &store);
    shown = shown ? shown : report_validation(store, REPORT_TEXT, stdout);
    store_close(store);
    return rc ? rc : shown;
}

int cmd_validate(int argc, char **argv)
{
    struct arguments a = { .suite = { .db = DEFAULT_DB, .repetitions = 3, .limit_s = 20, .stop = interrupted } };

    if (command_parse(&argp, argc, argv, &a))
        return NW_EINPUT;
    a.suite.command = command_text();
    interrupt_catch();
    if (is_shaped(&a))
        return validate_shaped(&a);
    return rows_validate(&(struct rows_question){
        .db = a.suite.db, .command = a.suite.command, .data = a.data, .names = a.files, .n = a.nfiles });
}
