# fig4.gp - gnuplot -c plots/fig4.gp in.tsv out.svg svg
# in.tsv: a data set per system, its first line the system's name and two headings, then a line per network and batch
# size: name, published and simulated time over the baseline's.
data = ARG1; out = ARG2; format = ARG3
here = ARG0[1:strlen(ARG0) - strlen("fig4.gp")]
width = 960; height = 700
load here."style.gp"

set style data histograms
set style histogram clustered gap 1
set style fill solid 1.0 border lc rgb "#ffffff"
set boxwidth 0.94
set xrange [-0.6:9.6]
set yrange [0:1.1<*]
set ytics 0.2
set xtics scale 0 font ",10.5"
set ylabel "time / 32-bit baseline's time"
set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead back lc rgb "#404040" dashtype 2
set lmargin 9
set rmargin 2
set tmargin 3.4
set bmargin 3
set key autotitle columnheader
set key at graph 0.5, graph 1.14 center top horizontal samplen 1.6

name(text) = word(text, 1)."\n".word(text, 2)
set multiplot layout 2, 1 title "Time with A2DTWP. Published: until an accuracy is reached. Ours: for one batch."
do for [i = 0:1] {
  plot data index i using 0:(NaN):xtic(name(strcol(1))) with lines linecolor rgb "#ffffff" title columnheader(1), \
       data index i using 2 linetype 8, \
       data index i using 3 linetype 1, \
       data index i using ($0 - 0.16):2:(sprintf("%.2f ", $2)) with labels rotate by 90 right \
           textcolor rgb "#ffffff" font ",10" notitle, \
       data index i using ($0 + 0.16):3:(sprintf("%.2f ", $3)) with labels rotate by 90 right \
           textcolor rgb "#ffffff" font ",10" notitle
}
unset multiplot
