/* narrows record - training runs of other machines and days: export, import, resume, list, check. */
#include <argp.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/command/commands.h"
#include "harness/command/line/command_line.h"
#include "harness/command/line/records.h"
#include "harness/record/check.h"
#include "harness/record/choose.h"
#include "harness/record/file.h"
#include "harness/record/record.h"
#include "harness/run/experiment.h"
#include "harness/run/interrupt.h"
#include "harness/run/trace_time.h"
#include "harness/status.h"
#include "narrows_build.h"

enum { MOST_RUNS = 256, USUAL_STEPS = 40, MOST_STEPS = 100000000 };

enum verb { NO_VERB, EXPORT, IMPORT, RESUME, LIST, CHECK };

struct arguments {
    const char *db;
    enum verb verb;
    char **names;
    size_t nnames;
    int jobs, steps;
    bool stamp;
};

static const struct argp_option options[] = {
    { "db", 'd', "FILE", 0, "results database (default " DEFAULT_DB ")", 0 },
    { "jobs", 'j', "N", 0, "of export and check: threads (default: all processors)", 0 },
    { "steps", 's', "N", 0, "of check: how many steps of each training run (default 40)", 0 },
    { "stamp", 't', 0, 0, "of check: note in a file that agrees that this trainer repeats it", 0 },
    { 0 },
};

static enum verb verb_of(const char *text)
{
    static const char *const verbs[] = {
        [EXPORT] = "export", [IMPORT] = "import", [RESUME] = "resume", [LIST] = "list", [CHECK] = "check",
    };

    for (enum verb v = EXPORT; v <= CHECK; v++)
        if (!strcmp(text, verbs[v]))
            return v;
    return NO_VERB;
}

