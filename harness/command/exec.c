/* narrows exec - run points for real: every worker, server and machine is a rank of an MPI program. */
#include <argp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/command/commands.h"
#include "harness/command/line/command_line.h"
#include "harness/exec/campaign.h"
#include "harness/exec/session.h"
#include "harness/mpi/world.h"
#include "harness/run/interrupt.h"
#include "harness/run/precheck.h"
#include "harness/run/selection.h"
#include "harness/status.h"

enum { KEY_VARIANT = 256, KEY_LIMIT, KEY_TIMELINE, KEY_AGAIN, KEY_LAB, KEY_COMPUTE, KEY_COLLECTIVE };

struct arguments {
    const char *db, *file, *timeline, *lab;
    const char *sets[COMMAND_SETS], *sweeps[COMMAND_SETS], *variants[COMMAND_SETS];
    size_t points[COMMAND_SETS];
    size_t nsets, nsweeps, nvariants, npoints;
    int repetitions, limit_s;
    bool again, in_lab, real, native;
};

static const struct argp_option options[] = {
    { "db", 'd', "FILE", 0, "results database (default " DEFAULT_DB ")", 0 },
    { "set", 's', "PATH=VALUE", 0, "override any key", 0 },
    { "sweep", 'w', "PATH=RANGE", 0, "sweep any key, as in narrows run", 0 },
    { "variant", KEY_VARIANT, "NAME", 0, "only this variant, and the baseline; may be given several times", 0 },
    { "point", 'p', "N", 0, "only this point, and its baseline; may be given several times", 0 },
    { "repetitions", 'r', "N", 0, "how often each point is executed, after one that does not count (default 5)", 0 },
    { "limit", KEY_LIMIT, "SECONDS", 0,
      "the longest that a repetition may take: beyond it the point has failed (default 60)", 0 },
    { "compute", KEY_COMPUTE, "model|real", 0,
      "model: layers take the time that the scenario gives them, by the clock (default); real: they are computed on "
      "this machine's processors",
      0 },
    { "collective", KEY_COLLECTIVE, "own|native", 0,
      "own: the scenario's algorithm, message by message (default); native: MPI_Iallreduce, as the MPI library has "
      "it, of uncoded gradients",
      0 },
    { "lab", KEY_LAB, "NAME", OPTION_ARG_OPTIONAL,
      "on this machine alone, in network namespaces whose links are shaped as the platform says; NAME: in a lab that "
      "is up (narrows lab)",
      0 },
    { "timeline", KEY_TIMELINE, "FILE", 0,
      "write what ran when in the last repetition of the last point, for ui.perfetto.dev: each track as executed, and "
      "next to it as simulated",
      0 },
    { "again", KEY_AGAIN, NULL, 0, "also what the database holds already in the same setting", 0 },
    { 0 }
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct arguments *a = state->input;

    switch (key) {
    case 'd': a->db = text; return 0;
    case 's': return command_add(a->sets, &a->nsets, text, state);
    case 'w': return command_add(a->sweeps, &a->nsweeps, text, state);
    case KEY_VARIANT: return command_add(a->variants, &a->nvariants, text, state);
    case 'p':
        if (a->npoints == COMMAND_SETS)
            argp_error(state, "more than %d --point", COMMAND_SETS);
        a->points[a->npoints++] = (size_t)command_number("--point", text, 0, COMMAND_POINTS);
        return 0;
    case 'r': a->repetitions = command_number("--repetitions", text, 1, 100000); return 0;
    case KEY_LIMIT: a->limit_s = command_number("--limit", text, 1, 1000000); return 0;
    case KEY_TIMELINE: a->timeline = text; return 0;
    case KEY_COMPUTE:
        a->real = !strcmp(text, "real");
        if (!a->real && strcmp(text, "model") != 0)
            command_misused("--compute", "model or real", text);
        return 0;
    case KEY_COLLECTIVE:
        a->native = !strcmp(text, "native");
        if (!a->native && strcmp(text, "own") != 0)
            command_misused("--collective", "own or native", text);
        return 0;
    case KEY_AGAIN: a->again = true; return 0;
    case KEY_LAB:
        a->in_lab = true;
        a->lab = text;
        return 0;
    case ARGP_KEY_ARG:
        if (a->file)
            argp_error(state, "expected one SCENARIO, got '%s' as well", text);
        a->file = text;
        return 0;
    case ARGP_KEY_NO_ARGS: argp_error(state, "which SCENARIO? A file, or one of narrows list scenarios"); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    .options = options,
    .parser = parse,
    .args_doc = "SCENARIO",
    .doc =
        "Execute points of a scenario (method allreduce, parameter-server or flows) for real: every worker, server "
        "or machine is a process, transfers are MPI messages in the scenario's own algorithm, codecs are the real "
        "kernels; layers take the time that the scenario gives them, on a clock. Each point is simulated first; both "
        "are stored.\v"
        "By itself it starts its processes on this machine with mpirun. On a cluster, start it as any MPI program: "
        "'mpirun -np N narrows exec SCENARIO', 'srun --mpi=pmix narrows exec SCENARIO'; N is at least the number of "
        "workers and servers, or of machines. The view 'executed' of the database has the results.",
};

static int choose(const struct arguments *a, const struct scenario_file *file, size_t **points, size_t *n)
{
    struct selection selection = {
        .variants = a->variants, .nvariants = a->nvariants, .points = a->points, .npoints = a->npoints
    };

    return selection_points(file, &selection, points, n);
}

static int campaign(const struct arguments *a, struct session *s, char *const *arguments)
{
    struct campaign c = { .arguments = arguments, .in_lab = a->in_lab, .join = a->lab };
    int rc = store_open(a->db, &c.store);

    rc = rc ? rc : campaign_predict(&c, s);
    rc = rc ? rc : campaign_execute(&c, s);
    campaign_close(&c);
    store_close(c.store);
    return rc;
}

static int run(const struct arguments *a, struct scenario_file *file, char **argv)
{
    size_t *points = NULL, npoints = 0;
    int rc = choose(a, file, &points, &npoints);
    struct session s = { .file = file,
                         .points = points,
                         .npoints = npoints,
                         .db = a->db,
                         .command = command_text(),
                         .options = { .repetitions = a->repetitions,
                                      .limit_s = a->limit_s,
                                      .real = a->real,
                                      .native = a->native,
                                      .timeline = a->timeline != NULL,
                                      .stop = interrupted },
                         .again = a->again,
                         .altered = a->nsets || a->nsweeps || a->nvariants || a->npoints,
                         .network = "",
                         .timeline = a->timeline };

    if (!rc && world_launched())
        rc = campaign_take_part(&s);
    else if (!rc)
        rc = campaign(a, &s, argv + 1);
    free(points);
    return rc;
}

int cmd_exec(int argc, char **argv)
{
    struct arguments a = { .db = DEFAULT_DB, .repetitions = 5, .limit_s = 60 };
    struct scenario_file *file = NULL;
    char path[4096];

    if (command_parse(&argp, argc, argv, &a))
        return NW_EINPUT;
    if (world_scattered())
        return status_error(NW_EINPUT, SCATTERED, "exec", world_scattered());
    if (store_nowhere(a.db))
        return status_error(NW_EINPUT, "narrows exec: --db: expected a file, which several processes share, got %s\n",
                            a.db);
    int rc = command_find("scenarios", a.file, path, sizeof(path));
    rc = rc ? rc : scenario_open(path, a.sets, a.nsets, a.sweeps, a.nsweeps, stderr, &file);
    rc = rc ? rc : precheck(file, stderr);
    interrupt_catch();
    rc = rc ? rc : run(&a, file, argv);
    scenario_close(file);
    return rc;
}
