# rows.gp - panels of rows with names, below each other; loaded after a template has set
#   panels, panel[p] (its title), rows_in[p], row[(p - 1) * most + r] (their names), most, each (the height of a row).
# eval on_panel with p set places the next plot. Rows are at y = 1, 2, ... from above.
longest_row = 1
do for [i = 1:panels * most] { row[i] = fold(row[i], 21, each > 40 ? 3 : 2) }
do for [i = 1:panels * most] {
  rest = row[i]
  while (strlen(rest)) {
    end = strstrt(rest, "\n") ? strstrt(rest, "\n") : strlen(rest) + 1
    longest_row = larger(longest_row, end - 1)
    rest = rest[end + 1:*]
  }
}
left = 26 + 7.3 * smaller(longest_row, 21)
titled = panels > 1 ? 26 : 4
body = 0
array top_of[panels]
do for [p = 1:panels] {
  body = body + titled
  top_of[p] = body
  body = body + rows_in[p] * each + 30
}
body = body + (strlen(x_label) ? 18 : 0)
load here."frame.gp"
if (strlen(nothing)) { exit }
set lmargin at screen x_of(left)
set rmargin at screen x_of(width - 44)
set grid noytics xtics lt 1 lc rgb grey lw 1 dashtype 1
set xlabel ""
on_panel = "set tmargin at screen y_of(head + top_of[p]); set bmargin at screen y_of(head + top_of[p] + ".\
  "rows_in[p] * each); ".\
  "set yrange [rows_in[p] + 0.5:0.5]; set ytics () scale 0; do for [r = 1:rows_in[p]] { set ytics add ".\
  "(literal(row[(p - 1) * most + r]) r) }; ".\
  "set label 3 (panels > 1 ? panel[p] : '') at screen x_of(14), screen y_of(head + top_of[p] - 12) left font ',13'; ".\
  "if (p == panels) { set xlabel x_label offset 0, 0.5 }"
