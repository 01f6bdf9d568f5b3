#!/bin/bash
# A training that is spread over the ranks of mpirun stores what a single process does, bit for bit: for every exchange,
# on any number of ranks, killed or stopped and resumed by others. What goes wrong on one rank ends all of them, and is
# said.
# use: ranks_test.sh LINK_TEST
. "$(dirname "$0")/../cli/lib.sh"
. "$(dirname "$0")/lib.sh"
fresh_tmp
cd "$NARROWS_TEST_TMP" || exit 1
need_mpi

cat >small.yaml <<'YAML'
name: small
model:
  name: tiny
  input: {channels: 3, height: 8, width: 8}
  classes: 10
  layers:
    - {kind: conv, channels: 8, kernel: 3, pad: 1, bias: false}
    - {kind: batchnorm}
    - {kind: relu}
    - {kind: avgpool, kernel: 2}
    - {kind: classifier}
    - {kind: softmax}
training:
  data: {kind: images, train: 640, test: 64, crop: true}
  workers: 3
  batch: 8
  steps: 24
  exchange: {min_values: 100}
  learning_rate: {schedule: cosine, from: 0.05, to: 0.001}
  evaluate: {every: 10}
  mask: {after: relu1, dropped: 0}
  trace: {every: 7, thresholds: '0.5, 0.75'}
  checkpoint: {every: 5}
baseline: fp32
variants:
  fp32: {}
  3lc: {exchange.push: "3lc:s=1.5", exchange.pull: "3lc:s=1.5"}
  dct: {exchange.push: "dct:dropped=0.8,lifespan=5"}
  local: {exchange.push: "local:k=2", exchange.pull: "local:k=2"}
  blocks: {exchange.push: "blockwise:bits=4,block=64"}
  awp: {exchange.pull_of: weights, awp.interval: 5, awp.threshold: 0.5}
  dynamic: {precision: dynamic, dynamic.batches_mp: 3, dynamic.batches_bf16: 4, dynamic.threshold: -1}
  one: {workers: 1, exchange.push: 1bit}
YAML
run=("$NARROWS" run --jobs 2)
three=(--variant fp32 --variant 3lc --variant dct --variant local --variant blocks --variant awp --variant dynamic)

expect 0 'variant' '.*' "${run[@]}" --db probe.db --variant fp32 small.yaml
if grep -q 'without MPI' <(ranks 2 "${run[@]}" --db none.db small.yaml 2>&1); then
    echo "skipped: this program was built without MPI"
    exit 77
fi

for n in 2 3 5; do
    expect 0 '' '' ranks "$n" "$1"
done

same() { # database what
    everything "$1" >now.txt
    cmp -s whole.txt now.txt && return
    failed "$2: $1 is not what a single process stores"
    diff whole.txt now.txt | head -n 5
}

# Every exchange. The last variant has one worker: a server and that.
expect 0 'variant' '.*' "${run[@]}" --db one.db small.yaml
everything one.db >whole.txt
[ "$(grep -c '^step' whole.txt)" = 192 ] || failed "not 8 training runs of 24 steps: $(grep -c '^step' whole.txt)"
[ "$(grep -c '^bits.*16$' whole.txt)" -gt 0 ] || failed "AWP has widened nothing"
[ "$(grep -c '^step.*bf16' whole.txt)" -gt 0 ] || failed "no step was in bf16"
ranks 2 "${run[@]}" --db two.db small.yaml >out 2>err || failed "2 ranks: exit $?: $(head -n 3 err)"
same two.db "2 ranks"
[ "$(grep -c 'stored in' out)" = 1 ] || failed "2 ranks print: $(cat out)"
[ "$(value two.db "SELECT count(*) FROM training_rank_time")" = $((192 * 2)) ] ||
    failed "times of other steps than 2 x 192"
[ "$(value two.db "SELECT sum(sent_bytes) = sum(received_bytes) AND sum(push_ns) > 0 FROM training_rank_time")" = 1 ] ||
    failed "not all that was sent was received"
[ "$(value two.db "SELECT count(*) FROM training_time WHERE ranks = 2 AND steps = 24 AND executed_s > 0")" = 8 ] ||
    failed "not 8 training runs of 24 steps on 2 ranks took a time"
[ "$(value one.db "SELECT count(*) FROM training_rank_time")" = 0 ] || failed "a single process has times of ranks"
expect 0 'variant' '.*' "${run[@]}" --db three.db "${three[@]}" small.yaml
everything three.db >whole.txt
for n in 1 3 4; do
    ranks "$n" "${run[@]}" --db "$n.db" "${three[@]}" small.yaml >out 2>err ||
        failed "$n ranks: exit $?: $(head -n 3 err)"
    same "$n.db" "$n ranks"
