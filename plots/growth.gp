# growth.gp - gnuplot -c plots/growth.gp in.tsv out.svg svg [peer.tsv]
# in.tsv: a data set per case, its first line the case's name and the unit, then how many events and the time of each.
# peer.tsv: the same of another simulator.
data = ARG1; out = ARG2; format = ARG3; marks = ARGC >= 4 ? ARG4 : ""
here = ARG0[1:strlen(ARG0) - strlen("growth.gp")]
load here."data.gp"
heading = "What an event costs the simulator, against how many there are"
x_label = "flows"; y_label = "time per flow (ns)"
load here."named.gp"
apart(c) = 0
reference = NaN; from_zero = 0; log_x = 2; log_y = 2; x_format = "%.0s%c"; points = 1
mark_name = ""; mark_line = 1
load here."curves.gp"
