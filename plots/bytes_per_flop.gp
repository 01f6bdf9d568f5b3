# bytes_per_flop.gp - gnuplot -c plots/bytes_per_flop.gp in.tsv out.svg svg [marks.tsv]
# The data are described in speedup.gp.
data = ARG1; out = ARG2; format = ARG3; marks = ARGC >= 4 ? ARG4 : ""
here = ARG0[1:strlen(ARG0) - strlen("bytes_per_flop.gp")]
width = 800; height = 560
load here."style.gp"
heading = "What A2DTWP gains as machines grow out of balance"
set xlabel "link bandwidth over peak arithmetic (bytes per kFLOP)"
set logscale x 2
set format x "%.3g"
load here."speedup.gp"
