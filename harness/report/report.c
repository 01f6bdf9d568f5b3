#include "harness/report/report.h"

#include <stdlib.h>
#include <string.h>

#include "harness/report/part/parts.h"
#include "harness/report/snapshot.h"
#include "harness/status.h"
#include "harness/store/store.h"

int report_papers(struct store *s, int (*each)(const char *paper, void *argument), void *argument)
{
    struct query q = query_open(store_handle(s), "SELECT paper FROM paper ORDER BY place", NULL);
    int rc = NW_OK;

    while (!rc && query_next(&q))
        rc = each(query_text(&q, 0), argument);
    return query_close(&q) ? NW_EDB : rc;
}

int report_find(struct store *s, const char *paper)
{
    struct query q = query_open(
        store_handle(s),
        "SELECT max(paper = ?1), group_concat(paper, ', ') FROM (SELECT paper FROM paper ORDER BY place)", paper, NULL);
    int rc = NW_OK;

    if (query_next(&q) && query_real(&q, 0) == 0) {
        fprintf(stderr, "narrows report: expected a paper (%s), got '%s'\n", query_text(&q, 1), paper);
        rc = NW_EINPUT;
    }
    return query_close(&q) ? NW_EDB : rc;
}

int report_spoken(struct store *s, const char *paper)
{
    struct query q =
        query_open(store_handle(s), "SELECT EXISTS (SELECT 1 FROM comparison WHERE paper = ?1)", paper, NULL);
    bool any = query_next(&q) && query_real(&q, 0) != 0;
    int rc = query_close(&q);

    return rc ? rc : any;
}

static int any_cell(struct store *s, const char *paper)
{
    int any = report_spoken(s, paper);

    if (any)
        return any > 0 ? NW_OK : any;
    fprintf(stderr, "narrows report: no run in this database covers paper %s; first: narrows reproduce %s\n", paper,
            paper);
    return NW_EDB;
}

