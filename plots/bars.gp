# bars.gp - gnuplot -c plots/bars.gp in.tsv out.svg svg
# in.tsv: a data set per panel, its first line the panel's name (of one alone, anything), what the axis says and the title; then the name of
# a group of bars, what is published, ours, and 1 where ours was fitted to it.
data = ARG1; out = ARG2; format = ARG3
here = ARG0[1:strlen(ARG0) - strlen("bars.gp")]
set datafile separator "\t"
set datafile missing "?"
stats data using 2 nooutput
panels = STATS_blocks
array panel[panels]
groups = 0; longest = 0; fitted = 0
do for [i = 1:panels] {
  stats data index i - 1 every ::0::0 using (panel[i] = strcol(1), y_label = strcol(2), heading = strcol(3), 1) nooutput
  stats data index i - 1 every ::1 using (longest = strlen(strcol(1)) > longest ? strlen(strcol(1)) : longest, \
      fitted = strcol(4) eq "1" ? 1 : fitted, 1) nooutput
  groups = STATS_records > groups ? int(STATS_records) : groups
}
load here."labels.gp"
left = panels > 1 ? 124 : 92; right = 20; head = 74; each = panels > 1 ? 160 : 300; gap = 24
width = left + right + (groups * 100 > 560 ? groups * 100 : 560)
height = head + panels * each + (panels - 1) * gap + foot
load here."style.gp"
set style data boxes
set boxwidth 0.36
set style fill solid 1.0 noborder
set xrange [-0.6:groups - 0.4]
set lmargin at screen 1.0 * left / width
set rmargin at screen 1 - 1.0 * right / width
# A label of what is missing would bring gnuplot down.
there(c) = strcol(c) ne "?"
text(c) = there(c) ? sprintf(abs(column(c)) >= 10 ? "%.4g" : "%.3g", column(c)) : ""
over(c) = there(c) ? (column(c) >= 0 ? column(c) : NaN) : NaN
under(c) = there(c) ? (column(c) < 0 ? column(c) : NaN) : NaN
set multiplot
set label 1 heading at screen 0.5, screen 1 - 18.0 / height center font ",15"
if (panels > 1) { set label 2 y_label at screen 16.0 / width, screen (foot + 0.5 * (height - head - foot)) / height center rotate by 90 }
set key at screen 0.5, screen 1 - 44.0 / height center center horizontal maxrows 1 Left reverse samplen 1.2 width (fitted ? -3 : 0)
do for [i = 0:panels - 1] {
  top = 0; low = 0
  set yrange [*:*] # or the panel before would bound what is counted here
  do for [c = 2:3] {
    stats data index i every ::1 using (there(c) ? column(c) : 0) nooutput
    top = STATS_max > top ? STATS_max : top
    low = STATS_min < low ? STATS_min : low
  }
  set yrange [low - (low < 0 ? 0.18 * (top - low) : 0):top + 0.14 * (top - low)]
  set ytics autofreq
  set tmargin at screen 1 - 1.0 * (head + i * (each + gap)) / height
  set bmargin at screen 1 - 1.0 * (head + i * (each + gap) + each) / height
  if (panels > 1) { set label 3 panel[i + 1] at screen 46.0 / width, graph 0.5 center rotate by 90 }
  set ylabel panels > 1 ? "" : y_label
  if (low < 0) { set arrow 1 from graph 0, first 0 to graph 1, first 0 nohead lc rgb "#404040" }
  if (i == panels - 1) { set xtics () scale 0 font ",10"; do for [k = 1:groups] { set xtics add (label[k] k - 1) } } else { unset xtics }
  plot data index i every ::1 using ($0 - 0.19):2 linetype 8 title "published", \
       data index i every ::1 using ($0 + 0.19):($4 == 1 ? NaN : $3) linetype 1 title "ours", \
       data index i every ::1 using ($0 + 0.19):($4 == 1 ? $3 : NaN) linetype 5 title (fitted ? "ours, fitted" : ""), \
       data index i every ::1 using ($0 - 0.19):(over(2)):(text(2)) with labels offset 0, 0.6 font ",9" notitle, \
       data index i every ::1 using ($0 + 0.19):(over(3)):(text(3)) with labels offset 0, 0.6 font ",9" notitle, \
       data index i every ::1 using ($0 - 0.19):(under(2)):(text(2)) with labels offset 0, -0.6 font ",9" notitle, \
       data index i every ::1 using ($0 + 0.19):(under(3)):(text(3)) with labels offset 0, -0.6 font ",9" notitle
  unset label 1
  unset label 2
  unset key
}
unset multiplot
