# grid.gp - what heat.gp and best.gp have in common; loaded by them after data, out, format and here are set.
# data: a data set per variant, its first line the variant's name, the labels of both axes, the scenario's title, and
# the baseline with where on further axes all this is; then lines of: column and row of the grid (from 1), x, y, the
# speedup over the baseline, and one more number that the template describes.
load here."data.gp"
over = "the baseline"
panels = larger(blocks, 1)
array variant[panels]
do for [i = 1:panels] { variant[i] = "" }
columns = 1; rows = 1; drawn = 0; last_number = 0
place(v) = v == v && v >= 1 && v <= 2000 ? int(v) : 0
if (blocks > 0) {
  stats $rows using (column(0) == 0 ? (variant[int(column(-2)) + 1] = strcol(1), x_label = strcol(2), \
      grid_label = strcol(3), heading = strcol(4), over = strcol(5), 1) : 1) nooutput
  stats $rows using (column(0) > 0 && place(num(1)) && place(num(2)) ? (columns = larger(columns, place(num(1))), \
      rows = larger(rows, place(num(2))), \
      last_number = larger(last_number, or_else(6, 0)), drawn = num(5) > 0 ? 1 : drawn, 1) : 1) nooutput
}
if (!exists("grid_label")) { grid_label = "" }
if (!drawn) { nothing = "no place has a speedup." }
array at_x[columns]
array at_y[rows]
do for [i = 1:columns] { at_x[i] = NaN }
do for [i = 1:rows] { at_y[i] = NaN }
if (blocks > 0) {
  stats $rows using (column(0) > 0 && place(num(1)) && place(num(2)) ? (at_x[place(num(1))] = num(3), \
      at_y[place(num(2))] = num(4), 1) : 1) nooutput
}
tick(v) = v == v ? short(v) : ""
widest_x = 1; widest_y = 1
do for [i = 1:columns] { widest_x = larger(widest_x, strlen(tick(at_x[i]))) }
do for [i = 1:rows] { widest_y = larger(widest_y, strlen(tick(at_y[i]))) }
left = 32 + 8.0 * widest_y
# A cell has space for its number, or none has; as many columns and rows have a label as fit.
measure_grid = "cell_width = 1.0 * grid_width / columns; cell_height = rows <= 6 ? 40 : rows <= 12 ? 32 : rows <= ".\
  "24 ? 22 : 500.0 / rows; ".\
  "grid_height = larger(rows * cell_height, 120); numbers = cell_width >= 34 && cell_height >= 16; ".\
  "every_x = ceil((8.0 * widest_x + 10) / cell_width); every_y = ceil(18.0 / (1.0 * grid_height / rows))"
number(v) = v >= 9.95 ? sprintf("%.0f", v) : v >= 1.995 ? sprintf("%.1f", v) : sprintf("%.2f", v)
axes_of_grid = "unset grid; set xrange [0.5:columns + 0.5]; set yrange [0.5:rows + 0.5]; set xtics scale 0.5 (); ".\
  "set ytics scale 0.5 (); ".\
  "do for [i = 1:columns:every_x] { set xtics add (tick(at_x[i]) i) }; ".\
  "do for [i = 1:rows:every_y] { set ytics add (tick(at_y[i]) i) }"
