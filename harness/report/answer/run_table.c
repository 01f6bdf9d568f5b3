#include "harness/report/answer/run_table.h"

#include "harness/count.h"
#include <stdbool.h>

#include "harness/report/answer/answer.h"
#include "harness/report/query.h"
#include "harness/scenario/schema/units.h"
#include "harness/status.h"
#include "harness/store/store.h"
#include "harness/text/legible.h"

enum { MAX_ROWS = 48, WHERE_WIDTH = 64 };

/* How the points of a run are printed, and the view that has all of them. A row carries the widths of its columns. */
struct table {
    const char *sql, *view;
    void (*head)(struct query *q, FILE *out);
    void (*row)(struct query *q, FILE *out);
};

enum { PLACE = 512 };

/* Where a point lies, with what its axes say in few digits. */
static const char *place_of(struct query *q, char text[PLACE])
{
    return quantity_short(query_text(q, 0), text, PLACE);
}

/* Each row says how wide the widest are, the last two columns: of thousands of points only those shown are looked
 * at. */
static const char plan_sql[] =
    "WITH p AS (SELECT * FROM plan_point WHERE run_id = ?1 ORDER BY position LIMIT ?2)"
    "SELECT coalesce(nullif(place, ''), '-'), variant, batch, samples_per_s, loss_pct, is_baseline, pool_GB, "
    "stall_ms, fits,"
    " min(64, max(5, max(length(place)) OVER ())), max(12, max(length(variant)) OVER ()) FROM p ORDER BY position";

static void plan_head(struct query *q, FILE *out)
{
    fprintf(out, "%-*s  %-*s %7s %10s %9s %10s %11s\n", sqlite3_column_int(q->st, 9), "point",
            sqlite3_column_int(q->st, 10), "variant", "batch", "samples/s", "lost", "pool (GB)", "stall (ms)");
}

/* Of what does not fit the throughput is one on paper. */
static void plan_row(struct query *q, FILE *out)
{
    char place[PLACE];
    double samples_per_s = query_real(q, 3);

    place_of(q, place);
    fprintf(out, "%-*.*s  %-*s %7.0f ", sqlite3_column_int(q->st, 9), WHERE_WIDTH, place, sqlite3_column_int(q->st, 10),
            query_text(q, 1), query_real(q, 2));
    if (query_real(q, 8) <= 0)
        fprintf(out, "%20s", "does not fit");
    else if (query_null(q, 4) || sqlite3_column_int(q->st, 5))
        fprintf(out, "%10.*f%10s", samples_per_s < 10 ? 3 : 1, samples_per_s, "");
    else
        fprintf(out, "%10.*f%8.2f %%", samples_per_s < 10 ? 3 : 1, samples_per_s, query_real(q, 4));
    fprintf(out, " %10.3f %11.1f\n", query_real(q, 6), query_real(q, 7));
}

/* Two digits behind the point, as nccl-tests has them; how they were sent if that is known of one of them. */
static const char collective_sql[] =
    "WITH p AS (SELECT * FROM collective_point WHERE run_id = ?1 ORDER BY position LIMIT ?2)"
    "SELECT coalesce(nullif(place, ''), '-'), variant, bytes, time_us, algbw_GBps, busbw_GBps, is_baseline, speedup,"
    " min(64, max(5, max(length(place)) OVER ())), max(7, max(length(variant)) OVER ()), coalesce(sent_as, ''),"
    " count(sent_as) OVER () FROM p ORDER BY position";

static void collective_head(struct query *q, FILE *out)
{
    fprintf(out, "%-*s  %-*s %12s %12s %14s %14s %14s%s\n", sqlite3_column_int(q->st, 8), "point",
            sqlite3_column_int(q->st, 9), "variant", "size (B)", "time (us)", "algbw (GB/s)", "busbw (GB/s)", "speedup",
            sqlite3_column_int(q->st, 11) ? "  sent as" : "");
}

