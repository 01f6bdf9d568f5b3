/* narrows list - the shipped models, platforms, timings, scenarios, validations and codecs. */
#include <argp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/command/commands.h"
#include "harness/command/line/command_line.h"
#include "harness/command/line/guess.h"
#include "harness/scenario/scenario.h"
#include "harness/status.h"
#include "harness/tensor/codec_alias.h"
#include "harness/tensor/codec_table.h"
#include "harness/validation/spec.h"
#include "kernels/codec/codec.h"

static error_t parse(int key, char *text, struct argp_state *state)
{
    const char **what = state->input;

    if (key != ARGP_KEY_ARG)
        return ARGP_ERR_UNKNOWN;
    if (state->arg_num > 0)
        argp_usage(state);
    *what = text;
    return 0;
}

static const struct argp argp = {
    .parser = parse,
    .args_doc = "[models|platforms|timings|scenarios|validations|codecs]",
    .doc = "List what ships with narrows: models, platforms, timings of GPUs, scenarios, validations, and codecs with "
           "their parameters, sizes and the implementations that can run here.",
};

/* The file's name without folder and ending: what the other commands accept. */
static void stem(const char *path, char *name, size_t size)
{
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path, *dot = strrchr(base, '.');

    snprintf(name, size, "%.*s", (int)(dot ? dot - base : (long)strlen(base)), base);
}

static void print_named(const char *path, const char *title)
{
    char name[256];

    stem(path, name, sizeof(name));
    printf("  %-36s %s\n", name, title);
}

/* Visitors of command_each(): a file with errors is skipped, and its status kept in *argument. */
static int skip(void *argument, int rc)
{
    *(int *)argument = rc;
    return NW_OK;
}

static int list_model(const char *path, void *argument)
{
    struct model_spec *spec;
    int rc = scenario_load_model(path, stderr, &spec);

    if (rc)
        return skip(argument, rc);
    print_named(path, spec->title);
    scenario_free_model(spec);
    return NW_OK;
}

static int list_platform(const char *path, void *argument)
{
    struct platform *p;
    int rc = scenario_load_platform(path, stderr, &p);

    if (rc)
        return skip(argument, rc);
    print_named(path, p->title);
    scenario_free_platform(p);
    return NW_OK;
}

static int list_timing(const char *path, void *argument)
{
    struct timing *t;
    int rc = scenario_load_timing(path, stderr, &t);

    if (rc)
        return skip(argument, rc);
    print_named(path, t->source);
    scenario_free_timing(t);
    return NW_OK;
}

/* A paper's scenario is called PAPER/NAME, an example or a training of its own NAME: what 'narrows run' accepts. */
static int list_scenario(const char *path, void *argument)
{
    static const char papers[] = "/scenarios/papers/";
    const char *paper = strstr(path, papers);
    struct scenario_file *f = NULL;
    char name[256];
    int rc = scenario_open(path, NULL, 0, NULL, 0, stderr, &f);

    if (rc)
        return skip(argument, rc);
    if (paper)
        snprintf(name, sizeof(name), "%.*s", (int)(strlen(paper) - strlen(papers) - strlen(".yaml")),
                 paper + strlen(papers));
    else
        stem(path, name, sizeof(name));
    printf("  %-36s %6zu points  %s\n", name, scenario_npoints(f), scenario_title(f));
    scenario_close(f);
    return NW_OK;
}

/* PAPER/FILE.yaml is what a paper's training runs share; PAPER/SIZE/FILE.yaml is one, of which those of the paper's
 * own size want data that may not be there: 'narrows check' says what is missing. */
static int list_training(const char *path, void *argument)
{
    static const char root[] = "/scenarios/training/";
    const char *at = strstr(path, root), *name = at ? at + strlen(root) : path, *slash = strchr(name, '/');
    struct scenario_file *f = NULL;
    FILE *nowhere;

    if (!slash)
        return list_scenario(path, argument);
    if (!strchr(slash + 1, '/'))
        return NW_OK;
    nowhere = fopen("/dev/null", "w");
    if (!nowhere)
        return NW_EIO;
    if (scenario_open(path, NULL, 0, NULL, 0, nowhere, &f))
        printf("  %-36.*s         -  not ready: narrows check says what is missing\n",
               (int)(strlen(name) - strlen(".yaml")), name);
    else
        printf("  %-36.*s %6zu points  %s\n", (int)(strlen(name) - strlen(".yaml")), name, scenario_npoints(f),
               scenario_title(f));
    scenario_close(f);
    fclose(nowhere);
    return NW_OK;
}

