/* narrows merge - the results of several databases in one. */
#include <argp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/command/commands.h"
#include "harness/command/line/command_line.h"
#include "harness/status.h"
#include "harness/store/merge/merge.h"

struct arguments {
    const char *into;
    const char **from;
    size_t n;
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct arguments *a = state->input;

    switch (key) {
    case ARGP_KEY_ARG:
        if (!a->into)
            a->into = text;
        else
            a->from[a->n++] = text;
        return 0;
    case ARGP_KEY_END:
        if (!a->n)
            argp_error(state, "expected INTO.db FROM.db..., got %s", a->into ? "one file" : "none");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    .parser = parse,
    .args_doc = "INTO.db FROM.db...",
    .doc =
        "Add all results of the databases FROM to INTO, which is made where there is none: runs, points with their "
        "measures and timelines, training runs with their traces, timings, calibrations. What INTO has already is not "
        "added again, so merging twice changes nothing.\v"
        "Points are the same if their keys are: everything that a result depends on. If one has another value for a "
        "measure than INTO, the file, the point, its scenario, the measure and both values are printed, the exit code "
        "is 1, and INTO stays as it was. Databases of older programs are brought up to date, those of newer ones "
        "refused. FROM is only read.",
};

static bool same_file(const char *a, const char *b)
{
    struct stat x, y;

    return !stat(a, &x) && !stat(b, &y) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* Each file once: INTO merged into itself would be a slip of the finger, and so is one that is named twice. */
static int check_names(const struct arguments *a)
{
    for (size_t i = 0; i < a->n; i++) {
        const char *other = same_file(a->into, a->from[i]) ? a->into : NULL;

        for (size_t k = 0; k < i && !other; k++)
            other = same_file(a->from[k], a->from[i]) ? a->from[k] : NULL;
        if (other)
            return status_error(NW_EINPUT,
                                "narrows merge: expected different files, got %s and %s, which is the same\n", other,
                                a->from[i]);
        if (access(a->from[i], F_OK))
            return status_error(NW_EINPUT, "narrows merge: %s: no such file\n", a->from[i]);
    }
    return NW_OK;
}

/* An empty database that this command made, and has nothing to put into. */
static void unmake(const char *path)
{
    static const char *const ends[] = { "", "-wal", "-shm" };
    char name[4096];

    for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++)
        if (snprintf(name, sizeof(name), "%s%s", path, ends[i]) < (int)sizeof(name))
            unlink(name);
}

static int merge(const struct arguments *a)
{
    struct merge_counts *counts = calloc(a->n, sizeof(*counts));
    struct store *into = NULL;
    bool made = access(a->into, F_OK) != 0;
    int rc = counts ? store_open(a->into, &into) : NW_ENOMEM;

    rc = rc ? rc : store_merge(into, a->from, a->n, counts);
    for (size_t i = 0; i < a->n && !rc; i++)
        fprintf(stderr, "%s: %zu runs and %zu points added, %zu points already there\n", a->from[i], counts[i].runs,
                counts[i].points, counts[i].present);
    store_close(into);
    if (rc && made)
        unmake(a->into);
    free(counts);
    return rc;
}

int cmd_merge(int argc, char **argv)
{
    struct arguments a = { .from = calloc((size_t)argc + 1, sizeof(*a.from)) };
    int rc = a.from ? command_parse(&argp, argc, argv, &a) : NW_ENOMEM;

    rc = rc ? rc : check_names(&a);
    rc = rc ? rc : merge(&a);
    free(a.from);
    return rc;
}
