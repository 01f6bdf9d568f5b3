# wall.gp - gnuplot -c plots/wall.gp in.tsv out.svg svg [walls.tsv]
# in.tsv: a data set per kernel, its first line the kernel's name and the unit of the rates, then the tensor's size in
# bytes and the rate. walls.tsv: the same of the loops and peers that the kernels are compared with. The title is from
# in.tsv's name.
data = ARG1; out = ARG2; format = ARG3; marks = ARGC >= 4 ? ARG4 : ""
here = ARG0[1:strlen(ARG0) - strlen("wall.gp")]
load here."data.gp"
unit = ""
if (blocks > 0) { stats $rows using (column(0) == 0 ? (unit = strcol(2), 1) : 1) nooutput }
what = strstrt(data, "wall-") ? data[strstrt(data, "wall-") + 5:strlen(data) - 4] : "all-1"
end = strstrt(what, "-") ? strstrt(what, "-") : strlen(what) + 1
where = what[end + 1:*]
heading = sprintf("%s kernels against the wall, %s", what[1:end - 1], where eq "device" ? "on the device" : where eq \
    "1" ? "one core" : where." cores")
x_label = "tensor as fp32"
y_label = unit eq "GB/s" ? "bytes that must move (GB/s, 1e9 bytes)" : "rate (GFLOP/s)"
load here."named.gp"
apart(c) = 0
reference = NaN; from_zero = 1; log_x = 2; log_y = 0; x_format = "%.0b %BB"; points = 1
mark_name = ""; mark_line = 1
load here."curves.gp"