done
[ -z "$(find . -path "*.checkpoints/*")" ] || failed "finished training runs have left checkpoints"

# What is pushed and pulled is what travels: 3LC's messages are a fraction of those of fp32.
[ "$(value 3.db "SELECT sum(sent_bytes) FILTER (WHERE variant = 'fp32')
                        > 3 * sum(sent_bytes) FILTER (WHERE variant = '3lc')
    FROM training_rank_time JOIN run_point USING (point_id)")" = 1 ] || failed "3LC sends more than a third of fp32"

# Killed again and again, one rank at a time, and resumed by another number of ranks each time.
long=(--set steps=800 --set evaluate.every=800 --variant 3lc --set trace.every=500)
expect 0 'variant' '.*' "${run[@]}" --db whole.db "${long[@]}" small.yaml
everything whole.db >whole.txt
kills=0
for n in 3 2 4; do
    ranks "$n" "${run[@]}" --db killed.db "${long[@]}" small.yaml >out 2>err &
    launcher=$!
    before=$(stat -c %Y%Z killed.db.checkpoints/* 2>/dev/null)
    for _ in $(seq 200); do
        sleep 0.05
        [ "$(stat -c %Y%Z killed.db.checkpoints/* 2>/dev/null)" = "$before" ] || break
    done
    mapfile -t pids < <(ranks_of "$launcher")
    began=$SECONDS
    [ "${#pids[@]}" -eq 0 ] || { kill -KILL "${pids[$((kills % ${#pids[@]}))]}" 2>/dev/null && kills=$((kills + 1)); }
    wait "$launcher"
    code=$?
    [ "$code" -ne 0 ] || echo "$n ranks were done before they were killed"
    [ $((SECONDS - began)) -lt 30 ] || failed "$n ranks: $((SECONDS - began)) s from the death of one to the end of all"
    for pid in "${pids[@]}"; do
        gone "$pid" || failed "$n ranks: rank $pid is left"
    done
done
[ "$kills" -gt 0 ] || failed "no rank was killed"
echo "$kills ranks were killed; $(find killed.db.checkpoints -type f | wc -l) checkpoints are left"
expect 0 'variant' '.*' "${run[@]}" --db killed.db "${long[@]}" small.yaml
same killed.db "killed on 3, 2 and 4 ranks, resumed by one process"

# A signal to any rank stops all after the same step, with a checkpoint.
ranks 3 "${run[@]}" --db stopped.db "${long[@]}" --set steps=100000 small.yaml >out 2>err &
launcher=$!
for _ in $(seq 200); do
    sleep 0.05
    [ -z "$(ls stopped.db.checkpoints 2>/dev/null)" ] || break
done
mapfile -t pids < <(ranks_of "$launcher")
kill -TERM "${pids[1]}"
wait "$launcher"
code=$?
[ "$code" = 130 ] || failed "stopped: exit $code, not 130: $(head -n 3 err)"
[ "$(grep -c 'interrupted, run it again' err)" = 1 ] || failed "stopped: $(cat err)"
[ -n "$(ls stopped.db.checkpoints)" ] || failed "stopped: no checkpoint"

# Refused before anything is trained, once, and by all ranks.
refused() { # exit 'regex of stderr' what command...
    local want=$1 like=$2 what=$3 code
    shift 3
    timeout -k 5 60 mpirun "$@" >out 2>err
    code=$?
    [ "$code" = "$want" ] || failed "$what: exit $code, not $want: $(head -n 5 err)"
    [ "$(grep -cE "$like" err)" = 1 ] || failed "$what: not once '$like': $(head -n 20 err)"
}
refused 2 'workers: expected at least 4,.* 5 ranks .*got 3' "too many ranks" \
    -np 5 "${run[@]}" --db refused.db small.yaml
refused 2 'unknown key|expected' "a wrong key" -np 3 "${run[@]}" --db refused.db --set training.nonsense=1 small.yaml
mkdir -p other
sed 's/from: 0.05/from: 0.06/' small.yaml >other/small.yaml
refused 2 'another scenario.*\(on rank 1\)' "another file on rank 1" \
    -np 1 "${run[@]}" --db refused.db small.yaml : -np 1 --wdir "$PWD/other" "${run[@]}" --db refused.db small.yaml

# Tables, which every rank updates.
lines() { # text of the second column
    awk -v dense="$1" 'BEGIN { for (i = 0; i < 400; i++) { printf "%d\t%s", i % 3 == 0, i % 399 ? dense : 5
        for (k = 1; k < 13; k++) printf "\t%d", i % (k + 7)
        for (k = 0; k < 26; k++) printf "\t%08x", i * (k + 3) % 97
        print "" } }'
}
lines 5 >train.txt
cat >clicks.yaml <<'YAML'
name: clicks
model: dlrm-small
training:
  data: {kind: criteo, path: train.txt}
  workers: 2
  batch: 8
  steps: 12
  learning_rate: {from: 0.05}
  exchange: {push: "dct:dropped=0.9,lifespan=3"}
baseline: dct
variants:
  dct: {}
YAML
expect 0 'variant' '.*' "${run[@]}" --db clicks1.db clicks.yaml
everything clicks1.db >whole.txt
for n in 2 3; do
    ranks "$n" "${run[@]}" --db "clicks$n.db" clicks.yaml >out 2>err ||
        failed "clicks, $n ranks: exit $?: $(head -n 3 err)"
    same "clicks$n.db" "tables that $n ranks look up"
done

# What a rank runs into in the middle of a training: it says so, and ends all of them. Rank 0 is the server alone.
lines x >train.txt
refused 1 'rank 1: .*train.txt: line [0-9]+: column 2' "a bad line on rank 1" \
    -np 2 "${run[@]}" --db bad.db --set training.workers=1 clicks.yaml
# And what only rank 0 runs into: it cannot write its checkpoint.
lines 5 >train.txt
key=$(sqlite3 whole.db "SELECT key FROM point JOIN run_point ON id = point_id WHERE variant = '3lc'")
mkdir -p "full.db.checkpoints/$key.part"
refused 1 "$key.part: .*open" "a checkpoint that cannot be written" \
    -np 3 "${run[@]}" --db full.db "${long[@]}" small.yaml
finish
