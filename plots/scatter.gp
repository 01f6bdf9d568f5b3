# scatter.gp - gnuplot -c plots/scatter.gp in.tsv out.svg svg
# in.tsv: a data set per class, its first line the name, what x, y and the panel below say, and the title; then x, what
# was measured, y, what was predicted of it, and how far off that is, in % of x. The upper panel has logarithms and one
# range for both axes; a row that is not above zero is left out.
data = ARG1; out = ARG2; format = ARG3
here = ARG0[1:strlen(ARG0) - strlen("scatter.gp")]
load here."data.gp"
panels = 2
array panel[2]
array each[2]
each[1] = 300; each[2] = 150
panel[1] = ""; panel[2] = ""
if (blocks > 0) {
  stats $rows using (column(0) == 0 ? (x_label = strcol(2), panel[1] = strcol(3), panel[2] = strcol(4), \
      heading = strcol(5), 1) : 1) nooutput
}
load here."named.gp"
low = NaN; high = NaN; most_off = 10; drawn = 0
both(x, y) = column(0) > 0 && num(x) > 0 && num(y) > 0
saw(a, b, off) = (low = low == low ? smaller(low, smaller(a, b)) : smaller(a, b), \
    high = high == high ? larger(high, larger(a, b)) : larger(a, b), most_off = larger(most_off, abs(off)), \
    drawn = drawn + 1, 1)
if (blocks > 0) { stats $rows using (both(1, 2) ? saw(column(1), column(2), or_else(3, 0)) : 1) nooutput }
if (!drawn) { nothing = "no row has both values, above zero." }
entries = blocks + 2
array entry[entries]
array entry_lt[entries]
array entry_kind[entries]
# Signs differ among classes of one colour.
do for [i = 1:blocks] {
  kind = (i - 1) % 8 + 1; sign = int(word(marks_of, (kind - 1 + (i - 1) / 8) % 8 + 1))
  set linetype 300 + i lc rgb word(colours, kind) lw 1 pt sign
  entry[i] = name[i]; entry_lt[i] = 300 + i; entry_kind[i] = "point"
}
set linetype 298 lc rgb "#606060" lw 1 dashtype 2
set linetype 299 lc rgb "#d0d0d0" lw 1
entry[blocks + 1] = "as measured"; entry_lt[blocks + 1] = 298; entry_kind[blocks + 1] = "line"
entry[blocks + 2] = "within 10 %"; entry_lt[blocks + 2] = 299; entry_kind[blocks + 2] = "box"
left = 66; x_format = "%g"
load here."stack.gp"
if (strlen(nothing)) { exit }
wide = larger(high / low, 4) ** 0.04
low = low / wide; high = high * wide
set logscale x
set xrange [low:high]
# So many that the band, which is cut off at the range, keeps its width.
set samples 200
ticked = high / low < 5000
dot = format eq "png" ? 0.8 : 0.5
set multiplot
p = 1
eval on_panel
set logscale y
set yrange [low:high]
if (ticked) {
  set xtics (); set ytics ()
  do for [k = floor(log10(low)):floor(log10(high))] { do for [d in "1 2 5"] { \
      set xtics add ("" d * 10.0 ** k); set ytics add (short(d * 10.0 ** k) d * 10.0 ** k) } }
}
plot '+' using 1:(larger(0.9 * $1, low)):(smaller(1.1 * $1, high)) with filledcurves linetype 299 \
       fillstyle transparent solid 0.6 noborder notitle, \
     '+' using 1:1 with lines linetype 298 notitle, \
     for [i = 1:blocks] $rows index i - 1 using (both(1, 2) ? num(1) : NaN):(num(2)) \
       with points linetype 300 + i ps dot notitle
eval framed
p = 2
eval on_panel
unset logscale y
set ytics autofreq
set yrange [-1.1 * most_off:1.1 * most_off]
if (ticked) {
  do for [k = floor(log10(low)):floor(log10(high))] { do for [d in "1 2 5"] { \
      set xtics add (short(d * 10.0 ** k) d * 10.0 ** k) } }
}
plot '+' using 1:(-10):(10) with filledcurves linetype 299 fillstyle transparent solid 0.6 noborder notitle, \
     '+' using 1:(0) with lines linetype 298 notitle, \
     for [i = 1:blocks] $rows index i - 1 using (both(1, 2) ? num(1) : NaN):(num(3)) \
       with points linetype 300 + i ps dot notitle
unset multiplot
