#include <stdio.h>

#include "harness/status.h"
#include "harness/store/internal.h"

static int insert_sample(struct store *s, int64_t run_id, const struct sample_fact *f)
{
    const int64_t numbers[] = { f->values, f->bytes_moved, f->rep, f->elapsed_ns, f->anchor_ns, f->anchor_bytes };
    sqlite3_stmt *st = db_statement(s, ST_SAMPLE);

    if (!st)
        return NW_EDB;
    sqlite3_bind_int64(st, 1, run_id);
    db_bind(st, 2, f->kernel);
    db_bind(st, 3, f->impl);
    db_bind(st, 4, f->variant);
    for (int i = 0; i < 6; i++)
        sqlite3_bind_int64(st, 5 + i, numbers[i]);
    return db_step(s, st, "store a sample") == SQLITE_DONE ? NW_OK : NW_EDB;
}

int store_samples(struct store *s, int64_t run_id, const struct sample_fact *samples, size_t n)
{
    int rc = db_begin(s);

    if (rc)
        return rc;
    for (size_t i = 0; i < n && !rc; i++)
        rc = insert_sample(s, run_id, &samples[i]);
    return db_end(s, rc);
}

int store_bench_work(struct store *s, int64_t run_id, const struct bench_fact *f)
{
    const int64_t numbers[] = { run_id, f->values, f->place, f->threads };
    const char *const texts[] = { f->kernel, f->impl, f->variant, f->group, f->option, f->anchor, f->anchor_impl };
    sqlite3_stmt *st = db_statement(s, ST_BENCH_WORK);

    if (!st)
        return NW_EDB;
    for (int i = 0; i < 4; i++)
        sqlite3_bind_int64(st, 1 + i, numbers[i]);
    for (int i = 0; i < 7; i++)
        db_bind(st, 5 + i, texts[i]);
    sqlite3_bind_double(st, 12, f->flops);
    sqlite3_bind_double(st, 13, f->bits);
    return db_step(s, st, "store what was timed") == SQLITE_DONE ? NW_OK : NW_EDB;
}

/* The first row of a query bound to three texts: a rate, scaled, and the implementation that reached it. */
static int read_rate(struct store *s, enum statement which, const char *const texts[3], double scale, double *Bps,
                     char *impl, size_t nimpl)
{
    sqlite3_stmt *st = db_statement(s, which);
    int code;

    if (!st)
        return NW_EDB;
    for (int i = 0; i < 3; i++)
        db_bind(st, 1 + i, texts[i]);
    code = db_step(s, st, "look up a measured rate");
    if (code == SQLITE_ROW) {
        *Bps = scale * sqlite3_column_double(st, 0);
        snprintf(impl, nimpl, "%s", (const char *)sqlite3_column_text(st, 1));
        sqlite3_reset(st);
        return 1;
    }
    return code == SQLITE_DONE ? 0 : NW_EDB;
}

int store_measured_rate(struct store *s, const char *machine, const char *kernel, const char *variant, double *Bps,
                        char *impl, size_t nimpl)
{
    const char *const texts[3] = { machine, kernel, variant };
    int rc = read_rate(s, ST_RATE, texts, 1e9, Bps, impl, nimpl);

    return rc ? rc : read_rate(s, ST_CALIBRATED, texts, 1, Bps, impl, nimpl);
}
