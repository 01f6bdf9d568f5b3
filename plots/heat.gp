# heat.gp - gnuplot -c plots/heat.gp in.tsv out.svg svg
# The data are described in grid.gp; the last number is the greatest speedup or slowdown of all figures of the run, so that
# they share one scale. A panel per variant: blue where it pays, orange where it costs, white where it is even, grey where
# nothing was simulated.
data = ARG1; out = ARG2; format = ARG3
here = ARG0[1:strlen(ARG0) - strlen("heat.gp")]
load here."grid.gp"
stats data every ::1 using 6 nooutput
most = STATS_max > 1.1 ? STATS_max : 1.1
across = panels < 3 ? panels : panels <= 4 ? 2 : 3
down = int(ceil(1.0 * panels / across))
right = 14; top = 34; bottom = 58; head = 58; bar = 132
width = across * (left + grid_width + right) + bar
width = width > title_width ? width : title_width
height = head + down * (top + grid_height + bottom)
load here."style.gp"
unset grid
set palette defined (-1 "#b34700", -0.5 "#e69f60", 0 "#ffffff", 0.5 "#6bb0dc", 1 "#00558c")
set logscale cb 2
set cbrange [1 / most:most]
set format cb "%.3g×"
set xrange [0.5:columns + 0.5]
set yrange [0.5:rows + 0.5]
set xtics scale 0.5 ()
set ytics scale 0.5 ()
do for [i = 1:columns:every_x] { set xtics add (tick(at_x[i]) i) }
do for [i = 1:rows:every_y] { set ytics add (tick(at_y[i]) i) }
# Dark cells carry white numbers.
dark(v) = abs(log(v)) > 0.62 * log(most)
ink(v) = dark(v) ? 0xffffff : 0x202020
set multiplot
set label 1 heading at screen 0.5, screen 1 - 18.0 / height center font sprintf(",%d", title_size(width))
set label 2 "speedup over ".over at screen 0.5, screen 1 - 40.0 / height center font sprintf(",%d", title_size(width) > 12 ? 12 : 9)
do for [i = 0:panels - 1] {
  x0 = 1.0 * (left + (i % across) * (left + grid_width + right)) / width
  y1 = 1 - 1.0 * (head + top + (i / across) * (top + grid_height + bottom)) / height
  set lmargin at screen x0
  set rmargin at screen x0 + 1.0 * grid_width / width
  set tmargin at screen y1
  set bmargin at screen y1 - 1.0 * grid_height / height
  set title variant[i + 1] offset 0, -0.5
  set xlabel x_label offset 0, 0.3
  set ylabel i % across == 0 ? y_label : ""
  set object 1 rectangle from graph 0, 0 to graph 1, 1 behind fillcolor rgb "#d0d0d0" fillstyle solid noborder
  if (i == 0) {
    set colorbox user origin screen (width - bar + 26.0) / width, screen (y1 - 1.0 * grid_height / height) size screen 16.0 / width, screen (1.0 * grid_height / height)
  } else {
    unset colorbox
  }
  plot data index i every ::1 using 1:2:(0.5):(0.5):5 with boxxyerror fillstyle solid noborder lc palette notitle, \
       data index i every ::1 using (numbers ? $1 : NaN):2:(number($5)):(ink($5)) with labels textcolor rgb variable font ",10" notitle
  unset label 1
  unset label 2
}
unset multiplot
