/* conflict.c - what two databases say differently, in words. */
#include <stdio.h>
#include <string.h>

#include "harness/status.h"
#include "harness/store/merge/internal.h"

enum { NAME = 768, VALUE = 128 };

static bool same(sqlite3_stmt *a, sqlite3_stmt *b, int i)
{
    int type = sqlite3_column_type(a, i);
    double x = sqlite3_column_double(a, i), y = sqlite3_column_double(b, i);

    if (type != sqlite3_column_type(b, i))
        return false;
    switch (type) {
    case SQLITE_NULL: return true;
    case SQLITE_INTEGER: return sqlite3_column_int64(a, i) == sqlite3_column_int64(b, i);
    case SQLITE_FLOAT: return !memcmp(&x, &y, sizeof(x));
    default: return !strcmp((const char *)sqlite3_column_text(a, i), (const char *)sqlite3_column_text(b, i));
    }
}

static const char *value_text(sqlite3_stmt *st, int i, char text[VALUE])
{
    switch (sqlite3_column_type(st, i)) {
    case SQLITE_NULL: snprintf(text, VALUE, "unknown"); break;
    case SQLITE_INTEGER: snprintf(text, VALUE, "%lld", (long long)sqlite3_column_int64(st, i)); break;
    case SQLITE_FLOAT: snprintf(text, VALUE, "%.17g", sqlite3_column_double(st, i)); break;
    default: snprintf(text, VALUE, "'%s'", (const char *)sqlite3_column_text(st, i)); break;
    }
    return text;
}

/* What a number of the file that is merged stands for, in that file's own words. */
static void add_thing(const struct merging *m, enum fact_number number, int64_t there, char *name)
{
    static const char *const sql[FACT_NUMBERS] = {
        [FACT_RUN] = "SELECT 'run of ''' || scenario || ''' at ' || started_ns || ' ns' FROM run WHERE id = ?",
        [FACT_POINT] = ("SELECT 'point ' || key || ' of ''' || scenario || '''' FROM point p JOIN run r"
                        " ON r.id = p.run_id WHERE p.id = ?"),
        [FACT_TIMING] = "SELECT 'timing ' || key FROM trace_timing WHERE id = ?",
        [FACT_RECORD] = "SELECT 'record ' || digest FROM record WHERE id = ?",
        [FACT_EXECUTION] = "SELECT 'execution of position ' || position FROM execution WHERE id = ?",
    };
    sqlite3_stmt *st;

    if (sqlite3_prepare_v2(m->from->db, sql[number], -1, &st, NULL) == SQLITE_OK)
        sqlite3_bind_int64(st, 1, there);
    if (sqlite3_step(st) == SQLITE_ROW)
        snprintf(name + strlen(name), NAME - strlen(name), "%s", (const char *)sqlite3_column_text(st, 0));
    sqlite3_finalize(st);
}

/* "point 01..ef of 'sweep', measure, name 'step_ms'" of the row that 'read' is at. */
static const char *row_name(const struct merging *m, const struct merged_table *t, char name[NAME])
{
    char text[VALUE];

    *name = '\0';
    for (int i = 0; i < t->ncolumns; i++)
        if (t->columns[i].key && t->columns[i].refers) {
            add_thing(m, t->columns[i].refers, sqlite3_column_int64(t->read, i), name);
            snprintf(name + strlen(name), NAME - strlen(name), ", ");
        }
    snprintf(name + strlen(name), NAME - strlen(name), "%s", t->fact->name);
    for (int i = 0; i < t->ncolumns; i++)
        if (t->columns[i].key && !t->columns[i].refers)
            snprintf(name + strlen(name), NAME - strlen(name), ", %s %s", t->columns[i].name,
                     value_text(t->read, i, text));
    return name;
}

/* Things have other numbers in other databases: a reference is the same if it is to the same thing. */
static bool same_column(const struct merging *m, const struct merged_table *t, int i)
{
    const struct merged_column *c = &t->columns[i];
    const struct number *number;

    if (c->number || c->loose || c->key)
        return true;
    if (!c->refers || sqlite3_column_type(t->read, i) == SQLITE_NULL)
        return same(t->read, t->find, i);
    number = number_find(&m->numbers[c->refers], sqlite3_column_int64(t->read, i));
    return number && number->here == sqlite3_column_int64(t->find, i);
}

int conflict_check(const struct merging *m, const struct merged_table *t)
{
    char name[NAME], theirs[VALUE], ours[VALUE];

    for (int i = 0; i < t->ncolumns; i++)
        if (!same_column(m, t, i))
            return status_error(NW_EDB, "narrows: %s: %s: %s is %s, but %s in %s; nothing is merged\n", m->from->path,
                                row_name(m, t, name), t->columns[i].name, value_text(t->read, i, theirs),
                                value_text(t->find, i, ours), m->into->path);
    return NW_OK;
}

int conflict_missing(const struct merging *m, const struct merged_table *t, const char *what)
{
    char name[NAME];

    return status_error(NW_EDB, "narrows: %s: %s: %s in %s; nothing is merged\n", m->from->path, row_name(m, t, name),
                        what, m->into->path);
}
