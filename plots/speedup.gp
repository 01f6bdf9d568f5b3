# speedup.gp - what the sweeps have in common; loaded by their templates, which set data, marks, heading and x_label.
# data: a data set per platform, its first line the platform's name and a heading, then x and the speedup.
# marks: the machines as they are, a data set each, its first line what to say of it; or "" for none.
y_label = "speedup over the 32-bit baseline (×)"
load here."named.gp"
apart(c) = 0
reference = 1; from_zero = 0; log_y = 0; points = 0
mark_name = ""; mark_line = 0
load here."curves.gp"
