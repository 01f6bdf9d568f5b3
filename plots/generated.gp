# generated.gp - gnuplot -c plots/generated.gp in.tsv out.svg svg
# in.tsv: a data set per network, its first line the network, what the axes say (of an operation, of all up to it) and the title; then an
# operation of the forward pass, the data it generates, the data that the link carries meanwhile, and the sums of both up to there.
data = ARG1; out = ARG2; format = ARG3
here = ARG0[1:strlen(ARG0) - strlen("generated.gp")]
set datafile separator "\t"
set datafile missing "?"
stats data using 2 nooutput
panels = STATS_blocks
array panel[panels]
array count[panels]
do for [i = 1:panels] {
  stats data index i - 1 every ::0::0 using (panel[i] = strcol(1), y_label = strcol(2), sum_label = strcol(3), heading = strcol(4), 1) nooutput
  stats data index i - 1 every ::1 using 2 nooutput
  count[i] = int(STATS_records)
}
# Names of operations stand upright under a panel: a letter of theirs is some 5.6 long.
longest = 0
stats data using (longest = strlen(strcol(1)) > longest && strlen(strcol(2)) > 0 ? strlen(strcol(1)) : longest, 1) nooutput
left = 120; right = 84; head = 100; each = 250; foot = 24 + 5.6 * longest; gap = foot + 18
width = left + right + 860
height = head + panels * each + (panels - 1) * gap + foot
load here."style.gp"
set lmargin at screen 1.0 * left / width
set rmargin at screen 1 - 1.0 * right / width
set style fill solid 1.0 noborder
set multiplot
set label 1 heading at screen 0.5, screen 1 - 18.0 / height center font ",15"
set label 2 y_label at screen 16.0 / width, screen (foot + 0.5 * (height - head - foot)) / height center rotate by 90
set label 4 sum_label at screen 1 - 14.0 / width, screen (foot + 0.5 * (height - head - foot)) / height center rotate by 90
set key at screen 0.5, screen 1 - 60.0 / height center center horizontal maxrows 2 Left reverse samplen 1.6 width -2
set ytics nomirror
set y2tics
do for [i = 0:panels - 1] {
  set tmargin at screen 1 - 1.0 * (head + i * (each + gap)) / height
  set bmargin at screen 1 - 1.0 * (head + i * (each + gap) + each) / height
  set label 3 panel[i + 1] at screen 46.0 / width, graph 0.5 center rotate by 90
  n = count[i + 1]
  every_th = n <= 60 ? 1 : n <= 120 ? 2 : n <= 240 ? 4 : n / 60 + 1
  set xrange [-0.8:n - 0.2]
  set yrange [0:*]
  set y2range [0:*]
  array tic[n]
  stats data index i every ::1 using (tic[int($0) + 1] = strcol(1), 1) nooutput
  set xtics () rotate by 90 right font ",8" scale 0
  do for [k = 1:n] { if ((k - 1) % every_th == 0) { set xtics add (tic[k] k - 1) } }
  plot data index i every ::1 using ($0 - 0.2):2:(0.38) with boxes linetype 2 title "generated", \
       data index i every ::1 using ($0 + 0.2):3:(0.38) with boxes linetype 1 title "offloadable meanwhile", \
       data index i every ::1 using 0:4 axes x1y2 with lines linetype 2 lw 2 title "generated so far", \
       data index i every ::1 using 0:5 axes x1y2 with lines linetype 1 lw 2 title "offloadable so far"
  unset label 1
  unset label 2
  unset label 4
  unset key
}
unset multiplot
