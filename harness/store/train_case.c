#include "harness/store/train_case.h"

#include "harness/status.h"
#include "harness/store/internal.h"

static const char insert_case[] =
    "INSERT INTO train_case(run_id, name, threads, side, against, place, workers, samples, steps)"
    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
static const char insert_sample[] = "INSERT INTO train_sample(run_id, name, threads, side, rep, elapsed_ns)"
                                    " VALUES (?1, ?2, ?3, ?4, ?5, ?6)";

/* Few rows, so nothing is kept prepared. */
static sqlite3_stmt *prepare(struct store *s, const char *sql, int64_t run_id, const struct train_case_fact *f)
{
    sqlite3_stmt *st = NULL;

    if (sqlite3_prepare_v2(s->db, sql, -1, &st, NULL) != SQLITE_OK) {
        db_fail(s, "store a timing of the trainer");
        return NULL;
    }
    sqlite3_bind_int64(st, 1, run_id);
    db_bind(st, 2, f->name);
    sqlite3_bind_int(st, 3, f->threads);
    db_bind(st, 4, f->side);
    return st;
}

static int finish(struct store *s, sqlite3_stmt *st)
{
    int rc = db_step(s, st, "store a timing of the trainer") == SQLITE_DONE ? NW_OK : NW_EDB;

    sqlite3_finalize(st);
    return rc;
}

static int store_case(struct store *s, int64_t run_id, const struct train_case_fact *f)
{
    sqlite3_stmt *st = prepare(s, insert_case, run_id, f);

    if (!st)
        return NW_EDB;
    db_bind(st, 5, f->against);
    sqlite3_bind_int64(st, 6, f->place);
    sqlite3_bind_int64(st, 7, f->workers);
    sqlite3_bind_int64(st, 8, f->samples);
    sqlite3_bind_int64(st, 9, f->steps);
    return finish(s, st);
}

static int store_sample(struct store *s, int64_t run_id, const struct train_case_fact *f, int rep, int64_t elapsed_ns)
{
    sqlite3_stmt *st = prepare(s, insert_sample, run_id, f);

    if (!st)
        return NW_EDB;
    sqlite3_bind_int(st, 5, rep);
    sqlite3_bind_int64(st, 6, elapsed_ns);
    return finish(s, st);
}

int store_train_case(struct store *s, int64_t run_id, const struct train_case_fact *fact, const int64_t *elapsed_ns,
                     int n)
{
    int rc = db_begin(s);

    if (rc)
        return rc;
    rc = store_case(s, run_id, fact);
    for (int i = 0; i < n && !rc; i++)
        rc = store_sample(s, run_id, fact, i, elapsed_ns[i]);
    return db_end(s, rc);
}
