#include "harness/command/cluster/batch.h"

#include <ctype.h>
#include <errno.h>
#include <glob.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "harness/status.h"
#include "harness/store/merge/merge.h"
#include "harness/store/store.h"

static char *format(const char *form, ...) __attribute__((format(printf, 1, 2)));

static char *format(const char *form, ...)
{
    va_list arguments;
    char *text;

    va_start(arguments, form);
    if (vasprintf(&text, form, arguments) < 0)
        abort();
    va_end(arguments);
    return text;
}

char *batch_path(const struct batch *b, const char *end)
{
    return format("%s/%s%s", b->folder, b->name, end);
}

/* A file's name of the scenario's, and of all that tells its points from those of another command line. */
static char *name_of(const struct batch *b, const char *scenario)
{
    XXH64_hash_t hash = 0;
    char *name;

    for (const char *const *c = b->command; *c; c++)
        hash = XXH3_64bits_withSeed(*c, strlen(*c), hash + 1);
    name = format("%.64s-%08x", scenario, (unsigned)hash);
    for (char *c = name; *c; c++)
        if (!isalnum((unsigned char)*c) && *c != '-')
            *c = '-';
    return name;
}

int batch_open(struct batch *b, const char *folder, const char *scenario)
{
    char whole[PATH_MAX];

    if (mkdir(folder, 0777) && errno != EEXIST)
        return status_error(NW_EIO, "narrows: %s: cannot make this folder: %s\n", folder, strerror(errno));
    if (!realpath(folder, whole))
        return status_error(NW_EIO, "narrows: %s: %s\n", folder, strerror(errno));
    b->folder = format("%s", whole);
    b->name = name_of(b, scenario);
    return NW_OK;
}

void batch_close(struct batch *b)
{
    if (b->folder)
        rmdir(b->folder); /* if there is nothing in it */
    free(b->folder);
    free(b->name);
}

/* 'it''s', for a shell. */
static void quote(FILE *f, const char *text)
{
    fputc('\'', f);
    for (; *text; text++)
        if (*text == '\'')
            fputs("'\\''", f);
        else
            fputc(*text, f);
    fputc('\'', f);
}

static void write_command(FILE *f, const struct batch *b, const char *db)
{
    char *points = batch_path(b, ".points"), program[PATH_MAX] = "narrows";
    ssize_t n = readlink("/proc/self/exe", program, sizeof(program) - 1);

    program[n > 0 ? (size_t)n : strlen(program)] = '\0';
    quote(f, program);
    fputs(" run", f);
    for (const char *const *c = b->command; *c; c++) {
        fputc(' ', f);
        quote(f, *c);
    }
    fputs(" --only ", f);
    quote(f, points);
    fprintf(f, " --part \"$SLURM_ARRAY_TASK_ID/%zu\" --db %s\n", b->tasks, db);
    free(points);
}

/* Where tasks share no local disk with this machine, each computes on its own, and a whole file is put here. */
static const char elsewhere[] =
    "work=$(mktemp -d) || exit 1\n"
    "trap 'rm -rf \"$work\"' EXIT\n"
    "trap : TERM\n" /* is narrows' to obey; then what it has is put away */
    "[ ! -e \"$db\" ] || cp \"$db\" \"$work/part.db\"\n"
    "[ ! -d \"$db.checkpoints\" ] || mv \"$db.checkpoints\" \"$work/part.db.checkpoints\"\n";

static const char put_away[] =
    "code=$?\n"
    "cp \"$work/part.db\" \"$db.new\" && mv \"$db.new\" \"$db\"\n"
    "[ ! -d \"$work/part.db.checkpoints\" ] || cp -r \"$work/part.db.checkpoints\" \"$db.checkpoints\"\n"
    "exit $code\n";

static void write_script(FILE *f, const struct batch *b)
{
    char *start = batch_path(b, "-");

    fputs("#!/bin/bash\n# A task of a sweep: narrows help clusters\n", f);
    fputs("db=", f);
    quote(f, start);
    fputs("$SLURM_ARRAY_TASK_ID.db\n", f);
    if (store_local(b->folder)) {
        fputs("exec ", f);
        write_command(f, b, "\"$db\"");
    } else {
        fputs(elsewhere, f);
        write_command(f, b, "\"$work/part.db\"");
        fputs(put_away, f);
    }
    free(start);
}

