/* import.c - the runs of a record into a database: as a record's, or as the database's own. */
#include <inttypes.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "harness/host/clock.h"
#include "harness/record/file.h"
#include "harness/record/record.h"
#include "harness/status.h"
#include "harness/store/statement.h"
#include "harness/store/store.h"

enum { ROWS_AT_ONCE = 64 };

/* What rows were numbered there, in ascending order, and what they are here; below 0: of a row that was here before. */
struct numbers {
    int64_t *there, *here;
    size_t n, last; /* last: found before; neighbours mostly ask for the same */
};

struct import {
    struct store *store;
    sqlite3 *db;
    const char *path;
    const struct record_file *file;
    struct numbers numbers[COLUMN_TIMING + 1]; /* by role */
    int64_t record_id;
    bool own; /* the runs are to be the database's own */
};

static int damaged(const struct import *m, const char *table)
{
    fprintf(stderr, "narrows: %s: is damaged: a row of %s refers to what is not there, or lacks its number\n", m->path,
            table);
    return NW_EINPUT;
}

/* A row that the schema refuses is an error of the file, all else one of the database. */
static int fail(const struct import *m, const char *what)
{
    int code = sqlite3_errcode(m->db) & 0xff;

    if (code == SQLITE_CONSTRAINT || code == SQLITE_MISMATCH) {
        fprintf(stderr, "narrows: %s: %s: no such row can be: %s\n", m->path, what, sqlite3_errmsg(m->db));
        return NW_EINPUT;
    }
    fprintf(stderr, "narrows: %s: import %s: %s: %s\n", sqlite3_db_filename(m->db, "main"), m->path, what,
            sqlite3_errmsg(m->db));
    return NW_EDB;
}

/* 0 if there is none. */
static int64_t here(struct numbers *k, int64_t there)
{
    size_t low = 0, high = k->n;

    if (k->last < k->n && k->there[k->last] == there)
        return k->here[k->last];
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (k->there[middle] < there)
            low = middle + 1;
        else
            high = middle;
    }
    k->last = low;
    return low < k->n && k->there[low] == there ? k->here[low] : 0;
}

/* The key of a point that this file brought. */
static void key_of(const struct import *m, const char *there, char key[33])
{
    char text[256];
    int n = snprintf(text, sizeof(text), "%s\n%s", m->file->head.digest, there);
    XXH128_hash_t hash = XXH3_128bits(text, (size_t)n < sizeof(text) ? (size_t)n : sizeof(text) - 1);

    snprintf(key, 33, "%016" PRIx64 "%016" PRIx64, hash.high64, hash.low64);
}

static int bind_value(const struct import *m, sqlite3_stmt *st, int at, const struct column *c, size_t row, bool key)
{
    char made[33];

    if (c->absent && c->absent[row])
        return sqlite3_bind_null(st, at);
    if (c->type == COLUMN_INTEGER)
        return sqlite3_bind_int64(st, at, c->values[row]);
    if (c->type == COLUMN_REAL)
        return sqlite3_bind_double(st, at, column_real(c, row));
    if (!key || m->own)
        return sqlite3_bind_text(st, at, c->words[c->values[row]], -1, SQLITE_STATIC);
    key_of(m, c->words[c->values[row]], made);
    return sqlite3_bind_text(st, at, made, -1, SQLITE_TRANSIENT);
}

/* 1 where the column is one of numbers that are known; its value, or 0 for none, to *value. */
static bool number_of(struct import *m, const struct record_rows *t, size_t c, size_t row, int64_t *value)
{
    const struct column *column = &t->columns[c];

    if (t->kinds[c]->role < COLUMN_RUN)
        return 0;
    *value = column->type == COLUMN_INTEGER && !(column->absent && column->absent[row])
                 ? here(&m->numbers[t->kinds[c]->role], column->values[row])
                 : 0;
    return 1;
}

