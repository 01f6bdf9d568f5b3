#!/bin/bash
# Functions, files and folders stay small. sizes.txt has for each room the length of its longest function, which only
# falls: where it became shorter, the table is lowered, so that it stays so ("sizes_test.sh --write" does it); and the
# most lines that a file, and the most files that a folder may have.
set -u
cd "$(dirname "$0")/../.." || exit 1
table=tests/build/sizes.txt
wrong=0

sources() { # room
    find "$1" -type f \( -name '*.[ch]' -o -name '*.cu' -o -name '*.cuh' \)
}

# "lines FILE:LINE", "lines FILE" and "files FOLDER" of the room's largest.
longest_function() { sources "$1" | xargs awk -f tests/build/functions.awk | sort -rn | head -n 1; }
longest_file() { sources "$1" | xargs wc -l | grep -v ' total$' | sort -rn | head -n 1; }
fullest_folder() { sources "$1" | xargs -n 1 dirname | sort | uniq -c | sort -rn | head -n 1; }

at_most() { # what most found...
    local what=$1 most=$2 size=${3:-0} place=${4:-}
    [ "$size" -gt "$most" ] || return 0
    echo "$place: $size $what, expected at most $most"
    wrong=$((wrong + 1))
}

if [ "${1:-}" = --write ]; then
    while read -r room function file folder; do
        case $room in
        '#'*) echo "$room $function $file $folder" ;;
        *)
            read -r longest _ < <(longest_function "$room")
            [ "$longest" -lt "$function" ] || longest=$function
            printf '%-8s %17s %10s %18s\n' "$room" "$longest" "$file" "$folder"
            ;;
        esac
    done <"$table" >"$table.new"
    mv "$table.new" "$table"
    exit
fi

while read -r room function file folder; do
    read -r longest place < <(longest_function "$room")
    at_most "lines in a function" "$function" "$longest" "$place"
    if [ "$longest" -lt "$function" ]; then
        echo "$room/: its longest function now has $longest lines ($place): lower the $function in $table"
        wrong=$((wrong + 1))
    fi
    # shellcheck disable=SC2046 # two words each
    at_most "lines in a file" "$file" $(longest_file "$room")
    # shellcheck disable=SC2046
    at_most "files in a folder" "$folder" $(fullest_folder "$room")
done < <(grep -v '^#' "$table")
rooms=$(grep -vc '^#' "$table")
[ "$rooms" -ge 5 ] || { echo "$table: $rooms rooms, expected all"; exit 1; }
[ "$wrong" -eq 0 ] || exit 1
echo "functions, files and folders of $rooms rooms are within $table"
