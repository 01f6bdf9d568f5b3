#!/bin/bash
# Training runs that are killed with SIGKILL at random moments or stopped by SIGINT and resumed from their checkpoints
# store what undisturbed ones do, at any number of threads; a damaged checkpoint is refused; real files replace
# synthetic data.
. "$(dirname "$0")/lib.sh"
need sqlite3
fresh_tmp
cd "$NARROWS_TEST_TMP" || exit 1
RANDOM=${NARROWS_TEST_SEED:=$$}
echo "seed $NARROWS_TEST_SEED (repeat with NARROWS_TEST_SEED=$NARROWS_TEST_SEED)"

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
  steps: 60
  learning_rate: {schedule: cosine, from: 0.05, to: 0.001}
  evaluate: {every: 20}
  mask: {after: relu1, dropped: 0}
  trace: {every: 7, thresholds: '0.5, 0.75'}
  checkpoint: {every: 5}
sweep: {training.seed: [1, 2]}
baseline: fp32
variants:
  fp32: {}
  3lc: {exchange.push: "3lc:s=1.5", exchange.pull: "3lc:s=1.5"}
  awp: {workers: 1, exchange.pull_of: weights, awp.interval: 9, awp.threshold: 0.5}
YAML

# All that was stored, without what names a run.
table() { # database
    sqlite3 "$1" "WITH p AS (SELECT variant, position, point_id FROM run_point WHERE run_id = (SELECT max(id) FROM run))
        SELECT p.position, 'measure', m.name, printf('%.17g', m.value) FROM p JOIN measure m USING (point_id)
        UNION ALL SELECT p.position, 'step', s.step, printf('%.17g %d %d', s.loss, s.pushed_bytes, s.pulled_bytes)
            FROM p JOIN trace_step s USING (point_id)
        UNION ALL SELECT p.position, 'exchange', x.step || '/' || x.tensor || '/' || x.pull, x.bytes || ' ' || x.zeros
            FROM p JOIN trace_exchange x USING (point_id)
        UNION ALL SELECT p.position, 'bits', b.step || '/' || b.tensor, b.bits FROM p JOIN trace_bits b USING (point_id)
        UNION ALL SELECT p.position, 'threshold', t.step || '/' || t.dropped, printf('%.17g', t.threshold)
            FROM p JOIN trace_threshold t USING (point_id)
        UNION ALL SELECT p.position, 'evaluation', e.after_steps, printf('%.17g %.17g', e.loss, e.top1)
            FROM p JOIN trace_evaluation e USING (point_id)
        ORDER BY 1, 2, 3, 4"
}

same() { # database what
    table "$1" >now.txt
    cmp -s whole.txt now.txt && return
    failed "$2: not what the undisturbed training runs store"
    diff whole.txt now.txt | head -n 5
}

expect 0 'variant' '.*' "$NARROWS" run --db whole.db --jobs 1 small.yaml
table whole.db >whole.txt
[ "$(grep -c '|step|' whole.txt)" = 360 ] || failed "not 6 training runs of 60 steps: $(grep -c '|step|' whole.txt)"
[ -z "$(ls whole.db.checkpoints 2>/dev/null)" ] || failed "finished training runs have left checkpoints"
for jobs in 2 7; do
    expect 0 'variant' '.*' "$NARROWS" run --db jobs.db --jobs "$jobs" small.yaml
    same jobs.db "$jobs jobs"
    rm -rf jobs.db*
done

resumed=0
for _ in 1 2 3 4 5 6 7 8; do
    (exec "$NARROWS" run --db killed.db --jobs 2 small.yaml >killed.out 2>killed.err) &
    sleep "0.$((RANDOM % 4))$((RANDOM % 10))"
    kill -KILL $! 2>/dev/null
    wait $! 2>/dev/null
    resumed=$((resumed + $(find killed.db.checkpoints -type f 2>/dev/null | wc -l)))
done
echo "$resumed checkpoints were left behind"
# SIGINT: what was done is kept, and said. (A shell's background job ignores SIGINT; env gives it back.)
env --default-signal=INT "$NARROWS" run --db killed.db --jobs 1 small.yaml >int.out 2>int.err &
sleep 0.2
kill -INT $! 2>/dev/null
wait $!
case $? in 130 | 0) ;; *) failed "SIGINT: exit $?: $(tail -n 2 int.err)" ;; esac
expect 0 'variant' '.*' "$NARROWS" run --db killed.db --jobs 2 small.yaml
same killed.db "killed and resumed"

# A checkpoint that is damaged is refused by name, and nothing is lost by taking it away.
(exec "$NARROWS" run --db damaged.db --jobs 1 --set steps=100000 small.yaml >/dev/null 2>&1) &
for _ in $(seq 100); do
    sleep 0.1
    checkpoint=$(find damaged.db.checkpoints -type f ! -name '*.part' 2>/dev/null | head -n 1)
    [ -z "$checkpoint" ] || break
done
kill -KILL $! 2>/dev/null
wait $! 2>/dev/null
printf 'X' | dd of="$checkpoint" bs=1 seek=2000 conv=notrunc 2>/dev/null
expect 2 '' "${checkpoint##*/}: offset .*" "$NARROWS" run --db damaged.db --jobs 1 --set steps=100000 small.yaml

# Real files in place of synthetic images: refused when they are not there, or not of the kind that is named.
expect 2 '' 'training.data' "$NARROWS" run --db real.db --set data.kind=cifar10 --set data.path=nowhere small.yaml
mkdir -p cifar
head -c 5000 /dev/zero >cifar/data_batch_1.bin
expect 2 '' 'data_batch_1.bin' "$NARROWS" run --db real.db --set data.kind=cifar10 --set data.path=cifar \
    --set model.input.height=32 --set model.input.width=32 small.yaml
finish
