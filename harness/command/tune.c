/* narrows tune - the best layout of a training with the method sharded. */
#include <argp.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#include "harness/command/commands.h"
#include "harness/command/line/command_line.h"
#include "harness/run/interrupt.h"
#include "harness/status.h"
#include "harness/tune/print.h"

enum { KEY_VARY = 256, KEY_CODEC, KEY_IDLE, KEY_TOP, KEY_WRITE, KEY_CSV, KEY_JSON, KEY_NO_STORE, KEY_NO_PRUNING };
enum format { FORMAT_TEXT, FORMAT_CSV, FORMAT_JSON };

struct arguments {
    const char *scenario, *write;
    const char *sets[COMMAND_SETS], *varied[COMMAND_SETS], *codecs[COMMAND_SETS];
    struct tune_question q;
    struct search_options o;
    enum format format;
};

static const struct argp_option options[] = {
    { "top", KEY_TOP, "N", 0, "so many of the best are played by events and printed (default 10)", 0 },
    { "set", 's', "PATH=VALUE", 0, "override any key; a key of the method that is set so is not searched", 0 },
    { "vary", KEY_VARY, "PATH=VALUES", 0,
      "search these values of a key of the method, in place of those by default or besides: --vary context=1,2,4", 0 },
    { "codec", KEY_CODEC, "EDGE=CODEC", 0,
      "search with this codec and without: EDGE is weights, gradients or activations, CODEC a format with its keys: "
      "--codec weights=blockwise:bits=8 (default: the scenario's own)",
      0 },
    { "idle", KEY_IDLE, NULL, 0, "layouts may leave GPUs idle (default: all of the platform's are used)", 0 },
    { "write", KEY_WRITE, "FILE", 0, "write the best layout as a scenario, which narrows run takes", 0 },
    { "csv", KEY_CSV, NULL, 0, "print the best with all digits, as CSV", 0 },
    { "json", KEY_JSON, NULL, 0, "the same as JSON, with the counts", 0 },
    { "db", 'd', "FILE", 0, "results database (default " DEFAULT_DB "): a search that was stopped goes on", 0 },
    { "no-store", KEY_NO_STORE, NULL, 0, "keep nothing: the same as --db :memory:", 0 },
    { "no-pruning", KEY_NO_PRUNING, NULL, 0, "time every layout that fits, whatever is stored: the same best, later",
      0 },
    { "jobs", 'j', "N", 0, "threads (default: all processors); the results do not depend on it", 0 },
    { 0 }
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct arguments *a = state->input;

    switch (key) {
    case 's': return command_add(a->sets, &a->q.nsets, text, state);
    case KEY_VARY: return command_add(a->varied, &a->q.nvaried, text, state);
    case KEY_CODEC: return command_add(a->codecs, &a->q.ncodecs, text, state);
    case KEY_IDLE: a->q.idle = true; return 0;
    case KEY_TOP: a->o.top = (size_t)command_number("--top", text, 1, TUNED_MOST); return 0;
    case KEY_WRITE: a->write = text; return 0;
    case KEY_CSV: a->format = FORMAT_CSV; return 0;
    case KEY_JSON: a->format = FORMAT_JSON; return 0;
    case 'd': a->q.db = text; return 0;
    case KEY_NO_STORE: a->q.db = STORE_NOWHERE; return 0;
    case KEY_NO_PRUNING: a->o.all = true; return 0;
    case 'j': a->o.jobs = command_number("--jobs", text, 1, 256); return 0;
    case ARGP_KEY_ARG:
        if (a->scenario)
            argp_error(state, "expected one SCENARIO, got another one: '%s'", text);
        a->scenario = text;
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
        "The best layout of a scenario of the method sharded that fits into its GPUs' memory: every combination of "
        "tensor, pipeline and data parallelism, parts of stages, micro-batches, sharding, recomputation and codecs is "
        "looked at in closed form, the best are played by events.\v"
        "SCENARIO is a YAML file or the name of a shipped one (narrows list scenarios). narrows help tuning says what "
        "is searched and what the columns mean. Examples:\n"
        "  narrows tune big.yaml\n"
        "  narrows tune big.yaml --vary context=1,2,4 --codec gradients=blockwise:bits=4 --write best.yaml\n",
};

static int print(const struct arguments *a, const struct layouts *s, const struct search_result *found,
                 const struct replay *r)
{
    switch (a->format) {
    case FORMAT_CSV: tune_csv(r, stdout); return NW_OK;
    case FORMAT_JSON: tune_json(s, found, r, stdout); return NW_OK;
    default: return tune_print(s, found, r, stdout);
    }
}

static int write_best(const struct arguments *a, const struct layouts *s, const struct tuned_row *best)
{
    return a->write ? scenario_rewrite(s->file, best->layout, a->write) : NW_OK;
}

/* Why there is none. */
static int none_found(const struct layouts *s, const struct search_result *found)
{
    struct parallel layout;
    char why[512] = "";

    if (!found->total.unfit && sharded_check_keys(&s->job, &layout, why, sizeof(why)))
        return status_error(NW_EINPUT, "%s: no combination is a layout; of the first: %s\n", scenario_path(s->file),
                            why);
    return status_error(NW_EINPUT,
                        "%s: no layout fits into the GPUs' memory: expected more GPUs, or more keys to search (--vary "
                        "method.offload=none,states)\n",
                        scenario_path(s->file));
}

static int tune(const struct arguments *a)
{
    struct layouts s;
    struct search_result found;
    struct replay r = { NULL, 0 };
    int rc = layouts_open(&a->q, &s);

    interrupt_catch();
    rc = rc ? rc : tune_search(&s, &a->o, &found);
    if (!rc)
        fprintf(stderr, "%-30s %zu layouts in closed form, %zu of %zu blocks already there, %.2f s\n",
                scenario_name(s.file), found.total.layouts, found.present, found.blocks, found.seconds);
    rc = rc ? rc : replay_run(&s, &found, a->o.jobs, &r);
    rc = rc ? rc : print(a, &s, &found, &r);
    if (!rc && !r.n)
        rc = none_found(&s, &found);
    rc = rc ? rc : write_best(a, &s, &r.rows[0]);
    replay_free(&r);
    layouts_close(&s, rc);
    return rc == NW_ESIM ? NW_EINPUT : rc;
}

int cmd_tune(int argc, char **argv)
{
    static struct arguments a = { .q = { .db = DEFAULT_DB }, .o = { .top = 10 } };
    char path[4096];
    int rc;

    if (command_parse(&argp, argc, argv, &a))
        return NW_EINPUT;
    if (!a.o.jobs)
        a.o.jobs = (int)sysconf(_SC_NPROCESSORS_ONLN);
    rc = command_find("scenarios", a.scenario, path, sizeof(path));
    if (rc)
        return rc;
    a.q.path = path;
    a.q.sets = a.sets;
    a.q.varied = a.varied;
    a.q.codecs = a.codecs;
    a.q.command = command_text();
    return tune(&a);
}
