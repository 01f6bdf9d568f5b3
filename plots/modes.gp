# modes.gp - gnuplot -c plots/modes.gp in.tsv out.svg svg stretches.tsv
# in.tsv: a data set per training, those of a panel together, its first line the panel, the training's name, what the
# axes say and the title; then x and y. stretches.tsv: the same training runs in the same order; where a stretch in one
# precision begins and ends, and 1 for mixed precision. They are drawn as a strip for each training under its panel's
# curves.
data = ARG1; out = ARG2; format = ARG3; marks = ARGC >= 4 ? ARG4 : ""
here = ARG0[1:strlen(ARG0) - strlen("modes.gp")]
load here."data.gp"
shown_as = "line"
load here."sets.gp"
array each[panels]
array strips[panels]
array high_y[panels]
array strip_of[larger(blocks, 1)]
do for [p = 1:panels] { strips[p] = 0; high_y[p] = NaN }
do for [i = 1:blocks] { p = panel_of[i]; strips[p] = strips[p] + 1; strip_of[i] = strips[p] }
do for [p = 1:panels] { each[p] = 170 + 18 * larger(strips[p], 1) }
low_x = 0; high_x = NaN; drawn = 0
saw(p, x, y) = (x == x && y == y ? (high_x = high_x >= x ? high_x : x, high_y[p] = high_y[p] >= y ? high_y[p] : y, \
    drawn = drawn + 1) : 0, 1)
if (blocks > 0) {
  stats $rows using (column(0) == 0 ? (x_label = strcol(3), y_label = strcol(4), heading = strcol(5), 1) : 1) nooutput
  stats $rows using (column(0) > 0 ? saw(panel_of[int(column(-2)) + 1], num(1), num(2)) : 1) nooutput
}
if (!drawn) { nothing = "no row has both values." }
lines = entries
array entry[lines + 2]
array entry_lt[lines + 2]
array entry_kind[lines + 2]
do for [k = 1:lines] { entry[k] = ""; entry_kind[k] = "line"; entry_lt[k] = k }
do for [i = 1:blocks] { entry[kind_of[i]] = set_name[i] }
entries = lines + 2
entry[lines + 1] = "strip: in MP"; entry_lt[lines + 1] = 502; entry_kind[lines + 1] = "box"
entry[lines + 2] = "strip: in BF16"; entry_lt[lines + 2] = 501; entry_kind[lines + 2] = "box"
set linetype 501 lc rgb "#9fc5e8"
set linetype 502 lc rgb "#d55e00"
left = 84; x_format = "%g"
load here."stack.gp"
if (strlen(nothing)) { exit }
set xrange [0:high_x > 0 ? 1.01 * high_x : 1]
set multiplot
do for [p = 1:panels] {
  eval on_panel
  strip = 18 * larger(strips[p], 1)
  set bmargin at screen y_of(head + top_of[p] + each[p] - strip)
  set format x ""
  set xlabel ""
  set border 3
  set ytics autofreq scale 0.6 font ",13"
  set grid xtics ytics lt 1 lc rgb grey lw 1 dashtype 1
  b = high_y[p] > 0 ? 1.06 * high_y[p] : 1
  set yrange [0:b]
  plot for [i = 1:blocks] $rows index i - 1 using (column(0) > 0 && panel_of[i] == p ? num(1) \
      : NaN):(num(2)) with lines linetype kind_of[i] lw 1 notitle
  eval framed
  unset label 3
  set tmargin at screen y_of(head + top_of[p] + each[p] - strip + 4)
  set bmargin at screen y_of(head + top_of[p] + each[p])
  set yrange [larger(strips[p], 1) + 0.5:0.5]
  set ytics () scale 0 font ",11"
  do for [i = 1:blocks] { if (panel_of[i] == p) { set ytics add (literal(clip(set_name[i], 10)) strip_of[i]) } }
  unset grid
  if (p == panels) { set xlabel x_label offset 0, 0.5; set format x x_format }
  if (mark_blocks > 0) {
    plot for [i = 1:smaller(blocks, mark_blocks)] for [mixed = 0:1] $marks index i - 1 using \
           (column(0) > 0 && panel_of[i] == p && (or_else(3, 0) == 1) == mixed ? 0.5 * (num(1) + num(2)) \
               : NaN):(strip_of[i]):(num(1)):(num(2)):(strip_of[i] - 0.4):(strip_of[i] + 0.4) \
           with boxxyerror linetype 501 + mixed lw 0.1 notitle
  } else { plot NaN notitle }
}
unset multiplot
