# timeline.gp - gnuplot -c plots/timeline.gp in.tsv out.svg svg
# in.tsv: a data set per panel, its first line the panel, what the axis says and the title; then the line (0 computing,
# 1 copying to the host, 2 copying to the device), start and end.
data = ARG1; out = ARG2; format = ARG3
here = ARG0[1:strlen(ARG0) - strlen("timeline.gp")]
load here."data.gp"
panels = larger(blocks, 1)
array panel[panels]
array each[panels]
do for [p = 1:panels] { panel[p] = ""; each[p] = 76 }
last = 0; drawn = 0
saw(a, b) = (a == a && b == b ? (last = larger(last, b), drawn = drawn + 1) : 0, 1)
if (blocks > 0) {
  stats $rows using (column(0) == 0 ? (panel[int(column(-2)) + 1] = strcol(1), x_label = strcol(2), \
      heading = strcol(3), 1) : 1) nooutput
  stats $rows using (column(0) > 0 && there(1) ? saw(num(2), num(3)) : 1) nooutput
}
if (!drawn) { nothing = "no row has a beginning and an end." }
left = 98; x_format = "%g"
load here."stack.gp"
if (strlen(nothing)) { exit }
last = last > 0 ? 1.005 * last : 1
set xrange [0:last]
set yrange [-0.6:2.6]
set grid noytics xtics lt 1 lc rgb grey lw 1 dashtype 1
set ytics ("compute" 2, "to the host" 1, "to the device" 0) scale 0
set multiplot
do for [p = 1:panels] {
  eval on_panel
  plot for [line = 0:2] $rows index p - 1 using (column(0) > 0 && or_else(1, \
      -1) == line ? 0.5 * (num(2) + num(3)) : NaN):(2 - line):(num(2)):(num(3)):(2 - line - 0.36):(2 - line + 0.36) \
         with boxxyerror linetype line + 1 lw 0.2 notitle
  eval framed
}
unset multiplot
