#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/command/compress/compare.h"
#include "harness/status.h"
#include "harness/tensor/codec_alias.h"
#include "harness/tensor/codec_choice.h"
#include "harness/tensor/codec_table.h"

enum {
    KEY_COMPARE = 512,
    KEY_CODEC,
    KEY_ONE_STEP,
    KEY_TENSORS,
    KEY_CSV,
    KEY_JSON,
    KEY_HTML,
    KEY_COSINE,
    KEY_SECONDS,
    KEY_SCENARIO,
    KEY_VARIANT,
    KEY_POINT,
    KEY_SET,
    KEY_DB
};

static const double BAR = 0.9, SECONDS = 2;

static const struct argp_option options[] = {
    { NULL, 0, NULL, 0, "Comparison, without an output:", 2 },
    { "compare", KEY_COMPARE, NULL, 0, "compare codecs; without a file, on shipped gradients", 2 },
    { "codec", KEY_CODEC, "CODEC", 0, "this one, and others given so (default: all)", 2 },
    { "one-step", KEY_ONE_STEP, NULL, 0, "all files together are the tensors of one step", 2 },
    { "each-tensor", KEY_TENSORS, NULL, 0, "also a table of each tensor", 2 },
    { "csv", KEY_CSV, NULL, 0, "print comma-separated values", 2 },
    { "json", KEY_JSON, NULL, 0, "print JSON", 2 },
    { "html", KEY_HTML, "FILE", 0, "also write a page that needs no other file", 2 },
    { "cosine", KEY_COSINE, "C", 0, "which codec keeps this cosine in the fewest bits? (default 0.9)", 2 },
    { "seconds", KEY_SECONDS, "S", 0, "of repeated calls, for their times (default 2)", 2 },
    { "scenario", KEY_SCENARIO, "SCENARIO", 0,
      "go on to what each codec would do to a step of this cluster: a file, or a shipped one (narrows list scenarios)",
      2 },
    { "variant", KEY_VARIANT, "NAME", 0, "of the scenario: this variant, but for the gradients' codec", 2 },
    { "point", KEY_POINT, "N", 0, "of a scenario with several points: this one (default 0)", 2 },
    { "set", KEY_SET, "PATH=VALUE", 0, "override any key of the scenario", 2 },
    { "db", KEY_DB, "FILE", 0,
      "results database, opened only for a scenario's calibrated constants (default " DEFAULT_DB ")", 2 },
    { 0 }
};

static double number(const char *option, const char *text, double lowest, double highest, const char *expected)
{
    char *end;
    double value = strtod(text, &end);

    if (end == text || *end || !(value >= lowest && value <= highest))
        command_misused(option, expected, text);
    return value;
}

static error_t parse_scenario(int key, char *text, const struct argp_state *state, struct compare_arguments *a)
{
    switch (key) {
    case KEY_SCENARIO: a->at.file = text; return 0;
    case KEY_VARIANT: a->at.variant = text; return 0;
    case KEY_POINT: a->at.index = command_number("--point", text, 0, COMMAND_POINTS); return 0;
    case KEY_SET: return command_add(a->at.sets, &a->at.nsets, text, state);
    case KEY_DB: a->db = text; return 0;
    case ARGP_KEY_INIT: *a = (struct compare_arguments){ .bar = BAR, .seconds = SECONDS, .db = DEFAULT_DB }; return 0;
    case ARGP_KEY_END:
        if (!a->at.file && (a->at.variant || a->at.nsets || a->at.index))
            argp_error(state, "--variant, --point and --set go with --scenario");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct compare_arguments *a = state->input;

    if (key >= KEY_COMPARE && key <= KEY_DB)
        a->asked = true;
    switch (key) {
    case KEY_COMPARE: return 0;
    case KEY_CODEC: return command_add(a->codecs, &a->ncodecs, text, state);
    case KEY_ONE_STEP: a->read.one = true; return 0;
    case KEY_TENSORS: a->tensors = true; return 0;
    case KEY_CSV: a->format = COMPARE_CSV; return 0;
    case KEY_JSON: a->format = COMPARE_JSON; return 0;
    case KEY_HTML: a->html = text; return 0;
    case KEY_COSINE: a->bar = number("--cosine", text, -1, 1, "a number from -1 to 1"); return 0;
    case KEY_SECONDS: a->seconds = number("--seconds", text, 0, 1e6, "a number of seconds, 0 or more"); return 0;
    default: return parse_scenario(key, text, state, a);
    }
}

const struct argp compare_argp = { .options = options, .parser = parse };

/* --- arguments that are no options --- */

static bool names_codec(const char *text)
{
    char name[64];

    snprintf(name, sizeof(name), "%.*s", (int)strcspn(text, ":"), text);
    return codec_alias_of(name) || codec_table_find(name);
}

static bool names_input(const char *text)
{
    return !access(text, F_OK) || strpbrk(text, "*?[");
}

bool compare_meant(const struct compare_arguments *a, const char *const *args, size_t n)
{
    if (a->asked)
        return true;
    if (n == 3)
        return names_input(args[0]) || (names_codec(args[1]) && !names_input(args[1]));
    for (size_t i = 0; i < n; i++)
        if (names_input(args[i]) || !names_codec(args[i]))
            return true;
    return false;
}

static int add_codec(struct compare_arguments *a, const char *text)
{
    const struct codec *codec;
    struct codec_params params;

    if (!names_codec(text) && strpbrk(text, "/."))
        return status_error(NW_EINPUT, "%s: no such file or folder\n", text);
    if (!names_codec(text))
        fprintf(stderr, "%s: no such file, and ", text);
    if (codec_choice_read(text, &codec, &params, stderr))
        return NW_EINPUT;
    if (a->ncodecs == COMMAND_SETS)
        return status_error(NW_EINPUT, "narrows compress: more than %d codecs: '%s'\n", COMMAND_SETS, text);
    a->codecs[a->ncodecs++] = text;
    return NW_OK;
}

int compare_sort_arguments(struct compare_arguments *a, const char **args, size_t n)
{
    int rc = NW_OK;

    a->inputs = args;
    for (size_t i = 0; i < n && !rc; i++)
        if (names_input(args[i]))
            args[a->ninputs++] = args[i];
        else
            rc = add_codec(a, args[i]);
    return rc;
}
