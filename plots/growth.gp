# growth.gp - gnuplot -c plots/growth.gp in.tsv out.svg svg [peer.tsv]
# in.tsv: a data set per case, its first line the case's name and the unit, then how many events and the time of each.
# peer.tsv: the same of another simulator.
data = ARG1; out = ARG2; format = ARG3; marks = ARGC >= 4 ? ARG4 : ""
here = ARG0[1:strlen(ARG0) - strlen("growth.gp")]
width = 880; height = 560
load here."style.gp"
set title "what an event costs the simulator, against how many there are"
set xlabel "flows"
set logscale xy
set format x "%.0s%c"
set ylabel "time per flow (ns)"
set grid xtics ytics lc rgb "#dddddd" lw 1
set key outside right top vertical Left reverse samplen 4 spacing 1.2
stats data using 2 nooutput
n = STATS_blocks
m = 0
if (marks ne "") {
  stats marks using 2 nooutput
  m = STATS_blocks
}
if (m == 0) {
  plot for [i = 0:n - 1] data index i using 1:2 with linespoints ls 1 + i title columnheader(1)
} else {
  plot for [i = 0:n - 1] data index i using 1:2 with linespoints ls 1 + i title columnheader(1), \
       for [i = 0:m - 1] marks index i using 1:2 with linespoints ls 1 + i dt 2 title columnheader(1)
}
