# bytes_per_weight.gp - gnuplot -c plots/bytes_per_weight.gp in.tsv out.svg svg [marks.tsv]
# The data are described in speedup.gp.
data = ARG1; out = ARG2; format = ARG3; marks = ARGC >= 4 ? ARG4 : ""
here = ARG0[1:strlen(ARG0) - strlen("bytes_per_weight.gp")]
width = 800; height = 560
load here."style.gp"
heading = "What A2DTWP gains with fewer bytes per weight"
set xlabel "bytes per weight on the link, average over the layers"
load here."speedup.gp"
