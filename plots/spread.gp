# spread.gp - gnuplot -c plots/spread.gp in.tsv out.svg svg
# in.tsv: a data set per line, its first line the name, what the axes say and the title; then x, y, and by how much y lies apart to
# either side, or nothing. Neither axis begins at zero for that.
data = ARG1; out = ARG2; format = ARG3
here = ARG0[1:strlen(ARG0) - strlen("spread.gp")]
set datafile separator "\t"
set datafile missing "?"
# One column at a time, as in lines.gp.
stats data every ::1 using ($1 + 0 * $2) nooutput
n = STATS_blocks
low = STATS_min; high = STATS_max
apart(c) = strcol(c) eq "" || strcol(c) eq "?" ? 0.0 : column(c)
stats data every ::1 using ($2 - apart(3)) nooutput
low_y = STATS_min
stats data every ::1 using ($2 + apart(3)) nooutput
high_y = STATS_max
array name[n]
longest = 9
do for [i = 1:n] {
  stats data index i - 1 every ::0::0 using (name[i] = strcol(1), x_label = strcol(2), y_label = strcol(3), \
      heading = strcol(4), 1) nooutput
  longest = strlen(name[i]) > longest ? strlen(name[i]) : longest
}
left = 84; right = 70 + 9.4 * longest
width = left + 560 + right; height = 460
load here."style.gp"
set label 1 heading at screen 0.5, screen 1 - 20.0 / height center font sprintf(",%d", 10.2 * strlen(heading) + 30 <= width ? 15 : 11)
set tmargin at screen 1 - 48.0 / height
set xlabel x_label
set ylabel y_label
set lmargin at screen 1.0 * left / width
set rmargin at screen 1.0 * (left + 560) / width
set grid xtics ytics lc rgb "#dddddd" lw 1
set key at screen 1.0 * (left + 570) / width, graph 1 left top vertical Left reverse samplen 2 spacing 1.3
span(low, high) = high > low ? high - low : high != 0 ? abs(high) : 1.0
set xrange [low - 0.03 * span(low, high):high + 0.03 * span(low, high)]
set yrange [low_y - 0.05 * span(low_y, high_y):high_y + 0.05 * span(low_y, high_y)]
if (low > 0 && high / low >= 10 && x_label[1:4] ne "step") {
  set logscale x
  set xrange [low / 1.15:high * 1.15]
  set format x "%g"
}
# The ninth and further lines are dashed; many places are drawn without points.
colours = "#0072b2 #d55e00 #009e73 #e69f00 #56b4e9 #cc79a7 #f0e442 #666666"
do for [i = 9:16] { set linetype i lc rgb word(colours, i - 8) lw 2 pt i - 5 dashtype 2 }
set linetype cycle 16
stats data index 0 every ::1 using 2 nooutput
size = STATS_records > 12 ? 0.01 : 0.8
plot for [i = 1:n] data index i - 1 every ::1 using 1:(apart(3) > 0 ? $2 : NaN):(apart(3)) with yerrorbars linetype i lw 1 ps 0.01 dashtype 1 notitle, \
     for [i = 1:n] data index i - 1 every ::1 using 1:2 with linespoints linetype i ps size title name[i]
