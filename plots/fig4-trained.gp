# fig4-trained.gp - gnuplot -c plots/fig4-trained.gp in.tsv out.svg svg
# in.tsv: a data set per system, its first line the system's name, what the axis says and the title, then a line per network and batch size: its
# name, and over the baseline's time the published time, ours, the deviation of ours over the seeds, our oracle's time, 1 where the error
# was not reached from every seed.
data = ARG1; out = ARG2; format = ARG3
here = ARG0[1:strlen(ARG0) - strlen("fig4-trained.gp")]
set datafile separator "\t"
set datafile missing "?"
stats data using 2 nooutput
panels = STATS_blocks
array panel[panels]
groups = 0; top = 1; late = 0
do for [i = 1:panels] {
  stats data index i - 1 every ::0::0 using (panel[i] = strcol(1), y_label = strcol(2), heading = strcol(3), 1) nooutput
  stats data index i - 1 every ::1 using ($3 + (strcol(4) eq "?" ? 0 : $4)) nooutput
  groups = STATS_records > groups ? int(STATS_records) : groups
  top = STATS_max > top ? STATS_max : top
  stats data index i - 1 every ::1 using 6 nooutput
  late = STATS_max > late ? STATS_max : late
}
left = 84; head = 92; each = 240; gap = 92; foot = 88
width = left + (groups * 104 > 640 ? groups * 104 : 640) + 20; height = head + panels * each + (panels - 1) * gap + foot
load here."style.gp"
set style fill solid 1.0 noborder
set boxwidth 0.27
set pointintervalbox 0
set style textbox opaque noborder fillcolor rgb "white" margins 0.3, 0.3
set xrange [-0.6:groups - 0.4]
set yrange [0:1.16 * top]
step = top > 2.2 ? 0.5 : 0.2
set ytics step
set lmargin at screen 1.0 * left / width
set rmargin at screen 1 - 20.0 / width
set label 1 heading at screen 0.5, screen 1 - 18.0 / height center font ",15"
set label 3 (late > 0 ? "* the error was not reached from every seed: it would take longer" : "") at screen 0.98, screen 16.0 / height right font ",10"
set key at screen 0.5, screen 1 - 46.0 / height center center horizontal maxrows 1 Left reverse samplen 1.2
set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lc rgb "#404040" dashtype 2
name(text) = word(text, 1)."\n".word(text, 2)
there(c) = strcol(c) ne "?"
text(c) = there(c) ? sprintf("%.2f", column(c)) : ""
set multiplot
do for [i = 1:panels] {
  at = head + (i - 1) * (each + gap)
  set tmargin at screen 1 - 1.0 * at / height
  set bmargin at screen 1 - 1.0 * (at + each) / height
  set ylabel y_label
  set label 2 panel[i] at graph 0.5, graph 1 offset 0, 0.7 center font ",12"
  set xtics () scale 0 font ",10.5"
  # A label at the foot of each group.
  stats data index i - 1 every ::1 using (0) nooutput
  n = int(STATS_records)
  array group[n]
  stats data index i - 1 every ::1 using (group[int($0) + 1] = name(strcol(1)), 0) nooutput
  do for [k = 1:n] { set xtics add (group[k] k - 1) }
  plot data index i - 1 every ::1 using ($0 - 0.29):2 with boxes linetype 8 title "A2DTWP, published", \
       data index i - 1 every ::1 using 0:3 with boxes linetype 1 title "A2DTWP, ours", \
       data index i - 1 every ::1 using ($0 + 0.29):5 with boxes linetype 2 title "oracle, ours", \
       data index i - 1 every ::1 using 0:3:(there(4) ? $4 : 0) with yerrorbars lc rgb "#202020" lw 1.2 pt 7 ps 0.01 notitle, \
       data index i - 1 every ::1 using ($0 - 0.29):2:(text(2)) with labels boxed offset 0, 0.7 font ",9" notitle, \
       data index i - 1 every ::1 using 0:($3 + (there(4) ? $4 : 0)):(text(3).($6 > 0 ? "*" : "")) with labels boxed offset 0, 0.7 font ",9" notitle, \
       data index i - 1 every ::1 using ($0 + 0.29):5:(text(5)) with labels boxed offset 0, 0.7 font ",9" notitle
  unset label 1
  unset label 3
  unset key
}
unset multiplot
