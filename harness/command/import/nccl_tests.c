/* nccl_tests.c - narrows import nccl-tests: times of collectives as a table of a platform. */
#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "harness/command/import/import.h"
#include "harness/command/line/command_line.h"
#include "harness/import/nccl/nccl_tests.h"
#include "harness/status.h"
#include "harness/text/whole_file.h"

enum { KEY_IN_PLACE = 256, KEY_OPERATION, MOST_B = 1 << 28 };

struct arguments {
    const char *file, *output;
    struct nccl_tests_options options;
};

static const struct argp_option options[] = {
    { "in-place", KEY_IN_PLACE, NULL, 0, "take the columns in place (default: out of place)", 0 },
    { "operation", KEY_OPERATION, "NAME", 0,
      "of runs that do not say (nccl-tests before 2.17): all-reduce, all-gather, reduce-scatter or broadcast "
      "(default: what the file's name says)",
      0 },
    { "ranks", 'n', "N", 0, "of runs that do not list their ranks", 0 },
    { "output", 'o', "FILE", 0, "where to write the table, '-' for standard output (the default)", 0 },
    { 0 }
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct arguments *a = state->input;

    switch (key) {
    case KEY_IN_PLACE: a->options.in_place = true; return 0;
    case KEY_OPERATION:
        a->options.operation = nccl_tests_operation(text);
        if (a->options.operation < 0)
            command_misused("--operation", "all-reduce, all-gather, reduce-scatter or broadcast", text);
        return 0;
    case 'n': a->options.ranks = command_number("--ranks", text, 2, 1 << 20); return 0;
    case 'o': a->output = text; return 0;
    case ARGP_KEY_ARG:
        if (a->file)
            argp_error(state, "expected one FILE, got '%s' as well", text);
        a->file = text;
        return 0;
    case ARGP_KEY_NO_ARGS: argp_error(state, "which FILE? What all_reduce_perf or another nccl-test printed"); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    .options = options,
    .parser = parse,
    .args_doc = "FILE",
    .doc =
        "Read what nccl-tests printed and write a table of collectives, which a platform takes as 'collective: {table: "
        "FILE}' and the algorithm 'measured' goes by. A file may hold several runs; a size that was measured "
        "repeatedly gets the median. Runs with wrong values are refused.\v"
        "'-' is standard input. Examples:\n"
        "  all_reduce_perf -b 8 -e 1G -f 2 -g 8 | narrows import nccl-tests --operation all-reduce - -o node.csv\n"
        "  narrows import nccl-tests all_reduce_perf.log --in-place -o cluster.csv",
};

static void write_table(FILE *out, const void *what)
{
    nccl_tests_write(what, out);
}

static int read_table(const struct arguments *a, struct nccl_tests *t)
{
    char *text = NULL;
    size_t size = 0;
    int rc = whole_file_take(a->file, MOST_B, &text, &size, stderr);

    if (!rc)
        rc = nccl_tests_parse(whole_file_name(a->file), text, size, &a->options, t, stderr);
    free(text);
    return rc;
}

int import_nccl_tests(int argc, char **argv)
{
    struct arguments a = { .options = { .operation = -1 } };
    struct nccl_tests t = { 0 };
    int rc;

    if (command_parse(&argp, argc, argv, &a))
        return NW_EINPUT;
    if (a.options.operation < 0) {
        const char *slash = strrchr(a.file, '/');
        a.options.operation = nccl_tests_operation(slash ? slash + 1 : a.file);
    }
    rc = read_table(&a, &t);
    if (!rc)
        fprintf(stderr, "%zu rows of %zu run%s as %zu\n", t.nread, t.nruns, t.nruns == 1 ? "" : "s", t.n);
    if (!rc && t.nempty)
        fprintf(stderr, "%zu rows of 0 bytes are left out\n", t.nempty);
    if (!rc && t.nforeign)
        fprintf(stderr, "%zu rows of other operations are left out\n", t.nforeign);
    if (!rc && a.output && strcmp(a.output, "-"))
        rc = whole_file_write(a.output, write_table, &t, stderr);
    else if (!rc)
        nccl_tests_write(&t, stdout);
    nccl_tests_free(&t);
    return rc;
}
