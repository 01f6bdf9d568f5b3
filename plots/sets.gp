# sets.gp - data sets that belong to panels: the first cell of their first line is the panel, the second the name of a
# line or part, which tells its colour, in all panels alike. Sets panels, panel[], panel_of[i], kind_of[i] and the
# legend, of the kind shown_as. shown[] is 1 for every data set.
array set_panel[larger(blocks, 1)]
array set_name[larger(blocks, 1)]
array panel_of[larger(blocks, 1)]
array kind_of[larger(blocks, 1)]
array shown[larger(blocks, 1)]
array panel[larger(blocks, 1)]
array entry[larger(blocks, 1)]
array entry_lt[larger(blocks, 1)]
array entry_kind[larger(blocks, 1)]
panels = 0; entries = 0
if (blocks > 0) {
  stats $rows using (column(0) == 0 ? (i = int(column(-2)) + 1, set_panel[i] = strcol(1), set_name[i] = strcol(2), \
      1) : 1) nooutput
}
do for [i = 1:blocks] {
  if (i == 1) { new = 1 } else { new = set_panel[i] ne set_panel[i - 1] }
  if (new) { panels = panels + 1; panel[panels] = set_panel[i] }
  panel_of[i] = panels
  shown[i] = 1
  kind_of[i] = 0
  do for [k = 1:entries] { if (entry[k] eq set_name[i]) { kind_of[i] = k } }
  if (!kind_of[i]) { entries = entries + 1; entry[entries] = set_name[i]; entry_lt[entries] = entries; \
      entry_kind[entries] = shown_as; kind_of[i] = entries }
}
if (panels == 0) { panels = 1; panel[1] = "" }
label_of(i) = set_panel[i].", ".set_name[i]
