# curves.gp - lines over one pair of axes, what lines.gp, spread.gp, thresholds.gp, speedup.gp, wall.gp and growth.gp
# have in common. They set heading, x_label, y_label, name[1..blocks], and
#   apart(c) (how far y lies apart to either side, 0 for none), colour[i] and dash[i] of the i-th line, from_zero (1:
#   the axis begins there), reference (a line across; NaN: none), log_x and log_y (axes in logarithms if what is there
#   is positive and spans that factor; 0: never), x_format, points (0: lines alone), shown[i] (0: the line is left out),
#   and for marks: mark[1..mark_blocks], mark_of[i] (the line that a data set of marks belongs to, 0 for none),
#   mark_name (what rings on lines are; "" for nothing).
n = blocks; m = mark_blocks
seen_at(x, y) = x == x && y == y
low_x = NaN; high_x = NaN; low_y = NaN; high_y = NaN; drawn = 0
saw(x, y, e) = (seen_at(x, y) ? (low_x = low_x <= x ? low_x : x, high_x = high_x >= x ? high_x : x, \
    low_y = low_y <= y - e ? low_y : y - e, \
    high_y = high_y >= y + e ? high_y : y + e, drawn = drawn + 1) : 0, 1)
# Where lines have points, if at no more than twelve places.
array at[12]
places = 0; seen_places = " "
place(x) = (x == x && places <= 12 && !strstrt(seen_places, sprintf(" %.6g ", \
    x)) ? (seen_places = seen_places.sprintf("%.6g ", x), places = places + 1, \
    places <= 12 ? at[places] = x : 0, 0) : 0, 1)
if (blocks > 0) { stats $rows using (column(0) > 0 && shown[int(column(-2)) + 1] ? (saw(num(1), num(2), \
    apart(3)), place(num(1))) : 1) nooutput }
if (!drawn && !strlen(nothing)) { nothing = "no row has both values." }
if (mark_blocks > 0) { stats $marks using (column(0) > 0 ? saw(num(1), num(2), 0) : 1) nooutput }
if (reference == reference && drawn) { low_y = smaller(low_y, reference); high_y = larger(high_y, reference) }
is_log_x = log_x > 0 && drawn && low_x > 0 && high_x / low_x >= log_x
is_log_y = log_y > 0 && drawn && low_y > 0 && high_y / low_y >= log_y
if (from_zero && !is_log_y && drawn) { low_y = smaller(low_y, 0); high_y = larger(high_y, 0) }

lone = 0
do for [i = 1:m] { lone = lone + (mark_of[i] == 0) }
ringed = strlen(mark_name) ? 1 : 0
lines_shown = 0
do for [i = 1:n] { lines_shown = lines_shown + shown[i] }
entries = lines_shown + lone + ringed
array entry[larger(entries, 1)]
array entry_lt[larger(entries, 1)]
array entry_kind[larger(entries, 1)]
k = 0
do for [i = 1:n] { if (shown[i]) { k = k + 1; entry[k] = name[i]; entry_lt[k] = 300 + i; \
    entry_kind[k] = points ? "both" : "line" } }
do for [i = 1:m] { if (mark_of[i] == 0) { k = k + 1; entry[k] = mark[i]; entry_lt[k] = 400 + i; \
    entry_kind[k] = mark_line ? "line" : "point" } }
