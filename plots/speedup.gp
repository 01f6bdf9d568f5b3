# speedup.gp - what the sweeps have in common; loaded by their templates, which set data, marks and heading.
# data: a data set per platform, its first line the platform's name and a heading, then x and the speedup.
# marks: the machines as they are, a data set each, its first line what to say of it; or "" for none.
set title heading
set ylabel "speedup over the 32-bit baseline (×)"
set grid xtics ytics lc rgb "#dddddd" lw 1
set key outside below center vertical maxcols 1 Left reverse samplen 2.5 spacing 1.25
set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lc rgb "#404040" dashtype 2
set offsets 0, 0, graph 0.06, graph 0.06
set rmargin 4

stats data using 2 nooutput
n = STATS_blocks
m = 0
if (marks ne "") {
  stats marks using 2 nooutput
  m = STATS_blocks
}
set bmargin 4.4 + 1.15 * (n + m)   # the key stands below the axis, a line an entry
if (marks eq "") {
  plot for [i = 0:n - 1] data index i using 1:2 with lines lw 2.5 title columnheader(1)
} else {
  plot for [i = 0:n - 1] data index i using 1:2 with lines lw 2.5 title columnheader(1), \
       for [i = 0:m - 1] marks index i using 1:2 with points pt 5 + 2 * i ps 1.3 lc rgb "#000000" title columnheader(1)
}
