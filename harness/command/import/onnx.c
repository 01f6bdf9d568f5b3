/* onnx.c - narrows import onnx: the network of an ONNX file as a model file. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/command/import/import.h"
#include "harness/command/line/command_line.h"
#include "harness/import/onnx/onnx.h"
#include "harness/status.h"
#include "harness/text/whole_file.h"

enum { KEY_DIM = 256, MOST_SIZE = 1 << 24 };

struct arguments {
    const char *file, *output;
    struct onnx_options options;
};

static const struct argp_option options[] = {
    { "output", 'o', "MODEL.yaml", 0, "write the model file there (default: standard output)", 0 },
    { "name", 'n', "NAME", 0, "of the model (default: the output's, or else the graph's own)", 0 },
    { "dim", KEY_DIM, "NAME=N", 0,
      "the size of a dimension that the file only names, as of a batch or of positions (default: 1 each)", 0 },
    { "batch", 'b', "N", 0, "the same of one that is named batch, batch_size or N", 0 },
    { 0 }
};

static void add_dim(struct arguments *a, const char *name, int64_t size)
{
    if (a->options.ndims == ONNX_MOST_DIMS)
        command_misused("--dim", "16 dimensions at most", name);
    a->options.dims[a->options.ndims++] = (struct onnx_dim){ name, size };
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct arguments *a = state->input;
    char *equals;

    switch (key) {
    case 'o': a->output = text; return 0;
    case 'n': a->options.name = text; return 0;
    case KEY_DIM:
        equals = strchr(text, '=');
        if (!equals || equals == text)
            command_misused("--dim", "NAME=N", text);
        *equals = 0;
        add_dim(a, text, command_number("--dim", equals + 1, 1, MOST_SIZE));
        return 0;
    case 'b':
        for (int i = 0; i < 3; i++)
            add_dim(a, (const char *const[]){ "batch", "batch_size", "N" }[i],
                    command_number("--batch", text, 1, MOST_SIZE));
        return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num)
            argp_usage(state);
        a->file = text;
        return 0;
    case ARGP_KEY_END:
        if (!a->file)
            argp_error(state, "which file?");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    .options = options,
    .parser = parse,
    .args_doc = "FILE",
    .doc = "Read the network of an ONNX file, and write it as a model file, which 'narrows show model' prints and "
           "scenarios name.\vFILE is '-' for standard input. Weights need not be there. What the model file says "
           "otherwise than the graph is listed on stderr, with the parameters of both; a network that no model file "
           "can say is refused node by node (narrows help models).",
};

/* "out/resnet-18.yaml": resnet-18. */
static const char *name_of(const char *path, char *name, size_t size)
{
    const char *slash = strrchr(path, '/');

    snprintf(name, size, "%s", slash ? slash + 1 : path);
    if (strrchr(name, '.') && strrchr(name, '.') != name)
        *strrchr(name, '.') = 0;
    return name;
}

static void report(const struct onnx_network *n, const char *file)
{
    int64_t framework = onnx_parameters(n), model = onnx_model_parameters(n);
    int times;

    for (size_t i = 0; i < onnx_notes(n); i++) {
        const char *text = onnx_note(n, i, &times);
        fprintf(stderr, "%6d x %s\n", times, text);
    }
    fprintf(stderr, "%s: %zu layers, %lld parameters; the file has %lld%s", onnx_spec(n)->name, onnx_model(n)->nlayers,
            (long long)model, (long long)framework, model == framework ? ", as many\n" : "");
    if (model != framework)
        fprintf(stderr, ", a difference of %lld, see above (%s)\n", (long long)(model - framework), file);
}

static int import(const struct arguments *a)
{
    const char *file = whole_file_name(a->file);
    struct onnx_network *n = NULL;
    char *bytes = NULL;
    size_t size = 0;
    int rc = whole_file_take(a->file, ONNX_MOST_B, &bytes, &size, stderr);

    rc = rc ? rc : onnx_read(file, bytes, size, &a->options, stderr, &n);
    free(bytes);
    if (!rc && a->output)
        rc = whole_file_write(a->output, onnx_write, n, stderr);
    else if (!rc)
        onnx_write(stdout, n);
    if (!rc)
        report(n, file);
    onnx_free(n);
    return rc;
}

int import_onnx(int argc, char **argv)
{
    struct arguments a = { 0 };
    char name[256];

    if (command_parse(&argp, argc, argv, &a))
        return NW_EINPUT;
    if (!a.options.name && a.output && strncmp(a.output, "/dev/", 5) != 0)
        a.options.name = name_of(a.output, name, sizeof(name));
    return import(&a);
}
