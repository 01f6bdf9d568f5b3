# step.gp - gnuplot -c plots/step.gp in.tsv out.svg svg
# in.tsv: a data set per bandwidth, its first line the bandwidth, what the axis says and the title; then a design, the
# shares of a step that are computing and waiting for what was not hidden, the share of it during which a codec is at
# work somewhere, with the others, and the step in seconds.
data = ARG1; out = ARG2; format = ARG3
here = ARG0[1:strlen(ARG0) - strlen("step.gp")]
load here."data.gp"
panels = larger(blocks, 1); most = larger(most_rows, 1)
array panel[panels]
array rows_in[panels]
array row[panels * most]
do for [k = 1:panels * most] { row[k] = "" }
do for [p = 1:panels] { rows_in[p] = 0; panel[p] = "" }
drawn = 0
if (blocks > 0) {
  stats $rows using (column(0) == 0 ? (panel[int(column(-2)) + 1] = strcol(1), y_label = strcol(2), \
      heading = strcol(3), 1) : 1) nooutput
  stats $rows using (column(0) > 0 ? (p = int(column(-2)) + 1, rows_in[p] = int(column(0)), \
      row[(p - 1) * most + rows_in[p]] = strcol(1), \
      drawn = there(2) || there(3) || there(4) ? 1 : drawn, 1) : 1) nooutput
}
if (!drawn) { nothing = "no row has a share." }
y_label = y_label."; at the end of a bar, the whole step"
each = 26
entries = 3
array entry[3] = ["computing", "waiting", "a codec at work (overlaps)"]
array entry_lt[3] = [1, 2, 301]
array entry_kind[3] = ["box", "box", "point"]
set linetype 301 lc rgb "black" lw 1 pt 13
load here."rows.gp"
if (strlen(nothing)) { exit }
set rmargin at screen x_of(width - 64)
set xrange [0:1]
set xtics 0.25
text(s) = s >= 9.995 ? sprintf("%.1f s", s) : s >= 0.9995 ? sprintf("%.2f s", s) : sprintf("%.0f ms", 1e3 * s)
set multiplot
do for [p = 1:panels] {
  eval on_panel
  plot $rows index p - 1 using (column(0) > 0 ? 0.5 * num(2) : NaN):0:(0):(num(2)):(column(0) - 0.36):(column(0) + \
      0.36) with boxxyerror linetype 1 notitle, \
       $rows index p - 1 using (column(0) > 0 ? or_else(2, 0) + 0.5 * num(3) : NaN):0:(or_else(2, 0)):(or_else(2, \
           0) + num(3)):(column(0) - 0.36):(column(0) + 0.36) with boxxyerror linetype 2 notitle, \
       $rows index p - 1 using (column(0) > 0 ? num(4) : NaN):0 with points linetype 301 ps 1 notitle, \
       $rows index p - 1 using (1):(larger(column(0), 1)):(column(0) > 0 && there(5) ? text(num(5)) \
           : "") with labels left offset 0.5, 0 font ",11" notitle
  eval framed
}
unset multiplot
