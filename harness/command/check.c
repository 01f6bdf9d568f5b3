/* check.c - is this file right, and what may stand in it: 'narrows check' and 'narrows schema'. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/command/commands.h"
#include "harness/command/line/command_line.h"
#include "harness/command/line/guess.h"
#include "harness/count.h"
#include "harness/run/precheck.h"
#include "harness/run/uneven.h"
#include "harness/run/unfolded.h"
#include "harness/scenario/scenario.h"
#include "harness/status.h"
#include "harness/validation/spec.h"
#include "harness/validation/validation.h"

struct check {
    const char *as; /* NULL: by the file's keys */
    const char *sets[COMMAND_SETS], *sweeps[COMMAND_SETS];
    size_t nsets, nsweeps;
    const char **files;
    size_t nfiles;
};

static const struct argp_option check_options[] = {
    { "as", 'a', "KIND", 0, "read every FILE as a 'scenario', a 'platform', a 'model', a 'timing' or a 'validation'",
      0 },
    { "set", 's', "PATH=VALUE", 0, "override a key", 0 },
    { "sweep", 'w', "PATH=RANGE", 0,
      "sweep a key over 'a, b, c' or '2..32 GB/s:log:8'; zip:PATH=... advances with the other zips", 0 },
    { 0 },
};

static error_t parse_check(int key, char *arg, struct argp_state *state)
{
    struct check *c = state->input;

    switch (key) {
    case 'a':
        if (strcmp(arg, "scenario") && strcmp(arg, "platform") && strcmp(arg, "model") && strcmp(arg, "timing") &&
            strcmp(arg, "validation"))
            argp_error(state, "--as: expected scenario, platform, model, timing or validation, got '%s'", arg);
        c->as = arg;
        return 0;
    case 's': return command_add(c->sets, &c->nsets, arg, state);
    case 'w': return command_add(c->sweeps, &c->nsweeps, arg, state);
    case ARGP_KEY_ARG: c->files[c->nfiles++] = arg; return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "which FILE? A scenario, a platform, a model, a timing or a validation");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp check_argp = {
    check_options, parse_check,
    "FILE...",     "Check scenario, platform, model, timing and validation files; nothing is run.",
    NULL,          NULL,
    NULL,
};

static enum scenario_kind kind_of(const struct check *c, const char *path)
{
    if (!c->as)
        return scenario_kind(path);
    return *c->as == 's' ? KIND_SCENARIO : *c->as == 'p' ? KIND_PLATFORM : *c->as == 't' ? KIND_TIMING : KIND_MODEL;
}

static int check_scenario(const struct check *c, const char *path)
{
    struct scenario_file *f = NULL;
    int rc = scenario_open(path, c->sets, c->nsets, c->sweeps, c->nsweeps, stderr, &f);

    if (!rc)
        rc = precheck(f, stderr);
    if (!rc) {
        uneven_note(f, stderr);
        unfolded_note(f, stderr);
    }
    if (!rc)
        printf("%s: ok, %zu point%s\n", path, scenario_npoints(f), scenario_npoints(f) == 1 ? "" : "s");
    scenario_close(f);
    return rc;
}

static int check_validation(const char *path)
{
    size_t rows, calibrating;
    int rc = validation_check(path, &rows, &calibrating);

    if (!rc)
        printf("%s: ok, a validation of %zu row%s, %zu of them calibrate\n", path, rows, rows == 1 ? "" : "s",
               calibrating);
    return rc;
}

static int check_file(const struct check *c, const char *path)
{
    if (c->as ? *c->as == 'v' : validation_likely(path))
        return check_validation(path);

    enum scenario_kind kind = kind_of(c, path);
    struct platform *platform = NULL;
    struct model_spec *model = NULL;
    struct timing *timing = NULL;
    int rc;

    if (kind == KIND_SCENARIO || kind == KIND_UNKNOWN)
        return check_scenario(c, path);
    rc = kind == KIND_PLATFORM ? scenario_load_platform(path, stderr, &platform)
         : kind == KIND_TIMING ? scenario_load_timing(path, stderr, &timing)
                               : scenario_load_model(path, stderr, &model);
    if (!rc)
        printf("%s: ok, a %s\n", path, platform ? "platform" : timing ? "timing" : "model");
    scenario_free_platform(platform);
    scenario_free_timing(timing);
    scenario_free_model(model);
    return rc;
}

int cmd_check(int argc, char **argv)
{
    struct check c = { .nfiles = 0 };
    int rc;

    if (!(c.files = calloc((size_t)argc + 1, sizeof(*c.files))))
        return NW_ENOMEM;
    rc = command_parse(&check_argp, argc, argv, &c);
    for (size_t i = 0; i < c.nfiles; i++) {
        char path[4096];
        int one = command_find("scenarios", c.files[i], path, sizeof(path));

        if (!one)
            one = check_file(&c, path);

        rc = rc ? rc : one;
    }
    free(c.files);
    return rc;
}

static error_t parse_schema(int key, char *arg, struct argp_state *state)
{
    const char **what = state->input;

    if (key != ARGP_KEY_ARG)
        return ARGP_ERR_UNKNOWN;
    if (*what)
        argp_usage(state);
    *what = arg;
    return 0;
}

static const struct argp schema_argp = {
    NULL,
    parse_schema,
    "[platform|model|method|timing|training|scenario|validation]",
    "Print what may stand in a file: every key, its type, unit, range, "
    "default and meaning.",
    NULL,
    NULL,
    NULL,
};

int cmd_schema(int argc, char **argv)
{
    static const char *const all[] = { "scenario", "method", "training", "platform", "model" };
    const char *what = NULL;

    if (command_parse(&schema_argp, argc, argv, &what))
        return NW_EINPUT;
    for (size_t i = 0; !what && i < COUNT(all); i++) {
        printf("%s# %s\n", i ? "\n" : "", all[i]);
        scenario_document(all[i], stdout);
    }
    if (what && !strcmp(what, "validation")) {
        validation_document(stdout);
        return NW_OK;
    }
    if (what && scenario_document(what, stdout)) {
        static const char *const names[] = { "platform", "model",    "method",     "timing",
                                             "training", "scenario", "validation", NULL };
        guess_word("narrows schema: expected platform, model, method, timing, training, scenario or validation", what,
                   names);
        return NW_EINPUT;
    }
    return NW_OK;
}
