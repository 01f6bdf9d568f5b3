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
    { .name = NULL },
};
