# lines.gp - gnuplot -c plots/lines.gp in.tsv out.svg svg [points.tsv]
# in.tsv: a data set per line, its first line the name, what the axes say and the title; then x and y. points.tsv: the
# same of what a paper prints, as points: in the colour of the line of that name, else in black.
data = ARG1; out = ARG2; format = ARG3; marks = ARGC >= 4 ? ARG4 : ""
here = ARG0[1:strlen(ARG0) - strlen("lines.gp")]
load here."data.gp"
load here."named.gp"
apart(c) = 0
# A saving is drawn from zero, a speedup against one. Wide ranges are drawn in logarithms.
reference = y_label[1:7] eq "speedup" ? 1 : 0
from_zero = reference == 0
log_x = 10; log_y = 12; x_format = "%g"; points = 1
mark_name = ""; mark_line = 0
do for [i = 1:mark_blocks] { if (mark_of[i]) { mark_name = "published" } }
load here."curves.gp"
