/* a2dtwp_training.c - what A2DTWP's policies came to where they were trained: Figures 3, 4 and 5 with our networks and data. */
#include <math.h>

#include "harness/report/a2dtwp.h"
#include "harness/report/query.h"
#include "harness/report/text.h"
#include "harness/status.h"

/* Negative: at the right. */
enum { LABEL = 15, PUBLISHED = -8, OURS = -10, SPREAD = -8, DIFFERENCE = -8, ORACLE = 10, BATCHES = -9 };

static void cell_or_dash(FILE *out, struct query *q, int column, const char *format, int width)
{
    if (query_null(q, column))
        text_cell(out, "-", width);
    else
        text_number(out, format, query_real(q, column), width);
}

/* The paper's own data is nothing to be marked. */
static const char what_sql[] =
    "SELECT group_concat(what, '; '), min(least), max(most), max(made), count(*) FROM"
    " (SELECT what, min(seeds) AS least, max(seeds) AS most, max(NOT real_data) AS made FROM"
    "   (SELECT t.model || ' on ' || k.data || ', to ' || printf('%g', k.threshold_pct) || ' %' AS what, k.place,"
    "     count(DISTINCT k.seed) AS seeds, min(k.real_data) AS real_data FROM a2dtwp_point k"
    "     JOIN training t USING (point_id) WHERE k.reaches GROUP BY k.network, k.batch)"
    "   GROUP BY what ORDER BY place)";

static int print_what(sqlite3 *db, FILE *out, bool *any)
{
    struct query q = query_open(db, what_sql, NULL);
    char seeds[32] = "";

    *any = query_next(&q) && query_real(&q, 4) > 0;
    if (*any) {
        int least = (int)query_real(&q, 1), most = (int)query_real(&q, 2);

        snprintf(seeds, sizeof(seeds), least == most ? "%d" : "%d to %d", least, most);
        fprintf(out, "Trained: Figure 4, time saved until an error is reached, in %%\n\n");
        text_paragraph(out,
                       "Trained for real, from %s seed%s, until a top-5 error is reached: %s. A step lasts as long as"
                       " one of the paper's network on the paper's machine, simulated with the bytes a weight that"
                       " this very step of ours sent.\n",
                       seeds, most == 1 ? "" : "s", query_text(&q, 0));
    }
    return query_close(&q);
}

static void print_head(FILE *out, const char *system)
{
    text_cell(out, system, LABEL);
    text_cell(out, "paper", PUBLISHED);
    text_cell(out, "ours", OURS);
    text_cell(out, "spread", SPREAD);
    text_cell(out, "diff", DIFFERENCE);
    text_cell(out, "   oracle", ORACLE + 3);
    text_cell(out, "ours", OURS + 1);
    text_cell(out, "batches", BATCHES);
    fputc('\n', out);
    for (int i = 0; i < 80; i++)
        fputc('-', out);
    fputc('\n', out);
}

static const char gain_sql[] =
    "SELECT label, published, ours, CASE WHEN seeds > 1 THEN deviation END, ours - published, oracle, oracle_ours,"
    " steps_ratio, reached < seeds FROM a2dtwp_gain WHERE system = ?1"
    " UNION ALL SELECT * FROM (SELECT 'Average of ' || n, CASE WHEN n = printed THEN published END, ours, NULL,"
    "  CASE WHEN n = printed THEN ours - published END, NULL, oracle_ours, steps_ratio, missed FROM a2dtwp_gain_average"
    "  WHERE system = ?1 AND n > 1)";

static void print_gain(FILE *out, struct query *q)
{
    text_cell(out, query_text(q, 0), LABEL);
    cell_or_dash(out, q, 1, "%.2f", PUBLISHED);
    cell_or_dash(out, q, 2, query_real(q, 8) != 0 ? "≤ %+.2f" : "%+.2f", OURS);
    cell_or_dash(out, q, 3, "%.2f", SPREAD);
    cell_or_dash(out, q, 4, "%+.2f", DIFFERENCE);
    fputs(query_null(q, 4) ? "   " : "~  ", out);
    text_cell(out, query_null(q, 5) ? "-" : query_text(q, 5), ORACLE);
    cell_or_dash(out, q, 6, "%+.2f", OURS + 1);
    cell_or_dash(out, q, 7, "%.2f", BATCHES);
    fputc('\n', out);
}

