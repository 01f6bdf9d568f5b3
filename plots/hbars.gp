# hbars.gp - groups of lying bars, what bars.gp, fig4.gp and fig4-trained.gp have in common. They set heading, y_label,
# panel[], and
#   bars, amount(j) (of a row's j-th bar, NaN for none), apart(j) (its error to either side, 0 for none), text(j),
#   shade(j) (its linetype), shade_of[1..shades] (the linetypes there are) and bar_name[] (what they mean), reference (a
#   line; NaN: none), shared (1: one range for all panels).
panels = larger(blocks, 1); most = larger(most_rows, 1)
array rows_in[panels]
array row[panels * most]
array from[panels]
array to[panels]
do for [i = 1:panels * most] { row[i] = "" }
do for [p = 1:panels] { rows_in[p] = 0; from[p] = 0; to[p] = 0 }
anything = 0
hull(p, v) = (v == v ? (from[p] = smaller(from[p], v), to[p] = larger(to[p], v), anything = 1) : 0, 1)
if (blocks > 0) {
  stats $rows using (column(0) > 0 ? (p = int(column(-2)) + 1, rows_in[p] = int(column(0)), \
      row[(p - 1) * most + rows_in[p]] = strcol(1), 1) : 1) nooutput
  do for [j = 1:bars] {
    stats $rows using (column(0) > 0 ? (hull(int(column(-2)) + 1, amount(j) - apart(j)), hull(int(column(-2)) + 1, \
        amount(j) + apart(j))) : 1) nooutput
  }
}
if (!anything) { nothing = "no row has a value." }
each = bars > 2 ? 52 : 38
entries = shades
array entry[shades]
array entry_lt[shades]
array entry_kind[shades]
do for [k = 1:shades] { entry[k] = bar_name[k]; entry_lt[k] = shade_of[k]; entry_kind[k] = "box" }
load here."rows.gp"
if (strlen(nothing)) { exit }
if (shared) {
  do for [p = 2:panels] { from[1] = smaller(from[1], from[p]); to[1] = larger(to[1], to[p]) }
  do for [p = 2:panels] { from[p] = from[1]; to[p] = to[1] }
}
thick = 0.8 / bars
middle(j) = column(0) + (j - 0.5 * (bars + 1)) * thick
lying(j, k) = column(0) > 0 && shade(j) == shade_of[k] ? amount(j) : NaN
set multiplot
do for [p = 1:panels] {
  eval on_panel
  wide = span(from[p], to[p])
  a = from[p] < 0 ? from[p] - 0.14 * wide : 0; b = to[p] > 0 ? to[p] + (from[p] < 0 ? 0.14 : 0.06) * wide : 0
  if (a == b) { b = 1 }
  set xrange [a:b]
  set arrow 1 from first 0, graph 0 to first 0, graph 1 nohead lw 1
  if (reference == reference && reference >= a && reference <= b) {
    set arrow 2 from first reference, graph 0 to first reference, graph 1 nohead front lc rgb compared dashtype 2
  } else { unset arrow 2 }
  plot for [k = 1:shades] for [j = 1:bars] $rows index p - 1 using (0.5 * lying(j, k)):(middle(j)):(smaller(0, \
      lying(j, k))):(larger(0, lying(j, k))): \
         (middle(j) - 0.46 * thick):(middle(j) + 0.46 * thick) with boxxyerror linetype shade_of[k] notitle, \
       for [j = 1:bars] $rows index p - 1 using (column(0) > 0 && apart(j) > 0 ? amount(j) \
           : NaN):(middle(j)):(apart(j)) with xerrorbars lc rgb "black" lw 1.2 dashtype 1 pt 7 ps 0.01 notitle, \
       for [j = 1:bars] $rows index p - 1 using (column(0) > 0 && amount(j) >= 0 ? amount(j) + apart(j) \
           : 0):(column(0) > 0 ? middle(j) : 1):(column(0) > 0 && amount(j) >= 0 ? text(j) : "") \
         with labels left offset 0.5, 0 font ",11" notitle, \
       for [j = 1:bars] $rows index p - 1 using (column(0) > 0 && amount(j) < 0 ? amount(j) - apart(j) \
           : 0):(column(0) > 0 ? middle(j) : 1):(column(0) > 0 && amount(j) < 0 ? text(j) : "") \
         with labels right offset -0.5, 0 font ",11" notitle
  eval framed
}
unset multiplot
