/* splitcnn_drawings.c - the figures of Split-CNN's report. */
#include <stddef.h>

#include "harness/report/papers.h"

/* Two panels for a network, a group for a plan; the paper has one of them. */
#define PLANS(network)                                                                                            \
    "SELECT m.panel, p.variant, CASE p.variant WHEN 'Split-CNN + HMMS' THEN c.published END,"                     \
    " CASE m.place WHEN 1 THEN p.batch_ratio ELSE p.loss_pct END, p.variant = 'Split-CNN + HMMS'"                 \
    " AND c.kind = 'calibrated' FROM plan_summary p JOIN run_variant v ON v.run_id = p.run_id"                    \
    " AND v.variant = p.variant JOIN (SELECT 1 AS place, 'batch' AS column_key, 'batch (x)' AS panel UNION ALL"   \
    " SELECT 2, 'throughput lost', 'lost (%)') m LEFT JOIN comparison c ON c.paper = ?1 AND c.table_id = 'fig10'" \
    " AND c.row_key = '" network "' AND c.column_key = m.column_key"                                              \
    " WHERE p.scenario = 'splitcnn-fig10-' || lower('" network "') AND p.variant <> 'baseline'"                   \
    " ORDER BY m.place, v.place"

/* Of the cliff's plans, against the share that is offloaded. */
#define CLIFF(measure)                                                                                     \
    "SELECT p.variant, q.value, " measure " FROM plan_summary p JOIN run_variant v ON v.run_id = p.run_id" \
    " AND v.variant = p.variant JOIN point_param q ON q.run_id = p.run_id AND q.position = p.position"     \
    " AND q.path LIKE '%.limit' WHERE p.scenario = 'splitcnn-cliff' AND ?1 <> '' ORDER BY v.place, q.value"

/* Trainings: those of the paper's size where there are any, else in the small, else a quick look. */
#define SHOWN "(SELECT min(size) FROM splitcnn_accuracy)"
#define TITLE(axes, text)                                                    \
    "SELECT '" axes "\tSplit-CNN, " text "' || CASE " SHOWN                  \
    " WHEN 1 THEN '' WHEN 2 THEN ', in the small' ELSE ', a quick look' END" \
    " WHERE ?1 <> ''"

/* Lower is better. A line for each network, with two standard errors of the difference to either side. */
#define ERROR_OVER(number)                                                                                   \
    "SELECT network, x, coalesce(-difference, 0), 2 * standard_error FROM splitcnn_curve WHERE ?1 <> '' AND" \
    " figure = " number " AND size = " SHOWN " ORDER BY place, x"

/* A line for each way to train one network; to either side the seeds' deviation. */
#define ERROR_AFTER(row)                                                                                              \
    "SELECT variant, after_steps, error, deviation FROM splitcnn_progress WHERE ?1 <> '' AND row_key = '" row "' AND" \
    " size = " SHOWN " ORDER BY variant_place, after_steps"

