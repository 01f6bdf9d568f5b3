# differences.gp - gnuplot -c plots/differences.gp in.tsv out.svg svg
# in.tsv: a data set per panel, its first line the panel's name, what the axes say and the title; then the name of a
# series, what stands under its place (places come in the first panel's order), its value, and half of the width of its
# interval, 0 where there is none.
data = ARG1; out = ARG2; format = ARG3
here = ARG0[1:strlen(ARG0) - strlen("differences.gp")]
set datafile separator "\t"
set datafile missing "?"
stats data using 3 nooutput
panels = STATS_blocks
array panel[panels]
array place[64]
array series[8]
places = 0; n = 0; longest = 0; seen_places = "\n"; seen = "\n"
do for [i = 1:panels] {
  stats data index i - 1 every ::0::0 using (panel[i] = strcol(1), x_label = strcol(2), y_label = strcol(3), heading = strcol(4), 1) nooutput
  stats data index i - 1 every ::1 using (strstrt(seen_places, "\n".strcol(2)."\n") || places == 64 ? 0 : \
      (seen_places = seen_places.strcol(2)."\n", places = places + 1, place[places] = strcol(2), 0)) nooutput
  stats data index i - 1 every ::1 using (strstrt(seen, "\n".strcol(1)."\n") || n == 8 ? 0 : \
      (seen = seen.strcol(1)."\n", n = n + 1, series[n] = strcol(1), 0)) nooutput
}
do for [s = 1:n] { longest = strlen(series[s]) > longest ? strlen(series[s]) : longest }
# A label of an axis is a format, so its per cents are doubled.
literal(s) = strstrt(s, "%") ? s[1:strstrt(s, "%")]."%".literal(s[strstrt(s, "%") + 1:*]) : s
place_of(text) = strlen(text) ? sum [k = 1:places] (place[k] eq text ? k : 0) : NaN
each = places * (26 * n < 60 ? 60 : 26 * n) > 250 ? places * (26 * n < 60 ? 60 : 26 * n) : 250
left = 120; gap = 90; right = 20; foot = 62
# An entry of the legend is some 8 a letter wide, and what marks it.
across = (panels * each + (panels - 1) * gap + 0.0) / (8 * longest + 50)
rows = across >= n ? 1 : across >= 0.5 * n ? 2 : n
head = 66 + 19 * rows
width = left + panels * each + (panels - 1) * gap + right
height = head + 320 + foot
load here."style.gp"
set multiplot
# The title in a size that fits: a letter is some 0.68 of it wide.
set label 1 heading at screen 0.5, screen 1 - 18.0 / height center font sprintf(",%d", 10.2 * strlen(heading) + 30 <= width ? 15 : 11)
set key at screen 0.5, screen 1 - 36.0 / height center top horizontal maxrows rows Left reverse samplen 1
set tmargin at screen 1 - 1.0 * head / height
set bmargin at screen 1.0 * foot / height
# The legend is as wide as all panels, so it is of a plot of its own.
set lmargin at screen 1.0 * left / width
set rmargin at screen 1 - 1.0 * right / width
unset border
unset tics
plot [0:1][0:1] NaN notitle, for [s = 1:n] keyentry with points linetype s ps 1.0 title series[s]
unset key
unset label 1
set border 3
set ytics nomirror out textcolor rgb "#202020"
set xtics () nomirror scale 0 textcolor rgb "#202020"
do for [k = 1:places] { set xtics add (literal(place[k]) k) }
set xlabel x_label
set arrow 1 from graph 0, first 0 to graph 1, first 0 nohead lc rgb "#404040" dashtype 2
do for [i = 0:panels - 1] {
  low = 0; high = 0
  set xrange [*:*] # or the panel before would bound what is counted here
  set yrange [*:*]
  stats data index i every ::1 using ($3 - $4) nooutput
  low = STATS_min < 0 ? STATS_min : 0
  stats data index i every ::1 using ($3 + $4) nooutput
  high = STATS_max > 0 ? STATS_max : 0
  spread = high > low ? high - low : 1
  set xrange [0.4:places + 0.6]
  set yrange [low - 0.08 * spread:high + 0.08 * spread]
  set lmargin at screen (left + i * (each + gap)) / (1.0 * width)
  set rmargin at screen (left + i * (each + gap) + each) / (1.0 * width)
  set label 2 panel[i + 1] at graph 0.5, screen 1 - (head - 12.0) / height center font ",11"
  set ylabel i == 0 ? y_label : ""
  plot for [s = 1:n] data index i every ::1 using (strcol(1) eq series[s] ? place_of(strcol(2)) + (s - 0.5 * (n + 1)) * 0.7 / n : NaN):3:($4) \
      with yerrorbars linetype s ps 1.0 notitle
}
unset multiplot
