/* narrows trace - what ran when and where in one point, for Perfetto. */
#include <argp.h>
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/command/commands.h"
#include "harness/command/line/command_line.h"
#include "harness/command/trace/chakra.h"
#include "harness/flows/file.h"
#include "harness/host/identity.h"
#include "harness/run/point/measures.h"
#include "harness/run/supply.h"
#include "harness/scenario/schema/units.h"
#include "harness/status.h"
#include "harness/store/store.h"
#include "harness/trace/chrome.h"
#include "harness/trace/live.h"
#include "harness/trace/timeline_store.h"

enum { MAX_NOTES = 32, DEFAULT_MOST = 200000 };
enum { KEY_VARIANT = 256, KEY_WINDOW, KEY_MOST, KEY_LOAD, KEY_PLAIN, KEY_FLOWS, KEY_STORE, KEY_FORMAT };

struct arguments {
    struct command_point at;
    const char *db, *output, *flows;
    int most;
    int64_t from_ps, to_ps;
    bool load, store, plain, chakra;
};

static const struct argp_option options[] = {
    { "point", 'p', "N", 0, "of a scenario with several points: this one (default 0)", 0 },
    { "variant", KEY_VARIANT, "NAME", 0, "the point's combination with this variant", 0 },
    { "set", 's', "PATH=VALUE", 0, "override any key", 0 },
    { "output", 'o', "FILE", 0, "where to write it, '-' for standard output (the default, unless that is a terminal)",
      0 },
    { "format", KEY_FORMAT, "FORMAT", 0,
      "chrome, or chakra: execution traces of MLCommons, one file a rank, OUTPUT with the rank for its %d or before "
      "its .et, which is also what says so",
      0 },
    { "window", KEY_WINDOW, "A..B", 0, "only what touches this part of the simulated time, e.g. '10..25 ms'", 0 },
    { "most", KEY_MOST, "N", 0, "at most so many spans (default 200000); the rest is left out, and counted", 0 },
    { "load", KEY_LOAD, NULL, 0, "with a counter for each track that has transfers: the mean rates of those under way",
      0 },
    { "no-arrows", KEY_PLAIN, NULL, 0, "without arrows from each span to those that waited for it: a smaller file", 0 },
    { "flows", KEY_FLOWS, "FILE", 0, "of traffic (method flows): also each flow's end, as comma-separated values", 0 },
    { "store", KEY_STORE, NULL, 0, "also store the point and its timeline in the database", 0 },
    { "db", 'd', "FILE", 0,
      "results database, opened only for --store or calibrated constants (default " DEFAULT_DB ")", 0 },
    { 0 }
};

static const double ps_per_s = 1e12, longest_s = 9e6; /* 2^63 ps are 9.2e6 s */

/* "10..25 ms", "10 ms..1 s": the lower end has the upper one's unit if it has none. */
static void read_window(struct arguments *a, const char *text)
{
    const char *dots = strstr(text, ".."), *high = dots ? dots + 2 : "", *unit_text;
    struct quantity_error error;
    const struct unit *unit = NULL;
    double from, to;
    char low[128];

    high += strspn(high, " ");
    if (dots && !quantity_read(high, DIM_SECONDS, &to, &unit, &error) && unit) {
        size_t n = (size_t)(dots - text);

        while (n && text[n - 1] == ' ')
            n--;
        unit_text = n && strchr("0123456789.", text[n - 1]) ? unit->name : "";
        snprintf(low, sizeof(low), "%.*s%s%s", (int)n, text, *unit_text ? " " : "", unit_text);
        if (!quantity_read(low, DIM_SECONDS, &from, &unit, &error) && from >= 0 && from < to && to < longest_s) {
            a->from_ps = (int64_t)(from * ps_per_s + 0.5);
            a->to_ps = (int64_t)(to * ps_per_s + 0.5);
            return;
        }
    }
    command_misused("--window", "two times as in '10..25 ms', the first before the second", text);
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct arguments *a = state->input;

    switch (key) {
    case KEY_VARIANT: a->at.variant = text; return 0;
    case 'o': a->output = text; return 0;
    case KEY_WINDOW: read_window(a, text); return 0;
    case KEY_MOST: a->most = command_number("--most", text, 1, 100000000); return 0;
    case KEY_STORE: a->store = true; return 0;
    case KEY_FLOWS: a->flows = text; return 0;
    case KEY_FORMAT:
        a->chakra = !strcmp(text, "chakra");
        if (!a->chakra && strcmp(text, "chrome") != 0)
            command_misused("--format", "chrome or chakra", text);
        return 0;
    case KEY_LOAD: a->load = true; return 0;
    case KEY_PLAIN: a->plain = true; return 0;
    case 'd': a->db = text; return 0;
    default: return command_parse_point(key, text, state, &a->at);
    }
}

