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
    n validate grace quantdist dlperf tensorflow-2017-host tensorflow-2017-servers selene simumax-b200 \
    simumax-b200-memory --db f.db
[ "$(value f.db "SELECT count(*) || ' ' || sum(met) FROM measured_bar WHERE met IS NOT NULL")" = "16 16" ] ||
    failed "bars: $(value f.db "SELECT group_concat(set_name || ' ' || mean, '; ') FROM measured_bar WHERE met = 0")"
[ "$(value f.db "SELECT sum(right) >= 0.95 * sum(n) AND sum(n) > 40 FROM measured_sign
    WHERE scenario = 'grace'")" = 1 ] || failed "signs: $(
    value f.db "SELECT sum(right) || ' of ' || sum(n) FROM measured_sign WHERE scenario = 'grace'")"

# Those without a bar are as far off as the documentation says; and whether a codec pays is said rightly, but for one.
expect 0 "linear scaling mean 44.5" ".*" n validate globalqsgd hipress mlperf --db g.db
value g.db "SELECT printf('| %d | %.1f | %.1f |', n, mean, form_mean) FROM measured_by_set" | sort >sets.txt
[ "$(wc -l <sets.txt)" = 7 ] || failed "sets: $(<sets.txt)"
while read -r line; do
    grep -qF "$line" "$NARROWS_HOME/docs/VALIDATION.md" || failed "docs/VALIDATION.md has no '$line'"
done <sets.txt
[ "$(value g.db "SELECT sum(right) || ' of ' || sum(n) FROM measured_sign")" = "11 of 12" ] ||
    failed "signs: $(value g.db "SELECT sum(right) || ' of ' || sum(n) FROM measured_sign")"

# Each calibrating row is left out in turn, unless there are more than 32.
for n in 32 33; do
    {
        printf 'name: many\ntitle: rows\nsource: made up\nscenario: %s\nrows: |\n  bytes, us, calibrates\n' \
            "$NARROWS_HOME/scenarios/validation/public/nccl-scenario.yaml"
        for ((i = 1; i <= n + 1; i++)); do
            printf '  %d, %d, %d\n' $((i << 20)) $((40 + 18 * i + i % 3)) $((i <= n))
        done
        printf 'label: bytes\nmeasured: {value: us, unit: us}\nreading: time_us\nbind: {method.bytes: bytes}\n'
        printf 'fit: [{keys: collective.bandwidth, rows: calibrates}]\nsets: [{name: all}]\n'
    } >many.yaml
    expect 0 "many" ".*" n validate many.yaml --db "many$n.db"
    [ "$(value "many$n.db" "SELECT count(*) FROM measured_without")" = $((n <= 32 ? n : 0)) ] ||
        failed "of $n rows $(value "many$n.db" "SELECT count(*) FROM measured_without") were left out"
done

# Every shipped validation can be read and bound.
for file in "$NARROWS_HOME"/scenarios/validation/public/*.yaml; do
    grep -q '^bind:' "$file" || continue
    expect 0 "a validation of [0-9]+ rows" "" n check "$file"
done
finish
