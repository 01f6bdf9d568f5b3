#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/status.h"
#include "harness/store/internal.h"

static double real_of(sqlite3_stmt *st, int column)
{
    return sqlite3_column_type(st, column) == SQLITE_NULL ? NAN : sqlite3_column_double(st, column);
}

static enum trace_precision precision_of(const char *word)
{
    int i = 0;

    while (i < TRACE_PRECISIONS - 1 && strcmp(word, trace_precision_name(i)) != 0)
        i++;
    return i;
}

/* As db_find_point(), of a point that was trained. */
static int find_training(struct store *s, const char *key, int64_t *id, int64_t *workers, int64_t *nsteps)
{
    sqlite3_stmt *st = db_statement(s, ST_TRACED);
    int code;

    if (!st)
        return NW_EDB;
    db_bind(st, 1, key);
    code = db_step(s, st, "look up a training");
    if (code == SQLITE_ROW) {
        *id = sqlite3_column_int64(st, 0);
        *workers = sqlite3_column_int64(st, 1);
        *nsteps = sqlite3_column_int64(st, 2);
        sqlite3_reset(st);
        return 1;
    }
    return code == SQLITE_DONE ? 0 : NW_EDB;
}

static int read_steps(struct store *s, const char *key, int64_t id, struct trace_step_fact *steps, size_t n)
{
    sqlite3_stmt *st = db_statement(s, ST_TRACED_STEPS);
    size_t i = 0;
    int code;

    if (!st)
        return NW_EDB;
    sqlite3_bind_int64(st, 1, id);
    for (; (code = db_step(s, st, "read the steps of a training")) == SQLITE_ROW; i++)
        if (i < n)
            steps[i] = (struct trace_step_fact){
                .epoch = sqlite3_column_int64(st, 0),
                .samples = sqlite3_column_int64(st, 1),
                .loss = real_of(st, 2),
                .learning_rate = sqlite3_column_double(st, 3),
                .precision = precision_of((const char *)sqlite3_column_text(st, 4)),
                .precision_share = real_of(st, 5),
                .pushed_bytes = sqlite3_column_int64(st, 6),
                .pulled_bytes = sqlite3_column_int64(st, 7),
                .ema = real_of(st, 8),
            };
    if (code != SQLITE_DONE)
        return NW_EDB;
    if (i != n) {
        fprintf(stderr, "narrows: %s: training %s: expected %zu steps, found %zu\n", s->path, key, n, i);
        return NW_EDB;
    }
    return NW_OK;
}

int store_trace_steps(struct store *s, const char *key, struct trace_step_fact **steps, size_t *nsteps,
                      int64_t *workers)
{
    struct trace_step_fact *read;
    int64_t id, n;
    int rc = find_training(s, key, &id, workers, &n);

    if (rc != 1)
        return rc;
    read = calloc(n ? (size_t)n : 1, sizeof(*read));
    rc = read ? read_steps(s, key, id, read, (size_t)n) : NW_ENOMEM;
    if (rc) {
        free(read);
        return rc;
    }
    *steps = read;
    *nsteps = (size_t)n;
    return 1;
}
