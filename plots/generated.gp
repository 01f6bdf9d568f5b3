# generated.gp - gnuplot -c plots/generated.gp in.tsv out.svg svg
# in.tsv: a data set per network, its first line the network, what the axes say (of an operation, of all up to it) and
# the title; then an operation of the forward pass, the data it generates, the data that the link carries meanwhile, and
# the sums of both up to there.
data = ARG1; out = ARG2; format = ARG3
here = ARG0[1:strlen(ARG0) - strlen("generated.gp")]
load here."data.gp"
sum_label = ""
panels = 2 * larger(blocks, 1)
array panel[panels]
array each[panels]
array top[panels]
array count[panels]
do for [p = 1:panels] { panel[p] = ""; each[p] = p % 2 ? 120 : 100; top[p] = 0; count[p] = 1 }
drawn = 0
saw(p, v) = (v == v ? (top[p] = larger(top[p], v), drawn = drawn + 1) : 0, 1)
if (blocks > 0) {
  stats $rows using (column(0) == 0 ? (panel[2 * int(column(-2)) + 1] = strcol(1), y_label = strcol(2), \
      sum_label = strcol(3), heading = strcol(4), 1) : 1) nooutput
  stats $rows using (column(0) > 0 ? (p = 2 * int(column(-2)) + 1, count[p] = int(column(0)), \
      count[p + 1] = int(column(0)), saw(p, num(2)), saw(p, num(3)), saw(p + 1, num(4)), saw(p + 1, \
      num(5))) : 1) nooutput
}
if (!drawn) { nothing = "no row has a value." }
do for [p = 1:panels / 2] { panel[2 * p] = panel[2 * p - 1].": ".sum_label; \
    panel[2 * p - 1] = panel[2 * p - 1].": ".y_label }
y_label = ""
x_label = "operation of the forward pass"; x_format = "%g"
entries = 2
array entry[2] = ["generated", "offloadable meanwhile"]
array entry_lt[2] = [2, 1]
array entry_kind[2] = ["box", "box"]
left = 66
gap_after(p) = p % 2 ? 4 : 28
load here."stack.gp"
if (strlen(nothing)) { exit }
set multiplot
do for [p = 1:panels] {
  eval on_panel
  set format x "%g"
  set xlabel ""
  if (p == panels) { set xlabel x_label offset 0, 0.5 }
  i = (p - 1) / 2
  set xrange [0.2:count[p] + 0.8]
  b = top[p] > 0 ? 1.08 * top[p] : 1
  rough = b / (p % 2 ? 3.5 : 2.5)
  step = 10.0 ** floor(log10(rough)); step = step * (rough < 2 * step ? 1 : rough < 5 * step ? 2 : 5)
  set yrange [0:b]
  set ytics step
  if (p % 2) {
    set format x ""
    plot for [c = 2:3] $rows index i using (column(0) > 0 ? column(0) + (c == 2 ? -0.2 : 0.2) \
        : NaN):(0.5 * num(c)):(column(0) + (c == 2 ? -0.4 : 0)):(column(0) + (c == 2 ? 0 : 0.4)):(0):(num(c)) \
           with boxxyerror linetype (c == 2 ? 2 : 1) notitle
  } else {
    plot for [c = 4:5] $rows index i using (column(0) > 0 ? column(0) : NaN):(num(c)) with lines linetype (c == 4 ? 2 \
        : 1) lw 2.5 notitle
  }
  eval framed
}
unset multiplot
