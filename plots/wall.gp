# wall.gp - gnuplot -c plots/wall.gp in.tsv out.svg svg [walls.tsv]
# in.tsv: a data set per kernel, its first line the kernel's name and the unit of the rates, then the tensor's size in bytes
# and the rate. walls.tsv: the same of the loops and peers that the kernels are compared with.
data = ARG1; out = ARG2; format = ARG3; marks = ARGC >= 4 ? ARG4 : ""
here = ARG0[1:strlen(ARG0) - strlen("wall.gp")]
width = 880; height = 560
load here."style.gp"
unit = system("awk -F'\\t' 'NR == 1 { printf \"%s\", $2 }' \"".data."\"")
what = data[strstrt(data, "wall-") + 5 : strlen(data) - 4]
cut = strstrt(what, "-")
where = what[cut + 1 : *]
set title sprintf("%s kernels against the wall, %s", what[1:cut - 1], \
    where eq "device" ? "on the device" : where eq "1" ? "one core" : where." cores")
set xlabel "tensor as fp32"
set logscale x 2
set format x "%.0b %BB"
set ylabel unit eq "GB/s" ? "bytes that must move (GB/s, 1e9 bytes)" : "rate (GFLOP/s)"
set yrange [0:*]
set grid xtics ytics lc rgb "#dddddd" lw 1
set key outside right top vertical Left reverse samplen 2 spacing 1.2
set offsets graph 0.04, graph 0.04, graph 0.04, 0
stats data using 2 nooutput
n = STATS_blocks
m = 0
if (marks ne "") {
  stats marks using 2 nooutput
  m = STATS_blocks
}
if (m == 0) {
  plot for [i = 0:n - 1] data index i using 1:2 with linespoints title columnheader(1)
} else {
  plot for [i = 0:m - 1] marks index i using 1:2 with lines lw 2 dt 2 + i lc rgb "#000000" title columnheader(1), \
       for [i = 0:n - 1] data index i using 1:2 with linespoints ls 1 + i % 8 title columnheader(1)
}
