# parts.gp - gnuplot -c plots/parts.gp in.tsv out.svg svg
# in.tsv: a data set per part, those of a panel together, its first line the panel, the part, what the axis says and the
# title; then the name of a group and the part's share of it in %. Parts may be small, so the axis is in logarithms, and
# they are points on it: a bar would have to begin somewhere. A part of nothing is not drawn.
data = ARG1; out = ARG2; format = ARG3
here = ARG0[1:strlen(ARG0) - strlen("parts.gp")]
load here."data.gp"
shown_as = "point"
load here."sets.gp"
if (blocks > 0) { stats $rows using (column(0) == 0 ? (y_label = strcol(3), heading = strcol(4), 1) : 1) nooutput }
most = larger(most_rows, 1)
array rows_in[panels]
array row[panels * most]
do for [p = 1:panels] { rows_in[p] = 1 }
do for [k = 1:panels * most] { row[k] = "" }
least = NaN; largest = NaN
saw(v) = (v > 0 ? (least = least <= v ? least : v, largest = largest >= v ? largest : v) : 0, 1)
if (blocks > 0) {
  stats $rows using (column(0) > 0 ? (p = panel_of[int(column(-2)) + 1], rows_in[p] = larger(rows_in[p], \
      int(column(0))), \
      row[(p - 1) * most + int(column(0))] = strcol(1), saw(num(2))) : 1) nooutput
}
if (!(least > 0)) { nothing = "no row has a share above nothing." }
each = 24 + 13 * entries
load here."rows.gp"
if (strlen(nothing)) { exit }
set logscale x
set grid xtics lt 1 lc rgb grey lw 1 dashtype 1
below = 10.0 ** floor(log10(least) - 0.15)
set xrange [below:larger(100, largest) * (larger(100, largest) / below) ** 0.1]
share(v) = v >= 9.95 ? sprintf("%.0f %%", v) : v >= 0.995 ? sprintf("%.1f %%", v) : v >= 0.0995 ? sprintf("%.2f %%", \
    v) : sprintf("%.2g %%", v)
height_of(i) = column(0) + (kind_of[i] - 0.5 * (entries + 1)) * 0.8 / entries
set multiplot
do for [p = 1:panels] {
  eval on_panel
  do for [r = 1:rows_in[p] - 1] { set arrow 50 + r from graph 0, first r + 0.5 to graph 1, \
      first r + 0.5 nohead lc rgb grey lw 1 }
  plot for [i = 1:blocks] $rows index i - 1 using (column(0) > 0 && panel_of[i] == p && num(2) > 0 ? num(2) \
      : NaN):(height_of(i)) with points linetype kind_of[i] ps 1.1 notitle, \
       for [i = 1:blocks] $rows index i - 1 using (column(0) > 0 && panel_of[i] == p && num(2) > 0 ? num(2) \
           : below):(column(0) > 0 ? height_of(i) : 1): \
         (column(0) > 0 && panel_of[i] == p && num(2) > 0 ? share(num(2)) : "") with labels left offset 0.9, \
             0 font ",11" notitle
  do for [r = 1:rows_in[p] - 1] { unset arrow 50 + r }
  eval framed
}
unset multiplot
