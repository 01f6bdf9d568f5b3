/* chakra.c - narrows import chakra: Chakra execution traces as flows that wait for each other. */
#include <argp.h>
#include <stdlib.h>
#include <string.h>

#include "harness/command/import/import.h"
#include "harness/command/line/command_line.h"
#include "harness/flows/file.h"
#include "harness/import/chakra/chakra.h"
#include "harness/scenario/schema/units.h"
#include "harness/status.h"
#include "harness/text/whole_file.h"

struct arguments {
    char **files;
    size_t nfiles;
    const char *output;
    int gpus, ranks;
    double flops_per_s;
};

static const struct argp_option options[] = {
    { "gpus", 'g', "N", 0, "ranks are GPUs, N of them a machine (default: a rank is a machine)", 0 },
    { "ranks", 'n', "N", 0, "of a pattern: read so many; of one FILE: all N ranks have this trace", 0 },
    { "flops", 'f', "RATE", 0,
      "how fast computations are that say num_ops and no duration, e.g. '120 TFlop/s' (default: they take no time)",
      0 },
    { "output", 'o', "FLOWS.csv", 0, "where to write the flows, '-' for standard output (the default)", 0 },
    { 0 }
};

static double read_rate(const char *text)
{
    struct quantity_error error;
    const struct unit *unit;
    double rate;

    if (quantity_read(text, DIM_FLOPS, &rate, &unit, &error) || !(rate > 0))
        command_misused("--flops", "a rate as in '120 TFlop/s'", text);
    return rate;
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct arguments *a = state->input;

    switch (key) {
    case 'g': a->gpus = command_number("--gpus", text, 1, 65536); return 0;
    case 'n': a->ranks = command_number("--ranks", text, 1, CHAKRA_MOST_RANKS); return 0;
    case 'f': a->flops_per_s = read_rate(text); return 0;
    case 'o': a->output = text; return 0;
    case ARGP_KEY_ARGS:
        a->files = state->argv + state->next;
        a->nfiles = (size_t)(state->argc - state->next);
        if (a->nfiles > 1 && a->ranks)
            argp_error(state, "--ranks: expected one FILE, got %zu", a->nfiles);
        return 0;
    case ARGP_KEY_NO_ARGS: argp_error(state, "which FILE? A Chakra execution trace of each rank"); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    .options = options,
    .parser = parse,
    .args_doc = "FILE...",
    .doc =
        "Read the Chakra execution traces of all ranks, the first FILE of rank 0, and write flows that wait for each "
        "other, which the method 'flows' plays. A %d in FILE stands for the rank: all files of that name from 0 on. "
        "Computations are delays on their rank, collectives rings or direct transfers.\v"
        "Examples:\n"
        "  narrows import chakra 'llama.%d.et' -o flows.csv\n"
        "  narrows import chakra step.et --ranks 16 --gpus 8 -o flows.csv",
};

/* "trace.%d.et" and 3: trace.3.et. NULL: no memory. */
static char *name_of(const char *pattern, int rank)
{
    const char *at = strstr(pattern, "%d");
    char *name = NULL;

    if (asprintf(&name, "%.*s%d%s", (int)(at - pattern), pattern, rank, at + 2) < 0)
        return NULL;
    return name;
}

static int read_file(struct chakra *c, const char *path)
{
    char *bytes = NULL;
    size_t size = 0;
    int rc = whole_file_load(path, CHAKRA_MOST_B, &bytes, &size, stderr);

    rc = rc ? rc : chakra_read(c, path, bytes, size);
    free(bytes);
    return rc;
}

/* Names stay until the traces are freed: list[0 .. *n). Without --ranks, up to the first file that is not there. */
static int read_pattern(const struct arguments *a, struct chakra *c, char **list, size_t *n)
{
    int rc = NW_OK;

    for (int rank = 0; !rc && rank < (a->ranks ? a->ranks : CHAKRA_MOST_RANKS); rank++) {
        char *name = name_of(a->files[0], rank);
        FILE *there = name && rank && !a->ranks ? fopen(name, "rb") : NULL;
        if (!name)
            return NW_ENOMEM;
        list[(*n)++] = name;
        if (rank && !a->ranks && !there)
            return NW_OK;
        if (there)
            fclose(there);
        rc = read_file(c, name);
    }
    return rc;
}

static int read_all(const struct arguments *a, struct chakra *c, char **list, size_t *n)
{
    size_t times = a->nfiles == 1 && a->ranks ? (size_t)a->ranks : 1;
    int rc = NW_OK;

    if (a->nfiles == 1 && strstr(a->files[0], "%d"))
        return read_pattern(a, c, list, n);
    for (size_t i = 0; !rc && i < a->nfiles; i++)
        for (size_t k = 0; !rc && k < times; k++)
            rc = read_file(c, a->files[i]);
    return rc;
}

struct written {
    const struct flow_spec *list;
    size_t n;
};

static void write_flows(FILE *out, const void *what)
{
    const struct written *w = what;

    flow_file_write(out, w->list, w->n);
}

int import_chakra(int argc, char **argv)
{
    struct arguments a = { 0 };
    struct written w = { 0 };
    struct chakra *c;
    char **names;
    size_t nnames = 0;
    int rc;

    if (command_parse(&argp, argc, argv, &a))
        return NW_EINPUT;
    c = chakra_new(stderr);
    names = calloc(CHAKRA_MOST_RANKS, sizeof(*names));
    if (c)
        chakra_set_rate(c, a.flops_per_s);
    rc = c && names ? read_all(&a, c, names, &nnames) : NW_ENOMEM;
    rc = rc ? rc : chakra_lower(c, a.gpus, &w.list, &w.n);
    if (!rc && a.output && strcmp(a.output, "-"))
        rc = whole_file_write(a.output, write_flows, &w, stderr);
    else if (!rc)
        write_flows(stdout, &w);
    if (!rc)
        chakra_report(c, stderr);
    if (rc == NW_ENOMEM)
        status_error(rc, "narrows import chakra: no memory\n");
    chakra_free(c);
    for (size_t i = 0; i < nnames; i++)
        free(names[i]);
    free(names);
    return rc;
}
