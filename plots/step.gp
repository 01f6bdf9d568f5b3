# step.gp - gnuplot -c plots/step.gp in.tsv out.svg svg
# in.tsv: a data set per bandwidth, its first line the bandwidth, what the axis says and the title; then a design, the shares
# of a step that are computing and waiting for what was not hidden, the share of it during which a codec is at work
# somewhere, beside the others, and the step in seconds.
data = ARG1; out = ARG2; format = ARG3
here = ARG0[1:strlen(ARG0) - strlen("step.gp")]
set datafile separator "\t"
set datafile missing "?"
stats data using 2 nooutput
panels = STATS_blocks
array panel[panels]
groups = 0; longest = 0
do for [i = 1:panels] {
  stats data index i - 1 every ::0::0 using (panel[i] = strcol(1), y_label = strcol(2), heading = strcol(3), 1) nooutput
  stats data index i - 1 every ::1 using (longest = strlen(strcol(1)) > longest ? strlen(strcol(1)) : longest, 1) nooutput
  groups = STATS_records > groups ? int(STATS_records) : groups
}
load here."labels.gp"
left = 124; right = 20; head = 84; each = 140; gap = 40
width = left + right + (groups * 100 > 560 ? groups * 100 : 560)
height = head + panels * each + (panels - 1) * gap + foot
load here."style.gp"
set boxwidth 0.62
set style fill solid 1.0 noborder
set xrange [-0.6:groups - 0.4]
set yrange [0:1]
set ytics 0.25 format "%.2f"
set lmargin at screen 1.0 * left / width
set rmargin at screen 1 - 1.0 * right / width
text(s) = s >= 9.995 ? sprintf("%.1f s", s) : s >= 0.9995 ? sprintf("%.2f s", s) : sprintf("%.0f ms", 1e3 * s)
set multiplot
set label 1 heading at screen 0.5, screen 1 - 18.0 / height center font ",15"
set label 2 y_label at screen 16.0 / width, screen (foot + 0.5 * (height - head - foot)) / height center rotate by 90
set key at screen 0.5, screen 1 - 44.0 / height center center horizontal maxrows 1 Left reverse samplen 1.2 width -5
do for [i = 0:panels - 1] {
  set tmargin at screen 1 - 1.0 * (head + i * (each + gap)) / height
  set bmargin at screen 1 - 1.0 * (head + i * (each + gap) + each) / height
  set label 3 panel[i + 1] at screen 46.0 / width, graph 0.5 center rotate by 90
  if (i == panels - 1) { set xtics () scale 0 font ",10"; do for [k = 1:groups] { set xtics add (label[k] k - 1) } } else { unset xtics }
  plot data index i every ::1 using 0:($2 + $3) with boxes linetype 2 title "waiting", \
       data index i every ::1 using 0:2 with boxes linetype 1 title "computing", \
       data index i every ::1 using 0:4 with points pt 13 ps 1.2 lc rgb "#000000" title "a codec at work (overlaps)", \
       data index i every ::1 using 0:(1):(text($5)) with labels offset 0, 0.7 font ",10" notitle
  unset label 1
  unset label 2
  unset key
}
unset multiplot