static void collective_row(struct query *q, FILE *out)
{
    char place[PLACE], factor[LEGIBLE];
    const char *speedup = sqlite3_column_int(q->st, 6) ? "baseline"
                          : query_null(q, 7)           ? ""
                                                       : legible_factor(query_real(q, 7), factor, sizeof(factor));

    place_of(q, place);
    fprintf(out, "%-*.*s  %-*s %12.0f %12.2f %14.2f %14.2f %14s%s%s\n", sqlite3_column_int(q->st, 8), WHERE_WIDTH,
            place, sqlite3_column_int(q->st, 9), query_text(q, 1), query_real(q, 2), query_real(q, 3), query_real(q, 4),
            query_real(q, 5), speedup, *query_text(q, 10) ? "  " : "", query_text(q, 10));
}

/* What networks learnt, by the measure that their data has. */
static const char trained_sql[] =
    "WITH p AS (SELECT * FROM run_point WHERE run_id = ?1 ORDER BY position LIMIT ?2),"
    " m AS (SELECT p.*, coalesce((SELECT group_concat(q.last || ' ' || q.text, ', ') FROM"
    "   (SELECT replace(path, rtrim(path, replace(path, '.', '')), '') AS last, text FROM point_param a"
    "     WHERE a.run_id = p.run_id AND a.position = p.position) q), '-') AS place,"
    "  max(iif(v.name = 'steps', v.value, NULL)) AS steps, max(iif(v.name = 'loss', v.value, NULL)) AS loss,"
    "  max(iif(v.name = 'test_loss', v.value, NULL)) AS test_loss,"
    "  max(iif(v.name = 'compression_ratio', v.value, NULL)) AS ratio,"
    "  max(iif(v.name = 'accuracy', v.value, NULL)) AS accuracy, max(iif(v.name = 'auc', v.value, NULL)) AS auc,"
    "  max(iif(v.name = 'bleu', v.value, NULL)) AS bleu"
    "  FROM p LEFT JOIN measure v ON v.point_id = p.point_id GROUP BY p.position)"
    "SELECT place, variant, printf('%d', steps), iif(loss IS NULL, '-', printf('%.4f', loss)),"
    " iif(test_loss IS NULL, '-', printf('%.4f', test_loss)),"
    " CASE WHEN bleu IS NOT NULL THEN printf('%.2f BLEU', bleu) WHEN auc IS NOT NULL THEN printf('%.4f AUC', auc)"
    "  WHEN accuracy IS NOT NULL THEN printf('%.2f %%', accuracy) ELSE '-' END,"
    " iif(ratio IS NULL, '-', printf('%.4g x', ratio)),"
    " min(64, max(5, max(length(place)) OVER ())), max(12, max(length(variant)) OVER ()) FROM m ORDER BY position";

static void trained_head(struct query *q, FILE *out)
{
    fprintf(out, "%-*s  %-*s %8s %10s %10s %12s %10s\n", sqlite3_column_int(q->st, 7), "point",
            sqlite3_column_int(q->st, 8), "variant", "steps", "loss", "test loss", "on tests", "ratio");
}

static void trained_row(struct query *q, FILE *out)
{
    char place[PLACE];

    place_of(q, place);
    fprintf(out, "%-*.*s  %-*s %8s %10s %10s %12s %10s\n", sqlite3_column_int(q->st, 7), WHERE_WIDTH, place,
            sqlite3_column_int(q->st, 8), query_text(q, 1), query_text(q, 2), query_text(q, 3), query_text(q, 4),
            query_text(q, 5), query_text(q, 6));
}

static const struct table plans = { plan_sql, "plan_point", plan_head, plan_row },
                          collectives = { collective_sql, "collective_point", collective_head, collective_row },
                          trained = { trained_sql, "training_spread", trained_head, trained_row };

static void print_more(const char *view, int64_t run_id, const char *db, FILE *out)
{
    if (*db == ':')
        fputs("... and more, with --csv or --json\n", out);
    else
        fprintf(out, "... and more: sqlite3 '%s' 'SELECT * FROM %s WHERE run_id = %lld'\n", db, view,
                (long long)run_id);
}

static const char is_plans[] = "SELECT 1 FROM plan_run WHERE run_id = ?1";

/* Points that were simulated, too, are shown by their times. */
static const char is_trained[] = "SELECT 1 FROM run_point p JOIN measure m USING (point_id) WHERE p.run_id = ?1"
                                 " AND m.name = 'steps' AND NOT EXISTS (SELECT 1 FROM measure t"
                                 " WHERE t.point_id = p.point_id AND t.name = 'step_ms') LIMIT 1";

