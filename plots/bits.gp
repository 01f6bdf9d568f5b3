# bits.gp - gnuplot -c plots/bits.gp in.tsv out.svg svg
# in.tsv: a data set per network, its first line its name, what the axis says and the title; then a line for each time
# that a layer kept its bits: the layer, its place from 1, the first step and the step after the last, in % of all
# steps, and the bits.
data = ARG1; out = ARG2; format = ARG3
here = ARG0[1:strlen(ARG0) - strlen("bits.gp")]
load here."data.gp"
panels = larger(blocks, 1)
array panel[panels]
array rows_in[panels]
most = 1; drawn = 0
do for [p = 1:panels] { panel[p] = ""; rows_in[p] = 1 }
whole(v) = v == v && v >= 1 && v <= 500 ? int(v) : 0
if (blocks > 0) {
  stats $rows using (column(0) == 0 ? (panel[int(column(-2)) + 1] = strcol(1), x_label = strcol(2), \
      heading = strcol(3), 1) : 1) nooutput
  stats $rows using (column(0) > 0 && whole(num(2)) ? (p = int(column(-2)) + 1, rows_in[p] = larger(rows_in[p], \
      whole(num(2))), most = larger(most, whole(num(2))), \
      drawn = there(3) && there(4) && there(5) ? 1 : drawn, 1) : 1) nooutput
}
if (!drawn) { nothing = "no layer has its bits." }
array row[panels * most]
do for [k = 1:panels * most] { row[k] = "" }
if (blocks > 0) {
  stats $rows using (column(0) > 0 && whole(num(2)) ? (row[int(column(-2)) * most + whole(num(2))] = clip(strcol(1), \
      21), 1) : 1) nooutput
}
each = 18
entries = 4
array entry[4] = ["8 bits", "16 bits", "24 bits", "32 bits"]
array entry_lt[4] = [501, 502, 503, 504]
array entry_kind[4] = ["box", "box", "box", "box"]
set linetype 501 lc rgb "#cfe3f2"
set linetype 502 lc rgb "#7fb5da"
set linetype 503 lc rgb "#2f7fb8"
set linetype 504 lc rgb "#08406b"
load here."rows.gp"
if (strlen(nothing)) { exit }
shade(bits) = bits <= 8 ? 501 : bits <= 16 ? 502 : bits <= 24 ? 503 : 504
set xrange [0:100]
set multiplot
do for [p = 1:panels] {
  eval on_panel
  set ytics font ",11"
  plot for [k = 501:504] $rows index p - 1 using (column(0) > 0 && there(5) && shade(num(5)) == k \
      ? 0.5 * (num(3) + num(4)) : NaN):(num(2)):(num(3)):(num(4)):(num(2) - 0.46):(num(2) + 0.46) \
         with boxxyerror linetype k notitle
  eval framed
}
unset multiplot
