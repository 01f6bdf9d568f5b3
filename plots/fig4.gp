# fig4.gp - gnuplot -c plots/fig4.gp in.tsv out.svg svg
# in.tsv: a data set per system, its first line the system's name and three headings, then a line per network and batch
# size: name, published and simulated time over the baseline's, that of the best format that stays, or nothing.
data = ARG1; out = ARG2; format = ARG3
here = ARG0[1:strlen(ARG0) - strlen("fig4.gp")]
load here."data.gp"
heading = "A2DTWP, Figure 4: time with it. Published: until an accuracy is reached. Ours: for one batch."
y_label = "time / 32-bit baseline's time"
array panel[larger(blocks, 1)]
array bar_name[3] = ["", "", ""]
if (blocks > 0) { stats $rows using (column(0) == 0 ? (panel[int(column(-2)) + 1] = strcol(1), \
    bar_name[1] = strcol(2), bar_name[2] = strcol(3), bar_name[3] = strcol(4), 1) : 1) nooutput }
oracle = 0
if (blocks > 0) { stats $rows using (column(0) > 0 ? (oracle = there(4) ? 1 : oracle, 1) : 1) nooutput }
bars = oracle ? 3 : 2
amount(j) = num(j + 1)
apart(j) = 0
text(j) = there(j + 1) ? sprintf("%.2f", amount(j)) : ""
shades = bars
shade(j) = j == 1 ? 8 : j == 2 ? 1 : 2
array shade_of[3] = [8, 1, 2]
reference = 1; shared = 1
load here."hbars.gp"
