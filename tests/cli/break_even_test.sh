#!/bin/bash
# narrows break-even as a person uses it: the shipped example, the three formats, what is stored, exit codes.
. "$(dirname "$0")/lib.sh"
fresh_tmp
cd "$NARROWS_TEST_TMP" || exit 1
n() {
    "$NARROWS" "$@"
}
pays=$NARROWS_HOME/tests/run/data/pays.yaml

# Every variant but the baseline is asked about; below its break-even the sparse codec pays, above it fp32 does.
expect 0 "fp32 pays above [0-9.]+ .*sparse pays below [0-9.]+ " ".*" \
    n break-even break-even --vary link.eth.bandwidth --db a.db
expect 0 "bound by" ".*" n break-even break-even --vary link.eth.bandwidth --variant sparse --db a.db
[[ $out != *"fp32"* ]] || failed "--variant sparse speaks of fp32"

# The answer holds: run at 1 % below and above it.
bandwidth=platform\\.link\\.eth\\.bandwidth
expect 0 "^scenario,variant,baseline.*break-even,sparse,fp16,$bandwidth,bytes/s,both,1,crosses,below," ".*" \
    n break-even break-even --vary link.eth.bandwidth --variant sparse --format csv --db a.db
x=$(tail -n 1 <<<"$out" | cut -d, -f10)
if command -v sqlite3 >/dev/null; then
    for share in 0.99 1.01; do
        near=$(awk -v x="$x" -v s=$share 'BEGIN { printf "%.0f", x * s }')
        n run break-even --set "link.eth.bandwidth=$near B/s" --db b$share.db >/dev/null 2>&1
        value b$share.db "SELECT b.value > v.value FROM measure b, measure v, run_point p, run_point q
            WHERE b.point_id = p.point_id AND v.point_id = q.point_id AND b.name = 'sample_us' AND v.name = 'sample_us'
              AND p.variant = 'fp16' AND q.variant = 'sparse'"
    done | tr '\n' ' ' >sides.txt
    [ "$(<sides.txt)" = "1 0 " ] || failed "1 % below and above $x B/s: sparse faster: $(<sides.txt)"
    # What was simulated is there, two variants to a value, and the view of gains reads it.
    [ "$(value a.db "SELECT count(DISTINCT scenario) FROM run WHERE scenario = 'break-even+break-even'")" = 1 ] ||
        failed "no run"
    [ "$(value a.db 'SELECT count(*) FROM run_end')" = 3 ] || failed "a run did not end"
    [ "$(value a.db "SELECT count(*) > 40 FROM gain WHERE variant = 'sparse' AND run_id = 2")" = 1 ] ||
        failed "no gains"
fi

# A batch that fits because it is offloaded makes up for its cost where the network is slow.
expect 0 "split, per object pays below [0-9.]+ .*bound by" ".*" \
    n break-even memory --db a.db --variant 'split, per object' --point 10 \
    --set platform=splitcnn-cloud --set method.workers=16 --vary link.eth.bandwidth

# JSON is JSON.
expect 0 "^\\[\\{.*\"verdict\": \"crosses\"" ".*" \
    n break-even "$pays" --vary link.wire.bandwidth --format json --db p.db
if command -v python3 >/dev/null; then
    python3 -c 'import json, sys
a = json.load(sys.stdin)
c = a[0]["crossings"][0]
assert c["low"] < c["value"] < c["high"] and c["high"] / c["low"] - 1 <= 1e-4
assert len(c["sides"]) == 4 and len(a[0]["scan"]) == 33
assert a[1]["variant"] == "three"' <<<"$out" || failed "JSON: wrong"
fi

