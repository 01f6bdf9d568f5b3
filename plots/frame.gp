# frame.gp - what all figures have about them: the title and what is measured above, the legend below. A template sets
#   heading, y_label (above what is drawn, not next to it: a phone is narrow), body (the height between the two),
#   entries (of the legend, 0 for none) with entry[k], entry_lt[k] (a linetype) and entry_kind[k] (box, line, point or
#   both);
# or nothing, a sentence: then the figure says that, and who loaded this has to end, too. After the first plot: eval
# framed.
heading = fold(heading, 63, 4)
y_label = fold(y_label, 70, 3)
if (strlen(nothing)) { nothing = fold("nothing to draw: ".nothing, 68, 3); body = 50 + 17 * tall(nothing); \
    entries = 0; y_label = "" }
head = 24 + 19 * tall(heading) + 17 * tall(y_label)
if (!exists("entries")) { entries = 0 }
longest = 1
do for [k = 1:entries] { entry[k] = clip(entry[k], 66); longest = larger(longest, strlen(entry[k])) }
across = larger(1, smaller(entries, int((width - 28) / (7.6 * longest + 48))))
legend = entries > 0 ? 12 + 20 * ((entries + across - 1) / across) : 0
height = head + body + legend + 8
load here."style.gp"
x_of(px) = 1.0 * (px) / width
y_of(px) = 1 - 1.0 * (px) / height
unset key
set label 1 heading at screen x_of(14), screen y_of(20) left font ",15"
if (strlen(nothing)) {
  unset border
  unset tics
  unset grid
  set label 2 nothing at screen x_of(14), screen y_of(head + 20) left
  plot [0:1][0:1] NaN notitle
  exit
}
set label 2 y_label at screen x_of(14), screen y_of(24 + 19 * tall(heading)) left
entry_x(k) = 18 + (width - 28.0) / across * ((k - 1) % across)
entry_y(k) = head + body + 18 + 20 * ((k - 1) / across)
do for [k = 1:entries] {
  key_x = entry_x(k); key_y = entry_y(k); kind = entry_lt[k]
  set label 100 + k entry[k] at screen x_of(key_x + 34), screen y_of(key_y) left
  if (entry_kind[k] eq "box") {
    set object 100 + k rectangle from screen x_of(key_x), screen y_of(key_y + 5) to screen x_of(key_x + 26), \
        screen y_of(key_y - 5) \
        fillcolor linetype kind fillstyle solid noborder
  }
  if (entry_kind[k] eq "line" || entry_kind[k] eq "both") {
    set arrow 100 + k from screen x_of(key_x), screen y_of(key_y) to screen x_of(key_x + 28), \
        screen y_of(key_y) nohead linetype kind lw 2.5
  }
  if (entry_kind[k] eq "point" || entry_kind[k] eq "both") {
    set label 200 + k "" at screen x_of(key_x + 14), screen y_of(key_y) point linetype kind pointsize 1
  }
}
framed = "unset label 1; unset label 2; do for [k = 1:entries] { unset label 100 + k; ".\
  "if (entry_kind[k] eq 'box') { unset object 100 + k } else { if (entry_kind[k] ne 'point') { unset arrow 100 + ".\
  "k }; if (entry_kind[k] ne 'line') { unset label 200 + k } } }"