/* A scenario that names a cell which no paper prints would otherwise vanish without a word. */
static int warn_unmatched(sqlite3 *db, const char *paper)
{
    struct query q = query_open(db,
                                "SELECT scenario, table_id, row_key, column_key, measure, unit, paper_unit"
                                " FROM unmatched_cell u WHERE paper = ?1 AND run_id = (SELECT max(r.id) FROM run r"
                                " WHERE r.scenario = u.scenario) GROUP BY 1, 2, 3, 4, 5",
                                paper, NULL);

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

static const char comparison_sql[] =
    "SELECT c.* FROM comparison c LEFT JOIN paper_row w USING (paper, table_id, row_key)"
    " WHERE paper = ?1 ORDER BY table_id, w.place, row_key, column_key";

static int no_table(const struct report_choice *choice)
{
    fprintf(stderr, "narrows report: paper %s has no table '%s': narrows report --paper %s prints those there are\n",
            choice->paper, choice->table, choice->paper);
    return NW_EINPUT;
}

/* The rows of one part, which must be there. */
static int rows_of(sqlite3 *db, const struct report_choice *choice, bool json, FILE *out)
{
    struct query q = query_open(
        db,
        "SELECT name, printf('SELECT * FROM \"%w/%w\"', paper, name) FROM report_part WHERE paper = ?1 AND shape <>"
        " 'text' AND (name = ?2 OR name IN ('table-' || lower(?2), 'figure-' || replace(lower(?2), 'fig', '')))"
        " ORDER BY place",
        choice->paper, choice->table, NULL);
    int rc = NW_OK, found = 0;

    while (!rc && query_next(&q)) {
        struct part p = { .paper = choice->paper, .name = query_text(&q, 0), .query = query_text(&q, 1) };

        rc = part_rows(db, &p, json, out);
        found++;
    }
    if (query_close(&q))
        return NW_EDB;
    return rc || found ? rc : no_table(choice);
}

static int print_cell(sqlite3 *db, const struct report_choice *choice, const struct style *style, FILE *out)
{
    char *query = sqlite3_mprintf(
        "SELECT row_key AS row, column_key AS \"column\", published, ours, unit, error, error_unit AS \"in\", kind,"
        " source,"
        " command AS \"computed by\" FROM paper_cell LEFT JOIN cell_command USING (paper, table_id, row_key,"
        " column_key)"
        " WHERE paper = %Q AND table_id = %Q AND row_key || ', ' || column_key = %Q",
        choice->paper, choice->table, choice->cell);
    const struct part p = { choice->paper, "", "cell", "", "", "list", "s s %.6g %.6g s %+.2f s s s s", query, "" };
    char *text = NULL;
    size_t size = 0;
    FILE *f = query ? open_memstream(&text, &size) : NULL;
    int rc = f ? part_write(db, &p, style, 2, f) : NW_ENOMEM;

    if (f)
        fclose(f);
    if (!rc && !size) {
        fprintf(stderr,
                "narrows report: paper %s, table %s: no cell '%s' (expected ROW, COLUMN as the paper prints them)\n",
                choice->paper, choice->table, choice->cell);
        rc = NW_EINPUT;
    }
    if (!rc)
        fwrite(text, 1, size, out);
    sqlite3_free(query);
    free(text);
    return rc;
}

static int print_title(sqlite3 *db, const char *paper, const struct style *style, FILE *out)
{
    struct query q = query_open(db, "SELECT label, authors, title, summary FROM paper WHERE paper = ?1", paper, NULL);
    char text[1024];

    if (query_next(&q)) {
        style->heading(out, 1, query_text(&q, 0), paper);
        snprintf(text, sizeof(text), "%s: %s.", query_text(&q, 1), query_text(&q, 2));
        style->paragraph(out, text);
        style->paragraph(out, query_text(&q, 3));
    }
    return query_close(&q);
}

static int print_all(sqlite3 *db, const char *paper, const struct style *style, FILE *out)
{
    int rc = print_title(db, paper, style, out);

    for (const struct section *s = report_sections; s->name && !rc; s++) {
        rc = parts_write(db, paper, s->name, NULL, style, 2, out, NULL);
        if (!rc && !strcmp(s->name, "trained"))
            rc = claims_write(db, paper, style, 2, out);
    }
    if (!rc)
        style->paragraph(out, style_legend);
    return rc;
}

static int print_table(sqlite3 *db, const struct report_choice *choice, const struct style *style, FILE *out)
{
    int found = 0, rc = parts_write(db, choice->paper, "", choice->table, style, 2, out, &found);

    return rc || found ? rc : no_table(choice);
}

static int print_chosen(struct store *s, const struct report_choice *choice, enum report_format format, FILE *out)
{
    sqlite3 *db = store_handle(s);
    const struct style *style = format == REPORT_MARKDOWN ? &style_markdown : &style_text;
    bool rows = format == REPORT_CSV || format == REPORT_JSON;
    int rc = report_find(s, choice->paper);

    rc = rc ? rc : any_cell(s, choice->paper);
    rc = rc ? rc : warn_unmatched(db, choice->paper);
    if (rc)
        return rc;
    if (choice->cell && choice->table)
        rc = print_cell(db, choice, style, out);
    else if (rows && choice->table)
        rc = rows_of(db, choice, format == REPORT_JSON, out);
    else if (rows)
        rc = part_rows(db, &(struct part){ .paper = choice->paper, .query = comparison_sql }, format == REPORT_JSON,
                       out);
    else if (choice->table)
        rc = print_table(db, choice, style, out);
    else
        rc = print_all(db, choice->paper, style, out);
    return rc;
}

int report_print(struct store *s, const struct report_choice *choice, enum report_format format, FILE *out)
{
    bool begun;
    int rc = snapshot_begin(store_handle(s), false, &begun);

    rc = rc ? rc : print_chosen(s, choice, format, out);
    snapshot_end(store_handle(s), begun);
    if (!rc && (fflush(out) != 0 || ferror(out))) {
        perror("narrows report: standard output");
        rc = NW_EIO;
    }
    return rc;
}