static int print_system(sqlite3 *db, FILE *out, const char *system, const char *label)
{
    struct query q = query_open(db, gain_sql, system, NULL);
    int rows = 0;

    while (query_next(&q)) {
        if (!rows++)
            print_head(out, label);
        print_gain(out, &q);
    }
    if (rows)
        fputc('\n', out);
    return query_close(&q);
}

/* Where the averages disagree, in a sentence. */
static int print_averages(sqlite3 *db, FILE *out)
{
    struct query q = query_open(db,
                                "SELECT system_label, published_here, ours, oracle_ours, n, missed"
                                " FROM a2dtwp_gain_average WHERE n > 1 ORDER BY system_place",
                                NULL);

    while (query_next(&q)) {
        double paper = query_real(&q, 1), ours = query_real(&q, 2), oracle = query_real(&q, 3);

        text_paragraph(
            out, "%s: on average over these %g the paper saves %.2f %%, ours %s %.2f %%%s, %s. Our oracle %s %.2f %%.",
            query_text(&q, 0), query_real(&q, 4), paper, ours < 0 ? "loses" : "saves", fabs(ours),
            query_real(&q, 5) == 0 ? ""
            : ours < 0             ? " at the least"
                                   : " at the most",
            ours < 0       ? "so we disagree"
            : ours < paper ? "which is less"
                           : "which is no less",
            oracle < 0 ? "loses" : "saves", fabs(oracle));
    }
    return query_close(&q);
}

int a2dtwp_trained_gains(sqlite3 *db, FILE *out)
{
    struct query q;
    bool any = false;
    int rc = print_what(db, out, &any);

    if (rc || !any)
        return rc;
    q = query_open(db, "SELECT system, label FROM paper_system WHERE paper = 'a2dtwp' ORDER BY place", NULL);
    while (!rc && query_next(&q))
        rc = print_system(db, out, query_text(&q, 0), query_text(&q, 1));
    if (query_close(&q) || rc)
        return NW_EDB;
    text_paragraph(out, "~: scaled, other networks and data than the paper's; diff in points. spread: deviation over"
                        " the seeds, each against the 32-bit training that began alike. batches: how many A2DTWP"
                        " needed, over the baseline's. oracle: of formats that stay, the first at the error on"
                        " average, so its advantage holds some luck. ≤: from some seed the error was never reached"
                        " and the whole training counts, which is less than it would need.");
    rc = print_averages(db, out);
    fputc('\n', out);
    return rc;
}

static int print_figure3(sqlite3 *db, FILE *out)
{
    struct query q = query_open(db,
                                "SELECT row_key, published, ours, deviation, ours - published, reached < seeds"
                                " FROM a2dtwp_figure3 ORDER BY batch DESC, row_key DESC",
                                NULL);
    int rows = 0;

    while (query_next(&q)) {
        if (!rows++)
            fputs("Trained: Figure 3, Alexnet on x86, time saved until the error is reached, in %\n\n"
                  "policy, batch      paper     ours  spread    diff\n"
                  "-------------------------------------------------\n",
                  out);
        text_cell(out, query_text(&q, 0), LABEL);
        cell_or_dash(out, &q, 1, "%.2f", PUBLISHED);
        cell_or_dash(out, &q, 2, query_real(&q, 5) != 0 ? "≤ %+.2f" : "%+.2f", OURS);
        cell_or_dash(out, &q, 3, "%.2f", SPREAD);
        cell_or_dash(out, &q, 4, "%+.2f", DIFFERENCE);
        fputs("~\n", out);
    }
    if (rows)
        fputc('\n', out);
    return query_close(&q);
}

static const char bytes_sql[] =
    "SELECT e.label || ' ' || e.batch, avg(e.bytes_per_weight), p.bytes_ratio, avg(e.difference),"
    " CASE WHEN count(*) > 1 THEN sqrt(max(0, (sum(e.difference * e.difference) - count(*) * avg(e.difference) *"
    "  avg(e.difference)) / (count(*) - 1))) END, avg(e.error_pct), p.reached, p.seeds"
    " FROM a2dtwp_end e JOIN a2dtwp_policy p ON p.network = e.network AND p.batch = e.batch AND p.variant = e.variant"
    "  AND p.system_place = 1"
    " WHERE e.variant = 'A2DTWP' GROUP BY e.network, e.batch ORDER BY e.place, e.batch";

