/* dct_drawings.c - the figures of DCT's report. */
#include <stddef.h>

#include "harness/report/papers.h"

const struct figure dct_drawings[] = {
    { "dct-gains", "bars", "time saved (%)\tDCT: the gains that the paper prints, and ours",
      .data =
          "SELECT 'gains', CASE table_id WHEN '5' THEN 'MP, ' WHEN 'fig7a' THEN 'DP, ' ELSE '' END || label, published,"
          " ours, kind = 'calibrated' FROM figure_cell WHERE paper = ?1 AND column_key = 'time gain'"
          " AND EXISTS (SELECT 1 FROM comparison c WHERE c.paper = ?1 AND c.column_key = 'time gain')"
          " ORDER BY table_id = 'text', table_id, place" },
    { "dct-lifespan", "lines",
      "life-span L of the threshold (steps)\ttime saved (%)\tDCT, Figure 7a: 95 % of the gradients dropped",
      .data = "SELECT 'ours', x, gain_pct FROM figure_curve WHERE scenario = 'dct-figure-7a-curve' AND ?1 <> ''"
              " ORDER BY x",
      .marks = "SELECT 'published', CAST(substr(row_key, 3) AS REAL), published FROM figure_cell WHERE paper = ?1"
               " AND table_id = 'fig7a' ORDER BY place" },
    { "dct-sparsity", "lines",
      "share of the gradients that is dropped (%)\ttime saved (%)\tDCT, Figure 7c: a threshold lives 1000 steps",
      .data = "SELECT 'ours', 100 * (1 - x), gain_pct FROM figure_curve WHERE scenario = 'dct-figure-7c' AND ?1 <> ''"
              " ORDER BY x DESC" },
    { "dct-utilisation", "bars", "utilisation (share)\tDCT: utilisation without compression and with both codecs",
      .data = "SELECT 'utilisation', label || ', ' || column_key, published, ours, kind = 'calibrated' FROM figure_cell"
              " WHERE paper = ?1 AND table_id = 'utilisation'"
              " AND EXISTS (SELECT 1 FROM comparison c WHERE c.paper = ?1 AND c.table_id = 'utilisation')"
              " ORDER BY place, column_key = 'after'" },
    { .name = NULL },
};
