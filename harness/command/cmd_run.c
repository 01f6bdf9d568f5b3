/* narrows run - simulate or train every point of one or more scenarios. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/command/command_line.h"
#include "harness/command/commands.h"
#include "harness/run/experiment.h"
#include "harness/run/interrupt.h"
#include "harness/run/outcome.h"
#include "harness/run/precheck.h"
#include "harness/run/uneven.h"
#include "harness/status.h"

enum { MAX_ITEMS = 256 };

struct arguments {
    const char *db;
    const char *sets[MAX_ITEMS], *sweeps[MAX_ITEMS], *files[MAX_ITEMS];
    size_t nsets, nsweeps, nfiles;
    int jobs;
    _Bool dry_run;
};

static const struct argp_option options[] = {
    { "db", 'd', "FILE", 0, "results database (default " DEFAULT_DB ")", 0 },
    { "set", 's', "PATH=VALUE", 0,
      "override any key, e.g. --set platform.cpu.codec=measured; the command line wins over the file, its variants included",
      0 },
    { "sweep", 'w', "PATH=RANGE", 0,
      "sweep any key: a list 'a, b, c' or a range 'LOW..HIGH UNIT:log|lin:COUNT', e.g. "
      "--sweep 'link.pcie.bandwidth=2..32 GB/s:log:8'; axes multiply, those given as 'zip:PATH=RANGE' advance "
      "together",
      0 },
    { "jobs", 'j', "N", 0, "threads (default: all processors); the results do not depend on it", 0 },
    { "dry-run", 'n', NULL, 0, "check everything and say how many points there are, run nothing", 0 },
    { 0 }
};

static error_t add(const char **items, size_t *count, const char *text, struct argp_state *state)
{
    if (*count == MAX_ITEMS)
        argp_error(state, "more than %d of them: '%s'", MAX_ITEMS, text);
    else
        items[(*count)++] = text;
    return 0;
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct arguments *a = state->input;

    switch (key) {
    case 'd': a->db = text; return 0;
    case 's': return add(a->sets, &a->nsets, text, state);
    case 'w': return add(a->sweeps, &a->nsweeps, text, state);
    case 'n': a->dry_run = 1; return 0;
    case 'j':
        a->jobs = command_number("--jobs", text, 1, 256);
        if (a->jobs < 0)
            exit(EXIT_MISUSED);
        return 0;
    case ARGP_KEY_ARG: return add(a->files, &a->nfiles, text, state);
    case ARGP_KEY_NO_ARGS: argp_error(state, "which SCENARIO? A file, or one of narrows list scenarios"); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    options,
    parse,
    "SCENARIO...",
    "Simulate every point of the scenarios, or train its model for real, and store the results. A point that the "
    "database already holds is not computed again, so an interrupted sweep goes on where it stopped.\v"
    "SCENARIO is a YAML file, '-' for standard input, or the name of a shipped one (narrows list scenarios). A model, a "
    "platform or a timing that --set or --sweep exchanges is named likewise: --set model=resnet-152.",
    NULL,
    NULL,
    NULL
};

static void close_all(struct scenario_file **files, size_t n)
{
    for (size_t i = 0; i < n; i++)
        scenario_close(files[i]);
}

/* All files are read before anything runs: a fault in the last one costs nothing. */
static int open_all(const struct arguments *a, struct scenario_file **files)
{
    int rc = NW_OK;

    for (size_t i = 0; i < a->nfiles; i++) {
        char path[4096];
        int one = command_find("scenarios", a->files[i], path, sizeof(path));
        if (!one)
            one = scenario_open(path, a->sets, a->nsets, a->sweeps, a->nsweeps, stderr, &files[i]);
        if (!one)
            one = precheck(files[i], stderr);
        if (!one)
            uneven_note(files[i], stderr);
        rc = rc ? rc : one;
    }
    return rc;
}

static int play(const struct arguments *a, struct scenario_file **files, const char *command)
{
    struct experiment x = { .command = command, .jobs = a->jobs, .calibrations = calibrations_new() };
    struct experiment_result result;
    int rc = x.calibrations ? store_open(a->db, &x.store) : NW_ENOMEM;

    x.altered = a->nsets || a->nsweeps;
    interrupt_catch();
    for (size_t i = 0; !rc && i < a->nfiles; i++) {
        rc = command_experiment(&x, files[i], &result);
        if (!rc && a->nfiles > 1)
            printf("%s%s\n", i ? "\n" : "", scenario_name(files[i]));
        if (!rc)
            rc = outcome_print(x.store, result.run_id, a->db, stdout);
    }
    store_close(x.store);
    calibrations_free(x.calibrations);
    return rc == NW_ESIM ? NW_EINPUT : rc; /* found late, but it is the scenario's fault all the same */
}

int cmd_run(int argc, char **argv)
{
    struct arguments a = { .db = DEFAULT_DB, .jobs = (int)sysconf(_SC_NPROCESSORS_ONLN) };
    struct scenario_file *files[MAX_ITEMS] = { 0 };
    char command[4096];

    command_join(argc, argv, command, sizeof(command));
    argp_err_exit_status = EXIT_MISUSED;
    if (argp_parse(&argp, argc, argv, 0, NULL, &a))
        return NW_EINPUT;
    int rc = open_all(&a, files);
    if (!rc && a.dry_run)
        for (size_t i = 0; i < a.nfiles; i++)
            printf("%s: %zu points\n", scenario_name(files[i]), scenario_npoints(files[i]));
    else if (!rc)
        rc = play(&a, files, command);
    close_all(files, a.nfiles);
    return rc;
}
