/* a2dtwp_drawings.c - the figures of A2DTWP's report. */
#include <stddef.h>

#include "harness/report/papers.h"

const struct figure a2dtwp_drawings[] = {
    { "profile", "profile",
      .header_sql =
          /* The rows of a profile table are the columns of its figure: their labels are data. */
      "SELECT 'origin' || char(9) || group_concat(label, char(9)) || char(9) || 'total' FROM (SELECT w.label"
      " FROM paper_row w JOIN paper_system y USING (paper, table_id) WHERE w.paper = ?1 AND y.place = 1"
      " ORDER BY w.place)",
      .data = "SELECT system, column_key, origin, row_1, row_2, row_3, row_4, row_5, row_6, row_7, row_8, total"
              " FROM figure_profile"
              " WHERE paper = ?1 AND EXISTS (SELECT 1 FROM comparison c JOIN paper_system y USING (paper, table_id)"
              "  WHERE c.paper = ?1)"
              " ORDER BY place, column_key = 'A2DTWP', origin = 'ours'" },
    { "fig4", "fig4", "published\tours",
      .data = "SELECT system, row_label, published, ours FROM figure_normalized WHERE paper = ?1"
              " AND EXISTS (SELECT 1 FROM comparison c WHERE c.paper = ?1 AND c.table_id = 'fig4')"
              " ORDER BY system_place, row_place" },
#define SWEEP(name, header, column, unit)                                                                             \
    {                                                                                                                 \
        name, name, header,                                                                                           \
            .data = "SELECT label, x, speedup FROM figure_sweep WHERE figure = '" name "' AND ?1 <> ''"               \
                    " ORDER BY place, label, x, position",                                                            \
            .marks =                                                                                                  \
                "SELECT printf('%s as it is: %.3g " unit ", %.2f×', label, " column ", speedup), " column ", speedup" \
                " FROM figure_machine WHERE paper = ?1 AND " column " IS NOT NULL"                                    \
                " AND series IN (SELECT series FROM figure_sweep WHERE figure = '" name "') ORDER BY place"           \
    }
    SWEEP("bandwidth", "speedup at this many GB/s", "bandwidth_GBps", "GB/s"),
    SWEEP("bytes_per_flop", "speedup at this many bytes per kFLOP", "bytes_per_kflop", "bytes/kFLOP"),
    SWEEP("bytes_per_weight", "speedup at this many bytes per weight", "bytes_per_weight", "bytes"),
    { "a2dtwp-trained", "fig4-trained",
      "time / 32-bit baseline's time\tA2DTWP, Figure 4: time until an error is reached, trained and simulated",
      .data =
          "SELECT system_label, label, 1.0 - published / 100.0, 1.0 - ours / 100.0, deviation / 100.0, 1.0 - oracle_ours / 100.0,"
          " reached < seeds FROM a2dtwp_gain WHERE ?1 <> '' ORDER BY system_place, place" },
    { "a2dtwp-error", "error",
      .header_sql =
          "SELECT 'simulated time (s)' || char(9) || 'top-5 error (%)' || char(9) || 'A2DTWP, Figure 3: ' || max(label) ||"
          " ' on x86 + K80, trained and simulated' || char(9) || max(threshold_pct) FROM a2dtwp_curve"
          " WHERE network = 'alexnet-a2dtwp' AND ?1 <> ''",
      .data =
          "SELECT 'batch ' || batch, line, seconds, error_pct FROM a2dtwp_curve WHERE network = 'alexnet-a2dtwp'"
          " AND system = 'x86-k80' AND batch IN (16, 32) AND ?1 <> '' ORDER BY batch DESC, line_place, after_steps" },
    { "a2dtwp-epochs", "bars", "time / 32-bit baseline's time\tA2DTWP, Figure 5: time after so many epochs, x86",
      .data =
          "SELECT 'all', replace(row_label, ' epochs', ''), published, ours, 0 FROM a2dtwp_elapsed WHERE ?1 <> '' ORDER BY place" },
    { "a2dtwp-bits", "bits",
      "share of the training's steps (%)\tA2DTWP: bits that AWP gave to each layer's weights, from the first seed",
      .data =
          "SELECT label || ', batch ' || batch, layer, dense_rank() OVER (PARTITION BY network, batch ORDER BY tensor),"
          " 100.0 * from_step / steps, 100.0 * to_step / steps, bits FROM a2dtwp_bits"
          " WHERE batch = (SELECT max(b.batch) FROM a2dtwp_bits b WHERE b.network = a2dtwp_bits.network) AND ?1 <> ''"
          " ORDER BY place, tensor, from_step" },
    { .name = NULL },
};
