# panels.gp - gnuplot -c plots/panels.gp in.tsv out.svg svg
# in.tsv: a data set per line, those of a panel together, its first line the panel, the line's name, what the axes say and the title; then
# x, y, and by how much y lies apart to either side, or nothing. Each panel has a range of its own.
data = ARG1; out = ARG2; format = ARG3
here = ARG0[1:strlen(ARG0) - strlen("panels.gp")]
set datafile separator "\t"
set datafile missing "?"
# One column at a time, as in lines.gp.
stats data every ::1 using ($1 + 0 * $2) nooutput
n = STATS_blocks
last = STATS_max
apart(c) = strcol(c) eq "" || strcol(c) eq "?" ? 0.0 : column(c)
array panel[n]
array name[n]
array first[n + 1] # of a panel's lines
array title_of[n]
panels = 0; longest = 4
do for [i = 1:n] {
  stats data index i - 1 every ::0::0 using (panel[i] = strcol(1), name[i] = strcol(2), x_label = strcol(3), y_label = strcol(4), \
      heading = strcol(5), 1) nooutput
  longest = strlen(name[i]) > longest ? strlen(name[i]) : longest
  new = i == 1 ? 1 : panel[i] ne panel[i - 1]
  panels = panels + new
  if (new) { first[panels] = i; title_of[panels] = panel[i] }
}
first[panels + 1] = n + 1
left = 104; right = 74 + 10 * longest; head = 44; foot = 68; gap = 30
each = panels > 1 ? 210 : 380
width = left + 560 + right; height = head + panels * each + (panels - 1) * gap + foot
load here."style.gp"
set lmargin at screen 1.0 * left / width
set rmargin at screen 1.0 * (left + 560) / width
set grid xtics ytics lc rgb "#dddddd" lw 1
set xrange [0:last * 1.02]
set multiplot
set label 1 heading at screen 0.5, screen 1 - 18.0 / height center font sprintf(",%d", 10.2 * strlen(heading) + 30 <= width ? 15 : 11)
set label 2 y_label at screen 18.0 / width, screen (foot + 0.5 * (height - head - foot)) / height center rotate by 90
set key at screen 1.0 * (left + 570) / width, screen 1 - 1.0 * head / height left top vertical Left reverse samplen 2 spacing 1.3
do for [k = 1:panels] {
  set tmargin at screen 1 - 1.0 * (head + (k - 1) * (each + gap)) / height
  set bmargin at screen 1 - 1.0 * (head + (k - 1) * (each + gap) + each) / height
  set label 3 title_of[k] at graph 0.985, graph 0.08 right font ",12"
  if (k == panels) { set xlabel x_label; set format x "%g" } else { set format x "" }
  plot for [i = first[k]:first[k + 1] - 1] data index i - 1 every ::1 using 1:2:(apart(3)) with yerrorbars linetype i - first[k] + 1 lw 1 ps 0.01 notitle, \
       for [i = first[k]:first[k + 1] - 1] data index i - 1 every ::1 using 1:2 with linespoints linetype i - first[k] + 1 ps 0.6 title name[i]
  unset label 1
  unset label 2
  unset key
}
unset multiplot
