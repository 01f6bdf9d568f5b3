# fig4-trained.gp - gnuplot -c plots/fig4-trained.gp in.tsv out.svg svg
# in.tsv: a data set per system, its first line the system's name, what the axis says and the title, then a line per
# network and batch size: its name, and over the baseline's time the published time, ours, the deviation of ours over
# the seeds, our oracle's time, 1 where the error was not reached from every seed.
data = ARG1; out = ARG2; format = ARG3
here = ARG0[1:strlen(ARG0) - strlen("fig4-trained.gp")]
load here."data.gp"
array panel[larger(blocks, 1)]
late = 0; spread = 0
if (blocks > 0) {
  stats $rows using (column(0) == 0 ? (panel[int(column(-2)) + 1] = strcol(1), y_label = strcol(2), \
      heading = strcol(3), 1) : 1) nooutput
  stats $rows using (column(0) > 0 ? (late = or_else(6, 0) > 0 ? 1 : late, spread = there(4) ? 1 : spread, \
      1) : 1) nooutput
}
y_label = y_label.(spread ? "; whiskers: deviation over the seeds" : "").(late \
    ? "; * not reached from every seed: it would take longer" : "")
bars = 3
column_of(j) = j == 3 ? 5 : j + 1
amount(j) = num(column_of(j))
apart(j) = j == 2 ? or_else(4, 0) : 0
text(j) = there(column_of(j)) ? sprintf("%.2f%s", amount(j), j == 2 && or_else(6, 0) > 0 ? "*" : "") : ""
shades = 3
shade(j) = j == 1 ? 8 : j == 2 ? 1 : 2
array shade_of[3] = [8, 1, 2]
array bar_name[3] = ["A2DTWP, published", "A2DTWP, ours", "oracle, ours"]
reference = 1; shared = 1
load here."hbars.gp"
