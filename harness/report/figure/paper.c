/* paper.c - draws a paper's figures, and lists those that were not drawn. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/report/figure/figure.h"
#include "harness/report/query.h"
#include "harness/report/report.h"
#include "harness/report/snapshot.h"
#include "harness/status.h"
#include "harness/store/store.h"

/* Figures that were not drawn for one reason. */
struct names {
    char *text;
    size_t size;
    FILE *list;
};

static void add(struct names *n, const char *name)
{
    if (!n->list)
        n->list = open_memstream(&n->text, &n->size);
    if (n->list)
        fprintf(n->list, "%s%s", ftell(n->list) > 0 ? ", " : "", name);
}

/* "NAMES (WHY)" after what 'out' holds, if there are any. */
static void tell(struct names *n, const char *why, FILE *out)
{
    if (!n->list)
        return;
    fclose(n->list);
    fprintf(out, "%s%s (%s)", ftell(out) > 0 ? "; " : "", n->text, why);
    free(n->text);
}

static int draw_all(struct store *s, const char *paper, const char *figure, const char *plots, const char *dir,
                    FILE *undrawn)
{
    struct query q = query_open(
        store_handle(s),
        "SELECT name, template, replace(header, '|', char(9)), printf('SELECT * FROM \"%w/data\"', name),"
        " (SELECT printf('SELECT * FROM \"%w\"', v.name) FROM sqlite_schema v WHERE v.name = f.name || '/marks'),"
        " coalesce((SELECT printf('SELECT * FROM \"%w\"', v.name) FROM sqlite_schema v WHERE v.name = f.name ||"
        " '/header'),"
        "  (SELECT printf('SELECT %Q || coalesce((SELECT * FROM \"%w\"), %Q)', replace(f.header, '|', char(9)),"
        " v.name, '')"
        "   FROM sqlite_schema v WHERE v.name = f.paper || '/' || f.section || '/title'))"
        " FROM report_figure f WHERE paper = ?1 AND (?2 = '' OR name = ?2) ORDER BY section, place",
        paper, figure ? figure : "", NULL);
    struct names empty = { 0 }, missing = { 0 }, failed = { 0 };
    int rc = figure_directory(dir), worst = NW_OK, found = 0;

    while (!rc && query_next(&q)) {
        struct figure f = { .name = query_text(&q, 0),
                            .template = query_text(&q, 1),
                            .header = query_text(&q, 2),
                            .data = query_text(&q, 3),
                            .marks = query_null(&q, 4) ? NULL : query_text(&q, 4),
                            .header_sql = query_null(&q, 5) ? NULL : query_text(&q, 5) };
        int made = figure_try(store_handle(s), paper, &f, plots, dir);

        found++;
        if (made == FIGURE_EMPTY)
            add(&empty, f.name);
        else if (made == NW_EENV)
            add(&missing, f.name);
        else if (made == NW_EIO)
            add(&failed, f.name);
        else
            rc = made;
        worst = made == NW_EIO || (made == NW_EENV && !worst) ? made : worst;
    }
    if (query_close(&q))
        rc = NW_EDB;
    tell(&empty, "no run in this database has data for it", undrawn);
    tell(&missing, "gnuplot is not installed, the data are there; Debian: apt-get install gnuplot-nox", undrawn);
    tell(&failed, "failed, see above", undrawn);
    if (!rc && figure && !found) {
        fprintf(stderr, "narrows report: paper %s has no figure '%s'\n", paper, figure);
        rc = NW_EINPUT;
    }
    return rc ? rc : worst;
}

int report_figures_noting(struct store *s, const char *paper, const char *figure, const char *plots, const char *dir,
                          FILE *undrawn)
{
    bool begun;
    int rc = snapshot_begin(store_handle(s), false, &begun);

    rc = rc ? rc : draw_all(s, paper, figure, plots, dir, undrawn);
    snapshot_end(store_handle(s), begun);
    return rc;
}

int report_figures(struct store *s, const char *paper, const char *figure, const char *plots, const char *dir)
{
    size_t size = 0;
    char *text = NULL;
    FILE *undrawn = open_memstream(&text, &size);
    int rc = undrawn ? report_figures_noting(s, paper, figure, plots, dir, undrawn) : NW_ENOMEM;

    if (undrawn)
        fclose(undrawn);
    if (size)
        fprintf(stderr, "narrows report: not drawn: %s\n", text);
    free(text);
    return rc;
}
