#include "harness/report/bench.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/report/figure/figure.h"
#include "harness/report/query.h"
#include "harness/status.h"
#include "harness/store/store.h"
#include "harness/text/csv.h"
#include "harness/text/whole_file.h"

#define FROM_RUN "SELECT r.machine, r.revision AS \"commit\", date(r.started_ns / 1000000000, 'unixepoch') AS day,"
#define OF_VIEW(view) " FROM " view " b JOIN run r ON r.id = b.run_id WHERE b.run_id = ?1 ORDER BY b.place"
static const char *const columns[] = {
    [BENCH_KERNELS] = FROM_RUN
    " b.kind AS grp, b.kernel, b.impl, b.option, b.threads, b.nvalues, b.reps, round(b.median_ms, 6) AS median_ms,"
    " round(b.bytes_per_value, 4) AS bytes_per_value, round(b.GBps, 3) AS GBps,"
    " round(b.Gvalues_per_s, 4) AS Gvalues_per_s, round(b.GFLOPps, 1) AS GFLOPps,"
    " round(b.bits_per_value, 5) AS bits_per_value, b.anchor AS against, b.anchor_impl AS against_impl,"
    " round(b.ratio, 4) AS ratio, round(b.ratio_p10, 4) AS ratio_p10" OF_VIEW("bench"),
    [BENCH_SIM] = FROM_RUN
    " b.kind AS \"case\", b.size, b.size_unit, b.program, b.event, b.events, b.reps,"
    " round(b.median_ms, 6) AS median_ms, round(b.ns_per_event, 2) AS ns_per_event,"
    " round(b.events_per_s, 1) AS events_per_s, round(b.peak_MiB, 1) AS peak_MiB, round(b.idle_MiB, 1) AS idle_MiB,"
    " printf('%.9g', b.end_ms) AS end_ms,"
    " CASE WHEN b.expected_ms > 0 THEN printf('%.9g', b.expected_ms) END AS closed_form_ms" OF_VIEW("sim_bench"),
    [BENCH_TRAIN] = FROM_RUN
    " b.name AS \"case\", b.side, b.threads, b.workers, b.samples, b.steps, b.reps, round(b.step_ms, 4) AS step_ms,"
    " round(b.samples_per_s, 2) AS samples_per_s, b.against, round(b.ratio, 4) AS ratio,"
    " round(b.extra_pct, 2) AS extra_pct" OF_VIEW("train_bench"),
};

static void write_rows(FILE *f, const void *what)
{
    struct query *q = *(struct query *const *)what;
    int n = q->st ? sqlite3_column_count(q->st) : 0;

    for (int i = 0; i < n; i++)
        fprintf(f, "%s%s", i ? "," : "", sqlite3_column_name(q->st, i));
    fputc('\n', f);
    while (query_next(q)) {
        for (int i = 0; i < n; i++) {
            fputs(i ? "," : "", f);
            csv_text(f, query_text(q, i));
        }
        fputc('\n', f);
    }
}

int report_bench_csv(struct store *s, enum bench_of of, int64_t run_id, const char *path)
{
    struct query rows = query_run(store_handle(s), columns[of], run_id), *q = &rows;
    int rc = whole_file_write(path, write_rows, &q, stderr), closed = query_close(q);

    return rc ? rc : closed;
}

static bool any_row(struct store *s, const char *sql)
{
    struct query q = query_open(store_handle(s), sql, NULL);
    bool any = query_next(&q);

    query_close(&q);
    return any;
}

/* What an event costs against how many there are, from the newest bench of the simulator; nothing without one. */
static int growth_figure(struct store *s, const char *plots, const char *dir)
{
    static const struct figure growth = { .name = "growth",
                                          .template = "growth",
                                          .header = "ns",
                                          .data = "SELECT label, events, ns_per_event FROM figure_growth WHERE ours"
                                                  " ORDER BY first_place, label, events",
                                          .marks = "SELECT label, events, ns_per_event FROM figure_growth"
                                                   " WHERE NOT ours ORDER BY first_place, label, events" };
    int rc;

    if (!any_row(s, "SELECT 1 FROM sim_case LIMIT 1"))
        return NW_OK;
    rc = figure_directory(dir);
    return rc ? rc : figure_make(store_handle(s), "", &growth, plots, dir);
}

static int wall_figure(struct store *s, const char *what, const char *unit, const char *plots, const char *dir)
{
    struct figure f = { .template = "wall",
                        .header = unit,
                        .data = "SELECT label, nbytes, rate FROM figure_wall WHERE figure = ?1 AND NOT wall"
                                " ORDER BY first_place, label, nbytes",
                        .marks = "SELECT 'wall: ' || label, nbytes, rate FROM figure_wall WHERE figure = ?1 AND wall"
                                 " ORDER BY first_place, label, nbytes" };
    char *name = NULL;
    int rc;

    if (asprintf(&name, "wall-%s", what) < 0)
        return NW_ENOMEM;
    for (char *slash = name; (slash = strchr(slash, '/'));)
        *slash = '-';
    f.name = name;
    rc = figure_make(store_handle(s), what, &f, plots, dir);
    free(name);
    return rc;
}

int report_bench_figures(struct store *s, const char *plots, const char *dir)
{
    struct query q = query_open(store_handle(s),
                                "SELECT figure, unit, count(*) FROM figure_wall WHERE NOT wall"
                                " GROUP BY kind, threads ORDER BY kind, threads",
                                NULL);
    int rc = figure_directory(dir), closed;
    long n = 0;

    for (; !rc && query_next(&q); n++)
        rc = wall_figure(s, query_text(&q, 0), query_text(&q, 1), plots, dir);
    closed = query_close(&q);
    if (!n && any_row(s, "SELECT 1 FROM sim_case LIMIT 1"))
        n = 1;
    if (!rc)
        rc = growth_figure(s, plots, dir);
    if (!rc && !closed && !n) {
        fputs("narrows report: no bench in this database: run 'narrows bench' first\n", stderr);
        rc = NW_EDB;
    }
    return rc ? rc : closed;
}
