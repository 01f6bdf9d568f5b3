# best.gp - gnuplot -c plots/best.gp in.tsv out.svg svg
# The data are described in grid.gp: a place stands in the data set of the variant that is the fastest there; the last
# number counts those variants that are so anywhere in the run, so that all its figures give one variant one colour. A
# cell holds the speedup over the baseline; grey ones were not simulated with every variant.
data = ARG1; out = ARG2; format = ARG3
here = ARG0[1:strlen(ARG0) - strlen("best.gp")]
load here."grid.gp"
array colour[panels]
do for [i = 1:panels] { colour[i] = i }
if (blocks > 0) { stats $rows using (column(0) > 0 && place(num(6)) ? (colour[int(column(-2)) + 1] = place(num(6)), \
    1) : 1) nooutput }
grid_width = width - left - 24
eval measure_grid
entries = panels
array entry[panels]
array entry_lt[panels]
array entry_kind[panels]
do for [i = 1:panels] { entry[i] = variant[i]; entry_lt[i] = colour[i]; entry_kind[i] = "box" }
y_label = "the fastest, and its speedup over ".over."; upwards: ".grid_label
body = grid_height + 56
load here."frame.gp"
if (strlen(nothing)) { exit }
eval axes_of_grid
set xlabel x_label offset 0, 0.5
set lmargin at screen x_of(left)
set rmargin at screen x_of(left + grid_width)
set tmargin at screen y_of(head)
set bmargin at screen y_of(head + grid_height)
set object 1 rectangle from graph 0, 0 to graph 1, 1 behind fillcolor rgb grey fillstyle solid noborder
# White numbers on what is dark.
ink(c) = (c - 1) % 8 == 0 || (c - 1) % 8 == 7 ? on_dark : on_pale
plot for [i = 1:panels] $rows index i - 1 using (column(0) > 0 && place(num(1)) && num(5) > 0 ? num(1) \
    : NaN):(num(2)):(0.5):(0.5) with boxxyerror linetype colour[i] \
         fillstyle solid (colour[i] > 8 ? 0.5 : 1) noborder notitle, \
     for [i = 1:panels] $rows index i - 1 using (column(0) > 0 ? or_else(1, 1) : 1):(or_else(2, \
         1)):(numbers && column(0) > 0 && num(5) > 0 ? number(num(5)) : ""):(ink(colour[i])) \
         with labels textcolor rgb variable font ",11" notitle
