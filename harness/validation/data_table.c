#include "harness/validation/data_table.h"

#include <errno.h>
#include <math.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "harness/status.h"
#include "harness/text/csv_fields.h"
#include "harness/text/csv_lines.h"

enum { MOST_ROWS = 1000000 };

struct data {
    sqlite3 *db;
    size_t n;
    char **texts;
    size_t ntexts;
    bool locked; /* by the authorizer: expressions read only */
};

/* An expression may read the table and call functions, nothing else. */
static int may(void *context, int action, const char *a, const char *b, const char *c, const char *d)
{
    const struct data *t = context;

    (void)a, (void)b, (void)c, (void)d;
    return !t->locked || action == SQLITE_SELECT || action == SQLITE_READ || action == SQLITE_FUNCTION ||
                   action == SQLITE_RECURSIVE
               ? SQLITE_OK
               : SQLITE_DENY;
}

int data_new(struct data **out)
{
    struct data *t = calloc(1, sizeof(*t));

    if (!t)
        return NW_ENOMEM;
    if (sqlite3_open(":memory:", &t->db) || sqlite3_set_authorizer(t->db, may, t) ||
        sqlite3_exec(t->db, "CREATE TABLE data(\"row\" INTEGER PRIMARY KEY)", NULL, NULL, NULL)) {
        data_free(t);
        return NW_ENOMEM;
    }
    *out = t;
    return NW_OK;
}

void data_free(struct data *t)
{
    if (!t)
        return;
    sqlite3_close(t->db);
    for (size_t i = 0; i < t->ntexts; i++)
        free(t->texts[i]);
    free(t->texts);
    free(t);
}

size_t data_rows(const struct data *t)
{
    return t->n;
}

static bool has_column(struct data *t, const char *name)
{
    return sqlite3_table_column_metadata(t->db, NULL, "data", name, NULL, NULL, NULL, NULL, NULL) == SQLITE_OK;
}

static int add_columns(struct data *t, const struct csv_fields *header)
{
    for (size_t i = 0; i < header->n; i++) {
        if (has_column(t, header->fields[i]))
            continue;
        char *sql = sqlite3_mprintf("ALTER TABLE data ADD COLUMN \"%w\"", header->fields[i]);
        int rc = sql ? sqlite3_exec(t->db, sql, NULL, NULL, NULL) : SQLITE_NOMEM;
        sqlite3_free(sql);
        if (rc)
            return rc == SQLITE_NOMEM ? NW_ENOMEM : NW_EINPUT;
    }
    return NW_OK;
}

static sqlite3_stmt *prepare_insert(struct data *t, const struct csv_fields *header)
{
    sqlite3_str *sql = sqlite3_str_new(t->db);
    sqlite3_stmt *put = NULL;

    sqlite3_str_appendall(sql, "INSERT INTO data(\"row\"");
    for (size_t i = 0; i < header->n; i++)
        sqlite3_str_appendf(sql, ",\"%w\"", header->fields[i]);
    sqlite3_str_appendall(sql, ") VALUES(?");
    for (size_t i = 0; i < header->n; i++)
        sqlite3_str_appendall(sql, ",?");
    sqlite3_str_appendall(sql, ")");
    char *text = sqlite3_str_finish(sql);
    if (text)
        sqlite3_prepare_v2(t->db, text, -1, &put, NULL);
    sqlite3_free(text);
    return put;
}

/* How the header is wrong, or NULL. */
static const char *wrong_header(const struct csv_fields *h)
{
    if (h->too_many)
        return "expected at most 64 columns";
    for (size_t i = 0; i < h->n; i++) {
        if (!*h->fields[i])
            return "expected a name for every column";
        if (!sqlite3_stricmp(h->fields[i], "row"))
            return "expected columns with other names than 'row', which is the row's number";
        for (size_t k = 0; k < i; k++)
            if (!sqlite3_stricmp(h->fields[i], h->fields[k]))
                return "expected columns with different names";
    }
    return NULL;
}

