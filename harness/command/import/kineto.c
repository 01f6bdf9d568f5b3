/* kineto.c - narrows import kineto: times of layers from a trace of PyTorch's profiler. */
#include <argp.h>
#include <stdlib.h>
#include <string.h>

#include "harness/command/import/import.h"
#include "harness/command/line/command_line.h"
#include "harness/import/kineto/kineto.h"
#include "harness/scenario/scenario.h"
#include "harness/status.h"
#include "harness/text/whole_file.h"
#include "model/status.h"

struct arguments {
    const char *file, *output, *model;
    int samples; /* 0: not given */
    enum kineto_by by;
};

enum { KEY_BY = 256 };

static const struct argp_option options[] = {
    { "model", 'm', "MODEL", 0, "the model whose layers these are: a file, or a shipped one", 0 },
    { "samples", 'n', "N", 0, "samples of a step on this device (default: what the trace's shapes say)", 0 },
    { "by", KEY_BY, "WHAT", 0,
      "what a layer is: modules, annotations or operators (default: the first of them that the trace has)", 0 },
    { "output", 'o', "FILE", 0, "where to write the times, '-' for standard output (the default)", 0 },
    { 0 }
};

static enum kineto_by by_of(const char *text)
{
    for (int by = KINETO_BY_MODULES; by <= KINETO_BY_OPERATORS; by++)
        if (!strcmp(text, kineto_by_name((enum kineto_by)by)))
            return (enum kineto_by)by;
    command_misused("--by", "modules, annotations or operators", text);
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct arguments *a = state->input;

    switch (key) {
    case 'm': a->model = text; return 0;
    case 'n': a->samples = command_number("--samples", text, 1, 1 << 24); return 0;
    case KEY_BY: a->by = by_of(text); return 0;
    case 'o': a->output = text; return 0;
    case ARGP_KEY_ARG:
        if (a->file)
            argp_error(state, "expected one TRACE, got '%s' as well", text);
        a->file = text;
        return 0;
    case ARGP_KEY_NO_ARGS: argp_error(state, "which TRACE? A file of torch.profiler's export_chrome_trace()"); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    .options = options,
    .parser = parse,
    .args_doc = "TRACE.json[.gz]",
    .doc =
        "Read a trace of PyTorch's profiler and write how long each layer takes, forward and backward, as keys of a "
        "scenario (method.profile), which a scenario includes. Times are the median over the trace's steps, on the GPU "
        "where it has kernels, else on the CPU. What belongs to no layer is said as a share; in the scenario it is "
        "shared by FLOPs.\v"
        "Layers are calls of modules if the profiler ran with with_stack=True, else record_function() annotations, "
        "else operators. With --model they get the names of the model's layers: those of the same name, and those of "
        "each kind of which the trace has as many as the model, in their order. Without it only both passes' times "
        "are written, and the layers as comments. '-' is standard input. Examples:\n"
        "  narrows import kineto trace.json.gz --model resnet-50 -o resnet-50.times.yaml\n"
        "  narrows import kineto --by operators trace.json",
};

struct writing {
    const struct kineto_profile *profile;
    const struct model *model;
    const char *from;
};

static void write_times(FILE *out, const void *what)
{
    const struct writing *w = what;

    kineto_write(w->profile, w->model, w->from, out);
}

static int load_model(const char *name, struct model *m)
{
    struct model_spec *spec = NULL;
    char path[4096], why[512] = "";
    int rc = command_find("models", name, path, sizeof(path));

    rc = rc ? rc : scenario_load_model(path, stderr, &spec);
    if (!rc && model_infer(spec, m, why, sizeof(why)))
        rc = status_error(NW_EINPUT, "%s: %s\n", path, *why ? why : "out of memory");
    if (!rc && !m->nlayers)
        rc = status_error(NW_EINPUT, "%s: expected a model without experts and latent attention\n", path);
    scenario_free_model(spec);
    return rc;
}

static int finish(const struct arguments *a, struct kineto_profile *p, const struct model *m)
{
    struct writing w = { p, m, a->file };

    if (a->samples)
        p->samples = a->samples;
    if (!p->samples)
        return status_error(NW_EINPUT,
                            "%s: how many samples has a step? The trace has no shapes (record_shapes=True): "
                            "expected --samples N\n",
                            a->file);
    if (m)
        kineto_match(p, m);
    kineto_report(p, m, stderr);
    if (!a->samples)
        fprintf(stderr, "samples: %lld, the first dimension of what the first %s reads (--samples N is another)\n",
                (long long)p->samples, p->samples_of);
    if (a->output && strcmp(a->output, "-"))
        return whole_file_write(a->output, write_times, &w, stderr);
    write_times(stdout, &w);
    return NW_OK;
}

int import_kineto(int argc, char **argv)
{
    struct arguments a = { .by = KINETO_BY_ANY };
    struct kineto_profile p = { 0 };
    struct model m = { 0 };
    int rc;

    if (command_parse(&argp, argc, argv, &a))
        return NW_EINPUT;
    rc = a.model ? load_model(a.model, &m) : NW_OK;
    rc = rc ? rc : kineto_read_file(a.file, a.by, &p, stderr);
    rc = rc ? rc : finish(&a, &p, a.model ? &m : NULL);
    kineto_free(&p);
    model_free(&m);
    return rc;
}
