# thresholds.gp - gnuplot -c plots/thresholds.gp in.tsv out.svg svg
# in.tsv: a data set per line, its first line the name, what the axes say and the title; then x and y, in logarithms if
# they are far apart. What a name has before its first comma tells its colour; a name with ", dropped" is dotted.
data = ARG1; out = ARG2; format = ARG3
here = ARG0[1:strlen(ARG0) - strlen("thresholds.gp")]
load here."data.gp"
load here."named.gp"
first(s) = strstrt(s, ",") ? s[1:strstrt(s, ",") - 1] : s
known = 0
do for [i = 1:blocks] {
  dash[i] = strstrt(name[i], ", dropped") ? 3 : 1
  colour[i] = 0
  do for [k = 1:i - 1] { if (first(name[k]) eq first(name[i])) { colour[i] = colour[k] } }
  if (colour[i] == 0) { known = known + 1; colour[i] = known }
}
apart(c) = 0
reference = NaN; from_zero = 1
log_x = 0; log_y = 12; x_format = "%g"; points = 0
mark_name = ""; mark_line = 0
load here."curves.gp"
