#!/bin/bash
# Every C and CUDA file is formatted as .clang-format says. Mend one with: clang-format-14 -i FILE
set -u
if ! command -v clang-format-14 >/dev/null; then
    echo "skipped: clang-format-14 is not installed"
    exit 77
fi
mapfile -d '' files < <(find model sim kernels train harness tests -name '*.[ch]' -print0 -o -name '*.cu' -print0)
if [ "${#files[@]}" -lt 10 ]; then
    echo "only ${#files[@]} source files found in $PWD: this looks in the wrong place"
    exit 1
fi
found=$(clang-format-14 --dry-run -Werror "${files[@]}" 2>&1) && { echo "${#files[@]} files are formatted"; exit 0; }
echo "to be formatted, with the number of places:"
grep -oE '^[^:]+:[0-9]+:[0-9]+: error' <<<"$found" | cut -d: -f1 | sort | uniq -c || echo "$found"
first=$(head -n 1 <<<"$found" | cut -d: -f1)
diff -u "$first" <(clang-format-14 "$first") | head -n 20
exit 1
