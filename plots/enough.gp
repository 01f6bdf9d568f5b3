# enough.gp - two points are no curve: a data set with fewer than three rows that have both x and y is not drawn. Loaded
# after named.gp or sets.gp; label_of(i) is what the i-th data set is called. Sets shown[i], and adds to y_label which
# are left out; where none is left, nothing says why.
array points_in[larger(blocks, 1)]
do for [i = 1:larger(blocks, 1)] { points_in[i] = 0 }
most_points = 0; lacking = 0; left_out = ""
if (blocks > 0) {
  stats $rows using (column(0) > 0 && there(1) && there(2) ? (i = int(column(-2)) + 1, \
      points_in[i] = points_in[i] + 1, most_points = larger(most_points, points_in[i]), 1) : 1) nooutput
}
do for [i = 1:blocks] {
  shown[i] = points_in[i] >= 3
  if (!shown[i]) { left_out = left_out.(lacking ? ", " : "").label_of(i); lacking = lacking + 1 }
}
if (most_points > 0 && most_points < 3) {
  nothing = sprintf("a curve takes three points, the longest here has %d. More evaluations or more variants are " \
      ."missing.", most_points)
}
if (lacking) { y_label = y_label."; not drawn, as it has not three points: ".left_out }
