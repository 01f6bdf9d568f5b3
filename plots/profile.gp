# profile.gp - gnuplot -c plots/profile.gp in.tsv out.svg svg
# in.tsv: a data set per system, x86 + K80 first; a line of headings that name eight rows of the tables from column 3
# on; then a line per bar: column of the table, origin, eight times in ms, their sum.
data = ARG1; out = ARG2; format = ARG3
here = ARG0[1:strlen(ARG0) - strlen("profile.gp")]
width = 960; height = 540
load here."style.gp"

set title "One batch of VGG, batch size 64: where the time goes"
set ylabel "time per batch (ms)"
set style data histograms
set style histogram rowstacked title offset 0, -1.8
set style fill solid 1.0 noborder
set boxwidth 0.78
set xrange [0.3:9.7]
set yrange [0:*]
set offsets 0, 0, graph 0.06, 0
set xtics scale 0 font ",10"
set bmargin 5.5
set key autotitle columnheader
set key outside right center Left reverse invert samplen 1.6 spacing 1.25

name(column, origin) = column."\n".origin
plot newhistogram "x86 + K80" lt 1 at 1, \
     for [c = 3:10] data index 0 using c:xtic(name(strcol(1), strcol(2))) linetype c - 2, \
     data index 0 using ($0 + 1):11:(sprintf("%.0f", $11)) with labels offset 0, 0.7 notitle, \
     newhistogram "POWER9 + V100" lt 1 at 6, \
     for [c = 3:10] data index 1 using c:xtic(name(strcol(1), strcol(2))) linetype c - 2 notitle, \
     data index 1 using ($0 + 6):11:(sprintf("%.0f", $11)) with labels offset 0, 0.7 notitle
