# named.gp - lines and marks by their data sets' first lines: name, and unless the template has set heading, what the
# axes say and the title. Sets name[], x_label, y_label, heading, colour[] and dash[] by the lines' order, mark[] and
# mark_of[], the line of the same name, 0 if there is none. shown[] is 1 for every line.
array name[larger(blocks, 1)]
array colour[larger(blocks, 1)]
array dash[larger(blocks, 1)]
array shown[larger(blocks, 1)]
array mark[larger(mark_blocks, 1)]
array mark_of[larger(mark_blocks, 1)]
if (blocks > 0) {
  stats $rows using (column(0) == 0 ? (name[int(column(-2)) + 1] = strcol(1), 1) : 1) nooutput
  if (!strlen(heading)) {
    stats $rows using (column(0) == 0 ? (x_label = strcol(2), y_label = strcol(3), heading = strcol(4), 1) : 1) nooutput
  }
}
if (mark_blocks > 0) { stats $marks using (column(0) == 0 ? (mark[int(column(-2)) + 1] = strcol(1), 1) : 1) nooutput }
do for [i = 1:blocks] { colour[i] = i; dash[i] = 1 + (i - 1) / 8; shown[i] = 1 }
label_of(i) = name[i]
do for [i = 1:mark_blocks] {
  mark_of[i] = 0
  do for [k = 1:blocks] { if (name[k] eq mark[i]) { mark_of[i] = k } }
}
