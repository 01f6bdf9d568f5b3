#!/bin/bash
# Every C file of the product passes clang-tidy, as .clang-tidy has it: tidy_test.sh BUILD, which has
# compile_commands.json.
set -u
if ! command -v clang-tidy-14 >/dev/null; then
    echo "skipped: clang-tidy-14 is not installed"
    exit 77
fi
# Flags of gcc that clang does not know are no finding.
tidy=(clang-tidy-14 -p "$1" --quiet --extra-arg=-Wno-unknown-warning-option)
mapfile -t files < <(sed -nE "s!^ *\"file\": \"$PWD/((kernels|library|model|sim|train|harness)/.*\.c)\",?\$!\1!p" \
    "$1/compile_commands.json" | LC_ALL=C sort -u)
if [ "${#files[@]}" -lt 100 ]; then
    echo "only ${#files[@]} files of $PWD found in $1/compile_commands.json: this looks in the wrong place"
    exit 1
fi
found=$(printf '%s\n' "${files[@]}" | xargs -P "$(nproc)" -n 20 "${tidy[@]}" 2>/dev/null) &&
    { echo "${#files[@]} files pass clang-tidy"; exit 0; }
# A header's finding comes once for each file that includes it.
grep -E ': (warning|error): ' <<<"${found//$PWD\//}" | LC_ALL=C sort -u | head -n 80
exit 1
