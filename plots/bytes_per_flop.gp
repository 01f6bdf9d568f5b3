# bytes_per_flop.gp - gnuplot -c plots/bytes_per_flop.gp in.tsv out.svg svg [marks.tsv]
# The data are described in speedup.gp.
data = ARG1; out = ARG2; format = ARG3; marks = ARGC >= 4 ? ARG4 : ""
here = ARG0[1:strlen(ARG0) - strlen("bytes_per_flop.gp")]
load here."data.gp"
heading = "A2DTWP: its gain as machines grow out of balance"
x_label = "link bandwidth over peak arithmetic (bytes per kFLOP)"
log_x = 2; x_format = "%g"
load here."speedup.gp"
