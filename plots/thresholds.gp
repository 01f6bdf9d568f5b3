# thresholds.gp - gnuplot -c plots/thresholds.gp in.tsv out.svg svg [marks.tsv]
# in.tsv: a data set per line, its first line the name, what the axes say and the title; then x and y, in logarithms if
# they are far apart, and the seeds' deviation, or nothing. What a name has before its first comma tells its colour; a
# name with ", with" is dotted. marks.tsv: the same of lines to compare with.
data = ARG1; out = ARG2; format = ARG3; marks = ARGC >= 4 ? ARG4 : ""
here = ARG0[1:strlen(ARG0) - strlen("thresholds.gp")]
load here."data.gp"
load here."named.gp"
first(s) = strstrt(s, ",") ? s[1:strstrt(s, ",") - 1] : s
known = 0
do for [i = 1:blocks] {
  dash[i] = strstrt(name[i], ", with ") ? 3 : 1
  colour[i] = 0
  do for [k = 1:i - 1] { if (first(name[k]) eq first(name[i])) { colour[i] = colour[k] } }
  if (colour[i] == 0) { known = known + 1; colour[i] = known }
}
apart(c) = or_else(c, 0)
spread = 0
if (blocks > 0) { stats $rows using (column(0) > 0 ? (spread = or_else(3, 0) > 0 ? 1 : spread, 1) : 1) nooutput }
y_label = y_label.(spread ? "; whiskers: deviation over the seeds" : "")
load here."enough.gp"
reference = NaN; from_zero = 1
log_x = 0; log_y = 12; x_format = "%g"; points = 0
mark_name = ""; mark_line = 1
load here."curves.gp"
