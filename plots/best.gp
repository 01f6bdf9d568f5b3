# best.gp - gnuplot -c plots/best.gp in.tsv out.svg svg
# The data are described in grid.gp: a place stands in the data set of the variant that is the fastest there; the last number
# counts those variants that are so anywhere in the run, so that all its figures give one variant one colour. A cell holds
# the speedup over the baseline; grey ones were not simulated with every variant.
data = ARG1; out = ARG2; format = ARG3
here = ARG0[1:strlen(ARG0) - strlen("best.gp")]
load here."grid.gp"
array colour[panels]
do for [i = 1:panels] { stats data index i - 1 every ::1 using (colour[i] = int($6), 1) nooutput }
longest = 0
do for [i = 1:panels] { longest = strlen(variant[i]) > longest ? strlen(variant[i]) : longest }
right = 62 + 9 * longest; top = 66; bottom = 60
width = left + grid_width + right
spare = title_width > width ? title_width - width : 0
width = width + spare
height = top + grid_height + bottom
load here."style.gp"
unset grid
set xrange [0.5:columns + 0.5]
set yrange [0.5:rows + 0.5]
set xtics scale 0.5 ()
set ytics scale 0.5 ()
do for [i = 1:columns:every_x] { set xtics add (tick(at_x[i]) i) }
do for [i = 1:rows:every_y] { set ytics add (tick(at_y[i]) i) }
set xlabel x_label
set ylabel y_label
set lmargin at screen 1.0 * (left + spare / 2) / width
set rmargin at screen 1.0 * (left + spare / 2 + grid_width) / width
set tmargin at screen 1 - 1.0 * top / height
set bmargin at screen 1.0 * bottom / height
set label 1 heading at screen 0.5, screen 1 - 18.0 / height center font sprintf(",%d", title_size(width))
set label 2 "the fastest, and its speedup over ".over at screen 0.5, screen 1 - 40.0 / height center font sprintf(",%d", title_size(width) > 12 ? 12 : 9)
set object 1 rectangle from graph 0, 0 to graph 1, 1 behind fillcolor rgb "#d0d0d0" fillstyle solid noborder
set key at screen 1.0 * (left + spare / 2 + grid_width + 10) / width, graph 1 left top vertical Left reverse samplen 1.5 spacing 1.4
# The ninth and further ones are pale. White numbers on what is dark: blue and grey.
ink(c) = c == 1 || c == 8 ? 0xffffff : 0x101010
plot for [i = 1:panels] data index i - 1 every ::1 using 1:2:(0.5):(0.5) with boxxyerror linetype colour[i] \
         fillstyle solid (colour[i] > 8 ? 0.5 : 1) noborder title variant[i], \
     for [i = 1:panels] data index i - 1 every ::1 using (numbers ? $1 : NaN):2:(number($5)):(ink(colour[i])) \
         with labels textcolor rgb variable font ",10" notitle
