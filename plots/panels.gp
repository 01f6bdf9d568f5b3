# panels.gp - gnuplot -c plots/panels.gp in.tsv out.svg svg
# in.tsv: a data set per line, those of a panel together, its first line the panel, the line's name, what the axes say
# and the title; then x, y, and by how much y lies apart to either side, or nothing: the seeds' deviation, unless the
# axis says what whiskers are. Each panel has a range of its own. Batches are drawn in logarithms.
data = ARG1; out = ARG2; format = ARG3
here = ARG0[1:strlen(ARG0) - strlen("panels.gp")]
load here."data.gp"
shown_as = "both"
load here."sets.gp"
array each[panels]
array low_y[panels]
array high_y[panels]
do for [p = 1:panels] { each[p] = panels > 1 ? 170 : 290; low_y[p] = NaN; high_y[p] = NaN }
low_x = NaN; high_x = NaN; drawn = 0; spread = 0
saw(p, x, y, e) = (x == x && y == y ? (low_x = low_x <= x ? low_x : x, high_x = high_x >= x ? high_x : x, \
    low_y[p] = low_y[p] <= y - e ? low_y[p] : y - e, high_y[p] = high_y[p] >= y + e ? high_y[p] : y + e, \
    spread = e > 0 ? 1 : spread, drawn = drawn + 1) : 0, 1)
if (blocks > 0) {
  stats $rows using (column(0) == 0 ? (x_label = strcol(3), y_label = strcol(4), heading = strcol(5), 1) : 1) nooutput
}
load here."enough.gp"
if (blocks > 0) {
  stats $rows using (column(0) > 0 && shown[int(column(-2)) + 1] ? saw(panel_of[int(column(-2)) + 1], num(1), num(2), \
      or_else(3, 0)) : 1) nooutput
}
if (!drawn && !strlen(nothing)) { nothing = "no row has both values." }
y_label = y_label.(spread && !strstrt(y_label, "whiskers") ? "; whiskers: deviation over the seeds" : "")
left = 66; x_format = "%g"
load here."stack.gp"
if (strlen(nothing)) { exit }
pad(low, high, share) = high > low ? share * (high - low) : 0.5 * span(low, high)
is_log_x = x_label[1:5] eq "batch" && low_x > 0 && high_x > low_x
if (is_log_x) {
  set logscale x 2
  set xrange [low_x / (high_x / low_x) ** 0.03:high_x * (high_x / low_x) ** 0.03]
} else { set xrange [low_x - pad(low_x, high_x, 0.03):high_x + pad(low_x, high_x, 0.03)] }
set multiplot
do for [p = 1:panels] {
  eval on_panel
  if (is_log_x) {
    set xtics ()
    do for [k = ceil(log(low_x) / log(2) - 1e-9):floor(log(high_x) / log(2) + 1e-9)] { \
        set xtics add ((p == panels ? short(2.0 ** k) : "") 2.0 ** k) }
  }
  a = low_y[p] == low_y[p] ? low_y[p] - pad(low_y[p], high_y[p], 0.08) : 0; \
      b = high_y[p] == high_y[p] ? high_y[p] + pad(low_y[p], high_y[p], 0.08) : 1
  set yrange [a:b]
  set label 4 (low_y[p] == low_y[p] ? "" : "no curve of three points") at graph 0.5, graph 0.5 center
  plot for [i = 1:blocks] $rows index i - 1 using (column(0) > 0 && panel_of[i] == p && shown[i] && or_else(3, \
      0) > 0 ? num(1) : NaN):(num(2)):(or_else(3, 0)) \
         with yerrorbars linetype kind_of[i] lw 1 ps 0.01 notitle, \
       for [i = 1:blocks] $rows index i - 1 using (column(0) > 0 && panel_of[i] == p && shown[i] ? num(1) \
           : NaN):(num(2)) with linespoints linetype kind_of[i] ps 0.7 notitle
  eval framed
}
unset multiplot
