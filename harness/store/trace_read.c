/* trace_read.c - the steps of a training, read back. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/status.h"
#include "harness/store/internal.h"

static enum trace_precision precision_of(const char *word)
{
    int i = 0;

    while (i < TRACE_PRECISIONS - 1 && strcmp(word, trace_precision_name(i)) != 0)
        i++;
    return i;
}

int db_find_training(struct store *s, const char *key, int64_t *id, int64_t *workers, int64_t *steps)
{
    return db_find(s, "look up a training",
                   "SELECT t.point_id, t.workers, t.steps FROM training t JOIN point p ON p.id = t.point_id"
                   " WHERE p.key = ?",
                   "t:lll", key, id, workers, steps);
}

static int read_steps(struct store *s, const char *key, int64_t id, struct trace_step_fact *steps, size_t n)
{
    sqlite3_stmt *st = db_select(s,
                                 "SELECT epoch, samples, loss, learning_rate, precision_share, pushed_bytes,"
                                 " pulled_bytes, ema, precision FROM trace_step WHERE point_id = ? ORDER BY step",
                                 "l", id);
    char precision[16];
    size_t i = 0;
    int code;

    if (!st)
        return NW_EDB;
    for (; (code = db_step(s, st, "read the steps of a training")) == SQLITE_ROW; i++) {
        struct trace_step_fact *f = &steps[i];

        if (i >= n)
            continue;
        db_read(st, "lldddlldt", &f->epoch, &f->samples, &f->loss, &f->learning_rate, &f->precision_share,
                &f->pushed_bytes, &f->pulled_bytes, &f->ema, precision, sizeof(precision));
        f->precision = precision_of(precision);
    }
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
    int rc = db_find_training(s, key, &id, workers, &n);

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
