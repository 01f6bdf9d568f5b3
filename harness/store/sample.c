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

int store_measured_rate(struct store *s, const char *machine, const char *kernel, const char *variant, double *Bps,
                        char *impl, size_t nimpl)
{
    sqlite3_stmt *st = db_statement(s, ST_RATE);
    int code;

    if (!st)
        return NW_EDB;
    db_bind(st, 1, machine);
    db_bind(st, 2, kernel);
    db_bind(st, 3, variant);
    code = db_step(s, st, "look up a measured rate");
    if (code == SQLITE_ROW) {
        *Bps = 1e9 * sqlite3_column_double(st, 0);
        snprintf(impl, nimpl, "%s", (const char *)sqlite3_column_text(st, 1));
        sqlite3_reset(st);
        return 1;
    }
    return code == SQLITE_DONE ? 0 : NW_EDB;
}