# The range is that of the answers with each of the other sets of constants, given by hand.
table=$NARROWS_HOME/scenarios/papers/a2dtwp/table-ii.yaml
question=(break-even "$table" --vary link.pcie.bandwidth --target 1.1 --format json)
if command -v sqlite3 >/dev/null && command -v python3 >/dev/null; then
    expect 0 "A2DTWP" ".*" n run "$table" --db fits.db
    "$NARROWS" "${question[@]}" --no-store >range.json 2>/dev/null || failed "no range"
    for constant in convolution fully_connected memory_efficiency; do
        row=$(value fits.db "SELECT c.constant || '=' || printf('%.17g', c.value) FROM refit_constant c
            JOIN calibration k USING (constant)
            WHERE constant LIKE '%$constant' AND abs(c.value / k.value - 1) > 1e-3")
        "$NARROWS" "${question[@]}" --no-store --set "$row" 2>/dev/null || failed "no answer with $row"
    done >answers.json
    python3 - <<'PYTHON' || failed "the range is not that of the answers"
import json
range = json.load(open('range.json'))[0]['crossings'][0]
text, values, decoder = open('answers.json').read(), [range['value']], json.JSONDecoder()
while text.strip():
    answer, end = decoder.raw_decode(text.strip())
    values.append(answer[0]['crossings'][0]['value'])
    text = text.strip()[end:]
assert len(values) == 4, values
assert abs(min(values) / range['least'] - 1) < 1e-3 and abs(max(values) / range['largest'] - 1) < 1e-3, (values, range)
assert range['largest'] / range['least'] > 1.2
PYTHON
fi

# Whole numbers, other targets, other opponents, other verdicts.
expect 0 "packed pays (below|above|everywhere)|packed is" ".*" \
    n break-even "$pays" --vary batch --variant packed --target 1.2 --db p.db
expect 0 "packed is at least 1\\.2 times as fast as plain from [0-9]+ down" ".*" \
    n break-even "$pays" --vary batch --variant packed --target 1.2 --db p.db
expect 0 "changed in packed alone: three keeps its own, 3" ".*" \
    n break-even "$pays" --vary bytes_per_weight --variant packed --against three --db p.db
sed 's#^model: .*#model: resnet-50#; s#encode.rate: 300 GB/s#encode.rate: unlimited#' \
    "$NARROWS_HOME/scenarios/examples/break-even.yaml" >free.yaml
expect 0 "sparse alone: fp16 keeps its own, unlimited" ".*" n break-even free.yaml --vary gradients.encode.rate \
    --variant sparse --scan 3 --from '10 GB/s' --to '50 GB/s' --db p.db
expect 0 "packed pays nowhere in this range" ".*" \
    n break-even "$pays" --vary link.wire.bandwidth --variant packed --from '1 TB/s' --to '2 TB/s' --db p.db
expect 0 "makes no difference" ".*" n break-even "$pays" --vary gpu.memory --variant packed --db p.db
expect 0 "33 points scanned" ".*" n break-even "$pays" --vary link.wire.bandwidth --variant packed --db p.db
expect 0 "5 points scanned" ".*" n break-even "$pays" --vary link.wire.bandwidth --variant packed --scan 5 --db p.db

# Misuse is 2, says what was wrong, and makes no database.
expect 2 "" "--vary PATH is missing" n break-even "$pays"
expect 2 "" "narrows break-even: which SCENARIO" n break-even --vary batch
expect 2 "" "did you mean 'link\\.wire\\.bandwidth'" n break-even "$pays" --vary link.wire.bandwith --db new.db
expect 2 "" "expected one of the variants plain, packed, three, got 'no-such'" \
    n break-even "$pays" --vary batch --variant no-such --db new.db
expect 2 "" "'plain' against itself" n break-even "$pays" --vary batch --variant plain --db new.db
expect 2 "" "expected a path with one meaning.*platform\\.link.*, platform" \
    n break-even break-even --vary bandwidth --db new.db
expect 2 "" "--from: .*another|--from: .*something else" \
    n break-even "$pays" --vary wire.latency --from '1 GB' --db new.db
expect 2 "" "--target: expected a number above 0, got '0'" n break-even "$pays" --vary batch --target 0 --db new.db
expect 2 "" "--format: expected text, csv or json" n break-even "$pays" --vary batch --format xml --db new.db
expect 2 "" "--point: expected 0\\.\\.2" n break-even "$pays" --vary batch --point 3 --db new.db
expect 2 "" "expected a baseline" n break-even "$NARROWS_HOME/tests/cli/data/no-baseline.yaml" --vary batch --db new.db
[ ! -e new.db ] || failed "a misused 'narrows break-even' made a database"
finish
