# data.gp - what every template begins with, once data, out, format (and marks) are set: the data as $rows, which may be
# empty, and what is needed to read them without ever failing.
#
# A data set begins with a line of names; its rows have column(0) > 0. "?" is what is missing. A cell holds no tab and
# no line's end. gnuplot fails on a plot or on stats without one valid point, so ranges are always given, what is
# missing is NaN in a plot of all rows, and stats run over all rows with a condition in the expression.
set encoding utf8
set datafile separator "\t"
set datafile commentschars ""

# A path may hold any character; a double quote would make one cell of two.
quoted(s) = "'".escaped(s)."'"
escaped(s) = strstrt(s, "'") ? s[1:strstrt(s, "'") - 1]."'\\''".escaped(s[strstrt(s, "'") + 1:*]) : s
reading(block, path) = "< echo '$".block." << END_OF_THE_ROWS'; tr '\"\\r' \"' \
    \" <".quoted(path)."; echo END_OF_THE_ROWS"
load reading("rows", data)
if (!exists("marks")) { marks = "" }
$marks << END_OF_THE_ROWS
END_OF_THE_ROWS
if (strlen(marks)) { load reading("marks", marks) }

# A cell as a number, NaN if it is none; as one that may be left out, with what stands for it then.
num(c) = valid(c) && abs(column(c)) < 1e300 ? column(c) : NaN
or_else(c, v) = valid(c) && abs(column(c)) < 1e300 ? column(c) : v
there(c) = valid(c) && abs(column(c)) < 1e300

# How many data sets, and rows in the longest.
blocks = 0; most_rows = 0
if (|$rows| > 0) {
  stats $rows using (blocks = int(column(-2)) + 1, most_rows = column(0) > most_rows ? int(column(0)) : most_rows, \
      1) nooutput
}
mark_blocks = 0
if (|$marks| > 0) { stats $marks using (mark_blocks = int(column(-2)) + 1, 1) nooutput }

# The width of a range that must not be empty.
span(low, high) = high > low ? high - low : high != 0 ? abs(high) : 1.0

# Text that fits: cut to n letters; folded at blanks into lines of n, at most 'lines' of them; how many it takes.
clip(s, n) = strlen(s) > n ? s[1:n - 1]."…" : s
blank(s, n) = n < 1 ? 0 : s[n:n] eq " " ? n : blank(s, n - 1)
cut(s, n) = blank(s[1:n + 1], n + 1) > 0.3 * n ? blank(s[1:n + 1], n + 1) : n
tidy(s) = s[strlen(s):*] eq " " ? s[1:strlen(s) - 1] : s
fold(s, n, lines) = strlen(s) <= n ? s : lines <= 1 ? clip(s, n) : tidy(s[1:cut(s, n)])."\n".fold(s[cut(s, n) + 1:*], \
    n, lines - 1)
breaks(s) = strstrt(s, "\n") ? 1 + breaks(s[strstrt(s, "\n") + 1:*]) : 0
tall(s) = strlen(s) ? 1 + breaks(s) : 0
# A label of an axis is a format, so its per cents are doubled.
literal(s) = strstrt(s, "%") ? s[1:strstrt(s, "%")]."%".literal(s[strstrt(s, "%") + 1:*]) : s
# A number in a label: three figures, no exponent where it can do without.
short(v) = v == 0 ? "0" : abs(v) >= 100 && abs(v) < 1e6 ? sprintf("%.0f", v) : sprintf("%.3g", v)
larger(a, b) = a > b ? a : b
smaller(a, b) = a < b ? a : b

# The colours and signs of lines and bars; the ninth and further ones are dashed.
colours = "#0072b2 #d55e00 #009e73 #e69f00 #56b4e9 #cc79a7 #a68a00 #808080"
marks_of = "7 5 9 13 11 6 4 8"
do for [i = 1:24] {
  kind = (i - 1) % 8 + 1; sign = int(word(marks_of, kind)); dashes = (i + 7) / 8
  set linetype i lc rgb word(colours, kind) lw 2 pt sign dashtype dashes
}
set linetype cycle 24

heading = ""; x_label = ""; y_label = ""; nothing = ""
width = 560
# Between the panels of stack.gp.
gap_after(p) = 10
