/* table.c - what SQLite says of a table of facts, made into the statements that copy it. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "harness/status.h"
#include "harness/store/merge/internal.h"

enum { SQL = 2048 };

static bool listed(const char *list, const char *name)
{
    char padded[40];

    snprintf(padded, sizeof(padded), " %s ", name);
    return strstr(list, padded) != NULL;
}

static void add_column(struct merged_table *t, const char *name, bool primary)
{
    const struct fact_table *fact = t->fact;
    struct merged_column *c = &t->columns[t->ncolumns];

    assert(t->ncolumns < MOST_COLUMNS && strlen(name) < sizeof(c->name));
    snprintf(c->name, sizeof(c->name), "%s", name);
    c->number = fact->number && !t->ncolumns;
    c->refers = fact_reference(name);
    c->loose = listed(fact->loose, name);
    c->key = !fact->number ? primary : !c->number && (!fact->key || !strcmp(fact->key, name));
    t->ncolumns++;
}

static int read_columns(struct merging *m, struct merged_table *t)
{
    sqlite3_stmt *st;
    int code = sqlite3_prepare_v2(m->into->db, "SELECT name, pk FROM pragma_table_info(?) ORDER BY cid", -1, &st, NULL);

    if (code == SQLITE_OK)
        sqlite3_bind_text(st, 1, t->fact->name, -1, SQLITE_STATIC);
    while (code == SQLITE_OK && sqlite3_step(st) == SQLITE_ROW)
        add_column(t, (const char *)sqlite3_column_text(st, 0), sqlite3_column_int(st, 1) > 0);
    code = sqlite3_finalize(st);
    return code == SQLITE_OK && t->ncolumns ? NW_OK : db_fail(m->into, t->fact->name);
}

/* Write 'first' and then what 'form' says of each column that 'wanted' has a letter for: n(umber), k(ey), o(ther). */
static void write_columns(const struct merged_table *t, char *sql, const char *first, const char *form,
                          const char *between, const char *wanted)
{
    bool any = false;

    strcat(sql, first);
    for (int i = 0; i < t->ncolumns; i++) {
        const struct merged_column *c = &t->columns[i];

        if (!strchr(wanted, c->number ? 'n' : c->key ? 'k' : 'o'))
            continue;
        snprintf(sql + strlen(sql), SQL - strlen(sql), "%s", any ? between : "");
        snprintf(sql + strlen(sql), SQL - strlen(sql), form, c->name);
        any = true;
    }
}

static int prepare(struct store *s, const char *sql, sqlite3_stmt **st)
{
    return sqlite3_prepare_v2(s->db, sql, -1, st, NULL) == SQLITE_OK ? NW_OK : db_fail(s, sql);
}

/* One row after another in the order of the primary key, so that those of an owner come together. */
static int prepare_read(struct merging *m, struct merged_table *t)
{
    char sql[SQL] = "";

    write_columns(t, sql, "SELECT ", "\"%s\"", ", ", "nko");
    snprintf(sql + strlen(sql), SQL - strlen(sql), " FROM %s", t->fact->name);
    write_columns(t, sql, " ORDER BY ", "\"%s\"", ", ", t->fact->number ? "n" : "k");
    return prepare(m->from, sql, &t->read);
}

static int prepare_insert(struct merging *m, struct merged_table *t)
{
    char sql[SQL];

    snprintf(sql, sizeof(sql), "INSERT INTO %s", t->fact->name);
    write_columns(t, sql, "(", "\"%s\"", ", ", "ko");
    write_columns(t, sql, ") VALUES (", "?%.0s", ", ", "ko");
    strcat(sql, ") ON CONFLICT DO NOTHING");
    return prepare(m->into, sql, &t->insert);
}

static int prepare_find(struct merging *m, struct merged_table *t)
{
    char sql[SQL] = "";

    write_columns(t, sql, "SELECT ", "\"%s\"", ", ", "nko");
    snprintf(sql + strlen(sql), SQL - strlen(sql), " FROM %s", t->fact->name);
    write_columns(t, sql, " WHERE ", "\"%s\" IS ?", " AND ", "k");
    return prepare(m->into, sql, &t->find);
}

static int prepare_count(struct merging *m, struct merged_table *t)
{
    char sql[SQL];

    snprintf(sql, sizeof(sql), "SELECT count(*) FROM %s WHERE %s = ?", t->fact->name, t->columns[0].name);
    return prepare(m->into, sql, &t->count);
}

int table_open(struct merging *m, const struct fact_table *fact, struct merged_table *t)
{
    *t = (struct merged_table){ .fact = fact };
    int rc = read_columns(m, t);

    rc = rc ? rc : prepare_read(m, t);
    rc = rc ? rc : prepare_insert(m, t);
    rc = rc ? rc : prepare_find(m, t);
    return rc ? rc : prepare_count(m, t);
}

void table_close(struct merged_table *t)
{
    sqlite3_finalize(t->read);
    sqlite3_finalize(t->insert);
    sqlite3_finalize(t->find);
    sqlite3_finalize(t->count);
}