if (ringed) { entries = k + 1; entry[entries] = mark_name; entry_lt[entries] = 400; entry_kind[entries] = "point" }
# Before the legend, which shows them.
do for [i = 1:n] {
  kind = (colour[i] - 1) % 8 + 1; sign = int(word(marks_of, kind)); dashes = dash[i]; thick = points ? 2 : 2.5
  set linetype 300 + i lc rgb word(colours, kind) lw thick pt sign dashtype dashes
}
set linetype 400 lc rgb "black" lw 2 pt 6
do for [i = 1:m] {
  kind = mark_of[i] ? mark_of[i] : 0; sign = mark_of[i] ? 6 : 4 + 2 * ((i - 1) % 5); \
      dashes = mark_line ? 2 + (i - 1) % 4 : 1
  if (kind > 0) { set linetype 400 + i lc rgb word(colours, (colour[kind] - 1) % 8 + 1) lw 2 pt 6 } else { \
      set linetype 400 + i lc rgb "black" lw 2 pt sign dashtype dashes }
}
body = 350
load here."frame.gp"
if (strlen(nothing)) { exit }
set lmargin at screen x_of(66)
set rmargin at screen x_of(width - 20)
set tmargin at screen y_of(head + 6)
set bmargin at screen y_of(head + body - 50)
set grid xtics ytics lt 1 lc rgb grey lw 1 dashtype 1
set xlabel x_label offset 0, 0.5
# A range of one place alone is as wide as the place is far from zero.
pad(low, high, share) = high > low ? share * (high - low) : 0.5 * span(low, high)
if (is_log_x) {
  set logscale x
  set xrange [low_x / (high_x / low_x) ** 0.03:high_x * (high_x / low_x) ** 0.03]
  if (places <= 8) {
    set xtics ()
    do for [i = 1:places] { set xtics add (short(at[i]) at[i]) }
  } else {
    if (high_x / low_x < 1000 && x_format eq "%g") {
      set xtics ()
      do for [k = floor(log10(low_x)):floor(log10(high_x))] { do for [d in "1 2 5"] { \
          set xtics add (short(d * 10.0 ** k) d * 10.0 ** k) } }
    }
  }
} else { set xrange [low_x - pad(low_x, high_x, 0.03):high_x + pad(low_x, high_x, 0.03)] }
if (is_log_y) {
  set logscale y
  set yrange [low_y / (high_y / low_y) ** 0.06:high_y * (high_y / low_y) ** 0.06]
  if (high_y / low_y < 200) {
    set ytics ()
    do for [k = floor(log10(low_y)):floor(log10(high_y))] { do for [d in "1 2 5"] { \
        set ytics add (short(d * 10.0 ** k) d * 10.0 ** k) } }
  }
} else {
  below = from_zero && low_y == 0 ? 0 : pad(low_y, high_y, 0.06)
  set yrange [low_y - below:high_y + pad(low_y, high_y, 0.06)]
}
set format x x_format
if (reference == reference) { set arrow 1 from graph 0, first reference to graph 1, \
    first reference nohead lc rgb compared dashtype 2 }
of_row(v) = column(0) > 0 ? v : NaN
of_line(v) = column(0) > 0 && shown[int(column(-2)) + 1] ? v : NaN
# Of a line of many points some ten have whiskers, at other places than those of its neighbour.
every_whisker = most_rows > 24 ? most_rows / 10 : 1
whisker(i) = apart(3) > 0 && (int(column(0)) - i * every_whisker / (n + 1)) % every_whisker == 0 ? num(1) : NaN
size = points == 0 ? 0.01 : most_rows > 12 ? 0.01 : 0.7
if (m == 0) {
  plot for [i = 1:n] $rows index i - 1 using (of_line(whisker(i))):(num(2)):(apart(3)) \
         with yerrorbars linetype 300 + i dashtype 1 lw 1 ps 0.01 notitle, \
       for [i = 1:n] $rows index i - 1 using (of_line(num(1))):(num(2)) \
         with linespoints linetype 300 + i ps size notitle
} else {
  plot for [i = 1:n] $rows index i - 1 using (of_line(whisker(i))):(num(2)):(apart(3)) \
         with yerrorbars linetype 300 + i dashtype 1 lw 1 ps 0.01 notitle, \
       for [i = 1:n] $rows index i - 1 using (of_line(num(1))):(num(2)) \
         with linespoints linetype 300 + i ps size notitle, \
       for [i = 1:m] $marks index i - 1 using (of_row(num(1))):(mark_line ? num(2) \
           : NaN) with lines linetype 400 + i notitle, \
       for [i = 1:m] $marks index i - 1 using (of_row(num(1))):(mark_line ? NaN \
           : num(2)) with points linetype 400 + i ps (mark_of[i] ? 1.6 : 1.3) notitle
}
