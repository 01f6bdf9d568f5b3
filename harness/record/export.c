/* export.c - runs of a database, and all that belongs to them, to a record. */
#include <sqlite3.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "harness/record/file.h"
#include "harness/record/record.h"
#include "harness/status.h"
#include "harness/store/store.h"

/* ?1: the runs asked for, as JSON. Each point's newest times only; and the runs that computed a point or its times for
 * another. */
static const char sets[] =
    "WITH listed AS (SELECT value FROM json_each(?1)),"
    " points AS (SELECT point_id FROM run_point WHERE run_id IN listed),"
    " timings AS (SELECT max(id) FROM trace_timing WHERE point_id IN points GROUP BY point_id, label),"
    " runs AS (SELECT value FROM listed UNION SELECT run_id FROM point WHERE id IN points"
    "          UNION SELECT run_id FROM trace_timing WHERE id IN timings)";

static int fail(sqlite3 *db)
{
    fprintf(stderr, "narrows: %s: read what to record: %s\n", sqlite3_db_filename(db, "main"), sqlite3_errmsg(db));
    return NW_EDB;
}

/* Of a path from the root: from its "scenarios/" on, or else its last part. */
static const char *without_folder(const char *path, const char *end)
{
    const char *last = path;

    for (const char *at = path; at < end; at++) {
        if (!strncmp(at, "/scenarios/", 11))
            return at + 1;
        last = *at == '/' ? at + 1 : last;
    }
    return last;
}

/* "run /x/scenarios/a.yaml --db=/x/y.db" becomes "run scenarios/a.yaml --db=y.db", in place. */
static void leave_folders(char *text)
{
    char *to = text;

    for (const char *from = text; *from;) {
        const char *end = from + strcspn(from, " =");
        const char *kept = *from == '/' ? without_folder(from, end) : from;
        size_t n = (size_t)(end - kept) + (*end != 0);

        memmove(to, kept, n);
        to += n;
        from = end + (*end != 0);
    }
    *to = 0;
}

/* A column while it grows: a word's place is found by its hash. */
struct growing {
    struct column *c;
    size_t capacity, *slots, nslots; /* slots hold places + 1 */
    bool local;
};

static bool more_slots(struct growing *g)
{
    size_t n = g->nslots ? 2 * g->nslots : 64, *slots = calloc(n, sizeof(*slots));
    char **words = slots ? realloc(g->c->words, n / 2 * sizeof(*words)) : NULL;

    if (!words) {
        free(slots);
        return 0;
    }
    g->c->words = words;
    for (size_t i = 0; i < g->c->nwords; i++) {
        size_t at = (size_t)XXH3_64bits(words[i], strlen(words[i])) & (n - 1);
        while (slots[at])
            at = (at + 1) & (n - 1);
        slots[at] = i + 1;
    }
    free(g->slots);
    g->slots = slots;
    g->nslots = n;
    return 1;
}

/* The word's place among the column's, or -1. */
static int64_t place_of(struct growing *g, const char *text)
{
    char *word = strdup(text);
    size_t at;

    if (!word || (2 * (g->c->nwords + 1) > g->nslots && !more_slots(g))) {
        free(word);
        return -1;
    }
    if (g->local)
        leave_folders(word);
    at = (size_t)XXH3_64bits(word, strlen(word)) & (g->nslots - 1);
    for (; g->slots[at]; at = (at + 1) & (g->nslots - 1))
        if (!strcmp(g->c->words[g->slots[at] - 1], word)) {
            free(word);
            return (int64_t)g->slots[at] - 1;
        }
    g->c->words[g->c->nwords++] = word;
    g->slots[at] = g->c->nwords;
    return (int64_t)g->c->nwords - 1;
}

static bool grow(struct growing *g)
{
    size_t capacity = 2 * g->capacity + 256;
    int64_t *values = realloc(g->c->values, capacity * sizeof(*values));
    unsigned char *absent = realloc(g->c->absent, capacity);

    g->c->values = values ? values : g->c->values;
    g->c->absent = absent ? absent : g->c->absent;
    g->capacity = values && absent ? capacity : g->capacity;
    return values && absent;
}

