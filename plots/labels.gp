# labels.gp - what stands under groups of bars: read from the first columns of data's data sets, which are 'panels', into
# label[1..groups], folded at some 13 letters; 'foot' is the height that it takes. A label of an axis is a format, so its per
# cents are doubled.
literal(s) = strstrt(s, "%") ? s[1:strstrt(s, "%")]."%".literal(s[strstrt(s, "%") + 1:*]) : s
array label[groups]
do for [i = 1:panels] { stats data index i - 1 every ::1 using (label[int($0) + 1] = strcol(1), 1) nooutput }
most_lines = 1
do for [k = 1:groups] {
  folded = ""; length = 0; lines = 1
  do for [w in label[k]] {
    if (length > 0 && length + 1 + strlen(w) > 13) {
      folded = folded."\n".w; length = strlen(w); lines = lines + 1
    } else {
      folded = folded.(length > 0 ? " " : "").w; length = length + (length > 0 ? 1 : 0) + strlen(w)
    }
  }
  label[k] = literal(folded)
  most_lines = lines > most_lines ? lines : most_lines
}
foot = 20 + 15 * most_lines
