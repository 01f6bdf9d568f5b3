/* figures.c - the figures of a sweep: lines, heat maps, maps of the best choice, memory plans. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "harness/report/figure/figure.h"
#include "harness/report/query.h"
#include "harness/report/sweep/run.h"
#include "harness/report/sweep/sweep.h"
#include "harness/status.h"
#include "harness/store/store.h"

/* What each of them writes is described in its template. */
#define BY_LINE "ORDER BY variant_place, min(combination) OVER (PARTITION BY rest), rest, x"
#define BY_PLACE "ORDER BY variant_place, j, i"
typedef const struct sweep_question question;
static question lines = { "variant", "variant || iif(rest = '', '', ', ' || rest), x, speedup", BY_LINE };
static question heat = { "variant", "variant, i, j, x, y, speedup, most", BY_PLACE };
static question best = { "best", "variant, i, j, x, y, speedup, colour", BY_PLACE };
static question batch = { "place", "line, x, largest_batch", "ORDER BY variant_place, x" };
/* What does not fit has a throughput only on paper. */
static question throughput = { "place", "line, x, samples_per_s", "AND fits IS NOT 0 ORDER BY variant_place, x" };
static question rests = { "place", "rest", "GROUP BY rest ORDER BY min(combination)" };

struct drawing {
    sqlite3 *db;
    const struct sweep_run *run;
    const char *scenario, *plots, *dir;
    bool undrawn; /* gnuplot is missing */
};

/* "NAME-WHAT" or "NAME-WHAT-workers-16": letters, digits, points and signs; of what else there is, dashes. */
static void name_figure(char *name, size_t size, const char *scenario, const char *what, const char *rest)
{
    size_t n = 0;

    snprintf(name, size, "%s-%s%s%s", scenario, what, *rest ? "-" : "", rest);
    for (const char *c = name; *c; c++)
        if (isalnum((unsigned char)*c) || strchr("._+", *c))
            name[n++] = *c;
        else if (n && name[n - 1] != '-')
            name[n++] = '-';
    name[n] = '\0';
}

/* Of lines along x alone the place on the other axes stands with x: there the template has space for it. */
static char *plans_header(const struct drawing *d, const char *title, const char *rest)
{
    char *header;

    if (asprintf(&header, "%s%s%s\t%s\t%s", d->run->axes.list[d->run->axes.x].label, *rest ? ", at " : "", rest,
                 d->run->largest ? "largest batch (samples)" : "throughput (samples/s)", title) < 0)
        return NULL;
    return header;
}

/* The rest of a block's first line: what the axes say, the title, and what the speedup is over: the baseline, and where
 * on the other axes. No field is empty: gnuplot takes an empty last one for what was in memory. */
static char *header_of(const struct drawing *d, const char *rest)
{
    const struct axes *a = &d->run->axes;
    const char *title = *d->run->title ? d->run->title : d->scenario;
    char *header, up[2 * AXIS_LABEL];

    if (d->run->plans)
        return plans_header(d, title, rest);
    if (a->y < 0)
        snprintf(up, sizeof(up), "speedup over %s (×)", d->run->baseline);
    else
        snprintf(up, sizeof(up), "%s", a->list[a->y].label);
    if (asprintf(&header, "%s\t%s\t%s\t%s%s%s", a->list[a->x].label, up, title, d->run->baseline, *rest ? ", at " : "",
                 rest) < 0)
        return NULL;
    return header;
}

/* 'rest' NULL: of all places on the axes that are not drawn. */
static int draw(struct drawing *d, const char *what, const char *template, const struct sweep_question *q,
                const char *rest)
{
    char name[240], *header = header_of(d, rest ? rest : ""), *sql = sweep_query(d->run, q, rest);
    int rc = NW_ENOMEM;

    name_figure(name, sizeof(name), d->scenario, what, rest ? rest : "");
    if (header && sql)
        rc = figure_make(d->db, "",
                         &(struct figure){ .name = name, .template = template, .header = header, .data = sql },
                         d->plots, d->dir);
    free(header);
    sqlite3_free(sql);
    d->undrawn |= rc == NW_EENV;
    return rc == NW_EENV ? NW_OK : rc;
}

/* Draw what there is to draw at each place on the axes that are not drawn. */
static int draw_each(struct drawing *d, int (*draw_one)(struct drawing *d, const char *rest))
{
    char *sql = sweep_query(d->run, &rests, NULL);
    struct query q = query_open(d->db, sql ? sql : "", NULL);
    int rc = sql ? NW_OK : NW_ENOMEM;

    while (!rc && query_next(&q))
        rc = draw_one(d, query_text(&q, 0));
    sqlite3_free(sql);
    int closed = query_close(&q);
    return rc ? rc : closed;
}

static int draw_maps(struct drawing *d, const char *rest)
{
    int rc = draw(d, "heat", "heat", &heat, rest);

    return rc ? rc : draw(d, "best", "best", &best, rest);
}

static int draw_plans(struct drawing *d, const char *rest)
{
    return d->run->largest ? draw(d, "batch", "lines", &batch, rest)
                           : draw(d, "throughput", "lines", &throughput, rest);
}

static int draw_all(struct drawing *d)
{
    if (d->run->plans)
        return draw_each(d, draw_plans);
    return d->run->axes.y < 0 ? draw(d, "speedup", "lines", &lines, NULL) : draw_each(d, draw_maps);
}

int report_sweep_figures(struct store *s, const char *scenario, const char *x, const char *y, const char *plots,
                         const char *dir)
{
    struct sweep_run run = { 0 };
    struct drawing d = { store_handle(s), &run, scenario, plots, dir, false };
    int rc = sweep_open(d.db, scenario, x, y, &run);

    if (!rc && run.axes.x < 0) {
        fputs("narrows report: the run sweeps no key of numbers: there is nothing to draw\n", stderr);
        rc = NW_EENV;
    }
    rc = rc ? rc : figure_directory(dir);
    rc = rc ? rc : draw_all(&d);
    axes_free(&run.axes);
    if (!rc && d.undrawn)
        fprintf(stderr,
                "narrows report: gnuplot is not installed; only the data are in %s (Debian: apt-get install"
                " gnuplot-nox)\n",
                dir);
    return rc ? rc : d.undrawn ? NW_EENV : NW_OK;
}
