/* internal.h - what the files of harness/store/ share and nobody else sees. */
#ifndef NARROWS_HARNESS_STORE_INTERNAL_H
#define NARROWS_HARNESS_STORE_INTERNAL_H

#include <sqlite3.h>
#include <stdint.h>

#include "harness/store/store.h"
#include "harness/store/trace.h"

/* Every statement that a store keeps prepared; the texts are in statements.c. */
enum statement {
    ST_BEGIN,
    ST_COMMIT,
    ST_RUN,
    ST_RUN_END,
    ST_POINT,
    ST_POINT_ID,
    ST_MEASURE,
    ST_RUN_POINT,
    ST_PARAM,
    ST_CELL,
    ST_CALIBRATION,
    ST_PAPER_VALUE,
    ST_SAMPLE,
    ST_BENCH_WORK,
    ST_RATE,
    ST_CALIBRATED,
    ST_TIMELINE,
    ST_TASK,
    ST_PLAN_STEP,
    ST_TRAINING,
    ST_TRACE_TENSOR,
    ST_TRACE_STEP,
    ST_TRACE_EXCHANGE,
    ST_TRACE_BITS,
    ST_TRACE_EVALUATION,
    ST_TRACE_THRESHOLD,
    ST_TRACED,
    ST_LISTED_KEY,
    ST_TRACED_STEPS,
    ST_TRACED_VALUES,
    ST_TIMING,
    ST_TIMING_STEP,
    ST_TIMING_FIND,
    ST_FIT,
    ST_FIT_FIND,
    NSTATEMENTS
};

struct store {
    sqlite3 *db;
    char *path;
    sqlite3_stmt *statements[NSTATEMENTS]; /* prepared at first use */
    char unit[32];                         /* what store_paper_value() last pointed at */
};

/* Print "FILE: what: SQLite's words" and a hint where one helps; NW_EDB. */
int db_fail(const struct store *s, const char *what);

/* The statement, reset and unbound; NULL after a message. */
sqlite3_stmt *db_statement(struct store *s, enum statement which);

/* Run a statement that returns no rows, or at most one; SQLITE_DONE, SQLITE_ROW, or NW_EDB after a message that says
 * 'what' was tried. */
int db_step(struct store *s, sqlite3_stmt *st, const char *what);

/* A transaction that takes the write lock at once, so that it never fails half-way for want of it. */
int db_begin(struct store *s);
/* Commit if rc is 0, else roll back; the final code. */
int db_end(struct store *s, int rc);

/* Bind text, or the empty text for NULL: no column of ours takes NULL text. */
void db_bind(sqlite3_stmt *st, int column, const char *text);

/* In point.c: 1 and *id set if a point with this key is stored, 0 if not, or negative. */
int db_find_point(struct store *s, const char *key, int64_t *id);

/* A point's timeline, unless it has one; inside the caller's transaction. */
int db_put_tasks(struct store *s, int64_t point_id, const struct timeline_fact *timeline);

/* A point's memory plan, unless it has one; inside the caller's transaction. */
int db_put_plan(struct store *s, int64_t point_id, const struct plan_fact *plan);

/* How a point was trained, unless that is there already; inside the caller's transaction. */
int db_put_training(struct store *s, int64_t point_id, const struct training_fact *training);

/* The word of a step's precision in the database. */
const char *trace_precision_name(enum trace_precision precision);

/* In file.c: refuse a network filesystem, make parent directories. */
int file_prepare(const char *path);
int file_local(const char *path);

/* In migrate.c: refuse what is not ours or is newer, and bring the rest up to date ('may_write') or refuse it. */
int migrate(struct store *s, int may_write);

/* In program.c: the digests of this program's sources to the table program, unless they are there. Where nobody can write they stay what
 * they were; only may_write makes that an error. */
int program_note(struct store *s, int may_write);

#endif
