# live.gp - gnuplot -c plots/live.gp in.tsv out.svg svg
# in.tsv: a data set per plan, its first line the plan, what the axes say and the title; then when an operation ends, and what is alive while
# it runs.
data = ARG1; out = ARG2; format = ARG3
here = ARG0[1:strlen(ARG0) - strlen("live.gp")]
set datafile separator "\t"
set datafile missing "?"
stats data every ::1 using 1 nooutput
n = STATS_blocks
last = STATS_max
array name[n]
array first_end[n]
array first_live[n]
longest = 9
do for [i = 1:n] {
  stats data index i - 1 every ::0::0 using (name[i] = strcol(1), x_label = strcol(2), y_label = strcol(3), heading = strcol(4), 1) nooutput
  stats data index i - 1 every ::1::1 using (first_end[i] = $1, first_live[i] = $2, 1) nooutput
  longest = strlen(name[i]) > longest ? strlen(name[i]) : longest
}
left = 84; right = 80 + 9.4 * longest
width = left + 700 + right; height = 460
load here."style.gp"
set label 1 heading at screen 0.5, screen 1 - 20.0 / height center font sprintf(",%d", 10.2 * strlen(heading) + 30 <= width ? 15 : 11)
set tmargin at screen 1 - 48.0 / height
set lmargin at screen 1.0 * left / width
set rmargin at screen 1.0 * (left + 700) / width
set xlabel x_label
set ylabel y_label
set grid xtics ytics lc rgb "#dddddd" lw 1
set key at screen 1.0 * (left + 712) / width, graph 1 left top vertical Left reverse samplen 2 spacing 1.3
set xrange [0:last * 1.005]
set yrange [0:*]
# Plans that hold the same lie upon each other: each line is thinner than the one below. The first operation begins at 0.
thick(i) = 1.5 + 1.5 * (n - i)
do for [i = 1:n] { set arrow i from 0, first_live[i] to first_end[i], first_live[i] nohead linetype i lw thick(i) }
plot for [i = 1:n] data index i - 1 every ::1 using 1:2 with fsteps linetype i lw thick(i) title name[i]
