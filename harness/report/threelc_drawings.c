/* threelc_drawings.c - the figures of 3LC's report. */
#include <stddef.h>

#include "harness/report/papers.h"

/* The sparsity multiplier of a row such as "3LC (s=1.75)". */
#define MULTIPLIER "CAST(substr(row_key, instr(row_key, '=') + 1) AS REAL)"
#define IS_3LC "paper = ?1 AND table_id = '1' AND row_key LIKE '3LC (s=%' AND column_key <> 'Accuracy'"
#define BY_BANDWIDTH "column_key LIKE '% Gbit/s', column_key LIKE '100 %'"

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
    { .name = NULL },
};
