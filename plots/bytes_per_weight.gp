# bytes_per_weight.gp - gnuplot -c plots/bytes_per_weight.gp in.tsv out.svg svg [marks.tsv]
# The data are described in speedup.gp.
data = ARG1; out = ARG2; format = ARG3; marks = ARGC >= 4 ? ARG4 : ""
here = ARG0[1:strlen(ARG0) - strlen("bytes_per_weight.gp")]
load here."data.gp"
heading = "A2DTWP: its gain with fewer bytes per weight"
x_label = "bytes per weight on the link, average over the layers"
log_x = 0; x_format = "%g"
load here."speedup.gp"