static const struct column *column_of(const struct record_rows *t, const char *name)
{
    for (size_t c = 0; c < t->ncolumns; c++)
        if (!strcmp(t->kinds[c]->name, name))
            return &t->columns[c];
    return NULL;
}

static const char *text_of(const struct record_rows *t, const char *name, size_t row)
{
    const struct column *c = column_of(t, name);

    return c && c->type == COLUMN_TEXT ? c->words[c->values[row]] : "";
}

/* A run, or a point, that the database has as its own: its number, or 0. */
static int find_own(const struct import *m, const struct record_rows *t, size_t row, int64_t *id)
{
    const struct column *started = column_of(t, "started_ns");
    int found = 0;

    *id = 0;
    if (!strcmp(t->table->name, "point"))
        found = db_find(m->store, "look for a point", "SELECT id FROM point WHERE key = ?", "t:l",
                        text_of(t, "key", row), id);
    else if (!strcmp(t->table->name, "run") && started)
        found = db_find(m->store, "look for a run",
                        "SELECT id FROM run WHERE started_ns = ? AND scenario = ? AND machine = ?"
                        " AND id NOT IN (SELECT run_id FROM run_record)",
                        "ltt:l", started->values[row], text_of(t, "scenario", row), text_of(t, "machine", row), id);
    return found < 0 ? found : NW_OK;
}

/* Does the row belong to one that was here before? What a run lists may have been. */
static bool belongs_to_own(struct import *m, const struct record_rows *t, size_t row)
{
    bool lists = !strcmp(t->table->name, "run_point");
    int64_t number;

    for (size_t c = 0; c < t->ncolumns; c++)
        if (!record_numbers(t->table, t->kinds[c]) && number_of(m, t, c, row, &number) && number < 0 &&
            !(lists && t->kinds[c]->role == COLUMN_POINT))
            return 1;
    return 0;
}

/* 1 if the row is left out, since the database has it or what it belongs to; *id: its number, -1 for what is not asked
 * for again. */
static int left_out(struct import *m, const struct record_rows *t, size_t row, int64_t *id)
{
    bool point = !strcmp(t->table->name, "point");
    int rc = m->own ? find_own(m, t, row, id) : NW_OK;

    if (!m->own || rc || *id)
        return rc ? rc : m->own;
    *id = 1;
    return !point && belongs_to_own(m, t, row);
}

static int bind_row(struct import *m, const struct record_rows *t, size_t row, sqlite3_stmt *st, int at)
{
    int rc = SQLITE_OK;
    int64_t number;

    for (size_t c = 0; c < t->ncolumns && rc == SQLITE_OK; c++) {
        if (record_numbers(t->table, t->kinds[c]))
            continue;
        if (!number_of(m, t, c, row, &number))
            rc = bind_value(m, st, at++, &t->columns[c], row, t->kinds[c]->role == COLUMN_KEY);
        else if (number)
            rc = sqlite3_bind_int64(st, at++, number < 0 ? -number : number);
        else
            return damaged(m, t->table->name);
    }
    return rc == SQLITE_OK ? NW_OK : fail(m, t->table->name);
}

/* Of a table whose rows are numbered: space for how they are numbered here. */
static int begin_numbers(struct import *m, const struct record_rows *t, struct numbers **out)
{
    const struct column *c = &t->columns[0];

    *out = NULL;
    if (!record_numbers(t->table, t->table->columns))
        return NW_OK;
    if (!t->ncolumns || t->kinds[0] != t->table->columns || c->type != COLUMN_INTEGER || c->absent)
        return damaged(m, t->table->name);
    for (size_t i = 1; i < t->nrows; i++)
        if (c->values[i] <= c->values[i - 1])
            return damaged(m, t->table->name);
    *out = &m->numbers[t->kinds[0]->role];
    (*out)->there = malloc((t->nrows + 1) * sizeof(int64_t));
    (*out)->here = malloc((t->nrows + 1) * sizeof(int64_t));
    return (*out)->there && (*out)->here ? NW_OK : NW_ENOMEM;
}