const struct figure splitcnn_drawings[] = {
    { "splitcnn-fig1", "generated",
      "data of one operation (GB)\tdata of all up to it (GB)\tSplit-CNN, Figure 1: data generated for backward, and offloadable meanwhile; batch 64",
      .data = "SELECT c.variant || printf(' (%.0f %%)', 100 * p.offloadable_GB / p.generated_GB), c.name,"
              " c.generated_GB, c.offloadable_GB, c.generated_so_far_GB, c.offloadable_so_far_GB"
              " FROM plan_curve c JOIN plan_summary p USING (run_id, combination, variant)"
              " WHERE c.scenario = 'splitcnn-fig1' AND NOT c.backward AND ?1 <> ''"
              " AND c.variant IN ('VGG-19', 'ResNet-18', 'ResNet-50') ORDER BY c.variant_place, c.step" },
    { "splitcnn-fig8", "bars", "throughput lost (%)\tSplit-CNN, Figure 8: what two schedules lose, batch 64",
      .data = "SELECT 'loss', label || ', ' || column_key, published, ours, kind = 'calibrated' FROM figure_cell"
              " WHERE paper = ?1 AND table_id = 'fig8' AND EXISTS (SELECT 1 FROM comparison c WHERE c.paper = ?1"
              " AND c.table_id = 'fig8') ORDER BY place, column_key DESC" },
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
      .data = CLIFF("p.live_GB") },
    { "splitcnn-cliff-loss", "lines",
      "share of the generated data that is offloaded (at most)\tthroughput lost (%)\tWhat offloading costs near the link's limit: ResNet-50, batch 64",
      .data = CLIFF("p.loss_pct") },
    { "splitcnn-fig10-vgg-19", "bars",
      "against the baseline\tSplit-CNN, Figure 10: largest batch and throughput lost at it, VGG-19",
      .data = PLANS("VGG-19") },
    { "splitcnn-fig10-resnet-18", "bars",
      "against the baseline\tSplit-CNN, Figure 10: largest batch and throughput lost at it, ResNet-18",
      .data = PLANS("ResNet-18") },
    { "splitcnn-fig11", "lines",
      "bandwidth (Gbit/s)\tspeedup over the baseline (×)\tSplit-CNN, Figure 11: a larger batch when training is distributed",
      .data = "SELECT 'closed form', 8e-9 * x, speedup FROM figure_closed_form WHERE scenario = 'splitcnn-fig11'"
              " AND ?1 <> '' UNION ALL SELECT 'planned: ' || variant, 8e-9 * x, speedup FROM figure_curve"
              " WHERE scenario = 'splitcnn-fig11-planned' AND variant IN ('in place', 'Split-CNN + HMMS')"
              " ORDER BY 1, 2",
      .marks = "SELECT 'events', 8e-9 * x, speedup FROM figure_curve WHERE scenario = 'splitcnn-fig11' AND ?1 <> ''"
               " UNION ALL SELECT 'the paper', CAST(row_key AS REAL), published FROM figure_cell WHERE paper = ?1"
               " AND table_id = 'fig11' ORDER BY 1, 2" },
    { "splitcnn-fig4", "spread",
      .header_sql = TITLE("convolutions that are split (%)\ttest error above the unsplit network''s (points)",
                          "Figure 4: depth of the split"),
      .data = ERROR_OVER("4") },
    { "splitcnn-fig5", "spread",
      .header_sql = TITLE("patches\ttest error above the unsplit network''s (points)", "Figure 5: number of patches"),
      .data = ERROR_OVER("5") },
    { "splitcnn-fig6-vgg-19", "spread",
      .header_sql = TITLE("steps\ttest error (%)", "Figure 6: stochastic splits, VGG-19"),
      .data = ERROR_AFTER("VGG19") },
    { "splitcnn-fig6-resnet-18", "spread",
      .header_sql = TITLE("steps\ttest error (%)", "Figure 6: stochastic splits, ResNet-18"),
      .data = ERROR_AFTER("ResNet18") },
    { "splitcnn-fig7-alexnet", "spread",
      .header_sql = TITLE("steps\ttest error (%)", "Figure 7: stochastic splits, AlexNet"),
      .data = ERROR_AFTER("AlexNet") },
    { "splitcnn-fig7-resnet-50", "spread",
      .header_sql = TITLE("steps\ttest error (%)", "Figure 7: stochastic splits, ResNet-50"),
      .data = ERROR_AFTER("ResNet50") },
    { "splitcnn-table1", "bars", .header_sql = TITLE("accuracy above the baseline''s (points)", "Table 1"),
      .data =
          "SELECT column_key, network, round(published_difference, 2), round(difference, 2), 0 FROM splitcnn_table1 t"
          " WHERE ?1 <> '' AND size = " SHOWN " AND (SELECT count(*) FROM splitcnn_table1 o WHERE o.size = t.size AND"
          " o.column_key = t.column_key) > 1" /* one bar alone brings gnuplot 5.4 down */
          " ORDER BY column_key, place" },
    { .name = NULL },
};
