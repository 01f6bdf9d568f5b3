/* dynprec_drawings.c - the figures of the dynamic-precision paper's report. Of the trainings those of the greatest size there is. */
#include <stddef.h>

#include "harness/report/dynprec.h"

#define TRAINED "size = (SELECT min(size) FROM dynprec_point) AND ?1 <> ''"
#define TITLE(axes, title)                                                                                          \
    "SELECT '" axes "' || char(9) || 'Dynamic precision, " title "' || coalesce((SELECT CASE min(size) WHEN 2 THEN" \
    " ', in the small' WHEN 3 THEN ', a quick look' END FROM dynprec_point), '') WHERE ?1 <> ''"
#define PLACE "instr('FP32    MP      Dynamic BF16', variant)"

const struct figure dynprec_drawings[] = {
    { "dynprec-fig2a", "parts", .header = "share of a step's multiply-adds (%)\tDynamic precision, Figure 2a",
      .data =
          "SELECT CASE size WHEN 1 THEN 'the paper''s networks' ELSE 'in the small' END || char(9) || part_label, label, pct"
          " FROM dynprec_mix WHERE ?1 <> '' ORDER BY size, part, place" },
    { "dynprec-fig2b", "panels",
      .header_sql = TITLE("epoch of the paper''s training\ttest accuracy, top-1 (%)", "Figure 2b: static precisions"),
      .data =
          "SELECT label || char(9) || variant, epoch, mean, deviation FROM dynprec_curve WHERE network = 'ResNet-50' AND"
          " variant <> 'Dynamic' AND epoch <= 15 AND " TRAINED " ORDER BY " PLACE ", epoch" },
    { "dynprec-fig3", "panels",
      .header_sql = TITLE("epoch of the paper''s training\ttest accuracy, top-1 (%)", "Figure 3: accuracy"),
      .data = "SELECT label || char(9) || variant, epoch, mean, deviation FROM dynprec_curve WHERE " TRAINED
              " ORDER BY place, " PLACE ", epoch" },
    { "dynprec-table1", "bars", .header_sql = TITLE("top-1 accuracy less FP32''s (points)", "Table 1"),
      .data = "SELECT label, variant, published_difference, difference, 0 FROM dynprec_accuracy WHERE top = 'top-1' AND"
              " difference IS NOT NULL AND " TRAINED " ORDER BY place, variant_place" },
    { "dynprec-switches", "modes",
      .header_sql = TITLE("share of the training (%)\tmoving average of the loss", "what the controller saw and did"),
      .data =
          "SELECT label || char(9) || 'seed ' || seed, 100.0 * (step + 1) / steps, ema FROM dynprec_step WHERE " TRAINED
          " ORDER BY place, seed, step",
      .marks =
          "SELECT label || char(9) || 'seed ' || seed, 100.0 * from_step / steps, 100.0 * to_step / steps, precision = 'mp'"
          " FROM dynprec_stretch WHERE " TRAINED " ORDER BY place, seed, from_step" },
    { .name = NULL },
};
