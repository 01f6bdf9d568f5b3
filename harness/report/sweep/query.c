/* query.c - what a summary or a figure asks of a sweep: columns of a view, at the places of a run on the axes
 * chosen. */
#include <sqlite3.h>
#include <stdio.h>

#include "harness/report/sweep/run.h"

/* Where a point lies on the axes that are not drawn, as an SQL expression: "workers 16, density 5%", '' without any. */
static void append_rest(sqlite3_str *sql, const struct axes *a)
{
    const char *separator = "";

    for (size_t i = 0; i < a->n; i++) {
        if (!axes_other(a, i))
            continue;
        sqlite3_str_appendf(sql,
                            "%s'%q ' || (SELECT text FROM point_param q WHERE q.run_id = g.run_id"
                            " AND q.position = g.position AND q.path = %Q)",
                            separator, a->list[i].name, a->list[i].path);
        separator = " || ', ' || ";
    }
    sqlite3_str_appendall(sql, *separator ? " AS rest" : "'' AS rest");
}

/* SQLite does not look for a run inside of a view that ranks, so ranks are taken here. */
static const char ranks[] =
    ", ranked AS (SELECT *, dense_rank() OVER (ORDER BY x) AS i, dense_rank() OVER (ORDER BY y) AS j,"
    "  row_number() OVER alike = 1 AND count(*) OVER (PARTITION BY combination) ="
    "  (SELECT count(*) FROM run_variant WHERE run_id = (SELECT min(run_id) FROM place)) AS is_best FROM place"
    "  WINDOW alike AS (PARTITION BY combination ORDER BY speedup DESC, variant_place)),"
    " best AS (SELECT *, dense_rank() OVER (ORDER BY variant_place) AS colour FROM ranked WHERE is_best),"
    " variant AS (SELECT *, max(max(speedup) OVER (), 1 / min(speedup) OVER ()) AS most FROM ranked"
    "  WHERE NOT is_baseline)";

char *sweep_query(const struct sweep_run *run, const struct sweep_question *q, const char *rest)
{
    const struct axes *a = &run->axes;
    sqlite3_str *sql = sqlite3_str_new(NULL);
    char scales[2][32], *text;

    for (int i = 0; i < 2; i++)
        snprintf(scales[i], sizeof(scales[i]), "%.17g", i && a->y < 0 ? 1 : a->list[i ? a->y : a->x].scale);
    sqlite3_str_appendf(sql, "WITH place AS (SELECT g.*, x.value * %s AS x, y.value * %s AS y, ", scales[0], scales[1]);
    append_rest(sql, a);
    sqlite3_str_appendf(sql,
                        " FROM %s g"
                        " JOIN point_param x ON x.run_id = g.run_id AND x.position = g.position AND x.path = %Q"
                        " LEFT JOIN point_param y ON y.run_id = g.run_id AND y.position = g.position AND y.path = %Q"
                        " WHERE g.run_id = %s)%s SELECT %s FROM %s",
                        run->plans ? "sweep_plan" : "sweep_gain", a->list[a->x].path,
                        a->y < 0 ? "" : a->list[a->y].path, run->id, run->plans ? "" : ranks, q->columns, q->of);
    if (rest)
        sqlite3_str_appendf(sql, " WHERE rest = %Q", rest);
    sqlite3_str_appendf(sql, " %s", q->order);
    text = sqlite3_str_finish(sql);
    if (!text)
        fputs("narrows report: out of memory\n", stderr);
    return text;
}
