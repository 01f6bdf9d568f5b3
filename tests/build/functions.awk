# functions.awk - the length of each function in C and CUDA as clang-format writes it: "LINES FILE:LINE" for each.
# A function ends at the first "}" in column 1 after a "{" that is alone in column 1. Its head begins below the last
# line that is blank, a comment, a directive or the end of a declaration.
FNR == 1 { head = 0; body = 0 }
body && /^}/ { print FNR - head + 1, FILENAME ":" head; body = 0; head = 0; next }
body { next }
/^[{]$/ { body = 1; if (!head) head = FNR; next }
/^$/ || /^#/ || /^[\/ ]\*/ || /[;}]$/ || /\*\/$/ { head = 0; next }
!head { head = FNR }
