#include "harness/command/line/command_line.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/command/line/guess.h"
#include "harness/host/home.h"
#include "harness/run/experiment.h"
#include "harness/run/trace_time.h"
#include "harness/status.h"

static const char *command_name = "narrows";
static char invocation[4096];

static void join(int argc, char **argv)
{
    size_t used = 0;

    for (int i = 0; i < argc && used < sizeof(invocation); i++)
        used += (size_t)snprintf(invocation + used, sizeof(invocation) - used, "%s%s", i ? " " : "", argv[i]);
}

int command_parse(const struct argp *argp, int argc, char **argv, void *input)
{
    command_name = argv[0];
    join(argc, argv);
    argp_err_exit_status = EXIT_MISUSED;
    return argp_parse(argp, argc, argv, 0, NULL, input) ? NW_EINPUT : NW_OK;
}

const char *command_text(void)
{
    return invocation;
}

_Noreturn void command_misused(const char *option, const char *expected, const char *given)
{
    fprintf(stderr, "%s: %s: expected %s, got '%s'\n", command_name, option, expected, given);
    exit(EXIT_MISUSED);
}

error_t command_add(const char **list, size_t *n, const char *text, const struct argp_state *state)
{
    if (*n == COMMAND_SETS)
        argp_error(state, "more than %d of them: '%s'", COMMAND_SETS, text);
    else
        list[(*n)++] = text;
    return 0;
}

int command_number(const char *option, const char *text, int lowest, int highest)
{
    char *end;
    long value = strtol(text, &end, 10);

    if (end != text && !*end && value >= lowest && value <= highest)
        return (int)value;
    fprintf(stderr, "narrows: %s: expected a whole number in %d..%d, got '%s'\n", option, lowest, highest, text);
    exit(EXIT_MISUSED);
}

error_t command_parse_point(int key, char *text, struct argp_state *state, struct command_point *a)
{
    switch (key) {
    case 'p': a->index = command_number("--point", text, 0, COMMAND_POINTS); return 0;
    case 's': return command_add(a->sets, &a->nsets, text, state);
    case ARGP_KEY_ARG:
        if (state->arg_num)
            argp_usage(state);
        a->file = text;
        return 0;
    case ARGP_KEY_END:
        if (!a->file)
            argp_error(state, "which SCENARIO? A file, or one of narrows list scenarios");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

int command_open(const struct command_point *a, struct scenario_file **file)
{
    char path[4096];
    int rc = command_find("scenarios", a->file, path, sizeof(path));

    if (!rc)
        rc = scenario_open(path, a->sets, a->nsets, NULL, 0, stderr, file);
    if (!rc && (size_t)a->index >= scenario_npoints(*file))
        rc = status_error(NW_EINPUT, "%s: --point: expected 0..%zu, got %d\n", scenario_path(*file),
                          scenario_npoints(*file) - 1, a->index);
    return rc;
}

int command_open_point(const struct command_point *a, struct scenario_file **file, struct point *p)
{
    int rc = command_open(a, file);

    return rc ? rc : scenario_point_variant(*file, (size_t)a->index, a->variant, stderr, p);
}

/* The shipped file scenarios/FOLDER/NAME.yaml, if there is one. */
static bool shipped(const char *folder, const char *name, char *path, unsigned long size)
{
    snprintf(path, size, "%s/scenarios/%s/%s.yaml", home_dir(), folder, name);
    return !access(path, R_OK);
}

/* "scenarios/models/vgg-a.yaml", wherever the program is started. */
static bool below_home(const char *name, char *path, unsigned long size)
{
    static const char root[] = "scenarios/";

    snprintf(path, size, "%s/%s", home_dir(), name);
    return !strncmp(name, root, strlen(root)) && !access(path, R_OK);
}

int command_find(const char *kind, const char *name, char *path, unsigned long size)
{
    bool scenario = !strcmp(kind, "scenarios");

    if (strcmp(name, "-") != 0 && access(name, R_OK) &&
        (below_home(name, path, size) ||
         (scenario ? shipped("examples", name, path, size) || shipped("training", name, path, size) ||
                         shipped("papers", name, path, size)
                   : shipped(kind, name, path, size))))
        return NW_OK;
    snprintf(path, size, "%s", name);
    if (!strcmp(name, "-") || !access(name, R_OK))
        return NW_OK;
    guess_file(kind, name);
    return NW_EINPUT;
}

static int visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static int walk(const char *folder, int (*visit)(const char *path, void *argument), void *argument)
{
    struct dirent **entries;
    int n = scandir(folder, &entries, visible, alphasort), rc = NW_OK;

    if (n < 0 && errno == ENOTDIR) { /* a file */
        const char *dot = strrchr(folder, '.');
        return dot && !strcmp(dot, ".yaml") ? visit(folder, argument) : NW_OK;
    }
    if (n < 0)
        return status_error(NW_EIO, "narrows: %s: %s\n", folder, strerror(errno));
    for (int i = 0; i < n; i++) {
        char path[4096];
        snprintf(path, sizeof(path), "%s/%s", folder, entries[i]->d_name);
        if (!rc)
            rc = walk(path, visit, argument);
        free(entries[i]);
    }
    free(entries);
    return rc;
}

bool command_has_folder(const char *folder)
{
    char path[4096];
    struct stat st;

    snprintf(path, sizeof(path), "%s/scenarios/%s", home_dir(), folder);
    return !stat(path, &st) && S_ISDIR(st.st_mode);
}

int command_each(const char *folder, int (*visit)(const char *path, void *argument), void *argument)
{
    char path[4096];

    snprintf(path, sizeof(path), "%s/scenarios/%s", home_dir(), folder);
    return walk(path, visit, argument);
}

void command_sum_up(const struct experiment *x, const struct scenario_file *file, const struct experiment_result *r,
                    int rc)
{
    if (rc && rc != NW_EINTR)
        return;
    fprintf(stderr, "%-34s %6zu points: %zu %s, %zu already there, %.2f s%s\n", scenario_name(file),
            x->points ? x->npoints : scenario_npoints(file), r->computed,
            scenario_trained(file) ? "trained" : "simulated", r->present, r->seconds,
            rc ? "; interrupted, run it again to go on" : "");
}

int command_experiment(const struct experiment *x, const struct scenario_file *file, struct experiment_result *out)
{
    struct experiment_result r = { 0 };
    int rc = experiment_run(x, file, &r);

    if (!rc)
        rc = trace_time(x, file, r.run_id);
    *out = r;
    command_sum_up(x, file, &r, rc);
    return rc;
}
