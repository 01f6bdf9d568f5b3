/* narrows bench - how fast the kernels are on this machine, against loops that only move bytes, timed in the same
 * run. */
#include <argp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/bench/bench.h"
#include "harness/bench/cases.h"
#include "harness/bench/train/hook.h"
#include "harness/command/commands.h"
#include "harness/command/line/bench_sizes.h"
#include "harness/command/line/command_line.h"
#include "harness/host/identity.h"
#include "harness/report/bench.h"
#include "harness/run/interrupt.h"
#include "harness/scenario/scenario.h"
#include "harness/status.h"
#include "harness/store/store.h"
#include "harness/tensor/codec_alias.h"
#include "harness/tensor/codec_table.h"
#include "harness/text/suggest.h"
#include "kernels/codec/codec.h"

enum {
    DEFAULT_REPS = 15,
    DEFAULT_SIM_REPS = 5,
    DEFAULT_TRAIN_REPS = 11,
    DEFAULT_HOOK_REPS = 31,
    MAX_SIZES = 16,
    MAX_GROUPS = 32,
    MAX_CASES = 32,
    KEY_ALL = 256,
    KEY_CASE
};

static const double train_turn_s = 0.25;

struct arguments {
    const char *db, *model, *impl, *csv;
    const struct group *groups[MAX_GROUPS + 1];
    size_t ngroups, sizes[MAX_SIZES], nsizes;
    double density;
    int bytes_per_weight, reps, threads; /* reps 0: each bench's own number */
    const char *cases[MAX_CASES];
    size_t ncases;
    enum bench_of what; /* the kernels, all groups together, or one of the others alone */
    bool gpu, all;
};

static const struct argp_option options[] = {
    { "size", 'n', "N,...", 0,
      "sizes: numbers of values, or bytes of fp32 as in 64KiB,4MiB,256MiB (the default: from cache to DRAM)", 0 },
    { "model", 'm', "NAME", 0, "instead of sizes the layers of this model: a file or a shipped one, e.g. vgg-a", 0 },
    { "impl", 'i', "NAME", 0,
      "only this implementation, e.g. avx512 (then also avx512+omp), scalar (default: $NARROWS_IMPL, or all); train: "
      "this backend, e.g. gemm (default: the best)",
      0 },
    { "density", 'p', "SHARE", 0, "share of values that matter, e.g. 5% or 0.05 (default: each group's own list)", 0 },
    { "keep", 'k', "BYTES", 0, "only this many bytes kept per weight, 1 to 4 (default: each)", 0 },
    { "reps", 'r', "N", 0,
      "repetitions of each (default 15; sim: 5, train: 11, hook: 31); what takes over 3 times as long as its anchor "
      "gets 3",
      0 },
    { "threads", 't', "N", 0, "this many threads (default: one, then all processors; train: one, then two; hook: one)",
      0 },
    { "gpu", 'g', NULL, 0, "on the GPU, against loops of its own", 0 },
    { "all", KEY_ALL, NULL, 0, "sim: also what takes minutes", 0 },
    { "case", KEY_CASE, "NAME", 0, "sim, train: this case alone, e.g. ring:1000, resnet-20; may be given several times",
      0 },
    { "db", 'd', "FILE", 0, "results database, where every repetition is stored (default " DEFAULT_DB ")", 0 },
    { "csv", 'c', "FILE", 0, "also write the summary, with the commit it measures, as comma-separated values", 0 },
    { 0 }
};

/* "0.05" or "5%" */
static double share(const char *text)
{
    char *end;
    double value = strtod(text, &end);

    if (end != text && !strcmp(end, "%"))
        value /= 100;
    else if (end == text || *end)
        value = 0;
    if (value > 0 && value <= 1)
        return value;
    command_misused("--density", "a share above 0 and up to 1, as in 0.05 or 5%", text);
}

static void read_sizes(struct arguments *a, const char *list)
{
    char *copy = strdup(list), *rest = copy;

    for (char *text; rest && (text = strsep(&rest, ","));) {
        if (a->nsizes == MAX_SIZES) {
            fprintf(stderr, "narrows bench: --size: more than %d sizes\n", MAX_SIZES);
            exit(EXIT_MISUSED);
        }
        a->sizes[a->nsizes++] = bench_values(text);
    }
    free(copy);
}

/* Checked once it is known whose cases they are. */
static void add_case(struct arguments *a, const char *name)
{
    if (a->ncases < MAX_CASES)
        a->cases[a->ncases++] = name;
}

