# modes.gp - gnuplot -c plots/modes.gp in.tsv out.svg svg stretches.tsv
# in.tsv: a data set per training, those of a panel together, its first line the panel, the training's name, what the axes say and the
# title; then x and y. stretches.tsv: the same trainings in the same order; where a stretch in one precision begins and ends, and 1 for
# mixed precision. They are drawn as a strip for each training under its panel's curves.
data = ARG1; out = ARG2; format = ARG3; stretches = ARG4
here = ARG0[1:strlen(ARG0) - strlen("modes.gp")]
set datafile separator "\t"
set datafile missing "?"
stats data every ::1 using 1 nooutput
n = STATS_blocks
last = STATS_max
array panel[n]
array name[n]
array first[n + 1] # of a panel's trainings
array title_of[n]
panels = 0; longest = 12; strips = 1
do for [i = 1:n] {
  stats data index i - 1 every ::0::0 using (panel[i] = strcol(1), name[i] = strcol(2), x_label = strcol(3), y_label = strcol(4), \
      heading = strcol(5), 1) nooutput
  new = i == 1 ? 1 : panel[i] ne panel[i - 1]
  panels = panels + new
  if (new) { first[panels] = i; title_of[panels] = panel[i] }
  strips = i - first[panels] + 1 > strips ? i - first[panels] + 1 : strips
}
first[panels + 1] = n + 1
left = 104; right = 190; head = 44; foot = 68; gap = 34; strip = 16 * strips
each = 190
width = left + 700 + right; height = head + panels * (each + strip + gap) - gap + foot
load here."style.gp"
set lmargin at screen 1.0 * left / width
set rmargin at screen 1.0 * (left + 700) / width
set xrange [0:last * 1.01]
set style fill solid 1.0 noborder
set multiplot
set label 1 heading at screen 0.5, screen 1 - 18.0 / height center font sprintf(",%d", 10.2 * strlen(heading) + 30 <= width ? 15 : 11)
set label 2 y_label at screen 18.0 / width, screen (foot + 0.5 * (height - head - foot)) / height center rotate by 90
do for [k = 1:panels] {
  top = head + (k - 1) * (each + strip + gap)
  set tmargin at screen 1 - 1.0 * top / height
  set bmargin at screen 1 - 1.0 * (top + each) / height
  set label 3 title_of[k] at graph 0.985, graph 0.93 right font ",12"
  set yrange [0:*]
  set ytics autofreq scale 1 font ",12"
  set grid xtics ytics lc rgb "#dddddd" lw 1
  set format x ""
  set xlabel ""
  set key at screen 1.0 * (left + 712) / width, screen 1 - 1.0 * top / height left top vertical Left reverse samplen 2 spacing 1.3
  plot for [i = first[k]:first[k + 1] - 1] data index i - 1 every ::1 using 1:2 with lines linetype i - first[k] + 1 lw 0.7 title name[i], \
       keyentry with boxes lc rgb "#d55e00" title "in MP", keyentry with boxes lc rgb "#9fc5e8" title "in BF16"
  unset label 1
  unset label 2
  unset label 3
  of = first[k + 1] - first[k]
  set tmargin at screen 1 - 1.0 * (top + each + 4) / height
  set bmargin at screen 1 - 1.0 * (top + each + strip) / height
  set yrange [0:of]
  set ytics () scale 0 font ",9"
  do for [i = 1:of] { set ytics add (name[first[k] + i - 1] of - i + 0.5) }
  unset grid
  if (k == panels) { set xlabel x_label; set format x "%g" }
  unset key
  plot for [i = 1:of] stretches index first[k] + i - 2 every ::1 using (0.5 * ($1 + $2)):(of - i + 0.5):1:2:(of - i + 0.1):(of - i + 0.9):($3 == 1 ? 0xd55e00 : 0x9fc5e8) \
           with boxxyerror lc rgb variable lw 0.1
}
unset multiplot
