# style.gp - one look for all figures. A template sets out, format (svg or png), width and height in points, then loads
# this, most by way of frame.gp. Colours are those of Okabe and Ito, safe for the colour-blind; their yellow is darker,
# to be seen on white.
#
# An SVG has no background and says with each colour what it is for, so that a page can give it others on a dark ground:
# black is text, axes and outlines; (208,208,208) the grid; (128,128,128) what is published or secondary; (96,96,96) a
# line to compare with; (1,1,1) and (254,254,254) are ink on a coloured cell, which stays as it is. gnuplot writes them
# as attributes, which style sheets override: fill="black", stroke="black", color="black" and, of points, 'rgb(  0,   0,
# 0)', filled to three places.
#
# A PNG is drawn at 1.5 times its size. The points of pngcairo's fonts are 4/3 pixels, those of SVG are pixels.
set encoding utf8
if (format eq "png") {
  set terminal pngcairo noenhanced size 1.5 * width, 1.5 * height font "DejaVu Sans,13" fontscale 1.5 * 0.75 \
      linewidth 1.5 background "white"
} else {
  set terminal svg noenhanced size width, height font "sans-serif,13"
}
set output out
grey = 0xd0d0d0; aside = 0x808080; compared = 0x606060; on_pale = 0x010101; on_dark = 0xfefefe
set border 3 lw 1
set tics nomirror out scale 0.6
set grid ytics lt 1 lc rgb grey lw 1 dashtype 1
set style fill solid 1.0 noborder
set format "%g"