static const struct argp argp = {
    .options = options,
    .parser = parse,
    .args_doc = "SCENARIO",
    .doc =
        "Simulate one point and write its timeline as Chrome trace JSON, which ui.perfetto.dev opens: a track for "
        "each resource and link, a thread for each slot of a pool, bytes and rates in the arguments, arrows from what "
        "each span waited for, the critical path marked (category 'critical'), and of a memory plan the live memory.\v"
        "SCENARIO is a YAML file or the name of a shipped one (narrows list scenarios). Examples:\n"
        "  narrows trace break-even --variant sparse --output sparse.json\n"
        "  narrows trace break-even -o step.et     (step.0.et, step.1.et, ...)\n"
        "  narrows trace break-even --set batch=512 --window '0..200 ms' >step.json",
};

/* --- the file ----------------------------------------------------------------------------------------------------- */

struct notes {
    struct chrome_note list[MAX_NOTES];
    char names[MAX_NOTES][80], texts[MAX_NOTES][160];
    size_t n;
};

__attribute__((format(printf, 3, 4))) static void note(struct notes *n, const char *name, const char *format, ...)
{
    va_list arguments;

    if (n->n == MAX_NOTES)
        return;
    snprintf(n->names[n->n], sizeof(n->names[0]), "%s", name);
    va_start(arguments, format);
    vsnprintf(n->texts[n->n], sizeof(n->texts[0]), format, arguments);
    va_end(arguments);
    n->list[n->n] = (struct chrome_note){ n->names[n->n], n->texts[n->n] };
    n->n++;
}

static void fill_notes(struct notes *n, const struct arguments *a, const struct scenario_file *file,
                       const struct point *p, const struct measures *m)
{
    note(n, "scenario", "%s", scenario_name(file));
    note(n, "point", "%zu", p->index);
    if (*p->variant)
        note(n, "variant", "%s", p->variant);
    for (size_t i = 0; i < a->at.nsets; i++) {
        char name[32];

        snprintf(name, sizeof(name), "--set %zu", i + 1);
        note(n, name, "%s", a->at.sets[i]);
    }
    for (size_t i = 0; i < p->nparams; i++)
        note(n, p->params[i].path, "%s", p->params[i].text);
    note(n, "step_ms", "%.9g", measure_value(m, "step_ms"));
    if (a->to_ps)
        note(n, "window", "%.9g..%.9g ms", (double)a->from_ps / 1e9, (double)a->to_ps / 1e9);
    note(n, "program", "narrows %s (%s)", identity_version(), identity_commit());
}

/* A file appears under its name only when it is complete. */
static int write_file(const struct timeline *t, const struct chrome_options *o, const char *path)
{
    char *temporary = NULL;
    FILE *f;
    int rc = NW_OK;

    if (asprintf(&temporary, "%s.%ld.tmp", path, (long)getpid()) < 0)
        return NW_ENOMEM;
    f = fopen(temporary, "w");
    if (f)
        rc = chrome_write(t, o, f);
    if (!f || ferror(f) | fclose(f) || (!rc && rename(temporary, path)))
        rc = status_error(NW_EIO, "narrows trace: %s: %s\n", path, strerror(errno));
    if (rc)
        unlink(temporary);
    free(temporary);
    return rc;
}

static int write_trace(const struct arguments *a, const struct scenario_file *file, const struct point *p,
                       const struct measures *m, const struct timeline *t)
{
    struct notes *n = calloc(1, sizeof(*n));
    int rc;

    if (!n)
        return NW_ENOMEM;
    fill_notes(n, a, file, p, m);
    struct live live;
    rc = live_of(&p->scenario, t, &live);
    struct chrome_counter memory = {
        .name = "live memory", .unit = "GB", .n = live.n, .at_ps = live.at_ps, .values = live.GB
    };
    struct chrome_options o = { .notes = n->list,
                                .nnotes = n->n,
                                .arrows = !a->plain,
                                .counters = &memory,
                                .ncounters = live.n > 0,
                                .load = a->load };
    if (!rc)
        rc = !a->output || !strcmp(a->output, "-") ? chrome_write(t, &o, stdout) : write_file(t, &o, a->output);
    live_free(&live);
    free(n);
    if (rc)
        return rc;
    fprintf(stderr, "%s%s%s: a step takes %.6g ms; %zu spans%s%s\n", scenario_name(file), *p->variant ? ", " : "",
            p->variant, measure_value(m, "step_ms"), t->nspans, a->output ? " in " : "", a->output ? a->output : "");
    if (t->left_out)
        fprintf(stderr, "narrows trace: %zu later spans are left out: raise --most or narrow --window\n", t->left_out);
    return NW_OK;
}

