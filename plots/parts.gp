# parts.gp - gnuplot -c plots/parts.gp in.tsv out.svg svg
# in.tsv: a data set per part, those of a panel together, its first line the panel, the part, what the axis says and the
# title; then the name of a bar, the part's share of it in %, and what stands at the bar's end, or nothing. The data
# sets of a panel have the same bars.
data = ARG1; out = ARG2; format = ARG3
here = ARG0[1:strlen(ARG0) - strlen("parts.gp")]
load here."data.gp"
shown_as = "box"
load here."sets.gp"
if (blocks > 0) { stats $rows using (column(0) == 0 ? (y_label = strcol(3), heading = strcol(4), 1) : 1) nooutput }
most = larger(most_rows, 1)
array rows_in[panels]
array row[panels * most]
array share[larger(blocks, 1) * most]
array begins[larger(blocks, 1) * most]
do for [p = 1:panels] { rows_in[p] = 1 }
do for [k = 1:panels * most] { row[k] = "" }
do for [k = 1:larger(blocks, 1) * most] { share[k] = 0; begins[k] = 0 }
drawn = 0
if (blocks > 0) {
  stats $rows using (column(0) > 0 ? (i = int(column(-2)) + 1, p = panel_of[i], rows_in[p] = larger(rows_in[p], \
      int(column(0))), row[(p - 1) * most + int(column(0))] = strcol(1), drawn = there(2) ? 1 : drawn, \
      share[(i - 1) * most + int(column(0))] = larger(or_else(2, 0), 0), 1) : 1) nooutput
}
if (!drawn) { nothing = "no row has a share." }
# A part begins where the one before it in its panel ends.
to = 100
do for [i = 1:blocks] {
  do for [k = 1:most] {
    if (i > 1) { if (panel_of[i - 1] == panel_of[i]) { begins[(i - 1) * most + k] = begins[(i - 2) * most + k] \
        + share[(i - 2) * most + k] } }
    to = larger(to, begins[(i - 1) * most + k] + share[(i - 1) * most + k])
  }
}
each = 34
# Parts of one whole are alike: an instruction's kinds, then what multiply-adds are for.
shades = "#0072b2 #d55e00 #cfcfcf #9f9f9f #7fb5da #2f7fb8 #08406b #e69f00 #cc79a7"
do for [k = 1:entries] { set linetype 500 + k lc rgb word(shades, (k - 1) % 9 + 1); entry_lt[k] = 500 + k }
load here."rows.gp"
if (strlen(nothing)) { exit }
set rmargin at screen x_of(width - 110)
set xrange [0:to]
from(i) = begins[(i - 1) * most + int(larger(column(0), 1))]
number(v) = v >= 9.95 ? sprintf("%.0f", v) : ""
set multiplot
do for [p = 1:panels] {
  eval on_panel
  plot for [i = 1:blocks] $rows index i - 1 using (column(0) > 0 && panel_of[i] == p && num(2) > 0 \
      ? from(i) + 0.5 * num(2) : NaN):0:(from(i)):(from(i) + or_else(2, 0)):(column(0) - 0.36):(column(0) + 0.36) \
         with boxxyerror linetype 500 + kind_of[i] notitle, \
       for [i = 1:blocks] $rows index i - 1 using (from(i) + 0.5 * or_else(2, 0)):(larger(column(0), 1)): \
         (column(0) > 0 && panel_of[i] == p && num(2) > 0 ? number(num(2)) : ""):(kind_of[i] == 1 || kind_of[i] == 6 \
             || kind_of[i] == 7 ? on_dark : on_pale) with labels textcolor rgb variable font ",11" notitle, \
       for [i = 1:blocks] $rows index i - 1 using (to):(larger(column(0), 1)):(column(0) > 0 && panel_of[i] == p \
           && strcol(3) ne "?" ? strcol(3) : "") with labels left offset 0.5, 0 font ",11" notitle
  eval framed
}
unset multiplot