/* A column of no type keeps what it is given: a whole number, another number, or a text. */
static void put_field(sqlite3_stmt *put, int place, const char *field)
{
    char *end_whole, *end_number;
    long long whole;
    double number;

    errno = 0;
    whole = strtoll(field, &end_whole, 10);
    number = strtod(field, &end_number);
    if (!*field)
        sqlite3_bind_null(put, place);
    else if (!*end_whole && !errno)
        sqlite3_bind_int64(put, place, whole);
    else if (!*end_number && isfinite(number))
        sqlite3_bind_double(put, place, number);
    else
        sqlite3_bind_text(put, place, field, -1, SQLITE_TRANSIENT);
}

/* Where one row has 1116.5, 1116 of another is no whole number either, or it would divide as one. */
static int make_real(struct data *t, const char *name)
{
    char *sql = sqlite3_mprintf("UPDATE data SET \"%w\" = 1.0 * \"%w\" WHERE typeof(\"%w\") = 'integer' AND EXISTS"
                                " (SELECT 1 FROM data WHERE typeof(\"%w\") = 'real')",
                                name, name, name, name);
    int rc = sql ? sqlite3_exec(t->db, sql, NULL, NULL, NULL) : SQLITE_NOMEM;

    sqlite3_free(sql);
    return rc ? NW_ENOMEM : NW_OK;
}

static int put_row(struct data *t, sqlite3_stmt *put, const struct csv_fields *line)
{
    sqlite3_reset(put);
    sqlite3_bind_int64(put, 1, (sqlite3_int64)t->n);
    for (size_t i = 0; i < line->n; i++)
        put_field(put, (int)i + 2, line->fields[i]);
    if (sqlite3_step(put) != SQLITE_DONE)
        return NW_ENOMEM;
    t->n++;
    return NW_OK;
}

static int load_lines(struct data *t, const char *name, char *text, char *end)
{
    struct csv_fields header, line;
    size_t number = 0, before = t->n;
    sqlite3_stmt *put = NULL;
    int rc = NW_OK;

    if (!csv_next(&text, end, &number, &header))
        return status_error(NW_EINPUT, "%s: expected a header and rows, got nothing\n", name);
    if (wrong_header(&header))
        return status_error(NW_EINPUT, "%s:%zu: %s\n", name, number, wrong_header(&header));
    rc = add_columns(t, &header);
    put = rc ? NULL : prepare_insert(t, &header);
    while (!rc && put && csv_next(&text, end, &number, &line)) {
        if (line.n != header.n || line.too_many)
            rc = status_error(NW_EINPUT, "%s:%zu: expected %zu fields as in the header, got %zu\n", name, number,
                              header.n, line.n);
        else if (t->n == MOST_ROWS)
            rc = status_error(NW_EINPUT, "%s:%zu: expected at most %d rows\n", name, number, MOST_ROWS);
        else
            rc = put_row(t, put, &line);
    }
    if (!rc && put && t->n == before)
        rc = status_error(NW_EINPUT, "%s: expected at least one row below the header\n", name);
    rc = !rc && !put ? NW_ENOMEM : rc;
    for (size_t i = 0; !rc && i < header.n; i++)
        rc = make_real(t, header.fields[i]);
    sqlite3_finalize(put);
    return rc;
}

int data_load(struct data *t, const char *name, const char *text, size_t size)
{
    const char *from = csv_skip_mark(text, size);
    size_t n = size - (size_t)(from - text);
    char *copy = malloc(n + 1);
    int rc;

    if (!copy)
        return NW_ENOMEM;
    memcpy(copy, from, n);
    copy[n] = '\0';
    t->locked = false;
    sqlite3_exec(t->db, "BEGIN", NULL, NULL, NULL);
    rc = load_lines(t, name, copy, copy + n);
    sqlite3_exec(t->db, "COMMIT", NULL, NULL, NULL);
    free(copy);
    return rc;
}

/* One SELECT of one column, and nothing after it: an expression cannot end it and go on with another. */
static int prepare_alone(struct data *t, const char *sql, sqlite3_stmt **q, char *why, size_t nwhy)
{
    const char *rest = "";

    t->locked = true;
    int rc = sql ? sqlite3_prepare_v2(t->db, sql, -1, q, &rest) : SQLITE_NOMEM;
    t->locked = false;
    if (rc)
        snprintf(why, nwhy, "%s", sql ? sqlite3_errmsg(t->db) : "out of memory");
    else if (*rest || sqlite3_column_count(*q) != 1)
        snprintf(why, nwhy, "it is more than one");
    if (!rc && !*rest && sqlite3_column_count(*q) == 1)
        return NW_OK;
    sqlite3_finalize(*q);
    *q = NULL;
    return NW_EINPUT;
}

