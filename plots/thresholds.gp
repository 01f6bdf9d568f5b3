# thresholds.gp - gnuplot -c plots/thresholds.gp in.tsv out.svg svg
# in.tsv: a data set per line, its first line the name, what the axes say and the title; then x and y, in logarithms if
# they are far apart. What a name has before its first comma tells its colour; a name with ", dropped" is dotted.
data = ARG1; out = ARG2; format = ARG3
here = ARG0[1:strlen(ARG0) - strlen("thresholds.gp")]
set datafile separator "\t"
set datafile missing "?"
stats data every ::1 using 2 nooutput
n = STATS_blocks
low_y = STATS_min; high_y = STATS_max
array name[n]
array colour[n]
array dash[n]
longest = 0; colours = 0; seen = "\n"
first(s) = strstrt(s, ",") ? s[1:strstrt(s, ",") - 1] : s
array known[n]
do for [i = 1:n] {
  stats data index i - 1 every ::0::0 using (name[i] = strcol(1), x_label = strcol(2), y_label = strcol(3), heading = strcol(4), 1) nooutput
  longest = strlen(name[i]) > longest ? strlen(name[i]) : longest
  dash[i] = strstrt(name[i], ", dropped") ? 3 : 1
  colour[i] = 0
  do for [k = 1:colours] { if (known[k] eq first(name[i])) { colour[i] = k } }
  if (colour[i] == 0) { colours = colours + 1; known[colours] = first(name[i]); colour[i] = colours }
}
left = 104; right = 90 + 8.4 * longest
width = left + 560 + right; height = 460
load here."style.gp"
set label 1 heading at screen 0.5, screen 1 - 20.0 / height center font sprintf(",%d", 10.2 * strlen(heading) + 30 <= width ? 15 : 11)
set tmargin at screen 1 - 48.0 / height
set xlabel x_label
set ylabel y_label
set lmargin at screen 1.0 * left / width
set rmargin at screen 1.0 * (left + 560) / width
set grid xtics ytics lc rgb "#dddddd" lw 1
if (low_y > 0 && high_y / low_y >= 12) {
  set logscale y
  set format y "%g"
  set yrange [low_y / 1.4:high_y * 1.4]
} else { set yrange [0:1.06 * high_y] }
set key at screen 1.0 * (left + 570) / width, graph 1 left top vertical Left reverse samplen 2.4 spacing 1.3
plot for [i = 1:n] data index i - 1 every ::1 using 1:2 with lines linetype colour[i] dashtype dash[i] title name[i]
