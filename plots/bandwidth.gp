# bandwidth.gp - gnuplot -c plots/bandwidth.gp in.tsv out.svg svg [marks.tsv]
# The data are described in speedup.gp.
data = ARG1; out = ARG2; format = ARG3; marks = ARGC >= 4 ? ARG4 : ""
here = ARG0[1:strlen(ARG0) - strlen("bandwidth.gp")]
load here."data.gp"
heading = "A2DTWP: its gain on slower and faster links"
x_label = "bandwidth of a CPU–GPU link, one direction (GB/s, 1e9 bytes)"
log_x = 2; x_format = "%g"
load here."speedup.gp"