/* The values are there before the column is, so that an expression cannot see its own. A column without a type keeps
 * 2.0 as it is, which divides as a real number. */
int data_compute(struct data *t, const char *name, const char *expression, char *why, size_t nwhy)
{
    char *test = sqlite3_mprintf("SELECT (%s\n) FROM data AS r", expression);
    char *sql = sqlite3_mprintf("CREATE TEMP TABLE computed AS SELECT r.\"row\" AS n, (%s\n) AS v FROM data AS r;"
                                "ALTER TABLE data ADD COLUMN \"%w\";"
                                "UPDATE data SET \"%w\" = (SELECT v FROM computed WHERE n = data.\"row\");"
                                "DROP TABLE computed",
                                expression, name, name);
    sqlite3_stmt *q = NULL;

    int rc = prepare_alone(t, test, &q, why, nwhy);
    if (!rc && (!sql || sqlite3_exec(t->db, sql, NULL, NULL, NULL))) {
        snprintf(why, nwhy, "%s", sqlite3_errmsg(t->db));
        rc = NW_EINPUT;
    }
    sqlite3_finalize(q);
    sqlite3_free(test);
    sqlite3_free(sql);
    return rc;
}

static const char *keep(struct data *t, const char *text)
{
    char **more = t->ntexts & (t->ntexts + 1) ? t->texts : realloc(t->texts, (2 * t->ntexts + 2) * sizeof(*more));

    if (!more)
        return NULL;
    t->texts = more;
    t->texts[t->ntexts] = strdup(text);
    return t->texts[t->ntexts] ? t->texts[t->ntexts++] : NULL;
}

static int read_value(struct data *t, sqlite3_stmt *q, struct cell_value *out)
{
    int type = sqlite3_column_type(q, 0);

    *out = (struct cell_value){ .kind = CELL_NULL, .text = "" };
    if (type == SQLITE_NULL)
        return NW_OK;
    out->kind = type == SQLITE_INTEGER || type == SQLITE_FLOAT ? CELL_NUMBER : CELL_TEXT;
    out->number = sqlite3_column_double(q, 0);
    out->text = keep(t, (const char *)sqlite3_column_text(q, 0));
    return out->text ? NW_OK : NW_ENOMEM;
}

int data_evaluate(struct data *t, const char *with, const char *expression, struct cell_value out[], char *why,
                  size_t nwhy)
{
    bool some = with && *with;
    char *sql = sqlite3_mprintf("%s%s%sSELECT (%s\n) FROM data AS r ORDER BY r.\"row\"", some ? "WITH " : "",
                                some ? with : "", some ? " " : "", expression);
    sqlite3_stmt *q = NULL;
    size_t i = 0;
    int rc = prepare_alone(t, sql, &q, why, nwhy), step = SQLITE_ROW;

    sqlite3_free(sql);
    while (!rc && i < t->n && (step = sqlite3_step(q)) == SQLITE_ROW)
        rc = read_value(t, q, &out[i++]);
    if (!rc && i < t->n) {
        snprintf(why, nwhy, "%s", sqlite3_errmsg(t->db));
        rc = NW_EINPUT;
    }
    sqlite3_finalize(q);
    return rc;
}

int data_test(struct data *t, const char *condition, bool out[], char *why, size_t nwhy)
{
    struct cell_value *values;
    int rc;

    if (!condition || !*condition) {
        memset(out, 1, t->n * sizeof(*out));
        return NW_OK;
    }
    values = calloc(t->n + 1, sizeof(*values));
    rc = values ? data_evaluate(t, NULL, condition, values, why, nwhy) : NW_ENOMEM;
    for (size_t i = 0; !rc && i < t->n; i++)
        out[i] = values[i].kind == CELL_NUMBER && values[i].number != 0;
    free(values);
    return rc;
}
