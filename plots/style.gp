# style.gp - one look for all figures. A template sets data, out, format (svg or png), width and height in points,
# then loads this. Colours are those of Okabe and Ito, told apart by the colour-blind; black is left to text and lines.
set encoding utf8
set datafile separator "\t"
set datafile missing "?"
if (format eq "png") {
  set terminal pngcairo noenhanced size 1.5 * width, 1.5 * height font "DejaVu Sans,12" fontscale 1.5 \
      linewidth 1.5 background "white"
} else {
  set terminal svg noenhanced size width, height font "DejaVu Sans,12" background "white"
}
set output out
set linetype 1 lc rgb "#0072b2" lw 2 pt 7
set linetype 2 lc rgb "#d55e00" lw 2 pt 5
set linetype 3 lc rgb "#009e73" lw 2 pt 9
set linetype 4 lc rgb "#e69f00" lw 2 pt 13
set linetype 5 lc rgb "#56b4e9" lw 2 pt 11
set linetype 6 lc rgb "#cc79a7" lw 2 pt 6
set linetype 7 lc rgb "#f0e442" lw 2 pt 4
set linetype 8 lc rgb "#666666" lw 2 pt 8
set linetype cycle 8
set border 3 lc rgb "#404040"
set tics nomirror out textcolor rgb "#202020"
set grid ytics lc rgb "#dddddd" lw 1
