# live.gp - gnuplot -c plots/live.gp in.tsv out.svg svg
# in.tsv: a data set per panel, its first line the plan, what the axes say and the title; then when an operation ends, and what is alive while
# it runs. The first plan is in grey behind the others.
data = ARG1; out = ARG2; format = ARG3
here = ARG0[1:strlen(ARG0) - strlen("live.gp")]
set datafile separator "\t"
set datafile missing "?"
stats data every ::1 using 1 nooutput
panels = STATS_blocks
last = STATS_max
stats data every ::1 using 2 nooutput
most = STATS_max
array panel[panels]
array first_end[panels]
array first_live[panels]
longest = 0
do for [i = 1:panels] {
  stats data index i - 1 every ::0::0 using (panel[i] = strcol(1), x_label = strcol(2), y_label = strcol(3), heading = strcol(4), 1) nooutput
  stats data index i - 1 every ::1::1 using (first_end[i] = $1, first_live[i] = $2, 1) nooutput
  longest = strlen(panel[i]) > longest ? strlen(panel[i]) : longest
}
left = panels > 1 ? 120 : 84; right = 30; head = 50; gap = 22; foot = 72
each = panels == 1 ? 300 : 8.4 * longest > 120 ? 8.4 * longest : 120
width = left + right + 760
height = head + panels * each + (panels - 1) * gap + foot
load here."style.gp"
set lmargin at screen 1.0 * left / width
set rmargin at screen 1 - 1.0 * right / width
set style fill solid 0.35 noborder
set grid xtics ytics lc rgb "#dddddd" lw 1
set xrange [0:last * 1.005]
set yrange [0:1.08 * most]
unset key
# Few marks on low panels: steps of 1, 2 or 5 times a power of ten.
rough = most / 3.5
ten = 10 ** floor(log10(rough))
step = ten * (rough < 2 * ten ? 1 : rough < 5 * ten ? 2 : 5)
if (panels > 1) { set ytics step }
set multiplot
set label 1 heading at screen 0.5, screen 1 - 20.0 / height center font sprintf(",%d", 10.2 * strlen(heading) + 30 <= width ? 15 : 11)
set label 2 y_label at screen 16.0 / width, screen (foot + 0.5 * (height - head - foot)) / height center rotate by 90
do for [i = 1:panels] {
  set tmargin at screen 1 - 1.0 * (head + (i - 1) * (each + gap)) / height
  set bmargin at screen 1 - 1.0 * (head + (i - 1) * (each + gap) + each) / height
  if (panels > 1) { set label 3 panel[i] at screen 44.0 / width, graph 0.5 center rotate by 90 font ",11" }
  if (i == panels) { set xlabel x_label; set format x "%g" } else { set format x "" }
  # The first operation begins at 0.
  set arrow 1 from 0, first_live[1] to first_end[1], first_live[1] nohead lc rgb "#b0b0b0" lw (i > 1 ? 2 : 0.1)
  set arrow 2 from 0, first_live[i] to first_end[i], first_live[i] nohead linetype 1
  plot data index 0 every ::1 using 1:(i > 1 ? $2 : NaN) with fsteps lc rgb "#b0b0b0" lw 2, \
       data index i - 1 every ::1 using 1:2 with fsteps linetype 1
  unset label 1
  unset label 2
}
unset multiplot
