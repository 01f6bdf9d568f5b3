/* internal.h - private to the files of harness/store/. */
#ifndef NARROWS_HARNESS_STORE_INTERNAL_H
#define NARROWS_HARNESS_STORE_INTERNAL_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

#include "harness/store/statement.h"
#include "harness/store/store.h"
#include "harness/store/trace.h"

/* A statement that is kept prepared, found by the address of its text, which is a literal. */
struct statement {
    const char *sql;
    sqlite3_stmt *st;
};
enum { MOST_STATEMENTS = 64 };

struct store {
    sqlite3 *db;
    char *path;
    /* Used ones come first; the last one stays unused. */
    struct statement statements[MOST_STATEMENTS];
    /* The unit that store_paper_value() returned last. */
    char unit[32];
};

/* In point.c: 1 and *id set if a point with this key is stored, 0 if not, or negative. */
int db_find_point(struct store *s, const char *key, int64_t *id);

/* As db_find_point(), of a point that was trained. */
int db_find_training(struct store *s, const char *key, int64_t *id, int64_t *workers, int64_t *steps);

/* A point's timeline, unless it has one; inside the caller's transaction. */
int db_put_tasks(struct store *s, int64_t point_id, const struct timeline_fact *timeline);

/* A point's memory plan, unless it has one; inside the caller's transaction. */
int db_put_plan(struct store *s, int64_t point_id, const struct plan_fact *plan);

/* A point's training run, unless it has one; inside the caller's transaction. */
int db_put_training(struct store *s, int64_t point_id, const struct training_fact *training);

/* The word of a step's precision in the database. */
const char *trace_precision_name(enum trace_precision precision);

/* In file.c: refuse a network filesystem, make parent directories. */
int file_prepare(const char *path);
int file_local(const char *path);

/* In migrate.c: refuse a database that is not narrows' or is newer; bring others up to date ('may_write') or refuse
 * them. */
int migrate(struct store *s, int may_write);

/* In program.c: add the digests of this program's sources to the table program, unless they are there. A database that
 * cannot be written is left as it is; with may_write that is an error. */
int program_note(struct store *s, int may_write);

#endif