static int add_value(struct growing *g, sqlite3_stmt *st, int i)
{
    struct column *c = g->c;
    int type = sqlite3_column_type(st, i);
    int64_t value = 0;

    if (c->n == g->capacity && !grow(g))
        return NW_ENOMEM;
    if (type == SQLITE_INTEGER) {
        value = sqlite3_column_int64(st, i);
    } else if (type == SQLITE_FLOAT) {
        double real = sqlite3_column_double(st, i);
        memcpy(&value, &real, sizeof(value));
        c->type = COLUMN_REAL;
    } else if (type == SQLITE_TEXT) {
        value = place_of(g, (const char *)sqlite3_column_text(st, i));
        c->type = COLUMN_TEXT;
    }
    if (value < 0 && type == SQLITE_TEXT)
        return NW_ENOMEM;
    c->values[c->n] = value;
    c->absent[c->n++] = type == SQLITE_NULL;
    return NW_OK;
}

static int read_rows(sqlite3 *db, sqlite3_stmt *st, struct record_rows *t)
{
    struct growing growing[RECORD_MOST_COLUMNS] = { 0 };
    int rc = NW_OK, code;

    for (size_t c = 0; c < t->ncolumns; c++)
        growing[c] = (struct growing){ .c = &t->columns[c], .local = t->kinds[c]->role == COLUMN_LOCAL };
    while (!rc && (code = sqlite3_step(st)) != SQLITE_DONE) {
        rc = code == SQLITE_ROW ? NW_OK : fail(db);
        for (size_t c = 0; c < t->ncolumns && !rc; c++)
            rc = add_value(&growing[c], st, (int)c);
        t->nrows += !rc;
    }
    for (size_t c = 0; c < t->ncolumns; c++) {
        free(growing[c].slots);
        if (t->nrows && !memchr(t->columns[c].absent, 1, t->nrows)) {
            free(t->columns[c].absent);
            t->columns[c].absent = NULL;
        }
    }
    return rc;
}

static int read_table(sqlite3 *db, const struct record_table *kind, const char *listed, struct record_rows *t)
{
    char sql[2048];
    size_t n = 0;
    sqlite3_stmt *st = NULL;
    int rc;

    t->table = kind;
    n += (size_t)snprintf(sql, sizeof(sql), "%s SELECT ", sets);
    for (const struct record_column *c = kind->columns; c->name; c++) {
        n += (size_t)snprintf(sql + n, sizeof(sql) - n, "%s%s", c > kind->columns ? "," : "", c->name);
        t->kinds[t->ncolumns++] = c;
    }
    snprintf(sql + n, sizeof(sql) - n, " FROM %s WHERE %s ORDER BY %s", kind->name, kind->of, kind->order);
    if (sqlite3_prepare_v2(db, sql, -1, &st, NULL) != SQLITE_OK)
        return fail(db);
    sqlite3_bind_text(st, 1, listed, -1, SQLITE_STATIC);
    rc = read_rows(db, st, t);
    sqlite3_finalize(st);
    return rc;
}

/* Of one moment, whoever else writes. */
static int read_all(sqlite3 *db, const char *listed, struct record_file *f)
{
    int rc = sqlite3_exec(db, "BEGIN", NULL, NULL, NULL) == SQLITE_OK ? NW_OK : fail(db);

    for (const struct record_table *t = record_tables; t->name && !rc; t++)
        rc = read_table(db, t, listed, &f->tables[f->ntables++]);
    sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
    return rc;
}

static char *json_of(const int64_t *runs, size_t n)
{
    char *text = malloc(24 * n + 3), *at = text;

    if (!text)
        return NULL;
    *at++ = '[';
    for (size_t i = 0; i < n; i++)
        at += sprintf(at, "%s%lld", i ? "," : "", (long long)runs[i]);
    strcpy(at, "]");
    return text;
}

int record_export(struct store *s, const int64_t *runs, size_t nruns, const struct record_sources *sources,
                  const char *path, struct record_counts *out)
{
    struct record_file f = { 0 };
    char *listed = json_of(runs, nruns);
    int rc = listed ? read_all(store_handle(s), listed, &f) : NW_ENOMEM;

    snprintf(f.head.trainer, sizeof(f.head.trainer), "%s", sources->trainer);
    snprintf(f.head.simulator, sizeof(f.head.simulator), "%s", sources->simulator);
    if (!rc)
        rc = record_file_write(path, &f);
    if (!rc)
        *out = (struct record_counts){ nruns, record_file_rows(&f, "training"), f.bytes };
    record_file_free(&f);
    free(listed);
    return rc;
}