static void check_cases(const struct arguments *a)
{
    char list[1024] = "";

    for (size_t i = 0; i < a->ncases; i++) {
        if (a->what == BENCH_SIM ? sim_bench_has(a->cases[i], list, sizeof(list))
                                 : train_bench_has(a->cases[i], list, sizeof(list)))
            continue;
        fprintf(stderr, "narrows bench: --case: expected one of %s%s, got '%s'\n", list,
                a->what == BENCH_SIM ? ", with a size as in ring:1000 if need be" : "", a->cases[i]);
        exit(EXIT_MISUSED);
    }
}

/* A codec without a group of its own is timed with all others. */
static void unknown_group(const char *name, struct argp_state *state)
{
    const char *known = codec_alias_of(name);
    struct suggest near = { .given = name };
    char list[256] = "";

    if (codec_table_find(known ? known : name))
        argp_error(state, "'%s' is a codec: the group 'codec' times each of them, whole", name);
    for (const struct group *const *g = bench_groups; *g; g++) {
        suggest_offer(&near, (*g)->name);
        snprintf(list + strlen(list), sizeof(list) - strlen(list), "%s, ", (*g)->name);
    }
    suggest_offer(&near, "sim");
    suggest_offer(&near, "train");
    suggest_offer(&near, "hook");
    if (suggest_result(&near))
        argp_error(state, "expected one of %ssim, train and hook, got '%s'; did you mean '%s'?", list, name,
                   suggest_result(&near));
    argp_error(state, "expected one of %ssim, train and hook, got '%s'", list, name);
}