static sqlite3_stmt *prepare_insert(const struct import *m, const struct record_rows *t, size_t nrows, int *nbound)
{
    char sql[1024 + ROWS_AT_ONCE * (2 * RECORD_MOST_COLUMNS + 3)];
    sqlite3_stmt *st = NULL;
    size_t n = (size_t)sprintf(sql, "INSERT INTO %s(", t->table->name);

    *nbound = 0;
    for (size_t c = 0; c < t->ncolumns; c++)
        if (!record_numbers(t->table, t->kinds[c]))
            n += (size_t)sprintf(sql + n, "%s%s", (*nbound)++ ? "," : "", t->kinds[c]->name);
    n += (size_t)sprintf(sql + n, ") VALUES ");
    for (size_t i = 0; i < nrows; i++) {
        for (int c = 0; c < *nbound; c++)
            n += (size_t)sprintf(sql + n, "%s?", c ? "," : i ? ",(" : "(");
        n += (size_t)sprintf(sql + n, ")");
    }
    sqlite3_prepare_v2(m->db, sql, -1, &st, NULL);
    return st;
}

/* The rows from 'first' on, nrows at a time as long as there are so many; *done: how many. */
static int insert_rows(struct import *m, const struct record_rows *t, size_t first, size_t nrows,
                       struct numbers *numbers, size_t *done)
{
    int nbound, rc = NW_OK;
    sqlite3_stmt *st = prepare_insert(m, t, nrows, &nbound);

    *done = 0;
    if (!st)
        return fail(m, t->table->name);
    for (size_t row = first; !rc && row + nrows <= t->nrows; row += nrows) {
        int64_t id = 0;
        int left = left_out(m, t, row, &id);

        rc = left < 0 ? left : NW_OK;
        for (size_t i = 0; i < nrows && !rc && !left; i++)
            rc = bind_row(m, t, row + i, st, 1 + (int)i * nbound);
        if (!rc && !left && sqlite3_step(st) != SQLITE_DONE)
            rc = fail(m, t->table->name);
        sqlite3_reset(st);
        *done += rc ? 0 : nrows;
        if (rc || !numbers)
            continue;
        numbers->there[numbers->n] = t->columns[0].values[row];
        numbers->here[numbers->n++] = left ? -id : sqlite3_last_insert_rowid(m->db);
    }
    sqlite3_finalize(st);
    return rc;
}

static int insert_table(struct import *m, const struct record_rows *t)
{
    struct numbers *numbers;
    size_t done = 0, rest;
    int rc = begin_numbers(m, t, &numbers);

    /* Row by row where each is asked for its number, or whether it is there. One for many takes half as long. */
    if (!rc && !numbers && !m->own && t->nrows >= ROWS_AT_ONCE)
        rc = insert_rows(m, t, 0, ROWS_AT_ONCE, NULL, &done);
    return rc || done == t->nrows ? rc : insert_rows(m, t, done, 1, numbers, &rest);
}

static int insert_record(struct import *m, size_t bytes)
{
    const struct record_head *h = &m->file->head;
    const char *slash = strrchr(m->path, '/');
    int rc = db_run(m->store, "store a record",
                    "INSERT INTO record(digest, file, bytes, trainer, simulator, imported_ns) VALUES (?,?,?,?,?,?)",
                    "ttlttl", h->digest, slash ? slash + 1 : m->path, bytes, h->trainer, h->simulator, clock_wall_ns());

    m->record_id = sqlite3_last_insert_rowid(m->db);
    return rc;
}

