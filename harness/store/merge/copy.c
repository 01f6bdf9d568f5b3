/* copy.c - the rows of one table after another, with the numbers that they have in the other database. */
#include <stdio.h>
#include <stdlib.h>

#include "harness/status.h"
#include "harness/store/merge/internal.h"

/* Whose rows come now, of a table whose owners have all of their rows from one database. */
struct owner {
    const struct number *number;
    int64_t there, nhere;
};

static size_t place_of(const struct numbers *k, int64_t there)
{
    size_t low = 0, high = k->n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (k->rows[middle].there < there)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const struct number *number_find(const struct numbers *k, int64_t there)
{
    size_t i = place_of(k, there);

    return i < k->n && k->rows[i].there == there ? &k->rows[i] : NULL;
}

static int number_add(struct numbers *k, struct number number)
{
    if (k->n == k->space) {
        size_t space = k->space ? 2 * k->space : 256;
        struct number *rows = realloc(k->rows, space * sizeof(*rows));

        if (!rows)
            return NW_ENOMEM;
        k->rows = rows;
        k->space = space;
    }
    k->rows[k->n++] = number;
    return NW_OK;
}

/* The number here of what a column of the row refers to; 0 for what is not there, which only a damaged file has. */
static int64_t here(const struct merging *m, const struct merged_table *t, int column)
{
    enum fact_number refers = t->columns[column].refers;
    const struct number *number;

    if (refers == FACT_RUN && m->run_id)
        return m->run_id;
    number = number_find(&m->numbers[refers], sqlite3_column_int64(t->read, column));
    return number ? number->here : 0;
}

/* Run 'st' with the values of the row, or with those of its key alone: SQLITE_ROW, SQLITE_DONE, or NW_EDB. */
static int step_with(const struct merging *m, const struct merged_table *t, sqlite3_stmt *st, bool key)
{
    int at = 0;

    sqlite3_reset(st);
    for (int i = 0; i < t->ncolumns; i++) {
        if (t->columns[i].number || (key && !t->columns[i].key))
            continue;
        if (t->columns[i].refers)
            sqlite3_bind_int64(st, ++at, here(m, t, i));
        else
            sqlite3_bind_value(st, ++at, sqlite3_column_value(t->read, i));
    }
    return db_step(m->into, st, t->fact->name);
}

/* What several computed is the run's that began first. */
static int keep_first_run(const struct merging *m, const struct merged_table *t, int64_t id)
{
    char sql[256];
    sqlite3_stmt *st;
    int run = 0, rc;

    while (run < t->ncolumns && t->columns[run].refers != FACT_RUN)
        run++;
    if (m->run_id || run == t->ncolumns)
        return NW_OK;
    snprintf(sql, sizeof(sql),
             "UPDATE %s SET run_id = ?1 WHERE id = ?2 AND (SELECT started_ns FROM run WHERE id = ?1)"
             " < (SELECT started_ns FROM run r WHERE r.id = %s.run_id)",
             t->fact->name, t->fact->name);
    if (sqlite3_prepare_v2(m->into->db, sql, -1, &st, NULL) != SQLITE_OK)
        return db_fail(m->into, t->fact->name);
    sqlite3_bind_int64(st, 1, here(m, t, run));
    sqlite3_bind_int64(st, 2, id);
    rc = db_step(m->into, st, t->fact->name) == SQLITE_DONE ? NW_OK : NW_EDB;
    sqlite3_finalize(st);
    return rc;
}

static int copy_numbered(struct merging *m, struct merged_table *t)
{
    struct number number = { .there = sqlite3_column_int64(t->read, 0) };
    int code = step_with(m, t, t->find, true), rc = NW_OK;

    number.old = code == SQLITE_ROW;
    if (number.old) {
        number.here = sqlite3_column_int64(t->find, 0);
        rc = conflict_check(m, t);
        rc = rc ? rc : keep_first_run(m, t, number.here);
    } else if (code == SQLITE_DONE) {
        rc = step_with(m, t, t->insert, false) == SQLITE_DONE ? NW_OK : NW_EDB;
        number.here = sqlite3_last_insert_rowid(m->into->db);
    }
    if (t->fact->number == FACT_RUN)
        m->counts->runs += !number.old;
    if (t->fact->number == FACT_POINT)
        *(number.old ? &m->counts->present : &m->counts->points) += 1;
    return code < 0 ? code : rc ? rc : number_add(&m->numbers[t->fact->number], number);
}

static struct number *owner_of(struct merging *m, const struct merged_table *t)
{
    return (struct number *)number_find(&m->numbers[t->columns[0].refers], sqlite3_column_int64(t->read, 0));
}

static int copy_plain(struct merging *m, struct merged_table *t)
{
    struct number *owner = t->fact->rule == FACT_FIRST || t->fact->rule == FACT_FOLLOWS ? owner_of(m, t) : NULL;
    int code;

    if (t->fact->rule == FACT_FOLLOWS && owner && owner->kept)
        return NW_OK;
    if (step_with(m, t, t->insert, false) != SQLITE_DONE)
        return NW_EDB;
    if (sqlite3_changes(m->into->db))
        return NW_OK;
    if (owner) {
        owner->kept = true;
        return NW_OK;
    }
    code = step_with(m, t, t->find, true);
    return code == SQLITE_ROW    ? conflict_check(m, t)
           : code == SQLITE_DONE ? conflict_missing(m, t, "is refused without a reason")
                                 : NW_EDB;
}

static int count_rows(const struct merging *m, const struct merged_table *t, struct store *s, int64_t id, int64_t *n)
{
    sqlite3_stmt *st = t->count;
    int rc = NW_OK;

    if (s != m->into && sqlite3_prepare_v2(s->db, sqlite3_sql(t->count), -1, &st, NULL) != SQLITE_OK)
        return db_fail(s, t->fact->name);
    sqlite3_reset(st);
    sqlite3_bind_int64(st, 1, id);
    rc = db_step(s, st, t->fact->name) == SQLITE_ROW ? NW_OK : NW_EDB;
    *n = rc ? 0 : sqlite3_column_int64(st, 0);
    if (st == t->count)
        sqlite3_reset(st);
    else
        sqlite3_finalize(st);
    return rc;
}

/* Another owner's rows begin: how many are here, and are there as many there? */
static int begin_owner(struct merging *m, struct merged_table *t, struct owner *o)
{
    int64_t nthere;
    char what[96];
    int rc;

    o->number = owner_of(m, t);
    o->there = sqlite3_column_int64(t->read, 0);
    o->nhere = 0;
    if (!o->number || !o->number->old)
        return NW_OK;
    rc = count_rows(m, t, m->into, o->number->here, &o->nhere);
    if (rc || !o->nhere)
        return rc;
    rc = count_rows(m, t, m->from, o->there, &nthere);
    snprintf(what, sizeof(what), "one of %lld such rows, but there are %lld", (long long)nthere, (long long)o->nhere);
    return rc ? rc : nthere == o->nhere ? NW_OK : conflict_missing(m, t, what);
}

static int copy_owned(struct merging *m, struct merged_table *t, struct owner *o)
{
    int code, rc = o->number && o->there == sqlite3_column_int64(t->read, 0) ? NW_OK : begin_owner(m, t, o);

    if (rc || !o->nhere)
        return rc ? rc : copy_plain(m, t);
    code = step_with(m, t, t->find, true);
    return code == SQLITE_ROW ? conflict_check(m, t) : code == SQLITE_DONE ? conflict_missing(m, t, "is not") : NW_EDB;
}

int copy_table(struct merging *m, const struct fact_table *fact)
{
    struct merged_table t;
    struct owner owner = { 0 };
    int rc = table_open(m, fact, &t), code = SQLITE_DONE;

    while (!rc && (code = db_step(m->from, t.read, fact->name)) == SQLITE_ROW)
        rc = fact->number               ? copy_numbered(m, &t)
             : fact->rule == FACT_WHOLE ? copy_owned(m, &t, &owner)
                                        : copy_plain(m, &t);
    table_close(&t);
    return rc ? rc : code == SQLITE_DONE ? NW_OK : NW_EDB;
}

int copy_facts(struct merging *m)
{
    int rc = NW_OK;

    for (const struct fact_table *f = fact_tables; f->name && !rc; f++)
        if (!m->run_id || !f->of_run)
            rc = copy_table(m, f);
    for (int i = 0; i < FACT_NUMBERS; i++)
        free(m->numbers[i].rows);
    return rc;
}
