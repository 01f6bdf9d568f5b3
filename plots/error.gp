# error.gp - gnuplot -c plots/error.gp in.tsv out.svg svg
# in.tsv: a data set per panel, its first line its name, what the axes say, the title, and the error that is to be
# reached; then the line a point belongs to, x and y.
data = ARG1; out = ARG2; format = ARG3
here = ARG0[1:strlen(ARG0) - strlen("error.gp")]
load here."data.gp"
panels = larger(blocks, 1)
array panel[panels]
array each[panels]
array name[16]
names = 0; goal = NaN; low_x = NaN; high_x = NaN; high_y = NaN; drawn = 0
do for [k = 1:16] { name[k] = "" }
do for [p = 1:panels] { panel[p] = ""; each[p] = panels > 1 ? 200 : 290 }
name_of(s) = sum [k = 1:16] (k <= names && name[k] eq s ? k : 0)
saw(x, y) = (x == x && y == y ? (low_x = low_x <= x ? low_x : x, high_x = high_x >= x ? high_x : x, \
    high_y = high_y >= y ? high_y : y, drawn = drawn + 1) : 0, 1)
if (blocks > 0) {
  stats $rows using (column(0) == 0 ? (panel[int(column(-2)) + 1] = strcol(1), x_label = strcol(2), \
      y_label = strcol(3), heading = strcol(4), goal = num(5), 1) : 1) nooutput
  stats $rows using (column(0) > 0 && names < 16 && !name_of(strcol(1)) ? (names = names + 1, \
      name[names] = strcol(1), 1) : 1) nooutput
  stats $rows using (column(0) > 0 ? saw(num(2), num(3)) : 1) nooutput
}
if (!drawn) { nothing = "no row has both values." }
y_label = y_label.(goal == goal ? "; dashed: the error to be reached" : "")
# Lines are distinguished by what they are, whatever panel they are in: the oracle's format may be another in each.
colour(name) = name eq "baseline" ? 8 : name eq "A2DTWP" ? 1 : 2
entries = names
array entry[larger(entries, 1)]
array entry_lt[larger(entries, 1)]
array entry_kind[larger(entries, 1)]
do for [k = 1:entries] { entry[k] = name[k]; entry_lt[k] = colour(name[k]); entry_kind[k] = "both" }
left = 66; x_format = "%g"
load here."stack.gp"
if (strlen(nothing)) { exit }
top = larger(high_y, goal == goal ? goal : high_y)
if (!(top > 0)) { top = 1 }
set yrange [0:1.08 * top]
set xrange [low_x - 0.03 * span(low_x, high_x):high_x + 0.03 * span(low_x, high_x)]
if (goal == goal) { set arrow 1 from graph 0, first goal to graph 1, first goal nohead lc rgb compared dashtype 2 }
set multiplot
do for [p = 1:panels] {
  eval on_panel
  plot for [k = 1:names] $rows index p - 1 using (column(0) > 0 && strcol(1) eq name[k] ? num(2) \
      : NaN):(num(3)) with linespoints linetype colour(name[k]) ps 0.7 notitle
  eval framed
}
unset multiplot