static int write_points(FILE *f, const struct experiment_missing *missing)
{
    for (size_t i = 0; i < missing->n; i++)
        fprintf(f, "%zu\n", missing->points[i]);
    return NW_OK;
}

/* To a file that replaces an older one at once. */
static FILE *begin_file(const char *path, char **new)
{
    FILE *f;

    *new = format("%s.new", path);
    f = fopen(*new, "w");
    if (!f)
        status_error(NW_EIO, "narrows: %s: %s\n", *new, strerror(errno));
    return f;
}

static int end_file(FILE *f, const char *path, char *new)
{
    bool whole = f && !ferror(f);
    int rc = NW_OK;

    if (f && (fclose(f) || !whole || rename(new, path)))
        rc = status_error(NW_EIO, "narrows: %s: %s\n", path, strerror(errno));
    free(new);
    return f ? rc : NW_EIO;
}

/* "0,3-5": the tasks that have points. */
static char *array_of(const struct batch *b, const struct experiment_missing *missing)
{
    bool *used = calloc(b->tasks, sizeof(*used));
    size_t size;
    char *text = NULL;
    FILE *f = open_memstream(&text, &size);

    if (!used || !f)
        abort();
    for (size_t i = 0; i < missing->n; i++)
        used[missing->points[i] % b->tasks] = true;
    for (size_t i = 0, end; i < b->tasks; i = end + 1) {
        for (end = i; end < b->tasks && used[end]; end++)
            ;
        if (end > i)
            fprintf(f, ftell(f) ? ",%zu" : "%zu", i);
        if (end > i + 1)
            fprintf(f, "-%zu", end - 1);
    }
    fclose(f);
    free(used);
    return text;
}

int batch_write(const struct batch *b, const struct experiment_missing *missing, char **array)
{
    char *script = batch_path(b, ".sh"), *points = batch_path(b, ".points"), *new;
    FILE *f = begin_file(points, &new);
    int rc;

    if (f)
        write_points(f, missing);
    rc = end_file(f, points, new);
    if (!rc) {
        f = begin_file(script, &new);
        if (f)
            write_script(f, b);
        rc = end_file(f, script, new);
    }
    *array = rc ? NULL : array_of(b, missing);
    free(script);
    free(points);
    return rc;
}

int batch_write_job(const struct batch *b, const struct batch_job *job)
{
    char *path = batch_path(b, ".job"), *new;
    FILE *f = begin_file(path, &new);
    int rc;

    if (f)
        fprintf(f, "%s %zu\n", job->id, job->tasks);
    rc = end_file(f, path, new);
    free(path);
    return rc;
}

int batch_read_job(const struct batch *b, struct batch_job *job)
{
    char *path = batch_path(b, ".job");
    FILE *f = fopen(path, "r");
    int rc = NW_OK;

    *job = (struct batch_job){ 0 };
    if (f && (fscanf(f, "%31s %zu", job->id, &job->tasks) != 2 || !job->tasks))
        rc = status_error(NW_EINPUT, "narrows: %s: expected a job and its number of tasks\n", path);
    if (f)
        fclose(f);
    free(path);
    return rc;
}

static int each(const struct batch *b, const char *end, glob_t *found)
{
    char *pattern = batch_path(b, end);
    int code = glob(pattern, 0, NULL, found);

    free(pattern);
    return code == GLOB_NOMATCH || !code ? NW_OK : NW_EIO;
}

int batch_collect(const struct batch *b, struct store *store)
{
    glob_t parts = { 0 };
    int rc = each(b, "-*.db", &parts);
    struct merge_counts *counts = calloc(parts.gl_pathc + 1, sizeof(*counts));

    if (!rc && !counts)
        rc = NW_ENOMEM;
    if (!rc && parts.gl_pathc)
        rc = store_merge(store, (const char *const *)parts.gl_pathv, parts.gl_pathc, counts);
    globfree(&parts);
    free(counts);
    return rc;
}

/* Checkpoints are folders, which are empty when all is computed. */
void batch_remove(const struct batch *b)
{
    static const char *const ends[] = { ".sh", ".points", ".job", "-*" };
    glob_t found;

    for (size_t k = 0; k < sizeof(ends) / sizeof(*ends); k++) {
        found = (glob_t){ 0 };
        each(b, ends[k], &found);
        for (size_t i = 0; i < found.gl_pathc; i++)
            remove(found.gl_pathv[i]);
        globfree(&found);
    }
}
