#include "harness/store/sim_case.h"

#include "harness/status.h"
#include "harness/store/internal.h"

static const char insert_case[] =
    "INSERT INTO sim_case(run_id, kind, size, program, place, size_unit, event, events, growth, end_s, expected_s)"
    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)";
static const char insert_sample[] =
    "INSERT INTO sim_sample(run_id, kind, size, program, rep, elapsed_ns, peak_bytes, idle_bytes)"
    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";

/* Few rows, so nothing is kept prepared. */
static sqlite3_stmt *prepare(struct store *s, const char *sql, int64_t run_id, const struct sim_case_fact *f)
{
    sqlite3_stmt *st = NULL;

    if (sqlite3_prepare_v2(s->db, sql, -1, &st, NULL) != SQLITE_OK) {
        db_fail(s, "store a timing of the simulator");
        return NULL;
    }
    sqlite3_bind_int64(st, 1, run_id);
    db_bind(st, 2, f->kind);
    sqlite3_bind_int64(st, 3, f->size);
    db_bind(st, 4, f->program);
    return st;
}

static int finish(struct store *s, sqlite3_stmt *st)
{
    int rc = db_step(s, st, "store a timing of the simulator") == SQLITE_DONE ? NW_OK : NW_EDB;

    sqlite3_finalize(st);
    return rc;
}

static int store_case(struct store *s, int64_t run_id, const struct sim_case_fact *f)
{
    sqlite3_stmt *st = prepare(s, insert_case, run_id, f);

    if (!st)
        return NW_EDB;
    sqlite3_bind_int64(st, 5, f->place);
    db_bind(st, 6, f->size_unit);
    db_bind(st, 7, f->event);
    sqlite3_bind_int64(st, 8, f->events);
    sqlite3_bind_int(st, 9, f->growth);
    sqlite3_bind_double(st, 10, f->end_s);
    sqlite3_bind_double(st, 11, f->expected_s);
    return finish(s, st);
}

static int store_sample(struct store *s, int64_t run_id, const struct sim_case_fact *f, int rep,
                        const struct sim_sample_fact *sample)
{
    sqlite3_stmt *st = prepare(s, insert_sample, run_id, f);

    if (!st)
        return NW_EDB;
    sqlite3_bind_int(st, 5, rep);
    sqlite3_bind_int64(st, 6, sample->elapsed_ns);
    sqlite3_bind_int64(st, 7, sample->peak_bytes);
    sqlite3_bind_int64(st, 8, sample->idle_bytes);
    return finish(s, st);
}

int store_sim_case(struct store *s, int64_t run_id, const struct sim_case_fact *fact,
                   const struct sim_sample_fact *samples, int nsamples)
{
    int rc = db_begin(s);

    if (rc)
        return rc;
    rc = store_case(s, run_id, fact);
    for (int i = 0; i < nsamples && !rc; i++)
        rc = store_sample(s, run_id, fact, i, &samples[i]);
    return db_end(s, rc);
}
