# spread.gp - gnuplot -c plots/spread.gp in.tsv out.svg svg [marks.tsv]
# in.tsv: a data set per line, its first line the name, what the axes say and the title; then x, y, and by how much y
# lies apart to either side, or nothing: the seeds' deviation, unless the axis says what whiskers are. Neither axis
# begins at zero for that. marks.tsv: the same of lines to compare with.
data = ARG1; out = ARG2; format = ARG3; marks = ARGC >= 4 ? ARG4 : ""
here = ARG0[1:strlen(ARG0) - strlen("spread.gp")]
load here."data.gp"
load here."named.gp"
apart(c) = or_else(c, 0)
spread = 0
if (blocks > 0) { stats $rows using (column(0) > 0 ? (spread = or_else(3, 0) > 0 ? 1 : spread, 1) : 1) nooutput }
y_label = y_label.(spread && !strstrt(y_label, "whiskers") ? "; whiskers: deviation over the seeds" : "")
load here."enough.gp"
reference = NaN; from_zero = 0
log_x = x_label[1:4] eq "step" ? 0 : x_label[1:5] eq "batch" ? 2 : 10; log_y = 0; x_format = "%g"; points = 1
mark_name = ""; mark_line = 1
load here."curves.gp"
