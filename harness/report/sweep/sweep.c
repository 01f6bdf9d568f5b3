#include "harness/report/sweep/sweep.h"

#include <stdlib.h>
#include <string.h>

#include "harness/report/answer/answer.h"
#include "harness/report/answer/run_table.h"
#include "harness/report/query.h"
#include "harness/report/sweep/run.h"
#include "harness/status.h"
#include "harness/store/store.h"
#include "harness/text/wrap.h"

enum { MOST_POINTS = 1000000 };

/* Names of the runs that there are, so that a slip of the pen is seen. */
static void list_scenarios(sqlite3 *db)
{
    struct query q = query_open(db, "SELECT DISTINCT scenario FROM run WHERE scenario <> '' ORDER BY scenario", NULL);
    int n = 0;

    for (; query_next(&q); n++)
        fprintf(stderr, "%s %s", n ? "," : "; there is", query_text(&q, 0));
    fputs(n ? "\n" : "; it has none at all: narrows run SCENARIO\n", stderr);
    query_close(&q);
}

/* Changed from the command line or not. */
static int newest_run(sqlite3 *db, const char *scenario, struct sweep_run *out)
{
    struct query q =
        query_open(db,
                   "SELECT id, title, baseline, EXISTS (SELECT 1 FROM gain g WHERE g.run_id = r.id),"
                   " EXISTS (SELECT 1 FROM plan_run p WHERE p.run_id = r.id),"
                   " NOT EXISTS (SELECT 1 FROM plan_point p WHERE p.run_id = r.id AND p.largest_batch IS NULL)"
                   " FROM run r WHERE scenario IN (?1, ?1 || '+changes') ORDER BY id DESC LIMIT 1",
                   scenario, NULL);
    bool found = query_next(&q);
    int rc = found ? NW_OK : NW_EDB;

    out->plans = found && query_real(&q, 4) != 0;
    out->largest = found && query_real(&q, 5) != 0;
    out->plain = found && !out->plans && !query_real(&q, 3);
    if (!rc) {
        snprintf(out->id, sizeof(out->id), "%s", query_text(&q, 0));
        snprintf(out->title, sizeof(out->title), "%s", query_text(&q, 1));
        snprintf(out->baseline, sizeof(out->baseline), "%s", query_text(&q, 2));
    }
    int closed = query_close(&q);
    if (!found && !closed) {
        fprintf(stderr, "narrows report: no run of a scenario '%s' in this database", scenario);
        list_scenarios(db);
    }
    return rc ? rc : closed;
}

/* They are a table even where nothing is swept, and lines where something is. */
static int open_plans(sqlite3 *db, const char *scenario, const char *x, const char *y, struct sweep_run *out)
{
    int rc = axes_list(db, out->id, &out->axes);
    bool numbers = false;

    if (!rc && y) {
        fprintf(stderr,
                "narrows report: '%s' plans memory, which is drawn as lines along --x: expected no --y, got '%s'\n",
                scenario, y);
        return NW_EINPUT;
    }
    for (size_t i = 0; i < out->axes.n; i++)
        numbers |= out->axes.list[i].numbers;
    return rc || (!numbers && !x) ? rc : axes_choose_x(&out->axes, x);
}

/* Without one there is a table, and nothing to draw. */
static int look_for_axis(sqlite3 *db, struct sweep_run *out)
{
    struct axes axes = { .n = 0 };
    int rc = out->plain ? NW_OK : axes_list(db, out->id, &axes);
    bool numbers = false;

    for (size_t i = 0; i < axes.n; i++)
        numbers |= axes.list[i].numbers;
    out->plain = !numbers;
    if (out->plain)
        out->axes.x = out->axes.y = -1;
    axes_free(&axes);
    return rc;
}

int sweep_open(sqlite3 *db, const char *scenario, const char *x, const char *y, struct sweep_run *out)
{
    int rc = newest_run(db, scenario, out);

    if (!rc && out->plans)
        return open_plans(db, scenario, x, y, out);
    if (!rc && out->plain && (x || y)) {
        fprintf(stderr, "narrows report: the newest run of '%s' has %s, so there is no speedup to draw along %s\n",
                scenario, *out->baseline ? "no point but its baseline" : "no baseline", x ? x : y);
        return NW_EDB;
    }
    if (!rc && !x && !y)
        rc = look_for_axis(db, out);
    return rc || out->plain ? rc : axes_read(db, out->id, x, y, &out->axes);
}

static const struct sweep_question summary = {
    "ranked",
    "rest, variant, is_baseline, count(*), sum(speedup > 1), min(speedup), max(speedup), sum(is_best),"
    " sum(sum(is_best)) OVER (PARTITION BY rest)",
    "GROUP BY rest, variant ORDER BY min(combination), rest, variant_place",
};