/* The whole traffic, whatever window the trace has. */
static int write_flows(const struct arguments *a, const struct scenario_file *file, const struct point *p)
{
    const struct flows *flows = &p->scenario.method.flows;
    int64_t *end_ps = malloc((flows->n + 1) * sizeof(*end_ps));
    char why[512] = "";
    int rc;

    if (!end_ps)
        return NW_ENOMEM;
    rc = flows_ends(&p->scenario.platform, flows, end_ps, why, sizeof(why));
    if (rc) {
        scenario_refuse(file, p, *why ? why : "out of memory", stderr);
        rc = NW_ESIM;
    } else {
        rc = flow_file_write_ends(a->flows, flows->list, flows->n, end_ps, stderr);
    }
    free(end_ps);
    return rc;
}

static int trace(const struct arguments *a, const struct scenario_file *file, const struct supply *supply,
                 struct point *p)
{
    struct timeline t = { .most = (size_t)a->most, .from_ps = a->from_ps, .to_ps = a->to_ps };
    struct measures *m = calloc(1, sizeof(*m));
    char why[512] = "";
    int rc = m ? measures_and_timeline(&p->scenario, m, &t, why, sizeof(why)) : NW_ENOMEM;

    if (rc == NW_ESIM)
        scenario_refuse(file, p, why, stderr);
    if (!rc)
        rc = write_trace(a, file, p, m, &t);
    if (!rc && a->store)
        rc = timeline_store(supply->store, supply->run_id, p, m, &t);
    if (!rc && a->flows)
        rc = write_flows(a, file, p);
    timeline_free(&t);
    free(m);
    return rc;
}

/* The database is opened where something comes from it or goes into it, and not without need. */
static int trace_point(const struct arguments *a, const struct scenario_file *file, struct point *p)
{
    struct supply supply = { .file = NULL };
    bool needed = supply_needed(file, p);
    int rc = NW_OK;

    if (a->flows && p->scenario.method.kind != METHOD_FLOWS)
        return status_error(NW_EINPUT, "%s: --flows goes with the method 'flows'\n", scenario_path(file));
    if (a->chakra && (a->store || a->flows || a->load || a->plain || a->to_ps || a->most != DEFAULT_MOST))
        return status_error(NW_EINPUT, "narrows trace: expected a Chakra trace of the whole step, without --window, "
                                       "--most, --load, --no-arrows, --flows and --store\n");
    if (needed || a->store)
        rc = supply_open(&supply, file, a->db, "trace", scenario_baseline(file), command_text());
    if (!rc && needed)
        rc = supply_point(&supply, p);
    if (!rc)
        rc = a->chakra ? trace_chakra(file, p, a->output) : trace(a, file, &supply, p);
    return supply_close(&supply, rc);
}

static int run(const struct arguments *a)
{
    struct scenario_file *file = NULL;
    struct point p = { .arena = NULL };
    int rc = command_open_point(&a->at, &file, &p);

    if (!rc)
        rc = trace_point(a, file, &p);
    point_free(&p);
    scenario_close(file);
    return rc;
}

int cmd_trace(int argc, char **argv)
{
    struct arguments a = { .db = DEFAULT_DB, .most = DEFAULT_MOST };

    if (command_parse(&argp, argc, argv, &a))
        return NW_EINPUT;
    if (!a.output && isatty(STDOUT_FILENO))
        return status_error(NW_EINPUT,
                            "narrows trace: expected --output FILE, or a standard output that is no terminal\n");
    if (a.output && strlen(a.output) > 3 && !strcmp(a.output + strlen(a.output) - 3, ".et"))
        a.chakra = true;
    if (a.chakra && (!a.output || !strcmp(a.output, "-")))
        return status_error(NW_EINPUT, "narrows trace: Chakra: expected --output FILE, of which each rank gets one\n");
    return run(&a);
}
