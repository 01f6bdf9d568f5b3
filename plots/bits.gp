# bits.gp - gnuplot -c plots/bits.gp in.tsv out.svg svg
# in.tsv: a data set per network, its first line its name, what the axis says and the title; then a line for each time that a layer kept its
# bits: the layer, its place from 1, the first step and the step after the last, in % of all steps, and the bits.
data = ARG1; out = ARG2; format = ARG3
here = ARG0[1:strlen(ARG0) - strlen("bits.gp")]
set datafile separator "\t"
set datafile missing "?"
stats data using 2 nooutput
panels = STATS_blocks
array panel[panels]
array layers[panels]
all = 0
do for [i = 1:panels] {
  stats data index i - 1 every ::0::0 using (panel[i] = strcol(1), x_label = strcol(2), heading = strcol(3), 1) nooutput
  stats data index i - 1 every ::1 using 2 nooutput
  layers[i] = int(STATS_max)
  all = all + layers[i]
}
row = 17; head = 84; gap = 34; foot = 78; left = 150
width = 900; height = head + all * row + (panels - 1) * gap + foot
load here."style.gp"
set label 1 heading at screen 0.5, screen 1 - 18.0 / height center font ",15"
set lmargin at screen 1.0 * left / width
set rmargin at screen 0.97
set xrange [0:100]
set grid noytics xtics lc rgb "#dddddd" lw 1
set ytics scale 0 font ",10"
set style fill solid 1.0 border lc rgb "#ffffff"
shade(bits) = bits <= 8 ? 0xcfe3f2 : bits <= 16 ? 0x7fb5da : bits <= 24 ? 0x2f7fb8 : 0x08406b
set key at screen 0.5, screen 1 - 44.0 / height center center horizontal maxrows 1 samplen 1.4
at = head
set multiplot
do for [i = 1:panels] {
  set tmargin at screen 1 - 1.0 * at / height
  set bmargin at screen 1 - 1.0 * (at + layers[i] * row) / height
  set yrange [layers[i] + 0.5:0.5]
  set label 2 panel[i] at graph 0, graph 1 offset 0, 0.6 left font ",12"
  if (i == panels) { set xlabel x_label; set xtics 10 } else { unset xlabel; set xtics 10 format "" }
  if (i == panels) { set format x "%g" }
  plot data index i - 1 every ::1 using 3:2:3:4:($2 - 0.5):($2 + 0.5):(shade($5)):ytic(strcol(1)) with boxxyerror lc rgb variable notitle, \
       keyentry with boxes fillstyle solid lc rgb shade(8) title (i == 1 ? "8 bits" : ""), \
       keyentry with boxes fillstyle solid lc rgb shade(16) title (i == 1 ? "16 bits" : ""), \
       keyentry with boxes fillstyle solid lc rgb shade(24) title (i == 1 ? "24 bits" : ""), \
       keyentry with boxes fillstyle solid lc rgb shade(32) title (i == 1 ? "32 bits" : "")
  unset label 1
  unset key
  at = at + layers[i] * row + gap
}
unset multiplot
