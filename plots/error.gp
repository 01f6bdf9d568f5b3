# error.gp - gnuplot -c plots/error.gp in.tsv out.svg svg
# in.tsv: a data set per panel, its first line its name, what the axes say, the title, and the error that is to be reached; then the line a
# point belongs to, x and y.
data = ARG1; out = ARG2; format = ARG3
here = ARG0[1:strlen(ARG0) - strlen("error.gp")]
set datafile separator "\t"
set datafile missing "?"
stats data using 2 nooutput
panels = STATS_blocks
array panel[panels]
lines = ""
do for [i = 1:panels] {
  stats data index i - 1 every ::0::0 using (panel[i] = strcol(1), x_label = strcol(2), y_label = strcol(3), heading = strcol(4), \
      goal = strcol(5), 1) nooutput
  stats data index i - 1 every ::1 using (strstrt(lines, "\t".strcol(1)."\t") ? 0 : (lines = lines."\t".strcol(1)."\t", 0)) nooutput
}
each = 470; left = 74; gap = 58; head = 84; foot = 78
width = left + panels * each + (panels - 1) * gap + 22; height = head + 340 + foot
load here."style.gp"
set label 1 heading at screen 0.5, screen 1 - 18.0 / height center font ",15"
set tmargin at screen 1 - 1.0 * head / height
set bmargin at screen 1.0 * foot / height
set xlabel x_label
set yrange [0:*]
set grid xtics ytics lc rgb "#dddddd" lw 1
# Lines are told apart by what they are, whatever panel they are in: the oracle's format may be another in each.
colour(name) = name eq "baseline" ? 8 : name eq "A2DTWP" ? 1 : 2
set arrow 1 from graph 0, first real(goal) to graph 1, first real(goal) nohead lc rgb "#404040" dashtype 2
set multiplot
do for [i = 1:panels] {
  set lmargin at screen 1.0 * (left + (i - 1) * (each + gap)) / width
  set rmargin at screen 1.0 * (left + (i - 1) * (each + gap) + each) / width
  set ylabel i == 1 ? y_label : ""
  set label 2 panel[i] at graph 0.5, graph 1 offset 0, 0.7 center font ",12"
  set key at graph 0.02, graph 0.02 left bottom vertical Left reverse samplen 2 spacing 1.2
  names = ""
  stats data index i - 1 every ::1 using (strstrt(names, "|".strcol(1)."|") ? 0 : (names = names."|".strcol(1)."|", 0)) nooutput
  n = 0; rest = names
  array name[8]
  while (strlen(rest) > 1 && n < 8) {
    rest = rest[2:*]; end = strstrt(rest, "|"); n = n + 1; name[n] = rest[1:end - 1]; rest = rest[end + 1:*]
  }
  plot for [k = 1:n] data index i - 1 every ::1 using (strcol(1) eq name[k] ? $2 : NaN):3 with linespoints linetype colour(name[k]) ps 0.7 \
      title name[k]
  unset label 1
}
unset multiplot