/* What AWP decided, and what it cost. */
static int print_bytes(sqlite3 *db, FILE *out)
{
    struct query q = query_open(db, bytes_sql, NULL);
    int rows = 0;

    while (query_next(&q)) {
        char reached[32];

        if (!rows++)
            fputs("Trained: AWP's bytes, and the top-5 error at the end, in %\n\n"
                  "               bytes a      until the             error at    less the\n"
                  "A2DTWP          weight      error, x  reached    the end  baseline's  spread\n"
                  "----------------------------------------------------------------------------\n",
                  out);
        snprintf(reached, sizeof(reached), "%d of %d", (int)query_real(&q, 6), (int)query_real(&q, 7));
        text_cell(out, query_text(&q, 0), LABEL);
        cell_or_dash(out, &q, 1, "%.2f", -7);
        cell_or_dash(out, &q, 2, "%.2f", -14);
        text_cell(out, reached, -9);
        cell_or_dash(out, &q, 5, "%.2f", -11);
        cell_or_dash(out, &q, 3, "%+.2f", -12);
        cell_or_dash(out, &q, 4, "%.2f", -8);
        fputc('\n', out);
    }
    if (rows)
        fputc('\n', out);
    return query_close(&q);
}

/* How T was found, and what becomes of the paper's way to find it. */
static int print_norms(sqlite3 *db, FILE *out)
{
    struct query q = query_open(
        db, "SELECT label || ' ' || batch, ours, published FROM a2dtwp_monitored ORDER BY place, batch", NULL);
    int rows = 0;

    while (query_next(&q)) {
        if (!rows++)
            text_paragraph(out,
                           "T and INTERVAL were tuned for each network, from a seed that is not among those above: of"
                           " five T and two INTERVALs those that got to the error with the fewest bytes"
                           " (scenarios/training/a2dtwp/tuning.yaml). Section V-A takes the mean change of the"
                           " layers' norms in a step, in the first epochs at 32 bits, as T. Ours, and the paper's for"
                           " that network:");
        fprintf(out, "  %-16s %+.1e   %+.0e\n", query_text(&q, 0), query_real(&q, 1), query_real(&q, 2));
    }
    if (rows)
        fputc('\n', out);
    return query_close(&q);
}

static int print_recipe(sqlite3 *db, FILE *out)
{
    struct query q =
        query_open(db,
                   "SELECT batch, bytes_per_weight, error_pct, difference, error, seeds, reached, bytes_ratio"
                   " FROM a2dtwp_recipe WHERE seeds > 1 ORDER BY batch",
                   NULL);

    while (query_next(&q)) {
        char bytes[64] = "";

        if (!query_null(&q, 7))
            snprintf(bytes, sizeof(bytes), ", with %.2f of the baseline's bytes", query_real(&q, 7));
        text_paragraph(
            out,
            "With this T, and a pass over the data as INTERVAL, Alexnet in batches of %g sends %.2f bytes a weight"
            " and ends at an error of %.2f %%, %+.2f ± %.2f points from the baseline's. It gets to Figure 4's"
            " error from %g of %g seeds%s.\n",
            query_real(&q, 0), query_real(&q, 1), query_real(&q, 2), query_real(&q, 3), query_real(&q, 4),
            query_real(&q, 6), query_real(&q, 5), bytes);
    }
    return query_close(&q);
}

int a2dtwp_trained_policies(sqlite3 *db, FILE *out)
{
    int rc = print_figure3(db, out);

    rc = rc ? rc : print_bytes(db, out);
    rc = rc ? rc : print_norms(db, out);
    return rc ? rc : print_recipe(db, out);
}

int a2dtwp_trained_epochs(sqlite3 *db, FILE *out)
{
    struct query q = query_open(db,
                                "SELECT row_label, published, ours, CASE WHEN seeds > 1 THEN deviation END,"
                                " ours - published FROM a2dtwp_elapsed ORDER BY place",
                                NULL);
    int rows = 0;

    while (query_next(&q)) {
        if (!rows++)
            fputs("Trained: Figure 5, time after so many epochs over the 32-bit baseline's, x86\n\n"
                  "                          paper    ours  spread    diff\n"
                  "--------------------------------------------------------\n",
                  out);
        text_cell(out, query_text(&q, 0), 23);
        cell_or_dash(out, &q, 1, "%.3f", -8);
        cell_or_dash(out, &q, 2, "%.3f", -8);
        cell_or_dash(out, &q, 3, "%.3f", -8);
        cell_or_dash(out, &q, 4, "%+.3f", -8);
        fputs("~\n", out);
    }
    if (rows)
        text_paragraph(out, "The longest of a network is all of our training, the others are their share of it. What"
                            " was learnt by then is another question: see the errors above.\n");
    if (rows)
        fputc('\n', out);
    return query_close(&q);
}
