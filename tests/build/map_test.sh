#!/bin/bash
# docs/ARCHITECTURE.md has every folder of code on its map, and none that is not there. map_test.sh [DOCUMENT]
set -u
document=${1:-docs/ARCHITECTURE.md}

# "kernels/ adt anchor" and its indented continuations as kernels/adt, kernels/anchor.
mapped() {
    # shellcheck disable=SC2016 # backquotes of Markdown
    sed -n '/^```map$/,/^```$/p' "$document" | grep -v '^```' |
        awk '/^[^ ]/ { room = $1; $1 = "" } { for (i = 1; i <= NF; i++) if ($i != "") print room $i }' | sort
}

# Folders below a room that hold sources.
present() {
    find kernels library model sim train harness -mindepth 2 -type f \
        \( -name '*.[ch]' -o -name '*.cu' -o -name '*.cuh' \) -printf '%h\n' | sort -u
}

[ "$(present | wc -l)" -gt 50 ] || { echo "fewer folders of code than there should be: nothing was checked"; exit 1; }
if ! difference=$(diff <(mapped) <(present)); then
    sed -n "s|^< \(.*\)|$document: \1 is on the map, but there is no such folder of code|p
            s|^> \(.*\)|$document: expected \1 on the map|p" <<<"$difference"
    exit 1
fi
echo "$(mapped | wc -l) folders of code, all on the map"