static void add_group(struct arguments *a, const char *name, struct argp_state *state)
{
    enum bench_of alone = !strcmp(name, "sim")     ? BENCH_SIM
                          : !strcmp(name, "train") ? BENCH_TRAIN
                          : !strcmp(name, "hook")  ? BENCH_HOOK
                                                   : BENCH_KERNELS;
    const char *alias = codec_alias_of(name);

    if (a->what != BENCH_KERNELS || (alone && a->ngroups)) {
        fputs("narrows bench: 'sim', 'train' and 'hook' stand alone\n", stderr);
        exit(EXIT_MISUSED);
    }
    a->what = alone;
    if (alone)
        return;
    for (const struct group *const *g = bench_groups; *g; g++)
        if (!strcmp(alias ? alias : name, (*g)->name)) {
            for (size_t i = 0; i < a->ngroups; i++)
                if (a->groups[i] == *g)
                    return;
            a->groups[a->ngroups++] = *g;
            return;
        }
    unknown_group(name, state);
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct arguments *a = state->input;

    switch (key) {
    case 'n': read_sizes(a, text); return 0;
    case 'm': a->model = text; return 0;
    case 'i': a->impl = text; return 0;
    case 'p': a->density = share(text); return 0;
    case 'k': a->bytes_per_weight = command_number("--keep", text, 1, 4); return 0;
    case 'r': a->reps = command_number("--reps", text, 1, 10000); return 0;
    case 't': a->threads = command_number("--threads", text, 1, (int)sysconf(_SC_NPROCESSORS_ONLN)); return 0;
    case 'g': a->gpu = true; return 0;
    case KEY_ALL: a->all = true; return 0;
    case KEY_CASE: add_case(a, text); return 0;
    case 'd': a->db = text; return 0;
    case 'c': a->csv = text; return 0;
    case ARGP_KEY_ARG: add_group(a, text, state); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* The help's list of groups is the table itself. */
static char *help_filter(int key, const char *text, void *input)
{
    char *list = NULL;
    size_t size;
    FILE *f;

    (void)input;
    if (key != ARGP_KEY_HELP_POST_DOC || !(f = open_memstream(&list, &size)))
        return (char *)text;
    fputs("Groups:\n", f);
    for (const struct group *const *g = bench_groups; *g; g++)
        fprintf(f, "  %-9s %s\n", (*g)->name, (*g)->what);
    fputs("  sim       the simulator itself, apart from the others: only where it is named\n", f);
    fputs("  train     the trainer, next to PyTorch, and what codecs, traces and precision add: only where named\n", f);
    fputs("  hook      communication hooks of the Python package, next to PyTorch's PowerSGD: only where named\n", f);
    fprintf(f, "\n%s", text);
    fclose(f);
    return list;
}

static const struct argp argp = {
    .options = options,
    .parser = parse,
    .args_doc = "[GROUP...]",
    .doc = "Time every implementation that can run here, on one core and on all, from cache to DRAM; all groups "
           "unless some are named.\v"
           "GB/s counts the bytes that must move: read and written. 'ratio' is the median ratio to what the kernel is "
           "compared with ('against'), timed right before each repetition: a loop that only moves bytes with the same "
           "mix of reads and writes, or a peer. 'p10' is the ratio that nine in ten repetitions exceed. bits/val: a "
           "value on the wire.",
    .help_filter = help_filter,
};

static int time_it(const struct bench_options *o, const struct arguments *a)
{
    static const int usual_reps[] = { [BENCH_SIM] = DEFAULT_SIM_REPS, [BENCH_TRAIN] = DEFAULT_TRAIN_REPS };
    struct case_options c = { .reps = a->reps ? a->reps : usual_reps[a->what],
                              .cases = a->cases,
                              .ncases = a->ncases,
                              .store = o->store,
                              .run_id = o->run_id,
                              .out = o->out,
                              .progress = o->progress,
                              .stop = o->stop,
                              .all = a->all,
                              .threads = a->threads,
                              .turn_s = train_turn_s,
                              .backend = a->impl };
    int rc = a->what == BENCH_KERNELS ? bench_run(o) : a->what == BENCH_SIM ? sim_bench_run(&c) : train_bench_run(&c);

    return !rc && a->csv ? report_bench_csv(o->store, a->what, o->run_id, a->csv) : rc;
}

static int bench(const struct arguments *a, const struct model *m, const struct bench_size *sizes, size_t nsizes)
{
    struct bench_options o = { .groups = a->ngroups ? a->groups : bench_groups,
                               .sizes = sizes,
                               .nsizes = nsizes,
                               .impl = a->impl,
                               .density = a->density,
                               .bytes_per_weight = a->bytes_per_weight,
                               .model = a->model ? m : NULL,
                               .reps = a->reps ? a->reps : DEFAULT_REPS,
                               .threads = a->threads,
                               .gpu = a->gpu,
                               .out = stdout,
                               .progress = stderr,
                               .stop = interrupted };
    struct run_fact run = { .command = command_text(),
                            .scenario = "",
                            .title = "bench",
                            .notes = "",
                            .baseline = "",
                            .figure = "",
                            .file = a->model ? a->model : "",
                            .commit = identity_commit(),
                            .build = identity_build(),
                            .machine = identity_machine() };
    int rc = a->what == BENCH_KERNELS ? bench_check(&o) : NW_OK;

    if (!rc)
        rc = store_open(a->db, &o.store);
    if (!rc)
        rc = store_run(o.store, &run, &o.run_id);
    interrupt_catch();
    if (!rc) {
        printf("%s\n", identity_machine());
        fflush(stdout);
        rc = time_it(&o, a);
    }
    if (!rc)
        rc = store_run_finished(o.store, o.run_id);
    store_close(o.store);
    return rc;
}

int cmd_bench(int argc, char **argv)
{
    struct arguments a = { .db = DEFAULT_DB };
    struct bench_size sizes[MAX_SIZES];
    struct model_spec *spec = NULL;
    struct model m = { 0 };
    size_t *layers = NULL, nsizes;
    int rc = NW_OK;

    if (command_parse(&argp, argc, argv, &a))
        return NW_EINPUT;
    if (!a.impl && a.what == BENCH_KERNELS)
        a.impl = getenv("NARROWS_IMPL");
    if (a.impl && !*a.impl)
        a.impl = NULL;
    if (a.model && a.nsizes) {
        fputs("narrows bench: --size and --model exclude each other\n", stderr);
        exit(EXIT_MISUSED);
    }
    if ((a.all && a.what != BENCH_SIM) || (a.ncases && a.what == BENCH_KERNELS)) {
        fputs("narrows bench: --all goes with 'sim', --case with 'sim' or 'train'\n", stderr);
        exit(EXIT_MISUSED);
    }
    if (a.what == BENCH_HOOK && (a.nsizes || a.model || a.csv || a.gpu || a.impl)) {
        fputs("narrows bench: with 'hook' go --reps and --threads\n", stderr);
        exit(EXIT_MISUSED);
    }
    if (a.what == BENCH_HOOK)
        return hook_bench_run(NULL, a.reps ? a.reps : DEFAULT_HOOK_REPS, a.threads);
    check_cases(&a);
    for (size_t i = 0; i < a.ngroups; i++)
        if (strcmp(a.groups[i]->name, "ops") == 0 && !a.model) {
            fputs("narrows bench: 'ops' goes with --model\n", stderr);
            exit(EXIT_MISUSED);
        }
    if (a.model)
        rc = bench_load_model(a.model, &spec, &m);
    if (!rc)
        rc = bench_sizes(a.sizes, a.nsizes, a.model ? &m : NULL, &layers, sizes, &nsizes);
    if (!rc)
        rc = bench(&a, &m, sizes, nsizes);
    free(layers);
    model_free(&m);
    scenario_free_model(spec);
    return rc;
}
