#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/report/figure.h"
#include "harness/report/once.h"
#include "harness/report/query.h"
#include "harness/report/report.h"
#include "harness/status.h"
#include "harness/store/store.h"

/* A list of names for a line at the end: those that 'why' goes for. */
static void note(char *list, size_t size, const char *name)
{
    size_t n = strlen(list);

    snprintf(list + n, size - n, "%s%s", n ? ", " : "", name);
}

static int draw_all(struct store *s, const char *paper, const char *figure, const char *plots, const char *dir)
{
    struct query q = query_open(
        store_handle(s),
        "SELECT name, template, replace(header, '|', char(9)), printf('SELECT * FROM \"%w/data\"', name),"
        " (SELECT printf('SELECT * FROM \"%w\"', v.name) FROM sqlite_schema v WHERE v.name = f.name || '/marks'),"
        " coalesce((SELECT printf('SELECT * FROM \"%w\"', v.name) FROM sqlite_schema v WHERE v.name = f.name || '/header'),"
        "  (SELECT printf('SELECT %Q || coalesce((SELECT * FROM \"%w\"), %Q)', replace(f.header, '|', char(9)), v.name, '')"
        "   FROM sqlite_schema v WHERE v.name = f.paper || '/' || f.section || '/title'))"
        " FROM report_figure f WHERE paper = ?1 AND (?2 = '' OR name = ?2) ORDER BY section, place",
        paper, figure ? figure : "", NULL);
    int rc = figure_directory(dir), found = 0;
    char empty[1024] = "", missing[1024] = "", failed[1024] = "";

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
            note(empty, sizeof(empty), f.name);
        else if (made == NW_EENV)
            note(missing, sizeof(missing), f.name);
        else if (made == NW_EIO)
            note(failed, sizeof(failed), f.name);
        else
            rc = made;
    }
    if (query_close(&q))
        rc = NW_EDB;
    if (*empty)
        fprintf(stderr, "narrows report: %s: not drawn, as no run in this database has data for them: %s\n", paper,
                empty);
    if (*missing)
        fprintf(
            stderr,
            "narrows report: gnuplot is not installed; not drawn: %s (the data are in %s; Debian: apt-get install gnuplot-nox)\n",
            missing, dir);
    if (*failed)
        fprintf(stderr, "narrows report: %s: could not be drawn: %s\n", paper, failed);
    if (!rc && figure && !found) {
        fprintf(stderr, "narrows report: paper %s has no figure '%s'\n", paper, figure);
        rc = NW_EINPUT;
    }
    return rc ? rc : *missing ? NW_EENV : *failed ? NW_EIO : NW_OK;
}

int report_figures(struct store *s, const char *paper, const char *figure, const char *plots, const char *dir)
{
    bool begun;
    int rc = once_begin(store_handle(s), false, &begun);

    rc = rc ? rc : draw_all(s, paper, figure, plots, dir);
    once_end(store_handle(s), begun);
    return rc;
}
