# bandwidth.gp - gnuplot -c plots/bandwidth.gp in.tsv out.svg svg [marks.tsv]
# The data are described in speedup.gp.
data = ARG1; out = ARG2; format = ARG3; marks = ARGC >= 4 ? ARG4 : ""
here = ARG0[1:strlen(ARG0) - strlen("bandwidth.gp")]
width = 800; height = 560
load here."style.gp"
heading = "What A2DTWP gains on slower and faster links"
set xlabel "bandwidth of a CPU–GPU link, one direction (GB/s, 1e9 bytes)"
set logscale x 2
set format x "%g"
load here."speedup.gp"
