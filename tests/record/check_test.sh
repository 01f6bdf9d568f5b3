#!/bin/bash
# A record against today's trainer: one that it repeats, every fact that it can differ in, scenarios that changed, and
# what becomes of records that another trainer made.
# use: check_test.sh ALTER_RECORD
# shellcheck disable=SC2154,SC1091 # of lib.sh
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../cli/lib.sh"
alter=$1
need sqlite3
fresh_tmp
cd "$NARROWS_TEST_TMP" || exit 1

# The learning rate drops in step 4 of 6.
cat >original.yaml <<'YAML'
name: dct-small-test
model:
  name: tiny
  input: {channels: 3, height: 8, width: 8}
  classes: 10
  layers:
    - {kind: conv, channels: 8, kernel: 3, pad: 1}
    - {kind: relu}
    - {kind: avgpool, kernel: 2}
    - {kind: classifier}
    - {kind: softmax}
training:
  data: {kind: images, train: 64, test: 64}
  batch: 8
  steps: 6
  learning_rate: {from: 0.05, schedule: step, at: "2/3", factor: 0.1}
  evaluate: {every: 2}
  exchange: {push: "3lc:s=1.75"}
sweep: {training.seed: [1, 2]}
variants:
  fp32: {}
  mixed: {training.precision: mp}
YAML
cp original.yaml small.yaml
expect 0 '.*' '.*' "$NARROWS" run small.yaml -d a.db
expect 0 '' 'a.record: 1 runs, 4 training runs' "$NARROWS" record export a.record small.yaml -d a.db
rm -rf a.db*
cp a.record whole.record

# What the command line takes.
expect 2 '' 'check: expected FILE' "$NARROWS" record check
expect 2 '' "--steps: expected a whole number" "$NARROWS" record check a.record --steps 0
expect 1 '' 'none.record: cannot be read' "$NARROWS" record check none.record
sed 's/^trainer ..../trainer 0000/' a.record >damaged.record
expect 2 '' 'damaged.record: is damaged' "$NARROWS" record check damaged.record
rm damaged.record

# Its own trainer repeats it, whole or in part, on any number of threads, and leaves nothing behind.
before=$(ls)
for jobs in 1 3; do
    expect 0 'the first 40 steps of 4 training runs agree with the record, of 0 differ' '' \
        env NARROWS_QUIET=1 "$NARROWS" record check a.record --jobs $jobs
    [[ $out =~ key|later ]] && failed "it is whole, and of the very scenario: $out"
done
expect 0 'first 2 steps of 4 .*8 of 24 steps were compared; later.*in 4 training runs precision, bits' '' \
    env NARROWS_QUIET=1 "$NARROWS" record check a.record --steps 2
export NARROWS_QUIET=1
expect 0 'first 3 steps of 4 training runs agree' '' "$NARROWS" record check a.record --steps 3 # of a schedule of 6
expect 0 'first 5 steps' '' "$NARROWS" record check a.record --steps 5
[[ $out =~ 'for the first time' ]] && failed "the rate changes within five steps: $out"
[ "$(ls)" = "$before" ] || failed "a check left files: $(ls)"
cmp -s a.record whole.record || failed "a check changed the record"

# Each fact of a step, of the second training run's second step: found, with both values; not by a check that ends
# before it, and no stamp on what differs.
for column in epoch samples loss learning_rate precision precision_share pushed_bytes pulled_bytes; do
    "$alter" a.record b.record trace_step $column 7 || failed "could not change $column"
    cp b.record c.record
    expect 1 "dct-small-test, point [0-3] \(.*\): step [01]: $column [^ ]+ was recorded, [^ ]+ now" \
        'b.record: is not stamped' "$NARROWS" record check b.record --stamp
    cmp -s b.record c.record || failed "$column: the record that differs was changed"
done
"$alter" a.record b.record trace_step loss 7
expect 1 "point 1 \(mixed, seed 1\): step 1: loss .*of 3 training runs agree with the record, of 1 differ" '' \
    "$NARROWS" record check b.record
expect 0 'first 1 steps of 4 training runs agree' '' "$NARROWS" record check b.record --steps 1
expect 1 'of 4 training runs agree.*of 3 training runs agree' '' "$NARROWS" record check a.record b.record

# Of another trainer: stale, until it was checked, and by whom. The contents stay what they are, so that a database
# which has them gets the stamp alone.
"$alter" a.record b.record trainer 0011223344556677
expect 0 '' 'stale: the trainer has changed' "$NARROWS" record import b.record -d b.db
expect 0 ' stale +b.record' '' "$NARROWS" record list -d b.db
digest=$(sed -n 's/^digest //p' b.record)
expect 0 '0 of 4 have the recorded key' '' "$NARROWS" record check b.record
expect 0 'b.record: checked by trainer [0-9a-f]* from now on, 2 steps' '' \
    "$NARROWS" record check b.record --stamp --steps 2
