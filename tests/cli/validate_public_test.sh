#!/bin/bash
# The published sets of measured rows: each can be read and bound, and those that take seconds are predicted.
. "$(dirname "$0")/lib.sh"
need sqlite3
fresh_tmp
cd "$NARROWS_TEST_TMP" || exit 1
n() {
    "$NARROWS" "$@"
}

# No error may grow beyond its bar.
expect 0 "grace .*met" ".*" \
    n validate grace quantdist dlperf tensorflow-2017-host tensorflow-2017-servers --db f.db
[ "$(value f.db "SELECT count(*) || ' ' || sum(met) FROM measured_bar WHERE met IS NOT NULL")" = "9 9" ] ||
    failed "bars: $(value f.db "SELECT group_concat(set_name || ' ' || mean, '; ') FROM measured_bar WHERE met = 0")"
[ "$(value f.db "SELECT sum(right) >= 0.95 * sum(n) AND sum(n) > 40 FROM measured_sign
    WHERE scenario = 'grace'")" = 1 ] || failed "signs: $(
    value f.db "SELECT sum(right) || ' of ' || sum(n) FROM measured_sign WHERE scenario = 'grace'")"

# Every shipped validation can be read and bound.
for file in "$NARROWS_HOME"/scenarios/validation/public/*.yaml; do
    grep -q '^bind:' "$file" || continue
    expect 0 "a validation of [0-9]+ rows" "" n check "$file"
done
finish
