/* plans.c - the table of a run of memory plans: what each variant trains at a time, how fast, at what cost. */
#include <stdbool.h>
#include <string.h>

#include "harness/report/query.h"
#include "harness/report/sweep/run.h"
#include "harness/status.h"
#include "harness/text/wrap.h"

enum { VARIANT = 22, BATCH = -8, LARGEST = -9, SPEED = -11, LOST = -9, POOL = -10, STALL = -11 };

/* The last number: is there a batch that is not the largest anyway? Then the latter is a column of its own. */
static const char plans_sql[] =
    "SELECT place, variant, batch, largest_batch, samples_per_s, loss_pct, is_baseline, pool_GB, stall_ms, fits,"
    " max(largest_batch IS NOT NULL AND largest_batch <> batch) OVER () FROM plan_point"
    " WHERE run_id = CAST(?1 AS INTEGER) ORDER BY position";

static void heading(FILE *out, const struct sweep_run *run, bool largest)
{
    text_paragraph(out, "%s", run->title);
    if (*run->baseline)
        text_paragraph(out, "Batch and throughput of each plan; lost: of the throughput of %s", run->baseline);
    fputc('\n', out);
    text_cell(out, "", VARIANT);
    text_cell(out, "batch", BATCH);
    if (largest)
        text_cell(out, "largest", LARGEST);
    text_cell(out, "samples/s", SPEED);
    text_cell(out, "lost", LOST);
    text_cell(out, "pool (GB)", POOL);
    text_cell(out, "stall (ms)", STALL);
    fputc('\n', out);
}

/* Of what does not fit the throughput is one on paper. */
static void speed(FILE *out, struct query *q)
{
    double samples_per_s = query_real(q, 4);

    if (query_real(q, 9) <= 0) {
        text_cell(out, "does not fit", SPEED + LOST);
        return;
    }
    text_number(out, samples_per_s < 10 ? "%.3f" : "%.1f", samples_per_s, SPEED);
    if (query_null(q, 5) || query_real(q, 6) != 0)
        text_cell(out, "", LOST);
    else
        text_number(out, "%.2f %%", query_real(q, 5), LOST);
}

static void line(FILE *out, struct query *q, bool largest)
{
    fputs("  ", out);
    text_cell(out, query_text(q, 1), VARIANT - 2);
    text_number(out, "%.0f", query_real(q, 2), BATCH);
    if (largest && !query_null(q, 3))
        text_number(out, "%.0f", query_real(q, 3), LARGEST);
    else if (largest)
        text_cell(out, "-", LARGEST);
    speed(out, q);
    text_number(out, "%.3f", query_real(q, 7), POOL);
    text_number(out, "%.1f", query_real(q, 8), STALL);
    fputc('\n', out);
}

int sweep_plans(struct sqlite3 *db, const struct sweep_run *run, FILE *out)
{
    struct query q = query_open(db, plans_sql, run->id, NULL);
    char place[256] = "";

    for (bool first = true; query_next(&q); first = false) {
        bool largest = query_real(&q, 10) != 0;
        if (first)
            heading(out, run, largest);
        if (strcmp(place, query_text(&q, 0)) != 0) /* never of a run that sweeps nothing */
            fprintf(out, "%s\n", query_text(&q, 0));
        snprintf(place, sizeof(place), "%s", query_text(&q, 0));
        line(out, &q, largest);
    }
    return query_close(&q);
}
