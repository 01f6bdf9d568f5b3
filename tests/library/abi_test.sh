#!/bin/bash
# abi_test.sh LIBRARY [--write] - what programs that were linked with an earlier libnarrows.so.0 rely on: the symbols
# with their versions, and every declaration of narrows.h, as abi.txt has them. A line of abi.txt that is not true any
# more is a broken promise; one that is new is written down by --write.
set -u
cd "$(dirname "$0")/../.." || exit 1
library=$1 list=tests/library/abi.txt
for tool in nm cc readelf; do
    command -v $tool >/dev/null || { echo "skipped: $tool is not installed"; exit 77; }
done

# One declaration a line: without comments, attributes and blank space.
declarations() {
    printf '#include "library/narrows.h"\n' | cc -E -P -I. -D'__attribute__(x)=' - | tr -s ' \n' ' ' |
        awk -v RS=';' '{ sub(/^ /, ""); all = all $0; deep += gsub(/{/, "{") - gsub(/}/, "}")
            if (deep) { all = all "; "; next }
            if (tolower(all) ~ /narrows/) print all ";"
            all = "" }'
    printf '#include "library/narrows.h"\n' | cc -E -dM -I. - | grep -E '^#define NARROWS_(PARAMS|MOST_VALUES) '
}

now=$(
    readelf -d "$library" | sed -n 's/.*Library soname: \[\(.*\)\]/soname \1/p'
    nm -D --defined-only "$library" | sed -nE 's/^[0-9a-f]+ T //p' | LC_ALL=C sort | sed 's/^/symbol /'
    nm -D --defined-only "$library" | sed -nE 's/^[0-9a-f]+ ([^TA] .*)/not a function: \1/p'
    declarations
)
if [ "${2:-}" = --write ]; then
    printf '%s\n' "$now" >$list
    exit
fi
[ "$(wc -l <<<"$now")" -gt 40 ] || { echo "fewer declarations than there should be: nothing was checked"; exit 1; }
if ! difference=$(diff $list - <<<"$now"); then
    sed -n "s/^< \(.*\)/broken: \1/p; s/^> \(.*\)/new, or changed: \1/p" <<<"$difference"
    echo "what is only new, with a node of its own in narrows.map, is written down by abi_test.sh LIBRARY --write"
    exit 1
fi
echo "$(wc -l <$list) lines, as libnarrows.so.0 has always had them"
