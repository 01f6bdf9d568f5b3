/* narrows bench - how fast the kernels are on this machine, beside a copy timed in the same run. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/bench/bench.h"
#include "harness/command/command_line.h"
#include "harness/command/commands.h"
#include "harness/host/identity.h"
#include "harness/run/interrupt.h"
#include "harness/scenario/scenario.h"
#include "harness/status.h"
#include "harness/store/store.h"

enum { DEFAULT_REPS = 9, MAX_SIZE = 1 << 30 };

struct arguments {
    const char *db, *model, *impl;
    unsigned groups;
    int keep, reps, threads, size;
};

static const struct {
    const char *name;
    unsigned group;
} groups[] = { { "adt", BENCH_ADT }, { "l2norm", BENCH_L2NORM }, { "copy", BENCH_COPY } };
enum { NGROUPS = sizeof(groups) / sizeof(groups[0]) };

static const struct argp_option options[] = {
    { "impl", 'i', "NAME", 0, "only this implementation, e.g. avx512 (then also avx512+omp), scalar, cuda", 0 },
    { "keep", 'k', "BYTES", 0, "only this many bytes kept per weight, 1 to 4 (default: each)", 0 },
    { "reps", 'r', "N", 0, "repetitions of each (default 9); what takes over 3 times as long as the copy gets 3", 0 },
    { "threads", 't', "N", 0, "this many threads (default: one, then all processors)", 0 },
    { "model", 'm', "NAME", 0, "layers of this model: a file or a shipped one (default vgg-a)", 0 },
    { "size", 'n', "N", 0, "one layer of N weights instead of a model's", 0 },
    { "db", 'd', "FILE", 0, "results database, where every repetition is stored (default " DEFAULT_DB ")", 0 },
    { 0 }
};

static int number(const char *option, const char *text, int highest)
{
    int value = command_number(option, text, 1, highest);

    if (value < 0)
        exit(EXIT_MISUSED);
    return value;
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct arguments *a = state->input;

    switch (key) {
    case 'i': a->impl = text; return 0;
    case 'k': a->keep = number("--keep", text, 4); return 0;
    case 'r': a->reps = number("--reps", text, 10000); return 0;
    case 't': a->threads = number("--threads", text, (int)sysconf(_SC_NPROCESSORS_ONLN)); return 0;
    case 'm': a->model = text; return 0;
    case 'n': a->size = number("--size", text, MAX_SIZE); return 0;
    case 'd': a->db = text; return 0;
    case ARGP_KEY_ARG:
        for (int g = 0; g < NGROUPS; g++)
            if (!strcmp(text, groups[g].name)) {
                a->groups |= groups[g].group;
                return 0;
            }
        argp_error(state, "unknown group '%s': there are adt, l2norm and copy", text);
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    options,
    parse,
    "[GROUP...]",
    "Time every implementation that can run here, on one core and on all, layer by layer over a real model's weights. "
    "Groups: adt (Bitpack and Bitunpack), l2norm, copy (other copies than the one compared with); default adt and "
    "l2norm.\v"
    "GB/s counts the bytes that must move: read and written. 'of copy' is the median ratio to the copy of the same "
    "weights timed right before, 'p10' the ratio that nine in ten repetitions exceed.",
    NULL,
    NULL,
    NULL
};

/* The weights of each layer that has any, *sizes from malloc. */
static int layer_sizes(const struct model *m, size_t **sizes, size_t *n)
{
    *n = 0;
    *sizes = malloc(m->nlayers * sizeof(**sizes));
    if (!*sizes)
        return NW_ENOMEM;
    for (size_t i = 0; i < m->nlayers; i++)
        if (m->layers[i].weights > 0)
            (*sizes)[(*n)++] = (size_t)m->layers[i].weights;
    if (*n)
        return NW_OK;
    fprintf(stderr, "bench: %s has no weights\n", m->name);
    return NW_EINPUT;
}

static int model_sizes(const char *name, size_t **sizes, size_t *n)
{
    char path[4096], why[256];
    struct model_spec *spec = NULL;
    struct model m = { 0 };
    int rc = command_find("models", name, path, sizeof(path));

    if (!rc)
        rc = scenario_load_model(path, stderr, &spec);
    if (rc)
        return rc;
    if (model_infer(spec, &m, why, sizeof(why))) {
        fprintf(stderr, "%s: %s\n", path, why);
        rc = NW_EINPUT;
    } else {
        rc = layer_sizes(&m, sizes, n);
    }
    model_free(&m);
    scenario_free_model(spec);
    return rc;
}

static int sizes_of(const struct arguments *a, size_t **sizes, size_t *n)
{
    if (!a->size)
        return model_sizes(a->model, sizes, n);
    *n = 1;
    *sizes = malloc(sizeof(**sizes));
    if (!*sizes)
        return NW_ENOMEM;
    **sizes = (size_t)a->size;
    return NW_OK;
}

static void print_title(const struct arguments *a, const size_t *sizes, size_t n)
{
    size_t total = 0;

    for (size_t i = 0; i < n; i++)
        total += sizes[i];
    printf("%s\n%s: %zu weights in %zu %s, %.1f MB as fp32\n", identity_machine(), a->size ? "--size" : a->model, total,
           n, n == 1 ? "piece" : "layers", 4e-6 * (double)total);
    fflush(stdout);
}

static int bench(const struct arguments *a, const char *command, const size_t *sizes, size_t n)
{
    struct bench_options o = { .groups = a->groups,
                               .sizes = sizes,
                               .nsizes = n,
                               .impl = a->impl,
                               .keep = a->keep,
                               .reps = a->reps,
                               .threads = a->threads,
                               .out = stdout,
                               .progress = stderr,
                               .stop = interrupted };
    struct run_fact run = { .command = command,
                            .scenario = "",
                            .title = "bench",
                            .notes = "",
                            .baseline = "",
                            .figure = "",
                            .file = a->size ? "" : a->model,
                            .commit = identity_commit(),
                            .build = identity_build(),
                            .machine = identity_machine() };
    int rc = bench_check(&o);

    if (!rc)
        rc = store_open(a->db, &o.store);
    if (!rc)
        rc = store_run(o.store, &run, &o.run_id);
    interrupt_catch();
    if (!rc) {
        print_title(a, sizes, n);
        rc = bench_run(&o);
    }
    if (!rc)
        rc = store_run_finished(o.store, o.run_id);
    store_close(o.store);
    return rc;
}

int cmd_bench(int argc, char **argv)
{
    struct arguments a = { .db = DEFAULT_DB, .model = "vgg-a", .reps = DEFAULT_REPS };
    char command[4096];
    size_t *sizes = NULL, n = 0;
    int rc;

    command_join(argc, argv, command, sizeof(command));
    argp_err_exit_status = EXIT_MISUSED;
    if (argp_parse(&argp, argc, argv, 0, NULL, &a))
        return NW_EINPUT;
    if (!a.groups)
        a.groups = BENCH_ADT | BENCH_L2NORM;
    rc = sizes_of(&a, &sizes, &n);
    if (!rc)
        rc = bench(&a, command, sizes, n);
    free(sizes);
    return rc;
}
