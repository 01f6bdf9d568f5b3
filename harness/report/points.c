#include "harness/report/points.h"

#include <string.h>

#include "harness/report/query.h"
#include "harness/report/text.h"

enum { LABEL = 19, COLUMN = 7 };

/* A blank before the longest of what stands in a column. */
static int width_of(const struct points_column *c)
{
    int head = (int)strlen(c->head) + 1;

    return head > COLUMN ? head : COLUMN;
}

static const char points_sql[] =
    "SELECT p.point_id, p.variant, coalesce((SELECT group_concat(q.last || ' ' || q.text, ', ') FROM"
    "  (SELECT replace(path, rtrim(path, replace(path, '.', '')), '') AS last, text FROM point_param a"
    "   WHERE a.run_id = p.run_id AND a.position = p.position ORDER BY path) q), '')"
    " FROM run_point p WHERE p.run_id = (SELECT max(id) FROM run WHERE scenario = ?1) ORDER BY p.position";

static void heading(FILE *out, const struct points *p)
{
    text_paragraph(out, "%s", p->title);
    fputc('\n', out);
    text_cell(out, "", LABEL);
    for (const struct points_column *c = p->columns; c->measure; c++)
        text_cell(out, c->head, -width_of(c));
    fputc('\n', out);
}

static int line(sqlite3 *db, FILE *out, const struct points *p, const char *point, const char *variant)
{
    int rc = 0;

    text_cell(out, variant, LABEL);
    for (const struct points_column *c = p->columns; !rc && c->measure; c++) {
        struct query q = query_open(db, "SELECT value FROM measure WHERE point_id = CAST(?1 AS INTEGER) AND name = ?2",
                                    point, c->measure, NULL);
        if (query_next(&q))
            text_number(out, c->format, c->scale * query_real(&q, 0), -width_of(c));
        else
            text_cell(out, "-", -width_of(c));
        rc = query_close(&q);
    }
    fputc('\n', out);
    return rc;
}

int points_print(sqlite3 *db, FILE *out, const struct points *p)
{
    struct query q = query_open(db, points_sql, p->scenario, NULL);
    char place[256] = "";
    int rows = 0, rc = 0;

    while (!rc && query_next(&q)) {
        const char *here = query_text(&q, 2);
        if (!rows)
            heading(out, p);
        if (!rows++ || strcmp(place, here) != 0)
            fprintf(out, "%s\n", here);
        snprintf(place, sizeof(place), "%s", here);
        rc = line(db, out, p, query_text(&q, 0), query_text(&q, 1));
    }
    if (rows)
        fputc('\n', out);
    int closed = query_close(&q);
    return rc ? rc : closed;
}
