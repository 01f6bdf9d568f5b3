#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "harness/report/figure/figure.h"
#include "harness/report/query.h"
#include "harness/report/sweep/places.h"
#include "harness/report/sweep/run.h"
#include "harness/report/sweep/sweep.h"
#include "harness/status.h"
#include "harness/store/store.h"

/* What each of them writes is described in its template. */
static const char lines_sql[] =
    PLACES " SELECT variant || CASE rest WHEN '' THEN '' ELSE ', ' || rest END, x, speedup FROM place"
           " WHERE NOT is_baseline ORDER BY variant_place, min(combination) OVER (PARTITION BY rest), rest, x";

static const char heat_sql[] =
    PLACES ", shown AS (SELECT *, max(max(speedup) OVER (), 1 / min(speedup) OVER ()) AS most FROM ranked"
           "  WHERE NOT is_baseline)"
           " SELECT variant, i, j, x, y, speedup, most FROM shown WHERE rest = (SELECT rest FROM asked)"
           " ORDER BY variant_place, j, i";

static const char best_sql[] =
    PLACES " SELECT variant, i, j, x, y, speedup, colour FROM best WHERE rest = (SELECT rest FROM asked)"
           " ORDER BY variant_place, j, i";

/* What does not fit has a throughput only on paper. */
#define PLANS                                                                                                \
    PLACES_ASKED ", place AS (SELECT g.*, v.place AS variant_place, px.value * a.x_scale AS x, " PLACES_REST \
                 " AS rest"                                                                                  \
                 "  FROM asked a JOIN plan_point g ON g.run_id = a.run_id"                                   \
                 "  JOIN run_variant v ON v.run_id = g.run_id AND v.variant = g.variant"                     \
                 "  JOIN point_param px ON px.run_id = g.run_id AND px.position = g.position AND px.path = a.x)"
static const char batch_sql[] = PLANS " SELECT coalesce(nullif(variant, ''), 'the plan'), x, largest_batch FROM place"
                                      " WHERE rest = (SELECT rest FROM asked) ORDER BY variant_place, x";
static const char throughput_sql[] =
    PLANS " SELECT coalesce(nullif(variant, ''), 'the plan'), x, samples_per_s FROM place"
          " WHERE rest = (SELECT rest FROM asked) AND fits IS NOT 0 ORDER BY variant_place, x";

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

/* Of lines along x alone the place on the other axes stands with x: there the template has room for it. */
static char *plans_header(const struct drawing *d, const char *title, const char *rest)
{
    char *header;

    if (asprintf(&header, "%s%s%s\t%s\t%s", d->run->axes.list[d->run->axes.x].label, *rest ? ", at " : "", rest,
                 d->run->largest ? "largest batch (samples)" : "throughput (samples/s)", title) < 0)
        return NULL;
    return header;
}

/* The rest of a block's first line: what the axes say, the title, and what the speedup is over: the baseline, and where on
 * the other axes. No field is empty: gnuplot takes an empty last one for what was in memory. */
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

static int draw(struct drawing *d, const char *what, const char *template, const char *sql, const char *rest)
{
    char name[240], *header = header_of(d, rest), *argument = places_argument(d->db, d->run->id, &d->run->axes, rest);
    int rc = NW_ENOMEM;

    name_figure(name, sizeof(name), d->scenario, what, rest);
    if (header && argument)
        rc = figure_make(d->db, argument,
                         &(struct figure){ .name = name, .template = template, .header = header, .data = sql },
                         d->plots, d->dir);
    free(header);
    free(argument);
    d->undrawn |= rc == NW_EENV;
    return rc == NW_EENV ? NW_OK : rc;
}

/* Draw what there is to draw at each place on the axes that are not drawn. */
static int draw_each(struct drawing *d, const char *rests_sql, int (*draw_one)(struct drawing *d, const char *rest))
{
    char *argument = places_argument(d->db, d->run->id, &d->run->axes, "");
    struct query q = query_open(d->db, rests_sql, argument ? argument : "{}", NULL);
    int rc = argument ? NW_OK : NW_ENOMEM;

    while (!rc && query_next(&q))
        rc = draw_one(d, query_text(&q, 0));
    free(argument);
    int closed = query_close(&q);
    return rc ? rc : closed;
}

static int draw_maps(struct drawing *d, const char *rest)
{
    int rc = draw(d, "heat", "heat", heat_sql, rest);

    return rc ? rc : draw(d, "best", "best", best_sql, rest);
}

static int draw_plans(struct drawing *d, const char *rest)
{
    return d->run->largest ? draw(d, "batch", "lines", batch_sql, rest)
                           : draw(d, "throughput", "lines", throughput_sql, rest);
}

static int draw_all(struct drawing *d)
{
    static const char maps_sql[] = PLACES " SELECT rest FROM place GROUP BY rest ORDER BY min(combination)",
                      plans_sql[] = PLANS " SELECT rest FROM place GROUP BY rest ORDER BY min(combination)";

    if (d->run->plans)
        return draw_each(d, plans_sql, draw_plans);
    return d->run->axes.y < 0 ? draw(d, "speedup", "lines", lines_sql, "") : draw_each(d, maps_sql, draw_maps);
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
    if (!rc)
        rc = figure_directory(dir);
    if (!rc)
        rc = draw_all(&d);
    axes_free(&run.axes);
    if (!rc && d.undrawn)
        fprintf(stderr,
                "narrows report: gnuplot is not installed; only the data are in %s (Debian: apt-get install"
                " gnuplot-nox)\n",
                dir);
    return rc ? rc : d.undrawn ? NW_EENV : NW_OK;
}
