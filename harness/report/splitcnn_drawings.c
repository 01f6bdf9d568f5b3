/* splitcnn_drawings.c - the figures of Split-CNN's report. */
#include <stddef.h>

#include "harness/report/papers.h"

const struct figure splitcnn_drawings[] = {
    { "splitcnn-fig11", "lines",
      "bandwidth (Gbit/s)\tspeedup over the baseline (×)\tSplit-CNN, Figure 11: a larger batch when training is distributed",
      .data = "SELECT 'closed form', 8e-9 * x, speedup FROM figure_closed_form WHERE scenario = 'splitcnn-fig11'"
              " AND ?1 <> '' ORDER BY x",
      .marks = "SELECT 'events', 8e-9 * x, speedup FROM figure_curve WHERE scenario = 'splitcnn-fig11' AND ?1 <> ''"
               " UNION ALL SELECT 'the paper', CAST(row_key AS REAL), published FROM figure_cell WHERE paper = ?1"
               " AND table_id = 'fig11' ORDER BY 1, 2" },
    { .name = NULL },
};
