/* dct_drawings.c - the figures of DCT's report. */
#include <stddef.h>

#include "harness/report/papers.h"

#define PANELS(figure)                                                                                  \
    "SELECT panel, series, x_text, value, half FROM dct_panel WHERE ?1 <> '' AND figure = '" figure "'" \
    " ORDER BY panel_place, side, x, place"

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
    { "dct-trained-loss", "differences",
      "share that is dropped\ttest loss, difference from the baseline\tDCT, Tables 1 to 3: what sparsity costs",
      .data = PANELS("loss") },
    { "dct-trained-translation", "differences",
      "share that is dropped\tdifference from the baseline\tDCT, Table 4: sparse activations in a Transformer",
      .data = PANELS("translation") },
    { "dct-fig2", "thresholds",
      "step\tthreshold of the gradient\tDCT, Figure 2: the threshold, found anew in every step",
      .data =
          "WITH curve AS MATERIALIZED (SELECT * FROM dct_figure_2 WHERE ?1 <> '')"
          " SELECT printf('%g %%', dropped_pct), step, threshold FROM curve WHERE seed = (SELECT min(seed) FROM curve) AND tensor ="
          " (SELECT tensor FROM curve ORDER BY nvalues DESC, tensor LIMIT 1) ORDER BY dropped_pct, step" },
    { "dct-fig5", "thresholds",
      "step\tthreshold of the activations, mean\tDCT, Figure 5: activations behind the first split",
      .data =
          "WITH curve AS MATERIALIZED (SELECT * FROM dct_figure_5 WHERE ?1 <> '')"
          " SELECT printf('%g %%, %s', dropped_pct, CASE WHEN applied THEN 'dropped' ELSE 'kept' END), step, avg(threshold)"
          " FROM curve GROUP BY dropped_pct, applied, step ORDER BY dropped_pct, applied, step" },
    { "dct-fig7b", "differences",
      "steps that a threshold lives\tloss, difference from the baseline\tDCT, Figure 7b: 95 % of the gradients dropped",
      .data = PANELS("fig7b") },
    { .name = NULL },
};
