/* splitcnn_drawings.c - the figures of Split-CNN's report. */
#include <stddef.h>

#include "harness/report/papers.h"

#define BARS(table, column, what)                                                                            \
    "SELECT '" what "', label || " column ", published, ours, kind = 'calibrated' FROM figure_cell"          \
    " WHERE paper = ?1 AND table_id = '" table "' AND EXISTS (SELECT 1 FROM comparison c WHERE c.paper = ?1" \
    " AND c.table_id = '" table "')"

const struct figure splitcnn_drawings[] = {
    { "splitcnn-fig1", "generated",
      "data of one operation (GB)\tdata of all up to it (GB)\tSplit-CNN, Figure 1: data generated for backward, and offloadable meanwhile; batch 64",
      .data = "SELECT variant, name, generated_GB, offloadable_GB, generated_so_far_GB, offloadable_so_far_GB"
              " FROM plan_curve WHERE scenario = 'splitcnn-fig1' AND NOT backward AND ?1 <> ''"
              " AND variant IN ('VGG-19', 'ResNet-18', 'ResNet-50') ORDER BY variant_place, step" },
    { "splitcnn-fig8", "bars", "throughput lost (%)\tSplit-CNN, Figure 8: what two schedules lose, batch 64",
      .data = BARS("fig8", "', ' || column_key", "loss") " ORDER BY place, column_key DESC" },
    { "splitcnn-fig9", "timeline", "time (ms)\tSplit-CNN, Figure 9: VGG-19 under four schedules, batch 64",
      .data = "SELECT variant, CASE WHEN track LIKE 'to-host%' THEN 1 WHEN track LIKE 'to-device%' THEN 2 ELSE 0 END,"
              " start_ms, end_ms FROM newest_task WHERE scenario = 'splitcnn-fig8-vgg-19' AND ?1 <> ''"
              " AND variant IN ('baseline', 'layer-wise', 'HMMS', 'HMMS per object') ORDER BY variant_place, place" },
    { "splitcnn-live", "live",
      "time by the profile (ms)\tgeneral pool (GB)\tSplit-CNN: memory alive under each schedule, VGG-19, batch 64",
      .data = "SELECT variant, end_ms, live_GB FROM plan_curve WHERE scenario = 'splitcnn-fig8-vgg-19' AND ?1 <> ''"
              " AND variant IN ('baseline', 'layer-wise', 'HMMS', 'HMMS per object') ORDER BY variant_place, step" },
    { "splitcnn-cliff", "lines",
      "share of the generated data that is offloaded (at most)\tmost memory alive (GB)\tAlgorithm 1 near the link's limit: ResNet-50, batch 64",
      .data =
          "SELECT m.variant, q.value, 1e-9 * m.value FROM newest_measure m JOIN run_variant v ON v.run_id = m.run_id"
          " AND v.variant = m.variant JOIN point_param q ON q.run_id = m.run_id AND q.position = m.position"
          " AND q.path LIKE '%.limit' WHERE m.scenario = 'splitcnn-cliff' AND m.name = 'live_bytes' AND ?1 <> ''"
          " ORDER BY v.place, q.value" },
    { "splitcnn-fig10-batch", "bars", "largest batch (x the baseline's)\tSplit-CNN, Figure 10: the largest batch",
      .data = BARS("fig10", "''", "batch") " AND column_key = 'batch' ORDER BY place" },
    { "splitcnn-fig10-loss", "bars", "throughput lost (%)\tSplit-CNN, Figure 10: throughput lost at the largest batch",
      .data = BARS("fig10", "''", "loss") " AND column_key = 'throughput lost' ORDER BY place" },
    { "splitcnn-fig11", "lines",
      "bandwidth (Gbit/s)\tspeedup over the baseline (×)\tSplit-CNN, Figure 11: a larger batch when training is distributed",
      .data = "SELECT 'closed form', 8e-9 * x, speedup FROM figure_closed_form WHERE scenario = 'splitcnn-fig11'"
              " AND ?1 <> '' UNION ALL SELECT 'planned: ' || variant, 8e-9 * x, speedup FROM figure_curve"
              " WHERE scenario = 'splitcnn-fig11-planned' AND variant IN ('in place', 'Split-CNN + HMMS')"
              " ORDER BY 1, 2",
      .marks = "SELECT 'events', 8e-9 * x, speedup FROM figure_curve WHERE scenario = 'splitcnn-fig11' AND ?1 <> ''"
               " UNION ALL SELECT 'the paper', CAST(row_key AS REAL), published FROM figure_cell WHERE paper = ?1"
               " AND table_id = 'fig11' ORDER BY 1, 2" },
    { .name = NULL },
};
