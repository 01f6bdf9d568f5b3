# live.gp - gnuplot -c plots/live.gp in.tsv out.svg svg
# in.tsv: a data set per panel, its first line the plan, what the axes say and the title; then when an operation ends,
# and what is alive while it runs. The first plan is in grey behind the others.
data = ARG1; out = ARG2; format = ARG3
here = ARG0[1:strlen(ARG0) - strlen("live.gp")]
load here."data.gp"
panels = larger(blocks, 1)
array panel[panels]
array each[panels]
array first_end[panels]
array first_live[panels]
do for [p = 1:panels] { panel[p] = ""; each[p] = panels == 1 ? 300 : 110; first_end[p] = NaN; first_live[p] = NaN }
last = 0; largest = 0; drawn = 0
saw(p, x, y) = (x == x && y == y ? (last = larger(last, x), largest = larger(largest, y), drawn = drawn + 1, \
    first_end[p] == first_end[p] ? 0 : (first_end[p] = x, first_live[p] = y)) : 0, 1)
if (blocks > 0) {
  stats $rows using (column(0) == 0 ? (panel[int(column(-2)) + 1] = strcol(1), x_label = strcol(2), \
      y_label = strcol(3), heading = strcol(4), 1) : 1) nooutput
  stats $rows using (column(0) > 0 ? saw(int(column(-2)) + 1, num(1), num(2)) : 1) nooutput
}
if (!drawn) { nothing = "no row has both values." }
y_label = y_label.(panels > 1 ? "; grey: the first panel's" : "")
left = 66; x_format = "%g"
load here."stack.gp"
if (strlen(nothing)) { exit }
last = last > 0 ? 1.005 * last : 1; largest = largest > 0 ? 1.08 * largest : 1
set xrange [0:last]
set yrange [0:largest]
# Few marks on low panels: steps of 1, 2 or 5 times a power of ten.
rough = largest / 3.5
ten = 10.0 ** floor(log10(rough))
marks_step = ten * (rough < 2 * ten ? 1 : rough < 5 * ten ? 2 : 5)
if (panels > 1) { set ytics marks_step }
set style fill solid 0.35 noborder
set multiplot
do for [p = 1:panels] {
  eval on_panel
  # The first operation begins at 0.
  if (p > 1 && first_end[1] == first_end[1]) {
    set arrow 1 from 0, first_live[1] to first_end[1], first_live[1] nohead lc rgb aside lw 1.5
  }
  if (first_end[p] == first_end[p]) { set arrow 2 from 0, first_live[p] to first_end[p], \
      first_live[p] nohead linetype 1 } else { unset arrow 2 }
  plot $rows index 0 using (column(0) > 0 && p > 1 ? num(1) : NaN):(num(2)) with fsteps lc rgb aside lw 1.5 notitle, \
       $rows index p - 1 using (column(0) > 0 ? num(1) : NaN):(num(2)) with fsteps linetype 1 notitle
  eval framed
}
unset multiplot
