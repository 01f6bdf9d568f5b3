/* narrows show - what a file means once everything in it is inferred and resolved. */
#include <argp.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/command/commands.h"
#include "harness/command/line/command_line.h"
#include "harness/command/line/guess.h"
#include "harness/command/show/show.h"
#include "harness/scenario/scenario.h"
#include "harness/scenario/schema/units.h"
#include "harness/status.h"

enum { KEY_SPLIT = 256, KEY_WIGGLE, KEY_SEED };

struct arguments {
    const char *what;
    struct command_point at;
    int classes;
    bool splits, wiggles, seeds; /* which of the options were given */
    struct split_spec split;
};

static const struct argp_option options[] = {
    { "classes", 'c', "N", 0, "model: this many classes instead of the file's", 0 },
    { "split", KEY_SPLIT, "DEPTH,ROWSxCOLUMNS", 0,
      "model: split this share of its convolutions (0..1) into patches, as in 0.75,2x2; show what each layer does on "
      "them",
      0 },
    { "wiggle", KEY_WIGGLE, "SHARE", 0, "model: cut at random this far from an even split (0 to below 0.5)", 0 },
    { "seed", KEY_SEED, "N", 0, "model: of the random cuts (default 0)", 0 },
    { "point", 'p', "N", 0, "scenario: show this point (default 0)", 0 },
    { "set", 's', "PATH=VALUE", 0, "scenario: override any key", 0 },
    { 0 }
};

static double share(const char *option, const char *text)
{
    char *end;
    double value = strtod(text, &end);

    if (end == text || *end)
        command_misused(option, "a number", text);
    return value;
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct arguments *a = state->input;

    switch (key) {
    case 'c': a->classes = command_number("--classes", text, 1, 1000000000); return 0;
    case KEY_SPLIT:
        a->splits = true;
        if (show_split_read(text, &a->split))
            command_misused("--split", "DEPTH,ROWSxCOLUMNS as in 0.75,2x2", text);
        return 0;
    case KEY_WIGGLE:
        a->wiggles = true;
        a->split.wiggle = share("--wiggle", text);
        return 0;
    case KEY_SEED:
        a->seeds = true;
        a->split.seed = command_number("--seed", text, 0, INT_MAX);
        return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num > 1)
            argp_usage(state);
        *(state->arg_num ? &a->at.file : &a->what) = text;
        return 0;
    case ARGP_KEY_END:
        if (state->arg_num < 2)
            argp_error(state,
                       state->arg_num ? "which %s? A file, or a shipped name (narrows list)"
                                      : "what? A model, a platform or a scenario, and its NAME%s",
                       state->arg_num ? a->what : "");
        return 0;
    default: return command_parse_point(key, text, state, &a->at);
    }
}

static const struct argp argp = {
    .options = options,
    .parser = parse,
    .args_doc = "model NAME\nplatform NAME\nscenario FILE",
    .doc = "Show a model layer by layer (shapes, parameters, activations, FLOPs) or split into patches (Split-CNN), a "
           "platform with its network and what every link joins, or a scenario with every key resolved.\vNAME is a "
           "file or a shipped one (narrows list).",
};

/* A file of another kind would have an error in each of its keys: its kind is reported once. */
static int of_kind(enum scenario_kind kind, const char *path)
{
    static const char *const names[] = {
        [KIND_SCENARIO] = "scenario", [KIND_PLATFORM] = "platform", [KIND_MODEL] = "model", [KIND_TIMING] = "timing"
    };
    enum scenario_kind is = scenario_kind(path);

    if (is == KIND_UNKNOWN || is == kind)
        return NW_OK;
    fprintf(stderr, "%s: expected a %s, got a %s", path, names[kind], names[is]);
    return status_error(NW_EINPUT, is == KIND_TIMING ? "\n" : ": narrows show %s\n", names[is]);
}

static int one_model(const struct arguments *a)
{
    char path[4096], why[256];
    struct model_spec *spec = NULL;
    struct model m = { 0 };
    int rc = command_find("models", a->at.file, path, sizeof(path));

    if (!rc)
        rc = of_kind(KIND_MODEL, path);
    if (!rc)
        rc = scenario_load_model(path, stderr, &spec);
    if (rc)
        return rc;
    if (a->classes)
        spec->classes = a->classes;
    if (model_infer(spec, &m, why, sizeof(why))) {
        rc = status_error(NW_EINPUT, "%s: %s\n", path, why);
    } else if (a->splits && !m.nlayers) {
        rc = status_error(NW_EINPUT, "%s: --split: expected a model with convolutions\n", path);
    } else if (a->splits) {
        rc = show_split(spec, &m, &a->split);
    } else {
        show_model(spec, &m);
    }
    model_free(&m);
    scenario_free_model(spec);
    return rc;
}

static int one_platform(const struct arguments *a)
{
    char path[4096];
    struct platform *p = NULL;
    int rc = command_find("platforms", a->at.file, path, sizeof(path));

    if (!rc)
        rc = of_kind(KIND_PLATFORM, path);
    if (!rc)
        rc = scenario_load_platform(path, stderr, &p);
    if (rc)
        return rc;
    show_platform(p);
    scenario_free_platform(p);
    return rc;
}

static int one_scenario(const struct arguments *a)
{
    struct scenario_file *file = NULL;
    struct point p = { 0 };
    int rc = command_open_point(&a->at, &file, &p);

    if (!rc) {
        char text[256];
        printf("# %s: %s\n# point %d of %zu%s%s\n", scenario_name(file), scenario_title(file), a->at.index,
               scenario_npoints(file), *p.variant ? ", variant " : "", p.variant);
        for (size_t i = 0; i < p.nparams; i++)
            printf("# %s = %s\n", p.params[i].path, quantity_short(p.params[i].text, text, sizeof(text)));
        for (size_t i = 0; i < p.ndefaults; i++)
            printf("# %s is not given: %s%s\n", p.defaults[i].path, p.defaults[i].why,
                   p.defaults[i].rate_Bps > 0 ? "" : ", so it takes no time");
        scenario_print(&p.scenario, stdout);
    }
    point_free(&p);
    scenario_close(file);
    return rc;
}

/* "model", or "models" as of narrows list. */
static bool is(const char *text, const char *what)
{
    size_t n = strlen(what);

    return !strncmp(text, what, n) && (!text[n] || !strcmp(text + n, "s"));
}

int cmd_show(int argc, char **argv)
{
    struct arguments a = { 0 };

    if (command_parse(&argp, argc, argv, &a))
        return NW_EINPUT;
    bool model = is(a.what, "model"), scenario = is(a.what, "scenario");
    if ((a.classes && !model) || ((a.at.index || a.at.nsets) && !scenario))
        return status_error(NW_EINPUT,
                            "narrows show: --classes goes with a model, --point and --set with a scenario\n");
    if (a.splits && !model)
        return status_error(NW_EINPUT, "narrows show: --split goes with a model\n");
    if ((a.wiggles && !a.splits) || (a.seeds && !a.wiggles))
        return status_error(NW_EINPUT, "narrows show: --wiggle goes with --split, --seed with --wiggle\n");
    if (model)
        return one_model(&a);
    if (scenario)
        return one_scenario(&a);
    if (is(a.what, "platform"))
        return one_platform(&a);
    guess_word("narrows show: expected model, platform or scenario", a.what,
               (const char *const[]){ "model", "platform", "scenario", NULL });
    return NW_EINPUT;
}
