# parts.gp - gnuplot -c plots/parts.gp in.tsv out.svg svg
# in.tsv: a data set per part, those of a panel together, its first line the panel, the part, what the axis says and the title; then the
# name of a group of bars and the part's share of it in %. In logarithms, as parts may be small; none of nothing is drawn.
data = ARG1; out = ARG2; format = ARG3
here = ARG0[1:strlen(ARG0) - strlen("parts.gp")]
set datafile separator "\t"
set datafile missing "?"
stats data using 2 nooutput
n = STATS_blocks
array panel[n]
array part[n]
array first[n + 1] # of a panel's parts
array title_of[n]
panels = 0; groups = 1; longest = 4; least = 100.0
do for [i = 1:n] {
  stats data index i - 1 every ::0::0 using (panel[i] = strcol(1), part[i] = strcol(2), y_label = strcol(3), heading = strcol(4), 1) nooutput
  stats data index i - 1 every ::1 using (least = $2 > 0 && $2 < least ? $2 : least, 1) nooutput
  groups = STATS_records > groups ? int(STATS_records) : groups
  longest = strlen(part[i]) > longest ? strlen(part[i]) : longest
  new = i == 1 ? 1 : panel[i] ne panel[i - 1]
  panels = panels + new
  if (new) { first[panels] = i; title_of[panels] = panel[i] }
}
first[panels + 1] = n + 1
array group[groups * panels]
do for [k = 1:panels] { stats data index first[k] - 1 every ::1 using (group[(k - 1) * groups + int($0) + 1] = strcol(1), 1) nooutput }
left = 96; right = 60 + 9.4 * longest; head = 44; foot = 40; gap = 44; each = 220
width = left + 200 * groups + right; height = head + panels * each + (panels - 1) * gap + foot
load here."style.gp"
set lmargin at screen 1.0 * left / width
set rmargin at screen 1.0 * (left + 200 * groups) / width
set style fill solid 1.0 noborder
set logscale y
floor = 10 ** floor(log10(least) - 0.2)
set yrange [floor:100 * (100 / floor) ** 0.12]
set format y "%g"
set xrange [0.5:groups + 0.5]
bars = first[2] - first[1]
at(k, j) = k + 0.84 / bars * (j - 0.5 * (bars - 1))
text(v) = v > 0 ? sprintf(v >= 9.95 ? "%.0f" : v >= 0.995 ? "%.1f" : v >= 0.0995 ? "%.2f" : "%.3f", v) : "0"
set multiplot
set label 1 heading at screen 0.5, screen 1 - 18.0 / height center font ",15"
set label 2 y_label at screen 18.0 / width, screen (foot + 0.5 * (height - head - foot)) / height center rotate by 90
set key at screen 1.0 * (left + 200 * groups + 10) / width, screen 1 - 1.0 * head / height left top vertical Left reverse samplen 1.2 spacing 1.3
do for [k = 1:panels] {
  top = head + (k - 1) * (each + gap)
  set tmargin at screen 1 - 1.0 * top / height
  set bmargin at screen 1 - 1.0 * (top + each) / height
  set xtics () scale 0
  do for [i = 1:groups] { set xtics add (group[(k - 1) * groups + i] i) }
  set label 3 title_of[k] at graph 1.02, graph 0.06 left font ",12"
  plot for [j = 0:bars - 1] data index first[k] + j - 1 every ::1 using (at($0 + 1, j)):($2 > 0 ? $2 : NaN):(0.8 / bars) with boxes linetype j + 1 title part[first[k] + j], \
       for [j = 0:bars - 1] data index first[k] + j - 1 every ::1 using (at($0 + 1, j)):($2 > floor ? $2 : floor):(text($2)) with labels offset 0, 0.6 font ",9" notitle
  unset label 1
  unset label 2
  unset key
}
unset multiplot
