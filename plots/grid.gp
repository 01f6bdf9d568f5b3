# grid.gp - what heat.gp and best.gp have in common; loaded by them after data, out, format and here are set.
# data: a data set per variant, its first line the variant's name, the labels of both axes, the scenario's title, and the
# baseline with where on further axes all this is; then lines of: column and row of the grid (from 1), x, y, the speedup over
# the baseline, and one more number that the template describes.
set datafile separator "\t"
set datafile missing "?"
stats data every ::1 using 1 nooutput
panels = STATS_blocks
columns = int(STATS_max)
stats data every ::1 using 2 nooutput
rows = int(STATS_max)
array at_x[columns]
array at_y[rows]
stats data every ::1 using (at_x[int($1)] = $3, at_y[int($2)] = $4, 1) nooutput
array variant[panels]
do for [i = 1:panels] {
  stats data index i - 1 every ::0::0 using (variant[i] = strcol(1), x_label = strcol(2), y_label = strcol(3), \
      heading = strcol(4), over = strcol(5), 1) nooutput
}
# A cell has room for its number, and as many columns and rows for a label as fit.
cell_width = columns <= 6 ? 64 : columns <= 9 ? 52 : columns <= 20 ? 40 : 800.0 / columns
cell_height = rows <= 6 ? 44 : rows <= 12 ? 34 : rows <= 24 ? 24 : 560.0 / rows
grid_width = columns * cell_width > 260 ? columns * cell_width : 260
grid_height = rows * cell_height > 150 ? rows * cell_height : 150
numbers = cell_width >= 36 && cell_height >= 16
tick(v) = v >= 100 && v < 1e6 ? sprintf("%.0f", v) : sprintf("%.3g", v)
widest_x = 1; widest_y = 1
do for [i = 1:columns] { widest_x = strlen(tick(at_x[i])) > widest_x ? strlen(tick(at_x[i])) : widest_x }
do for [i = 1:rows] { widest_y = strlen(tick(at_y[i])) > widest_y ? strlen(tick(at_y[i])) : widest_y }
every_x = ceil((8.6 * widest_x + 8) / (1.0 * grid_width / columns))
every_y = ceil(18.0 / (1.0 * grid_height / rows))
left = 52 + 8.6 * widest_y
number(v) = v >= 9.95 ? sprintf("%.0f", v) : v >= 1.995 ? sprintf("%.1f", v) : sprintf("%.2f", v)
# The title's size, and the room that it needs: about 0.68 of the size a letter.
title_size(width) = 10.2 * strlen(heading) + 40 <= width ? 15 : 11
title_width = 7.6 * strlen(heading) + 40