static void summary_line(FILE *out, struct query *q)
{
    char text[64];

    fputs("  ", out);
    text_cell(out, query_text(q, 1), 28);
    snprintf(text, sizeof(text), "%.0f of %.0f", query_real(q, 7), query_real(q, 8));
    text_cell(out, text, -12);
    if (query_real(q, 2) != 0) {
        fputs("    the baseline\n", out);
        return;
    }
    snprintf(text, sizeof(text), "%.0f of %.0f", query_real(q, 4), query_real(q, 3));
    text_cell(out, text, -12);
    text_number(out, "%.3g", query_real(q, 5), -10);
    text_number(out, "%.3g", query_real(q, 6), -10);
    fputc('\n', out);
}

static int print_summary(sqlite3 *db, const struct sweep_run *run, FILE *out)
{
    const struct axes *a = &run->axes;
    char *sql = sweep_query(run, &summary, NULL), last[256] = "";
    struct query q = query_open(db, sql ? sql : "", NULL);

    text_paragraph(out, "%s", run->title);
    fprintf(out, "Speedup over %s, by %s%s%s\n\n", run->baseline, a->list[a->x].label, a->y < 0 ? "" : " and ",
            a->y < 0 ? "" : a->list[a->y].label);
    fprintf(out, "%-30s%12s%12s%10s%10s\n", "", "best at", "pays at", "least", "largest");
    while (sql && query_next(&q)) {
        if (strncmp(last, query_text(&q, 0), sizeof(last) - 1) != 0)
            fprintf(out, "%s\n", query_text(&q, 0));
        snprintf(last, sizeof(last), "%s", query_text(&q, 0));
        summary_line(out, &q);
    }
    sqlite3_free(sql);
    int closed = query_close(&q);
    return sql ? closed : NW_ENOMEM;
}

/* The table that its run ended with. */
static int print_plain(struct store *s, const struct sweep_run *run, enum report_format format, FILE *out)
{
    int64_t id = strtoll(run->id, NULL, 10);
    struct answer a;
    int rc;

    if (format != REPORT_TEXT)
        return format == REPORT_CSV ? run_table_csv(s, id, out) : run_table_json(s, id, out);
    if (*run->title)
        text_paragraph(out, "%s", run->title);
    fputc('\n', out);
    rc = run_table_print(s, id, sqlite3_db_filename(store_handle(s), "main"), out);
    if (rc || run_kind(s, id) != RUN_SIMULATED)
        return rc;
    rc = answer_read(s, id, MOST_POINTS, &a);
    if (!rc && *run->baseline) {
        fputc('\n', out);
        answer_sum_up(&a, ANSWER_PAYS, out);
    }
    answer_free(&a);
    return rc;
}

int report_sweep_which(struct store *s, const char *scenario, const char *x, const char *y, FILE *out)
{
    sqlite3 *db = store_handle(s);
    struct sweep_run run = { 0 };
    int rc = sweep_open(db, scenario, x, y, &run);

    axes_free(&run.axes);
    if (rc)
        return rc;
    struct query q = query_open(
        db,
        "SELECT id, strftime('%Y-%m-%d %H:%M', started_ns / 1000000000, 'unixepoch', 'localtime'), file, command,"
        " scenario LIKE '%+changes' FROM run WHERE id = CAST(?1 AS INTEGER)",
        run.id, NULL);
    if (query_next(&q)) {
        bool changed = query_real(&q, 4) != 0;

        fprintf(out, "Run %s of %s, %s%s\n", query_text(&q, 0), query_text(&q, 1), query_text(&q, 2),
                changed ? ", changed:" : "");
        if (changed)
            fprintf(out, "  %s\n", query_text(&q, 3));
    }
    return query_close(&q);
}

int report_sweep(struct store *s, const char *scenario, const char *x, const char *y, enum report_format format,
                 FILE *out)
{
    sqlite3 *db = store_handle(s);
    struct sweep_run run = { 0 };
    int rc = sweep_open(db, scenario, x, y, &run);

    if (!rc)
        rc = run.plain               ? print_plain(s, &run, format, out)
             : format != REPORT_TEXT ? sweep_rows(db, &run, format, out)
             : run.plans             ? sweep_plans(db, &run, out)
                                     : print_summary(db, &run, out);
    axes_free(&run.axes);
    if (!rc && (fflush(out) != 0 || ferror(out))) {
        perror("narrows report: standard output");
        rc = NW_EIO;
    }
    return rc;
}
