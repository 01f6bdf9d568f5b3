# heat.gp - gnuplot -c plots/heat.gp in.tsv out.svg svg
# The data are described in grid.gp; the last number is the largest speedup or slowdown of all figures of the run, so
# that they share one scale. A panel per variant: blue where it pays, orange where it costs, white where it is even,
# grey where nothing was simulated.
data = ARG1; out = ARG2; format = ARG3
here = ARG0[1:strlen(ARG0) - strlen("heat.gp")]
load here."grid.gp"
most = larger(last_number, 1.1)
# Two panels side by side if the cells stay wide enough.
abreast = panels > 1 && columns <= 4 ? 2 : 1
grid_width = width / abreast - left - 24
eval measure_grid
y_label = "speedup over ".over."; upwards: ".grid_label
body = 0
down = (panels + abreast - 1) / abreast
body = down * (26 + grid_height + 30) + 18 + 44
load here."frame.gp"
if (strlen(nothing)) { exit }
eval axes_of_grid
set palette defined (-1 "#b34700", -0.5 "#e69f60", 0 "#ffffff", 0.5 "#6bb0dc", 1 "#00558c")
set logscale cb 2
set cbrange [1 / most:most]
set format cb "%.3g×"
# Dark cells carry white numbers.
dark(v) = abs(log(v)) > 0.62 * log(most)
ink(v) = dark(v) ? on_dark : on_pale
set multiplot
do for [p = 1:panels] {
  top = head + 26 + (26 + grid_height + 30) * ((p - 1) / abreast)
  side = left + (width / abreast) * ((p - 1) % abreast)
  set lmargin at screen x_of(side)
  set rmargin at screen x_of(side + grid_width)
  set tmargin at screen y_of(top)
  set bmargin at screen y_of(top + grid_height)
  set label 3 clip(variant[p], 60 / abreast) at screen x_of(side), screen y_of(top - 11) left
  if (p > panels - abreast) { set xlabel x_label offset 0, 0.5 } else { set xlabel "" }
  set object 1 rectangle from graph 0, 0 to graph 1, 1 behind fillcolor rgb grey fillstyle solid noborder
  if (p == 1) {
    set colorbox user horizontal origin screen x_of(left), screen y_of(head + body - 26) size screen x_of(width - \
        left - 40), screen 12.0 / height
  } else { unset colorbox }
  plot $rows index p - 1 using (column(0) > 0 && num(5) > 0 ? num(1) : NaN):(num(2)):(0.5):(0.5):(num(5) > 0 ? num(5) \
      : 1) with boxxyerror fillstyle solid noborder lc palette notitle, \
       $rows index p - 1 using (column(0) > 0 && num(5) > 0 ? or_else(1, 1) : 1):(or_else(2, \
           1)):(numbers && column(0) > 0 && num(5) > 0 ? number(num(5)) : ""): \
         (column(0) > 0 && num(5) > 0 ? ink(num(5)) : on_pale) with labels textcolor rgb variable font ",11" notitle
  eval framed
}
unset multiplot
