# timeline.gp - gnuplot -c plots/timeline.gp in.tsv out.svg svg
# in.tsv: a data set per panel, its first line the panel, what the axis says and the title; then the line (0 computing, 1 copying to the
# host, 2 copying to the device), start and end.
data = ARG1; out = ARG2; format = ARG3
here = ARG0[1:strlen(ARG0) - strlen("timeline.gp")]
set datafile separator "\t"
set datafile missing "?"
stats data every ::1 using 3 nooutput
panels = STATS_blocks
last = STATS_max
array panel[panels]
longest = 0
do for [i = 1:panels] {
  stats data index i - 1 every ::0::0 using (panel[i] = strcol(1), x_label = strcol(2), heading = strcol(3), 1) nooutput
  longest = strlen(panel[i]) > longest ? strlen(panel[i]) : longest
}
left = 150; right = 30; head = 50; each = 8.4 * longest > 120 ? 8.4 * longest : 120; gap = 26; foot = 72
width = left + right + 940
height = head + panels * each + (panels - 1) * gap + foot
load here."style.gp"
set lmargin at screen 1.0 * left / width
set rmargin at screen 1 - 1.0 * right / width
set style fill solid 1.0 noborder
set xrange [0:last * 1.005]
set yrange [-0.6:2.6]
set grid noytics xtics
set ytics ("compute" 2, "to the host" 1, "to the device" 0) scale 0
unset key
set multiplot
set label 1 heading at screen 0.5, screen 1 - 20.0 / height center font ",15"
do for [i = 0:panels - 1] {
  set tmargin at screen 1 - 1.0 * (head + i * (each + gap)) / height
  set bmargin at screen 1 - 1.0 * (head + i * (each + gap) + each) / height
  set label 3 panel[i + 1] at screen 20.0 / width, graph 0.5 center rotate by 90 font ",11"
  if (i == panels - 1) { set xlabel x_label; set format x "%g" } else { set format x "" }
  plot for [line = 0:2] data index i every ::1 using ($1 == line ? 0.5 * ($2 + $3) : NaN):(2 - line):2:3:(2 - line - 0.36):(2 - line + 0.36) \
           with boxxyerror linetype line + 1 lw 0.2 notitle
  unset label 1
}
unset multiplot
