# differences.gp - gnuplot -c plots/differences.gp in.tsv out.svg svg
# in.tsv: a data set per panel, its first line the panel's name, what the axes say and the title; then the name of a
# series, what stands aside its place (places come in the first panel's order), its value, and half of the width of its
# interval, 0 where there is none.
data = ARG1; out = ARG2; format = ARG3
here = ARG0[1:strlen(ARG0) - strlen("differences.gp")]
load here."data.gp"
panels = larger(blocks, 1)
array panel[panels]
array from[panels]
array to[panels]
array series[16]
array place_name[64]
series_there = 0; places = 0
do for [p = 1:panels] { from[p] = 0; to[p] = 0 }
series_of(s) = sum [k = 1:16] (k <= series_there && series[k] eq s ? k : 0)
place_of(s) = sum [k = 1:64] (k <= places && place_name[k] eq s ? k : 0)
do for [k = 1:16] { series[k] = "" }
do for [k = 1:64] { place_name[k] = "" }
drawn = 0
hull(p, v, e) = (v == v ? (from[p] = smaller(from[p], v - e), to[p] = larger(to[p], v + e), drawn = 1) : 0, 1)
if (blocks > 0) {
  stats $rows using (column(0) == 0 ? (panel[int(column(-2)) + 1] = strcol(1), x_label = strcol(2), \
      y_label = strcol(3), heading = strcol(4), 1) : 1) nooutput
  stats $rows using (column(0) > 0 && series_there < 16 && !series_of(strcol(1)) ? (series_there = series_there + 1, \
      series[series_there] = strcol(1), 1) : 1) nooutput
  stats $rows using (column(0) > 0 && places < 64 && !place_of(strcol(2)) ? (places = places + 1, \
      place_name[places] = strcol(2), 1) : 1) nooutput
  stats $rows using (column(0) > 0 ? hull(int(column(-2)) + 1, num(3), or_else(4, 0)) : 1) nooutput
}
if (!drawn) { nothing = "no row has a value." }
y_label = y_label.(strlen(x_label) ? ", by ".x_label : "")
x_label = ""
most = larger(places, 1)
array rows_in[panels]
array row[panels * most]
do for [p = 1:panels] { rows_in[p] = most; do for [k = 1:most] { row[(p - 1) * most + k] = place_name[k] } }
each = larger(30, 16 + 11 * series_there)
entries = series_there
array entry[larger(entries, 1)]
array entry_lt[larger(entries, 1)]
array entry_kind[larger(entries, 1)]
do for [k = 1:entries] { entry[k] = series[k]; entry_lt[k] = k; entry_kind[k] = "point" }
load here."rows.gp"
if (strlen(nothing)) { exit }
set grid xtics ytics lt 1 lc rgb grey lw 1 dashtype 1
set multiplot
do for [p = 1:panels] {
  eval on_panel
  wide = span(from[p], to[p])
  set xrange [from[p] - 0.06 * wide:to[p] + 0.06 * wide]
  set arrow 1 from first 0, graph 0 to first 0, graph 1 nohead lc rgb compared dashtype 2
  plot for [k = 1:series_there] $rows index p - 1 using (column(0) > 0 && series_of(strcol(1)) == k ? num(3) : NaN): \
         (place_of(strcol(2)) + (k - 0.5 * (series_there + 1)) * 0.7 / series_there):(or_else(4, \
             0)) with xerrorbars linetype k ps 1.0 notitle
  eval framed
}
unset multiplot
