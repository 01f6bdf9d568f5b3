# spread.gp - gnuplot -c plots/spread.gp in.tsv out.svg svg
# in.tsv: a data set per line, its first line the name, what the axes say and the title; then x, y, and by how much y
# lies apart to either side, or nothing. Neither axis begins at zero for that.
data = ARG1; out = ARG2; format = ARG3
here = ARG0[1:strlen(ARG0) - strlen("spread.gp")]
load here."data.gp"
load here."named.gp"
apart(c) = or_else(c, 0)
spread = 0
if (blocks > 0) { stats $rows using (column(0) > 0 ? (spread = or_else(3, 0) > 0 ? 1 : spread, 1) : 1) nooutput }
y_label = y_label.(spread ? "; whiskers: spread over the seeds" : "")
reference = NaN; from_zero = 0
log_x = x_label[1:4] eq "step" ? 0 : 10; log_y = 0; x_format = "%g"; points = 1
mark_name = ""; mark_line = 0
load here."curves.gp"