static void check_arguments(const struct arguments *a, const struct argp_state *state)
{
    if (a->verb == NO_VERB)
        argp_usage(state);
    if (a->verb == EXPORT && a->nnames < 2)
        argp_error(state, "export: expected FILE SCENARIO..., got %zu of them", a->nnames);
    if (a->verb == LIST && a->nnames)
        argp_error(state, "list: expected nothing more, got '%s'", a->names[0]);
    if ((a->verb == CHECK || a->verb == RESUME) && !a->nnames)
        argp_error(state, "%s: expected FILE..., got none", a->verb == CHECK ? "check" : "resume");
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct arguments *a = state->input;

    switch (key) {
    case 'd': a->db = text; return 0;
    case 'j': a->jobs = command_number("--jobs", text, 1, 256); return 0;
    case 's': a->steps = command_number("--steps", text, 1, MOST_STEPS); return 0;
    case 't': a->stamp = 1; return 0;
    case ARGP_KEY_ARG:
        if (a->verb != NO_VERB) {
            a->names[a->nnames++] = text;
            return 0;
        }
        a->verb = verb_of(text);
        if (a->verb == NO_VERB)
            argp_error(state, "expected export, import, resume, list or check, got '%s'", text);
        return 0;
    case ARGP_KEY_END: check_arguments(a, state); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    .options = options,
    .parser = parse,
    .args_doc = "export FILE SCENARIO...\nimport [FILE...]\nresume FILE...\nlist\ncheck FILE...",
    .doc =
        "A record is a file of training runs: for every seed losses, evaluations, bytes and precision step by step, "
        "with the machine, the commit and the day. Imported into a database it counts as what it is, recorded there "
        "and then: the papers' tables use it where nothing was trained here, and nothing here takes it for computed.\v"
        "export writes the newest whole run of each SCENARIO (a file, the name of a shipped one, or a folder of them "
        "such as 3lc/small) that this program's own trainer computed, timed by its own simulator. import adds what "
        "the database does not have yet; without FILE, the records that ship with narrows (results/records/), as "
        "'narrows reproduce' does. resume takes FILE's training runs over as the database's own, as if the database "
        "that they were exported from had been copied here: 'narrows run' goes on from them, and export writes them "
        "again, with their machines and days. Only those of this program's own trainer can be resumed. list prints "
        "the database's records: 'fresh' are those of this program's trainer, 'stale' those of another one, and "
        "'checked N' those of another one whose training runs this one repeats, bit for bit, for N steps.\n\n"
        "check trains the first steps of every training run of each FILE again, by the scenario files that are there "
        "now, stores nothing, and compares losses, bytes, precision and learning rates step by step. A difference, or "
        "a scenario whose points are others now, is exit code 1; one that has more of them at its end is not. With "
        "--stamp a file whose training runs all agree says so from then on, and its records are 'checked'. What acts "
        "only in later steps (a learning rate's drop, AWP, a change of precision) and evaluations are not checked; "
        "--steps sets how far it goes.",
};

struct exporting {
    struct experiment experiment;
    int64_t runs[MOST_RUNS];
    size_t nruns;
};

/* Its times are of this program's simulator, or become so. */
static int choose(const char *path, void *argument)
{
    struct exporting *e = argument;
    struct scenario_file *file = NULL;
    int rc = scenario_open(path, NULL, 0, NULL, 0, stderr, &file);

    if (!rc && e->nruns == MOST_RUNS)
        rc = status_error(NW_EINPUT, "narrows record: expected at most %d scenarios, got more\n", MOST_RUNS);
    if (!rc)
        rc = record_choose(e->experiment.store, file, &e->runs[e->nruns]);
    if (!rc)
        rc = trace_time(&e->experiment, file, e->runs[e->nruns++]);
    scenario_close(file);
    return rc;
}

static int choose_all(struct exporting *e, const char *name)
{
    char path[4096], training[256];
    int rc, n = snprintf(training, sizeof(training), "training/%s", name);

    if (command_has_folder(name))
        return command_each(name, choose, e);
    if (n > 0 && (size_t)n < sizeof(training) && command_has_folder(training))
        return command_each(training, choose, e);
    rc = command_find("scenarios", name, path, sizeof(path));
    return rc ? rc : choose(path, e);
}

static int export(const struct arguments *a)
{
    static const struct record_sources sources = { NW_TRAIN_DIGEST, NW_SIM_DIGEST };
    struct exporting e = { { .command = command_text(), .jobs = a->jobs, .calibrations = calibrations_new() },
                           { 0 },
                           0 };
    struct record_counts counts;
    int rc = !e.experiment.calibrations ? NW_ENOMEM : access(a->db, R_OK) ? NW_EDB : NW_OK;

    if (rc == NW_EDB)
        perror(a->db);
    interrupt_catch();
    if (!rc)
        rc = store_open(a->db, &e.experiment.store);
    for (size_t i = 1; i < a->nnames && !rc; i++)
        rc = choose_all(&e, a->names[i]);
    if (!rc)
        rc = record_export(e.experiment.store, e.runs, e.nruns, &sources, a->names[0], &counts);
    if (!rc)
        fprintf(stderr, "%s: %zu runs, %zu training runs, %zu bytes\n", a->names[0], counts.runs, counts.training_runs,
                counts.bytes);
    store_close(e.experiment.store);
    calibrations_free(e.experiment.calibrations);
    return rc;
}

static int import(const struct arguments *a)
{
    struct store *s = NULL;
    int rc = store_open(a->db, &s);

    if (!rc && !a->nnames)
        rc = records_import(s, NULL);
    for (size_t i = 0; i < a->nnames && !rc; i++)
        rc = records_import_file(s, a->names[i]);
    store_close(s);
    return rc;
}

static int resume(const struct arguments *a)
{
    struct record_counts counts;
    struct store *s = NULL;
    int rc = store_open(a->db, &s);

    for (size_t i = 0; i < a->nnames && !rc; i++) {
        rc = record_resume(s, a->names[i], NW_TRAIN_DIGEST, &counts);
        if (!rc)
            fprintf(stderr, "%s: %zu runs, %zu training runs\n", a->names[i], counts.runs, counts.training_runs);
    }
    store_close(s);
    return rc;
}

static int list(const struct arguments *a)
{
    struct store *s = NULL;
    int rc = store_open_readonly(a->db, &s);

    if (!rc)
        rc = records_print(s, stdout);
    store_close(s);
    return rc;
}

/* 1 in *differs if it does not agree. */
static int check_file(const struct arguments *a, const char *path, bool *differs)
{
    const struct record_checking checking = { path, a->steps, a->jobs };
    struct record_stamp stamp = { .steps = a->steps };
    char digest[RECORD_DIGEST + 1];
    bool same;
    int rc = record_check(&checking, stdout, &same, digest);

    fflush(stdout);
    if (rc)
        return rc;
    *differs |= !same;
    if (!same && a->stamp)
        fprintf(stderr, "narrows: %s: is not stamped, since it does not agree\n", path);
    if (!same || !a->stamp)
        return NW_OK;
    snprintf(stamp.trainer, sizeof(stamp.trainer), "%s", NW_TRAIN_DIGEST);
    rc = record_file_stamp(path, digest, &stamp);
    if (!rc)
        printf("%s: checked by trainer %s from now on, %d steps\n", path, stamp.trainer, a->steps);
    return rc;
}

static int check(const struct arguments *a)
{
    bool differs = 0;
    int rc = NW_OK;

    interrupt_catch();
    for (size_t i = 0; i < a->nnames && !rc; i++)
        rc = check_file(a, a->names[i], &differs);
    return rc ? rc : differs ? EXIT_FAILED : NW_OK;
}

int cmd_record(int argc, char **argv)
{
    struct arguments a = { .db = DEFAULT_DB, .jobs = (int)sysconf(_SC_NPROCESSORS_ONLN), .steps = USUAL_STEPS };
    int rc;

    a.names = calloc((size_t)argc + 1, sizeof(*a.names));
    if (!a.names)
        return NW_ENOMEM;
    rc = command_parse(&argp, argc, argv, &a);
    switch (rc ? NO_VERB : a.verb) {
    case EXPORT: rc = export(&a); break;
    case IMPORT: rc = import(&a); break;
    case RESUME: rc = resume(&a); break;
    case LIST: rc = list(&a); break;
    case CHECK: rc = check(&a); break;
    case NO_VERB: break;
    }
    free(a.names);
    return rc;
}
