# profile.gp - gnuplot -c plots/profile.gp in.tsv out.svg svg
# in.tsv: a data set per system, its first line the system and the headings of what follows: per bar the column of the
# table, its origin, eight times in ms, their sum.
data = ARG1; out = ARG2; format = ARG3
here = ARG0[1:strlen(ARG0) - strlen("profile.gp")]
load here."data.gp"
heading = "A2DTWP, Tables II and III: where the time of a batch of VGG goes, batch size 64"
y_label = "time per batch (ms)"
panels = larger(blocks, 1); most = larger(most_rows, 1)
array panel[panels]
array rows_in[panels]
array row[panels * most]
array to[panels]
array part[8]
do for [k = 1:panels * most] { row[k] = "" }
do for [k = 1:8] { part[k] = "" }
do for [p = 1:panels] { rows_in[p] = 0; to[p] = 0; panel[p] = "" }
upto(c) = sum [k = 3:c] or_else(k, 0)
drawn = 0
if (blocks > 0) {
  stats $rows using (column(0) == 0 ? (panel[int(column(-2)) + 1] = strcol(1), 1) : 1) nooutput
  do for [c = 3:10] { stats $rows using (column(0) == 0 ? (part[c - 2] = strcol(c), 1) : 1) nooutput }
  stats $rows using (column(0) > 0 ? (p = int(column(-2)) + 1, rows_in[p] = int(column(0)), \
      row[(p - 1) * most + rows_in[p]] = strcol(1).", ".strcol(2), \
      to[p] = larger(to[p], upto(10)), to[p] > 0 ? drawn = 1 : 0, 1) : 1) nooutput
}
if (!drawn) { nothing = "no row has a time." }
each = 34
entries = 8
array entry[8]
array entry_lt[8]
array entry_kind[8]
do for [k = 1:8] { entry[k] = part[k]; entry_lt[k] = k; entry_kind[k] = "box" }
load here."rows.gp"
if (strlen(nothing)) { exit }
set multiplot
do for [p = 1:panels] {
  eval on_panel
  b = to[p] > 0 ? 1.06 * to[p] : 1
  set xrange [0:b]
  plot for [c = 3:10] $rows index p - 1 using (column(0) > 0 ? upto(c) - 0.5 * num(c) : NaN):0:(upto(c) - or_else(c, \
      0)):(upto(c)):(column(0) - 0.36):(column(0) + 0.36) \
         with boxxyerror linetype c - 2 notitle, \
       $rows index p - 1 using (column(0) > 0 ? upto(10) : 0):(larger(column(0), 1)):(column(0) > 0 ? sprintf("%.0f", \
           or_else(11, upto(10))) : "") with labels left offset 0.5, 0 font ",11" notitle
  eval framed
}
unset multiplot
