#include "harness/report/grid.h"
#include "harness/report/papers.h"
#include "harness/report/query.h"
#include "harness/report/text.h"

static const char curve_sql[] =
    "SELECT p.text, c.speedup, g.speedup, 100.0 * (g.speedup / c.speedup - 1.0) FROM newest_run n"
    " JOIN closed_form c ON c.run_id = n.run_id JOIN run r ON r.id = n.run_id AND c.variant <> r.baseline"
    " JOIN gain g ON g.run_id = c.run_id AND g.position = c.position"
    " JOIN point_param p ON p.run_id = c.run_id AND p.position = c.position"
    " WHERE n.scenario = 'splitcnn-fig11' ORDER BY p.value DESC";

static int print_curve(struct sqlite3 *db, FILE *out)
{
    struct query q = query_open(db, curve_sql, NULL);
    int rows = 0;

    while (query_next(&q)) {
        if (!rows++)
            fputs("bandwidth       closed form    events   difference\n", out);
        text_cell(out, query_text(&q, 0), 16);
        text_number(out, "%.3f", query_real(&q, 1), -11);
        text_number(out, "%.3f", query_real(&q, 2), -10);
        text_number(out, "%+.2f%%", query_real(&q, 3), -13);
        fputc('\n', out);
    }
    fputc('\n', out);
    return query_close(&q);
}

static const char planned_sql[] =
    "SELECT p.variant, p.largest_batch, p.batch_ratio, max(g.speedup) FILTER (WHERE b.text = '0.5 Gbit/s'),"
    " max(g.speedup) FILTER (WHERE b.text = '2 Gbit/s'), max(g.speedup) FILTER (WHERE b.text = '10 Gbit/s'),"
    " max(g.speedup) FILTER (WHERE b.text = '32 Gbit/s') FROM plan_summary p"
    " JOIN point_param b ON b.run_id = p.run_id AND b.position = p.position AND b.path LIKE '%bandwidth'"
    " LEFT JOIN gain g ON g.run_id = p.run_id AND g.position = p.position"
    " WHERE p.scenario = 'splitcnn-fig11-planned' GROUP BY p.variant ORDER BY min(p.position)";

/* The same with batches that narrows plans, in place of the paper's six times. */
static int print_planned(struct sqlite3 *db, FILE *out)
{
    static const int widths[] = { -12, -10, -11, -11 };
    struct query q = query_open(db, planned_sql, NULL);
    int rows = 0;

    while (query_next(&q)) {
        if (!rows++)
            fputs("speedup with the batch that each plan fits\n"
                  "plan               batch x base  0.5 Gbit/s  2 Gbit/s  10 Gbit/s  32 Gbit/s\n",
                  out);
        text_cell(out, query_text(&q, 0), 19);
        text_number(out, "%.0f", query_real(&q, 1), -5);
        text_number(out, "%.2f", query_real(&q, 2), -7);
        for (int i = 3; i < 7; i++)
            if (query_null(&q, i))
                text_cell(out, "-", widths[i - 3]);
            else
                text_number(out, "%.3f", query_real(&q, i), widths[i - 3]);
        fputc('\n', out);
    }
    if (rows)
        fputc('\n', out);
    return query_close(&q);
}

int splitcnn_figure11(struct sqlite3 *db, FILE *out)
{
    static const struct grid text = { "splitcnn", "fig11", { "speedup" }, GRID_PERCENT };

    fprintf(out, "Figure 11: speedup of distributed training by a larger batch, VGG-19 (x)\n\n");
    int rc = grid_print(db, out, &text);
    rc = rc ? rc : grid_errors(db, out, &text);
    fputc('\n', out);
    if (!rc)
        rc = print_curve(db, out);
    text_paragraph(
        out, "Closed form: section 6.4, T_forward + max(T_backward, 2 |G| / (alpha B)), per sample. Events: the same"
             " step as a graph of tasks, the gradients of each layer leaving as its backward pass ends. Inputs:"
             " the baseline's 0.639 s at batch 64 (a third of it forward), six times the batch, 1.5 %% less"
             " throughput. The paper does not say what its baseline trains at; the larger that is, the less there is to"
             " gain.");
    fputc('\n', out);
    if (!rc)
        rc = print_planned(db, out);
    return rc;
}
