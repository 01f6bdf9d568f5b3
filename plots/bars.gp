# bars.gp - gnuplot -c plots/bars.gp in.tsv out.svg svg
# in.tsv: a data set per panel, its first line the panel's name (of one alone, anything), what the axis says and the
# title; then the name of a group of bars, what is published, ours, 1 where ours was fitted to it, and two standard
# errors of ours, or nothing.
data = ARG1; out = ARG2; format = ARG3
here = ARG0[1:strlen(ARG0) - strlen("bars.gp")]
load here."data.gp"
array panel[larger(blocks, 1)]
fitted = 0; published = 0; spread = 0
if (blocks > 0) {
  stats $rows using (column(0) == 0 ? (panel[int(column(-2)) + 1] = strcol(1), y_label = strcol(2), \
      heading = strcol(3), 1) : 1) nooutput
  stats $rows using (column(0) > 0 ? (fitted = or_else(4, 0) == 1 ? 1 : fitted, published = there(2) ? 1 : published, \
      spread = or_else(5, 0) > 0 ? 1 : spread, 1) : 1) nooutput
}
y_label = y_label.(spread ? "; whiskers: two standard errors" : "")
bars = 1 + published
amount(j) = num(published ? j + 1 : 3)
apart(j) = j == bars ? or_else(5, 0) : 0
text(j) = there(published ? j + 1 : 3) ? short(amount(j)) : ""
shade(j) = published && j == 1 ? 8 : or_else(4, 0) == 1 ? 5 : 1
shades = 1 + published + fitted
array shade_of[shades]
array bar_name[shades]
k = 0
if (published) { k = k + 1; shade_of[k] = 8; bar_name[k] = "published" }
k = k + 1; shade_of[k] = 1; bar_name[k] = "ours"
if (fitted) { k = k + 1; shade_of[k] = 5; bar_name[k] = "ours, fitted" }
reference = NaN; shared = 0
load here."hbars.gp"
