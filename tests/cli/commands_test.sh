#!/bin/bash
# Each command that has a long test of its own, once, on little and in each of its formats: what sanitizers see of it
# where the long one is left to the night (NIGHTLY in tests/CMakeLists.txt).
. "$(dirname "$0")/lib.sh"
fresh_tmp
cd "$NARROWS_TEST_TMP" || exit 1
export NARROWS_QUIET=1
n() {
    "$NARROWS" "$@"
}
pays=$NARROWS_HOME/tests/run/data/pays.yaml

# validate: the page's example
awk '/^```/ { inside = !inside && $0 == "```yaml"; next } inside' "$NARROWS_HOME/docs/VALIDATION.md" |
    awk '/^# [a-z-]+\.yaml: / { name = substr($2, 1, length($2) - 1) } name { print >name }'
expect 0 "over Ethernet  3 .*met.*Constants that were fitted.*link.pcie.bandwidth" ".*" \
    n validate my-rows.yaml --db v.db
expect 2 "" "\." n validate "$pays" --db v.db

# break-even
for format in text csv json; do
    expect 0 "crosses|pays" ".*" n break-even "$pays" --vary link.wire.bandwidth --format $format --db p.db
done
expect 2 "" "wire" n break-even "$pays" --vary link.wire.bandwith --db p.db

# plan
expect 0 "^tiny on round, batch 6: 2x2 patches over 3 of 4 convolutions, schedule per-object" "" \
    n plan "$NARROWS_HOME/tests/cli/data/plan-tiny.yaml" --variant split --layers
expect 2 "" "\." n plan "$NARROWS_HOME/tests/cli/data/plan-tiny.yaml" --point 99

# tune
small=$NARROWS_HOME/tests/tune/data/small.yaml
expect 0 "^[0-9]+ layouts: .* pruned, .* timed" ".*" n tune "$small" --db t.db --top 2 --write best.yaml
expect 0 "\"best\"" ".*" n tune "$small" --db t.db --top 2 --json

# merge: two parts are the whole
for part in 0 1; do
    expect 0 ".*" ".*" n run "$pays" --sweep 'link.wire.bandwidth=1..16 Gbit/s:log:3' \
        --db "part-$part.db" --part "$part/2"
done
expect 0 "" "points added, 0 points already there" n merge whole.db part-0.db part-1.db
expect 0 "" ": 0 runs and 0 points added" n merge whole.db part-0.db part-1.db

# report of a scenario, and of a paper that is not there
expect 0 "^variant," "" n report --db whole.db --scenario pays+changes --csv
expect 1 "" "no run in this database covers paper splitcnn" n report --db whole.db --paper splitcnn --table fig8

# calibrate, up to where it launches
expect 2 "" "--sizes: expected ascending sizes" n calibrate network --sizes 2,1
finish
