/* threelc_drawings.c - the figures of 3LC's report. */
#include <stddef.h>

#include "harness/report/papers.h"

/* The sparsity multiplier of a row such as "3LC (s=1.75)". */
#define MULTIPLIER "CAST(substr(row_key, instr(row_key, '=') + 1) AS REAL)"
#define IS_3LC "paper = ?1 AND table_id = '1' AND row_key LIKE '3LC (s=%' AND column_key <> 'Accuracy'"
#define BY_BANDWIDTH "column_key LIKE '% Gbit/s', column_key LIKE '100 %'"

/* Of the trainings those of the greatest size there is. */
#define TRAINED "size = (SELECT min(size) FROM threelc_point) AND ?1 <> ''"
#define TITLE(axes, title)                                                                            \
    "SELECT '" axes "' || char(9) || '3LC, " title "' || coalesce((SELECT CASE min(size) WHEN 2 THEN" \
    " ', in the small' WHEN 3 THEN ', a quick look' END FROM threelc_point), '') WHERE ?1 <> ''"
#define TIME_AND_ACCURACY(bandwidth, designs)                                                                       \
    "SELECT t.variant, t.mean / 60, a.mean, a.deviation FROM threelc_design t JOIN threelc_design a USING"          \
    " (size, variant, steps) JOIN paper_row w ON w.paper = ?1 AND w.table_id = '1' AND w.row_key = t.variant"       \
    " WHERE t.name = 'seconds " bandwidth "' AND a.name = 'accuracy' AND t.variant LIKE '" designs "' AND " TRAINED \
    " ORDER BY w.place, t.steps"
#define TIME_AXES "simulated time of the training (min)\ttest accuracy (%)"

/* Figure 7 leaves out what is like another design; which ones it shows the text says in part. Curves are means of a fortieth of the steps. */
#define IN_FIGURE7                                                                                             \
    "variant IN ('32-bit float', 'Stoch 3-value + QE', 'MQE 1-bit int', '5% sparsification', '2 local steps'," \
    " '3LC (s=1.00)')"
#define WHOLE "steps = standard_steps"
#define IN_FIGURE9 "variant IN ('3LC (s=1.00)', '3LC (s=1.75)')"
#define BITS(what, column)                                                                                     \
    "SELECT substr(variant, 6, 6) || ', " what "' AS line, avg(step), avg(" column "), NULL FROM threelc_bits" \
    " WHERE " IN_FIGURE9 " AND " WHOLE " AND " TRAINED " GROUP BY variant, 40 * step / steps"

const struct figure threelc_drawings[] = {
    { "3lc-speedup", "bars", "speedup over 32-bit float (×)\t3LC, Table 1: published and ours",
      .data = "SELECT column_key, label, published, ours, kind = 'calibrated' FROM figure_cell WHERE paper = ?1"
              " AND table_id = '1' AND column_key <> 'Accuracy' AND row_key <> '32-bit float'"
              " AND EXISTS (SELECT 1 FROM comparison c WHERE c.paper = ?1 AND c.table_id = '1'"
              "  AND c.column_key = figure_cell.column_key)"
              " ORDER BY " BY_BANDWIDTH ", place" },
    { "3lc-step", "step", "share of a step\tWhere a step's time goes, design by design",
      .data = "SELECT bandwidth, variant, computing, exposed, coding, step_s FROM figure_step"
              " WHERE scenario = '3lc-table-1' AND ?1 <> '' ORDER BY bandwidth_Bps, place" },
    { "3lc-sensitivity", "lines",
      "sparsity multiplier s\tspeedup over 32-bit float (×)\t3LC: sensitivity to s, published (circles) and ours",
      .data = "SELECT column_key, " MULTIPLIER ", ours FROM figure_cell WHERE " IS_3LC " AND ours IS NOT NULL"
              " ORDER BY " BY_BANDWIDTH ", place",
      .marks = "SELECT column_key, " MULTIPLIER ", published FROM figure_cell WHERE " IS_3LC
               " AND ours IS NOT NULL ORDER BY " BY_BANDWIDTH ", place" },
    { "3lc-accuracy", "bars",
      .header_sql = TITLE("difference in accuracy (points)", "Table 1: accuracy against 32-bit float"),
      .data =
          "SELECT 'accuracy', variant, published_difference, round(difference, 2), 0 FROM threelc_accuracy WHERE " TRAINED
          " AND difference IS NOT NULL ORDER BY place" },
    { "3lc-fig4", "spread", .header_sql = TITLE(TIME_AXES, "Figure 4: time and accuracy at 10 Mbit/s"),
      .data = TIME_AND_ACCURACY("10 Mbit/s", "%") },
    { "3lc-fig5", "spread", .header_sql = TITLE(TIME_AXES, "Figure 5: time and accuracy at 100 Mbit/s"),
      .data = TIME_AND_ACCURACY("100 Mbit/s", "%") },
    { "3lc-fig6", "spread", .header_sql = TITLE(TIME_AXES, "Figure 6: time and accuracy at 1 Gbit/s"),
      .data = TIME_AND_ACCURACY("1 Gbit/s", "%") },
    { "3lc-fig7-loss", "spread", .header_sql = TITLE("steps\ttraining loss", "Figure 7: training loss"),
      .data = "SELECT variant, avg(step), avg(loss), NULL FROM threelc_point JOIN trace_step USING (point_id) JOIN"
              " paper_row w ON w.paper = ?1 AND w.table_id = '1' AND w.row_key = variant WHERE " IN_FIGURE7
              " AND " WHOLE " AND " TRAINED " GROUP BY variant, 40 * step / steps ORDER BY w.place, 2" },
    { "3lc-fig7-accuracy", "spread", .header_sql = TITLE("steps\ttest accuracy (%)", "Figure 7: test accuracy"),
      .data =
          "SELECT variant, after_steps, 100 * avg(top1), 100 * sqrt(max(0, (sum(top1 * top1) - count(*) * avg(top1) *"
          " avg(top1)) / nullif(count(*) - 1, 0))) FROM threelc_point JOIN trace_evaluation USING (point_id) JOIN"
          " paper_row w ON w.paper = ?1 AND w.table_id = '1' AND w.row_key = variant WHERE " IN_FIGURE7 " AND " WHOLE
          " AND " TRAINED " GROUP BY variant, after_steps ORDER BY w.place, 2" },
    { "3lc-fig8", "spread", .header_sql = TITLE(TIME_AXES, "Figure 8: sensitivity to s at 10 Mbit/s"),
      .data = TIME_AND_ACCURACY("10 Mbit/s", "3LC (s=%") },
    { "3lc-fig9", "spread", .header_sql = TITLE("steps\tbits a value", "Figure 9: pushes and pulls"),
      .data = BITS("pushes", "push_bits") " UNION ALL " BITS("pulls", "pull_bits") " ORDER BY line, 2" },
    { .name = NULL },
};
