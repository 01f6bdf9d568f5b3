#!/bin/bash
# What clang-format does not check: lines of at most 120 columns, no banned phrases (banned_phrases.txt), and no comment
# that breaks a declaration in two. style_test.sh [FILE...]: all sources, or these.
. "$(dirname "$0")/lib.sh"
wrong=0

# Characters, not bytes. Tables that are data, released migrations, and what is written byte by byte, keep their lines.
columns() {
    local files
    mapfile -t files < <(printf '%s\n' "${all[@]}" |
        grep -E -e '\.(c|h|cu|cuh|inc|cpp|sh|awk|cmake|gp|py|sql|css)$' \
            -e 'CMakeLists.txt$|^(narrows|\.ci/run|\.githooks/.*)$' |
        grep -vE '^tests/.*/(golden|data)/|^results_schema/facts/')
    [ "${#files[@]}" -eq 0 ] && return
    if LC_ALL=C.UTF-8 grep -HnE '^.{121}' "${files[@]}" |
        sed -E 's/^([^:]*:[0-9]+):.*/\1: over 120 columns/' | grep .; then
        wrong=1
    fi
}

phrases() {
    local files phrase instead allowed allow found edge="[^[:alnum:]_]"
    mapfile -t files < <(printf '%s\n' "${all[@]}" |
        grep -E '\.(c|h|cu|cuh|inc|cpp|sh|cmake|gp|py|sql|css|md|yaml|yml)$|CMakeLists.txt$|^narrows$' |
        grep -vE '^tests/.*/(golden|data)/|^tests/build/banned_phrases.txt$|^results_schema/facts/' |
        grep -vE '^docs/GLOSSARY.md$|^CHANGELOG.md$')
    [ "${#files[@]}" -eq 0 ] && return
    while IFS=$'\t' read -r phrase instead allowed; do
        case $phrase in '' | '#'*) continue ;; esac
        found=$(grep -HnwiE -- "$phrase" "${files[@]}")
        while IFS= read -r allow; do
            case $allow in
            '') ;;
            '^'*) found=$(grep -vE -- "$allow" <<<"$found") ;;
            *) found=$(sed -E "s~$allow~~gi" <<<"$found" | grep -iE -- "^[^:]*:[0-9]*:(|.*$edge)($phrase)($|$edge)") ;;
            esac
        done <<<"${allowed//$'\t'/$'\n'}"
        if [ -n "$found" ]; then
            sed -E 's/^([^:]*:[0-9]+):.*/\1/' <<<"$found" | sed "s|\$|: \"${phrase//|//}\", write: $instead|"
            wrong=1
        fi
    done <tests/build/banned_phrases.txt
}

# A type alone on a line, and its name on the next one before a comment: so clang-format breaks a long declaration.
comments() {
    local files
    mapfile -t files < <(printf '%s\n' "${all[@]}" | grep -E '\.(c|h|cu|cuh)$')
    [ "${#files[@]}" -eq 0 ] && return
    awk 'FNR == 1 { before = "" }
        /^ *\**[a-z_0-9, *]*(\[[^]]*\])*;  *\/\*/ &&
            before ~ /^ +(const |unsigned |struct |enum |union )*[a-z_0-9]+( \*+)?$/ {
            printf "%s:%d: the comment breaks the declaration in two; it goes above\n", FILENAME, FNR; n++ }
        { before = $0 }
        END { exit n > 0 }' "${files[@]}" || wrong=1
}

# tests/test.h has cmocka with what belongs to it, and COUNT.
preamble() {
    local files
    mapfile -t files < <(printf '%s\n' "${all[@]}" | grep -E '^tests/.*\.[ch]$' | grep -vx tests/test.h)
    [ "${#files[@]}" -eq 0 ] && return
    grep -HnE '^#include <cmocka.h>|^#define COUNT\(' "${files[@]}" |
        sed 's|$|: include "tests/test.h" instead|' | grep . &&
        wrong=1
}

if [ $# -gt 0 ]; then
    all=("$@")
else
    mapfile -t all < <(sources .)
    need_many "${#all[@]}"
fi
columns
phrases
comments
preamble
[ "$wrong" -eq 0 ] || exit 1
echo "${#all[@]} files: no line over 120 columns, no banned phrase, no comment that breaks a declaration"
