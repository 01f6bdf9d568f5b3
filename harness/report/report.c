#include "harness/report/report.h"

#include <string.h>

#include "harness/report/csv.h"
#include "harness/report/papers.h"
#include "harness/report/query.h"
#include "harness/status.h"
#include "harness/store/store.h"

int report_spoken(struct store *s, const char *paper)
{
    struct query q =
        query_open(store_handle(s), "SELECT EXISTS (SELECT 1 FROM comparison WHERE paper = ?1)", paper, NULL);
    bool any = query_next(&q) && query_real(&q, 0) != 0;
    int rc = query_close(&q);

    return rc ? rc : any;
}

static int any_cell(struct store *s, const struct paper *paper)
{
    int any = report_spoken(s, paper->name);

    if (any)
        return any > 0 ? NW_OK : any;
    fprintf(stderr, "narrows report: no run in this database speaks to paper %s; first: narrows run %s\n", paper->name,
            paper->scenarios);
    return NW_EDB;
}

/* A scenario that names a cell which no paper prints would otherwise vanish without a word. */
static int warn_unmatched(sqlite3 *db, const struct paper *paper)
{
    struct query q = query_open(db,
                                "SELECT scenario, table_id, row_key, column_key, measure, unit, paper_unit"
                                " FROM unmatched_cell u WHERE paper = ?1 AND run_id = (SELECT max(r.id) FROM run r"
                                " WHERE r.scenario = u.scenario) GROUP BY 1, 2, 3, 4, 5",
                                paper->name, NULL);

    while (query_next(&q)) {
        fprintf(stderr, "narrows report: scenario %s names cell (%s, %s, %s), ", query_text(&q, 0), query_text(&q, 1),
                query_text(&q, 2), query_text(&q, 3));
        if (query_null(&q, 6))
            fprintf(stderr, "which the paper does not print\n");
        else
            fprintf(stderr, "printed in %s, but measure %s is in %s\n", query_text(&q, 6), query_text(&q, 4),
                    query_text(&q, 5));
    }
    return query_close(&q);
}

static const char ordered[] = "SELECT c.* FROM comparison c LEFT JOIN paper_row w USING (paper, table_id, row_key)"
                              " WHERE paper = ?1 ORDER BY table_id, w.place, row_key, column_key";

static int print_csv(sqlite3 *db, const char *paper, FILE *out)
{
    struct query q = query_open(db, ordered, paper, NULL);

    fprintf(out, "paper,table_id,row_key,column_key,published,ours,unit,kind\n");
    while (query_next(&q))
        for (int i = 0; i < 8; i++) {
            if (i == 4 || i == 5)
                fprintf(out, "%.15g", query_real(&q, i));
            else
                csv_text(out, query_text(&q, i));
            fputc(i < 7 ? ',' : '\n', out);
        }
    return query_close(&q);
}

static int print_json(sqlite3 *db, const char *paper, FILE *out)
{
    struct query q = query_open(db,
                                "SELECT json_object('paper', c.paper, 'table_id', c.table_id, 'row_key', c.row_key,"
                                " 'column_key', c.column_key, 'published', c.published, 'ours', c.ours, 'unit', c.unit,"
                                " 'kind', c.kind) FROM comparison c LEFT JOIN paper_row w USING (paper, table_id,"
                                " row_key) WHERE c.paper = ?1 ORDER BY c.table_id, w.place, c.row_key, c.column_key",
                                paper, NULL);
    const char *separator = "[\n";

    for (; query_next(&q); separator = ",\n")
        fprintf(out, "%s%s", separator, query_text(&q, 0));
    fprintf(out, "\n]\n");
    return query_close(&q);
}

static int print_sections(sqlite3 *db, const struct paper *paper, FILE *out)
{
    int rc = NW_OK;

    for (int i = 0; paper->sections[i] && !rc; i++)
        rc = paper->sections[i](db, out);
    for (int i = 0; paper->trained[i] && !rc; i++)
        rc = paper->trained[i](db, out);
    return rc;
}

int report_print(struct store *s, const char *name, enum report_format format, FILE *out)
{
    sqlite3 *db = store_handle(s);
    const struct paper *paper = paper_find(name);
    int rc = paper ? any_cell(s, paper) : NW_EINPUT;

    if (!rc)
        rc = warn_unmatched(db, paper);
    if (rc)
        return rc;
    switch (format) {
    case REPORT_CSV: rc = print_csv(db, name, out); break;
    case REPORT_JSON: rc = print_json(db, name, out); break;
    default: rc = print_sections(db, paper, out); break;
    }
    if (!rc && (fflush(out) != 0 || ferror(out))) {
        perror("narrows report: standard output");
        rc = NW_EIO;
    }
    return rc;
}