/* All points of a run are of one method; only the first is looked at. */
static const char is_collectives[] = "SELECT 1 FROM run_point p JOIN measure m USING (point_id) WHERE p.run_id = ?1"
                                     " AND p.position = (SELECT min(position) FROM run_point WHERE run_id = ?1)"
                                     " AND m.name = 'time_us'";

static bool holds(sqlite3 *db, const char *sql, int64_t run_id)
{
    struct query q = query_run(db, sql, run_id);
    bool found = query_next(&q);

    query_close(&q);
    return found;
}

static int print_table(struct store *s, const struct table *t, int64_t run_id, const char *db, FILE *out)
{
    struct query q = query_run(store_handle(s), t->sql, run_id);
    int rows = 0;
    bool more = false;

    sqlite3_bind_int(q.st, 2, MAX_ROWS + 1);
    while (query_next(&q) && !(more = rows == MAX_ROWS)) {
        if (!rows++)
            t->head(&q, out);
        t->row(&q, out);
    }
    if (more)
        print_more(t->view, run_id, db, out);
    return query_close(&q);
}

/* Means over the seeds; 'on tests' is the measure that the data has. */
static const char summary_sql[] =
    "SELECT place, variant, is_baseline, seeds, loss, test_loss, accuracy, auc, bleu, ratio,"
    " coalesce(push_bytes, 0) + coalesce(pull_bytes, 0) FROM trained_answer WHERE run_id = ?1 ORDER BY position";

static void print_trained_mean(struct query *q, FILE *out)
{
    static const struct {
        int column;
        const char *format;
    } measures[] = { { 4, ", loss %.4f" },
                     { 5, ", test loss %.4f" },
                     { 6, ", %.2f %% right" },
                     { 7, ", %.4f AUC" },
                     { 8, ", %.2f BLEU" } };
    int seeds = sqlite3_column_int(q->st, 3);
    char bytes[LEGIBLE], ratio[LEGIBLE];

    fprintf(out, "%s%s%s: ", query_text(q, 1), *query_text(q, 0) ? ", " : "", query_text(q, 0));
    if (seeds > 1)
        fprintf(out, "mean of %d seeds", seeds);
    else
        fputs("one seed", out);
    for (size_t i = 0; i < COUNT(measures); i++)
        if (!query_null(q, measures[i].column))
            fprintf(out, measures[i].format, query_real(q, measures[i].column));
    if (query_real(q, 10) > 0)
        fprintf(out, ", %s a step and worker", legible_bytes(query_real(q, 10), bytes, sizeof(bytes)));
    if (!query_null(q, 9) && !sqlite3_column_int(q->st, 2))
        fprintf(out, ", %sx fewer", legible_number(query_real(q, 9), ratio, sizeof(ratio)));
    fputc('\n', out);
}

static int sum_up_trained(struct store *s, int64_t run_id, FILE *out)
{
    struct query q = query_run(store_handle(s), summary_sql, run_id);

    fputc('\n', out);
    while (query_next(&q))
        print_trained_mean(&q, out);
    return query_close(&q);
}

enum run_kind run_kind(struct store *s, int64_t run_id)
{
    sqlite3 *handle = store_handle(s);

    return holds(handle, is_plans, run_id)         ? RUN_PLANNED
           : holds(handle, is_collectives, run_id) ? RUN_COLLECTIVE
           : holds(handle, is_trained, run_id)     ? RUN_TRAINED
                                                   : RUN_SIMULATED;
}

int run_table_print(struct store *s, int64_t run_id, const char *db, FILE *out)
{
    enum run_kind kind = run_kind(s, run_id);
    struct answer a = { .n = 0 };
    int rc;

    if (kind == RUN_PLANNED)
        return print_table(s, &plans, run_id, db, out);
    if (kind == RUN_COLLECTIVE)
        return print_table(s, &collectives, run_id, db, out);
    if (kind == RUN_TRAINED) {
        rc = print_table(s, &trained, run_id, db, out);
        return rc ? rc : sum_up_trained(s, run_id, out);
    }
    rc = answer_read(s, run_id, MAX_ROWS, &a);
    rc = rc ? rc : answer_table(&a, MAX_ROWS, out);
    if (!rc && a.more)
        print_more("answer", run_id, db, out);
    answer_free(&a);
    return rc;
}
