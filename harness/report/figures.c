#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/report/figure.h"
#include "harness/report/papers.h"
#include "harness/report/query.h"
#include "harness/report/report.h"
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

/* 1, 0, or NW_EDB. */
static int has_data(sqlite3 *db, const char *paper, const struct figure *f)
{
    struct query q = query_open(db, f->data, paper, NULL);
    bool any = query_next(&q);

    return query_close(&q) ? NW_EDB : any;
}

int report_figures_noting(struct store *s, const char *name, const char *plots, const char *dir, FILE *undrawn)
{
    const struct paper *paper = paper_find(name);
    struct names empty = { 0 }, no_gnuplot = { 0 }, failed = { 0 };
    int rc = paper ? figure_directory(dir) : NW_EINPUT, worst = NW_OK;

    for (const struct figure *f = paper ? paper->figures : NULL; !rc && f->name; f++) {
        int any = has_data(store_handle(s), name, f), one;
        if (any <= 0) {
            rc = any;
            add(&empty, f->name);
            continue;
        }
        one = figure_make(store_handle(s), name, f, plots, dir);
        if (one == NW_EENV)
            add(&no_gnuplot, f->name);
        else if (one == NW_EIO)
            add(&failed, f->name);
        else
            rc = one;
        worst = one == NW_EIO || !worst ? one : worst;
    }
    tell(&empty, "no run in this database has data for it", undrawn);
    tell(&no_gnuplot, "gnuplot is not installed, the data are there; Debian: apt-get install gnuplot-nox", undrawn);
    tell(&failed, "failed, see above", undrawn);
    return rc ? rc : worst;
}

int report_figures(struct store *s, const char *name, const char *plots, const char *dir)
{
    size_t size = 0;
    char *text = NULL;
    FILE *undrawn = open_memstream(&text, &size);
    int rc = undrawn ? report_figures_noting(s, name, plots, dir, undrawn) : NW_ENOMEM;

    if (undrawn)
        fclose(undrawn);
    if (size)
        fprintf(stderr, "narrows report: not drawn: %s\n", text);
    free(text);
    return rc;
}