/* Who checked the record, if anybody did, and that is not noted yet. */
static int note_check(const struct import *m)
{
    const struct record_stamp *k = &m->file->head.checked;
    int one, found = k->steps ? db_find(m->store, "look for a record's check",
                                        "SELECT 1 FROM record_check x JOIN record c ON c.id = x.record_id"
                                        " WHERE c.digest = ? AND x.trainer = ? AND x.steps = ?",
                                        "ttl:i", m->file->head.digest, k->trainer, (int64_t)k->steps, &one)
                              : 1;

    if (found)
        return found < 0 ? found : NW_OK;
    return db_run(m->store, "store a record's check",
                  "INSERT OR IGNORE INTO record_check(record_id, trainer, steps, imported_ns)"
                  " SELECT id, ?, ?, ? FROM record WHERE digest = ?",
                  "tllt", k->trainer, (int64_t)k->steps, clock_wall_ns(), m->file->head.digest);
}

static int mark_runs(struct import *m)
{
    const struct numbers *runs = &m->numbers[COLUMN_RUN];
    int rc = NW_OK;

    for (size_t i = 0; i < runs->n && !rc; i++)
        rc = db_run(m->store, "store a record's run", "INSERT INTO run_record(run_id, record_id) VALUES (?,?)", "ll",
                    runs->here[i], m->record_id);
    return rc;
}

/* 1, 0 or negative. */
static int imported(const struct import *m, const char *digest)
{
    int one;

    return db_find(m->store, "look for a record", "SELECT 1 FROM record WHERE digest = ?", "t:i", digest, &one);
}

/* 1 if it was added, 0 if another process did so first. */
static int import_all(struct import *m, size_t bytes)
{
    int rc = db_begin(m->store), before;

    if (rc)
        return rc;
    before = imported(m, m->file->head.digest);
    rc = before < 0 ? before : NW_OK;
    if (!before) {
        rc = insert_record(m, bytes);
        rc = rc ? rc : note_check(m);
        for (size_t t = 0; t < m->file->ntables && !rc; t++)
            rc = insert_table(m, &m->file->tables[t]);
        rc = rc ? rc : mark_runs(m);
    }
    rc = db_end(m->store, rc);
    return rc ? rc : !before;
}

static void finish(struct import *m, struct record_file *file, bool added, struct record_counts *out)
{
    if (added)
        *out = (struct record_counts){ m->numbers[COLUMN_RUN].n, record_file_rows(file, "training"), file->bytes };
    for (size_t i = 0; i <= COLUMN_TIMING; i++) {
        free(m->numbers[i].there);
        free(m->numbers[i].here);
    }
    record_file_free(file);
}

int record_import(struct store *s, const char *path, struct record_counts *out)
{
    struct record_file file = { 0 };
    struct import m = { .store = s, .db = store_handle(s), .path = path, .file = &file };
    int rc = record_file_head(path, &file.head);

    *out = (struct record_counts){ 0 };
    if (rc)
        return rc;
    rc = imported(&m, file.head.digest);
    if (rc)
        return rc < 0 ? rc : note_check(&m);
    rc = record_file_read(path, &file);
    if (!rc)
        rc = import_all(&m, file.bytes);
    finish(&m, &file, rc == 1, out);
    return rc;
}

int record_resume(struct store *s, const char *path, const char *trainer, struct record_counts *out)
{
    struct record_file file = { 0 };
    struct import m = { .store = s, .db = store_handle(s), .path = path, .file = &file, .own = 1 };
    int rc = record_file_read(path, &file);

    *out = (struct record_counts){ 0 };
    if (!rc && strcmp(file.head.trainer, trainer) != 0)
        rc = status_error(NW_EINPUT,
                          "narrows: %s: cannot be resumed: expected training runs of trainer %s, which this program "
                          "has, got those of trainer %s; narrows run trains them again\n",
                          path, trainer, file.head.trainer);
    if (!rc)
        rc = db_begin(s);
    if (!rc) {
        for (size_t t = 0; t < file.ntables && !rc; t++)
            rc = insert_table(&m, &file.tables[t]);
        rc = db_end(s, rc);
    }
    finish(&m, &file, !rc, out);
    return rc;
}