expect 0 'b.record: checked by trainer [0-9a-f]* from now on, 5 steps' '' \
    "$NARROWS" record check b.record --stamp --steps 5
[ "$(grep -ac '^checked ' b.record)" = 1 ] || failed "a stamp did not replace the one before"
[ "$(sed -n 's/^digest //p' b.record)" = "$digest" ] || failed "a stamp changed the digest"
expect 0 '' '' "$NARROWS" record import b.record -d b.db
expect 0 ' checked 5 +b.record' '' "$NARROWS" record list -d b.db
[ "$(value b.db 'SELECT count(*) FROM run')" = 1 ] || failed "a stamp brought the runs a second time"
expect 0 '' 'checked: this trainer repeats the first 5 steps of each$' "$NARROWS" record import b.record -d c.db
expect 0 ' checked 5 +b.record' '' "$NARROWS" record list -d c.db
[[ $(value c.db "SELECT says FROM trained_source WHERE paper = 'dct'") == *'repeats the first 5 steps'* ]] ||
    failed "the report's note does not say so: $(value c.db "SELECT says FROM trained_source")"
sqlite3 c.db "UPDATE record_check SET trainer = 'x'"
expect 0 ' stale +b.record' '' "$NARROWS" record list -d c.db
rm -f b.db* c.db*

# A stamp is of its record alone.
sed '2s/ 5 / 6 /' b.record >c.record
expect 2 '' 'c.record: is damaged: who checked it' "$NARROWS" record import c.record -d b.db
{ head -n 2 b.record && tail -n +2 a.record; } >c.record
expect 2 '' 'c.record: is damaged: who checked it' "$NARROWS" record import c.record -d b.db

# A list of seeds that grew.
sed 's/seed: \[1, 2\]/seed: [1, 2, 3]/' original.yaml >small.yaml
expect 0 'of 4 training runs agree' '.*' "$NARROWS" record check a.record

# Scenarios that are no longer what was trained. 'sed expression|what is said'
while IFS='|' read -r change says; do
    sed "$change" original.yaml >small.yaml
    expect 1 "dct-small-test: stale, it must be trained again: $says.*; 4 points are of scenarios that have changed" \
        'is not stamped' "$NARROWS" record check a.record --stamp
done <<'CASES'
s/seed: \[1, 2\]/seed: [1, 3]/|point 2: training.seed: '2' was recorded, it is '3' now
s/seed: \[1, 2\]/seed: [1]/|4 points were recorded, it has 2 now
s/mixed: /mp: /|point 1: the variant: 'mixed' was recorded, it is 'mp' now
s/steps: 6/steps: 7/|point 0: steps: 6 was recorded, it is 7 now
s/batch: 8/batch: 4/|point 0: batch: 8 was recorded, it is 4 now
s/name: tiny/name: small/|point 0: the model: 'tiny' was recorded, it is 'small' now
s/training.seed/training.data.seed/|point 0: training.seed was swept, it is not now
s/^sweep.*/sweep: {training.optimizer.momentum: [0, 0.5]}/|point 0: training.seed was swept, it is not now
s/^name: dct-small-test/name: other/|small.yaml is of other now
CASES
sed 's/from: 0.05/from: 0.06/' original.yaml >small.yaml
expect 1 'step 0: learning_rate' '' "$NARROWS" record check a.record
sed 's/channels: 8/channels: x/' original.yaml >small.yaml
expect 1 'small.yaml cannot be read as a scenario' '.*' "$NARROWS" record check a.record
sed "s|\.\./|$NARROWS_HOME/scenarios/|" "$sweep" >small.yaml
expect 1 'small.yaml trains nothing' '' "$NARROWS" record check a.record
rm small.yaml
expect 1 'there is no file small.yaml' '' "$NARROWS" record check a.record
cmp -s a.record whole.record || failed "a record without its scenario was stamped"

# A signal ends it, and it stamps nothing: sent while the scenario is still waited for.
mkfifo small.yaml
"$NARROWS" record check a.record --stamp >signal.txt 2>&1 &
check=$!
exec 3>small.yaml
kill -TERM $check
cat original.yaml >&3
exec 3>&-
wait $check
code=$?
[ "$code" = 130 ] || failed "after a signal: exit $code, not 130: $(<signal.txt)"
cmp -s a.record whole.record || failed "an interrupted check stamped the record"
finish
