#!/bin/bash
# narrows tune as a person uses it: table, CSV, JSON, the best as a scenario of its own, a search that is stopped and
# goes on, exit codes.
. "$(dirname "$0")/lib.sh"
need sqlite3
fresh_tmp
cd "$NARROWS_TEST_TMP" || exit 1
n() {
    "$NARROWS" "$@"
}
small=$NARROWS_HOME/tests/tune/data/small.yaml

# The counts add up, and the best comes first.
expect 0 "^[0-9]+ layouts: .* do not fit into memory, .* pruned, .* timed.*what binds" "small-decoder .*blocks" \
    n tune "$small" --db a.db
awk 'NR == 1 { exit !($1 == $3 + $9 + $11) }' <<<"$out" || failed "the counts do not add up: ${out%%$'\n'*}"
cp out first.txt
expect 0 "^rank,layout,tensor,.*,binds" ".*" n tune "$small" --db a.db --csv
cut -d, -f12 <<<"$out" | tail -n +2 | sort -gc || failed "not by step_ms"
[ "$(wc -l <<<"$out")" = 11 ] || failed "not ten layouts"
expect 0 "layouts" "([0-9]+) of \\1 blocks already there" n tune "$small" --db a.db
cmp -s out first.txt || failed "another table of the same search"

# Another question is another search of the same database.
n tune "$small" --no-store --set batch=128 >other.txt 2>/dev/null
n tune "$small" --db a.db --set batch=128 2>/dev/null | cmp -s - other.txt ||
    failed "what was stored of another batch was taken"

# Neither the number of threads nor pruning changes the best.
n tune "$small" --no-store -j 1 2>/dev/null | cmp -s - first.txt || failed "one thread: another table"
n tune "$small" --no-store -j 7 2>/dev/null | cmp -s - first.txt || failed "seven threads: another table"
n tune "$small" --no-store --no-pruning 2>/dev/null | tail -n +2 | cmp -s - <(tail -n +2 first.txt) ||
    failed "without pruning: another table"

# The best are points of the database.
[ "$(value a.db 'SELECT count(*) FROM run_point WHERE run_id = 1')" = 10 ] || failed "not ten points"
[ "$(value a.db 'SELECT count(*) FROM run_end')" = 4 ] || failed "a run did not end"

# What is written runs, and is as fast; so is what is written of a run with other settings.
written() { # OPTIONS...
    expect 0 "best" ".*" n tune "$small" --db a.db --top 2 --json --write best.yaml "$@"
    local best
    best=$(grep -o '"step_ms": [0-9.]*' <<<"$out" | head -n 1 | tr -dc 0-9.)
    expect 0 "step" ".*" n run best.yaml --db w.db
    value w.db "SELECT abs(value / $best - 1) < 1e-12 FROM measure JOIN run_point USING (point_id)
        WHERE name = 'step_ms' AND run_id = (SELECT max(id) FROM run)" >same.txt
    [ "$(<same.txt)" = 1 ] || failed "tune $*: the scenario that was written takes another time than $best ms"
}
written
written --set platform.machines=2 --set batch=32 --codec weights=blockwise:bits=8,block=128 \
    --codec gradients=blockwise:bits=4 --vary context=1,2
mkdir -p elsewhere

printf 'name: m\ngpt: {style: llama, hidden: 2048, layers: 4, heads: 16, sequence: 2048, vocabulary: 32000}\n' \
    >elsewhere/m.yaml
written --set model=elsewhere/m.yaml
if command -v python3 >/dev/null; then
    n tune "$small" --db a.db --json 2>/dev/null | python3 -c 'import json, sys
a = json.load(sys.stdin)
best = a["best"]
assert len(best) == 10 and [b["rank"] for b in best] == list(range(1, 11))
assert all(x["step_ms"] <= y["step_ms"] for x, y in zip(best, best[1:]))
assert all(b["tensor"] * b["pipeline"] * b["context"] * b["data"] == 32 for b in best)
assert all(0 < b["memory_bytes"] <= b["memory_limit_bytes"] and 0 < b["mfu"] < 1 for b in best)' ||
        failed "JSON: wrong"
fi

# Axes: a key that is set is not searched, one that is varied has these values, codecs are tried with and without.
expect 0 ".*" ".*" n tune "$small" --no-store --csv --set method.tensor=4 --vary micro_batch=2
[ "$(tail -n +2 <<<"$out" | cut -d, -f3,9 | sort -u)" = 4,2 ] || failed "tensor, micro_batch: $out"
expect 0 "weights blockwise-4" ".*" n tune "$small" --no-store --top 40 --set link.ib.bandwidth='1 Gbit/s' \
    --set method.tensor=1 --set method.pipeline=1 --set method.level=3 --codec weights=blockwise:bits=4
expect 0 "layouts" ".*" n tune "$small" --no-store --top 1 --idle --vary data=1,2,4 --set method.pipeline=1

# Where memory is what keeps a faster layout out, it says so.
expect 0 "memory: (recompute (none|selective)|micro-batch [0-9]+|level [0-9]|sequence false|[0-9]+ chunks) needs" ".*" \
    n tune "$small" --no-store --set platform.gpu.memory='10 GB'

# Killed as soon as there is a block, it goes on behind it and finds the same.
many=(tune "$small" --vary 'method.prefetch=1, 2, 3, 4' --vary 'method.context=1, 2'
    --vary 'method.two_steps=true, false' --vary 'method.secondary=true, false' --top 3)
"$NARROWS" "${many[@]}" --db killed.db -j 1 >/dev/null 2>killed.txt &
pid=$!
for _ in $(seq 3000); do
    [ "$(sqlite3 -batch killed.db 'SELECT count(*) > 0 FROM tuned_block' 2>/dev/null)" = 1 ] && break
    kill -0 $pid 2>/dev/null || break
    sleep 0.02
done
kill -TERM $pid
wait $pid
[ $? = 130 ] || failed "exit of a stopped search: not 130: $(<killed.txt)"
blocks=$(value killed.db 'SELECT count(*) FROM tuned_block')
expect 0 "what binds" "[^0-9]$blocks of [0-9]+ blocks already there" n "${many[@]}" --db killed.db
cp out resumed.txt
n "${many[@]}" --no-store >whole.txt 2>/dev/null
cmp -s resumed.txt whole.txt || failed "a search that went on found another table"

# Misuse is 2, says what was wrong.
expect 2 "" "narrows tune: which SCENARIO" n tune
expect 2 "" "expected a scenario of the method sharded" n tune break-even --db new.db
expect 2 "" "--codec: expected EDGE=FORMAT.*got 'words=fp16'" n tune "$small" --codec words=fp16 --db new.db
expect 2 "" "--codec: expected EDGE=FORMAT" n tune "$small" --codec weights --db new.db
expect 2 "" "format: expected" n tune "$small" --codec weights=nothing --db new.db
expect 2 "" "method\\.tensor|tensr" n tune "$small" --vary tensr=1,2 --db new.db
expect 2 "" "expected axes and variants that change keys of the method alone" \
    n tune "$small" --vary batch=32,64 --no-store
expect 2 "" "--top: expected" n tune "$small" --top 0 --db new.db
[ ! -e new.db ] || failed "a misused 'narrows tune' made a database"
expect 2 "^0 layouts|do not fit" "no layout fits" n tune "$small" --no-store --set platform.gpu.memory='1 GB'
expect 2 ".*" "no combination is a layout; of the first: method\\.order: expected" \
    n tune "$small" --no-store --set method.order=tensor
expect 1 ".*" "no/such/folder" n tune "$small" --no-store --top 1 --write no/such/folder/best.yaml
finish