/* The folder has their scenarios, too. */
static int list_validation(const char *path, void *argument)
{
    struct validation *v = NULL;
    int rc = validation_likely(path) ? validation_open(path, stderr, &v) : NW_OK;

    if (rc)
        return skip(argument, rc);
    if (v)
        print_named(path, v->title);
    validation_close(v);
    return NW_OK;
}

static int list(const char *folder, int (*visit)(const char *path, void *argument))
{
    int error = NW_OK, rc = command_each(folder, visit, &error);

    return rc ? rc : error;
}

static void list_params(const struct codec *c)
{
    for (const struct codec_param *p = c->param; p->name; p++) {
        printf("    %-10s %s%s%s: %g to %g, ", p->name, p->what, *p->unit ? ", " : "", p->unit, p->lowest, p->highest);
        if (p->multiple > 1)
            printf("multiples of %g, ", p->multiple);
        printf("usually %g\n", p->preset);
    }
}

/* What a large tensor costs a value, in the preset form. */
static void list_sizes(const struct codec *c)
{
    static const char *const adding[] = { [CODEC_REDUCIBLE] = "an allreduce can add it",
                                          [CODEC_REDUCIBLE_TWICE] = "two allreduces can add it",
                                          [CODEC_GATHERED] = "every receiver decompresses it",
                                          [CODEC_SCATTERED] = "an owner of each part reduces it" };
    const size_t n = (size_t)1 << 20;
    struct codec_params p = codec_presets(c);

    printf("    %-10s at most %.4g bits a value on the wire, %.4g bytes a value of state; %s\n", "size",
           8 * (double)c->payload_bound(n, &p) / (double)n, (double)c->state_size(n, &p) / (double)n, adding[c->class]);
}

static void list_impls(const struct codec *c, bool usable)
{
    bool any = false;

    for (const struct codec_impl *im = c->impls; im->impl.name; im++) {
        if (im->impl.usable() != usable)
            continue;
        if (!any)
            printf("    %-10s", usable ? "here" : "not here");
        printf(" %s", im->impl.name);
        any = true;
    }
    if (any)
        putchar('\n');
}

static void list_aliases(const struct codec *c)
{
    char *list = NULL;
    size_t size;
    FILE *f = open_memstream(&list, &size);

    if (f) {
        codec_alias_list(c->name, f);
        fclose(f);
    }
    if (list && *list)
        printf("    %-10s %s\n", "also", list);
    free(list);
}

static void list_codecs(void)
{
    for (const struct codec *const *c = codec_table(); *c; c++) {
        printf("  %-12s %s (%s)\n", (*c)->name, (*c)->what, (*c)->source);
        list_aliases(*c);
        list_params(*c);
        list_sizes(*c);
        list_impls(*c, 1);
        list_impls(*c, 0);
    }
}

/* Print the heading of a list that was asked for. */
static bool wanted(const char *what, const char *name, bool *known)
{
    size_t n = strlen(what);

    if (*what && strcmp(what, name) != 0 && (strlen(name) != n + 1 || strncmp(what, name, n) != 0)) /* "model", too */
        return false;
    *known = true;
    puts(name);
    return true;
}

int cmd_list(int argc, char **argv)
{
    const char *what = "";
    int rc = NW_OK;
    bool known = false;

    if (command_parse(&argp, argc, argv, &what))
        return NW_EINPUT;
    if (wanted(what, "models", &known))
        rc = list("models", list_model);
    if (wanted(what, "platforms", &known) && list("platforms", list_platform))
        rc = NW_EINPUT;
    if (wanted(what, "timings", &known) && list("timings", list_timing))
        rc = NW_EINPUT;
    if (wanted(what, "scenarios", &known) &&
        (list("papers", list_scenario) | list("examples", list_scenario) | list("training", list_training)))
        rc = NW_EINPUT;
    if (wanted(what, "validations", &known) && list("validation/public", list_validation))
        rc = NW_EINPUT;
    if (wanted(what, "codecs", &known))
        list_codecs();
    if (!known) {
        static const char *const names[] = { "models",      "platforms", "timings", "scenarios",
                                             "validations", "codecs",    NULL };
        guess_word("narrows list: expected models, platforms, timings, scenarios, validations or codecs", what, names);
    }
    return known ? rc : NW_EINPUT;
}
