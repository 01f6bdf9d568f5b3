# lines.gp - gnuplot -c plots/lines.gp in.tsv out.svg svg [points.tsv]
# in.tsv: a data set per line, its first line the name, what the axes say and the title; then x and y. points.tsv: the same of
# what a paper prints, as points: in the colour of the line of that name, else in black.
data = ARG1; out = ARG2; format = ARG3; marks = ARGC >= 4 ? ARG4 : ""
here = ARG0[1:strlen(ARG0) - strlen("lines.gp")]
set datafile separator "\t"
set datafile missing "?"
# One column at a time: of both gnuplot would fit a line, for which a point alone is too few.
stats data every ::1 using ($1 + 0 * $2) nooutput
n = STATS_blocks
low = STATS_min; high = STATS_max
stats data every ::1 using 2 nooutput
low_y = STATS_min; high_y = STATS_max
array name[n]
longest = 9
do for [i = 1:n] {
  stats data index i - 1 every ::0::0 using (name[i] = strcol(1), x_label = strcol(2), y_label = strcol(3), \
      heading = strcol(4), 1) nooutput
  longest = strlen(name[i]) > longest ? strlen(name[i]) : longest
}
# Where lines have points, if at no more than twelve places.
array at[12]
places = 0
seen = " "
stats data every ::1 using (strstrt(seen, sprintf(" %.6g ", $1)) ? 0 : (seen = seen.sprintf("%.6g ", $1), \
    places = places + 1, places <= 12 ? at[places] = $1 : 0, 0)) nooutput
m = 0
published = ""
if (marks ne "") {
  stats marks every ::1 using 2 nooutput
  m = STATS_blocks
  low_y = STATS_min < low_y ? STATS_min : low_y
  high_y = STATS_max > high_y ? STATS_max : high_y
  array of_line[m]
  array mark[m]
  do for [i = 1:m] {
    stats marks index i - 1 every ::0::0 using (mark[i] = strcol(1), 1) nooutput
    of_line[i] = 0
    do for [k = 1:n] { if (name[k] eq mark[i]) { of_line[i] = k; published = "published" } }
    longest = !of_line[i] && strlen(mark[i]) > longest ? strlen(mark[i]) : longest
  }
}
# A saving is drawn from zero.
even = y_label[1:7] eq "speedup" ? 1 : 0
low_y = even == 0 && low_y > 0 ? 0 : low_y
left = 104; right = 70 + 9.4 * longest
width = left + 560 + right; height = 500
load here."style.gp"
# The title over all of it, in a size that fits: a letter is some 0.68 of it wide.
set label 1 heading at screen 0.5, screen 1 - 20.0 / height center font sprintf(",%d", 10.2 * strlen(heading) + 30 <= width ? 15 : 11)
set tmargin at screen 1 - 48.0 / height
set xlabel x_label
set ylabel y_label
set lmargin at screen 1.0 * left / width
set rmargin at screen 1.0 * (left + 560) / width
set grid xtics ytics lc rgb "#dddddd" lw 1
set key at screen 1.0 * (left + 570) / width, graph 1 left top vertical Left reverse samplen 2 spacing 1.3
# A range of one place alone is as wide as the place is far from zero.
spread(low, high) = high > low ? high - low : high != 0 ? abs(high) : 1.0
set xrange [low - 0.03 * spread(low, high):high + 0.03 * spread(low, high)]
set yrange [low_y - 0.06 * spread(low_y, high_y):high_y + 0.06 * spread(low_y, high_y)]
# Wide ranges are drawn in logarithms, with a mark at every value that was simulated if there is room for that.
if (low > 0 && high / low >= 10) {
  set logscale x
  set xrange [low / 1.12:high * 1.12]
  set format x "%g"
  if (places <= 12) {
    set xtics ()
    do for [i = 1:places] { set xtics add (sprintf(at[i] >= 100 && at[i] < 1e6 ? "%.0f" : "%.3g", at[i]) at[i]) }
  }
}
if (low_y > 0 && high_y / low_y >= 12) {
  set logscale y
  set yrange [low_y / 1.25:high_y * 1.25]
  set format y "%g"
  if (high_y / low_y < 200) { set ytics (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000) }
}
if (low_y <= even && high_y >= even) {
  set arrow 1 from graph 0, first even to graph 1, first even nohead lc rgb "#404040" dashtype 2
}
# The ninth and further lines are dashed.
colours = "#0072b2 #d55e00 #009e73 #e69f00 #56b4e9 #cc79a7 #f0e442 #666666"
do for [i = 9:16] { set linetype i lc rgb word(colours, i - 8) lw 2 pt i - 5 dashtype 2 }
set linetype cycle 16
if (m == 0) {
  plot for [i = 1:n] data index i - 1 every ::1 using 1:2 with linespoints linetype i ps 0.7 title name[i]
} else {
  plot for [i = 1:n] data index i - 1 every ::1 using 1:2 with linespoints linetype i ps 0.7 title name[i], \
       for [i = 1:m] marks index i - 1 every ::1 using 1:2 with points pt (of_line[i] ? 6 : 4 + 2 * i) ps (of_line[i] ? 1.8 : 1.2 + 0.6 * i) lw 2 \
           lc rgb (of_line[i] ? word(colours, 1 + (of_line[i] - 1) % 8) : i % 2 ? "#000000" : "#d55e00") title (of_line[i] ? "" : mark[i]), \
       keyentry with points pt 6 ps 1.8 lw 2 lc rgb "#000000" title published
}
