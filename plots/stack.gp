# stack.gp - panels below each other over one x axis; loaded after a template has set
#   panels, panel[p] (its title), each[p] (the height of what is drawn in it), left (the space for its labels), x_label,
#   x_format.
# eval on_panel with p set places the next plot.
titled = panels > 1 ? 28 : 4
body = 0
array top_of[panels]
do for [p = 1:panels] { body = body + titled; top_of[p] = body; body = body + each[p] + (p < panels ? gap_after(p) \
    : 10) }
body = body + 22 + 18 * (strlen(x_label) > 0)
load here."frame.gp"
if (strlen(nothing)) { exit }
set lmargin at screen x_of(left)
set rmargin at screen x_of(width - 20)
set grid xtics ytics lt 1 lc rgb grey lw 1 dashtype 1
on_panel = "set tmargin at screen y_of(head + top_of[p]); set bmargin at screen y_of(head + top_of[p] + each[p]); ".\
  "set label 3 (panels > 1 ? clip(panel[p], 70) : '') at screen x_of(14), screen y_of(head + top_of[p] - 14) left; ".\
  "if (p == panels) { set xlabel x_label offset 0, 0.5; set format x x_format } else { set xlabel ''; set format x '' }"
