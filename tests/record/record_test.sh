#!/bin/bash
# Records on the command line: trained, exported, imported elsewhere. The papers' views show the same of a record as of
# the training runs that it was made of. What does not belong into a record, or is none, is refused.
# use: record_test.sh SAME_VIEWS
# shellcheck disable=SC2154,SC1091 # of lib.sh
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../cli/lib.sh"
same_views=$1
need sqlite3
fresh_tmp
cd "$NARROWS_TEST_TMP" || exit 1

cat >small.yaml <<'YAML'
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
  learning_rate: {from: 0.05}
sweep: {training.seed: [1, 2]}
YAML
sed 's/steps: 6/steps: 7/' small.yaml >longer.yaml
sed '/^training:/,$d' small.yaml >model.yaml
n() { # database 'rest of SELECT count(*)'
    sqlite3 "$1" "SELECT count(*) FROM $2"
}

# What cannot be exported.
expect 2 '' 'Usage' "$NARROWS" record
expect 2 '' "expected export, import, resume, list or check, got 'exprot'" "$NARROWS" record exprot
expect 2 '' 'expected FILE SCENARIO' "$NARROWS" record export a.record
expect 2 '' "expected nothing more, got 'x'" "$NARROWS" record list x
expect 1 '' 'a.db: No such file' "$NARROWS" record export a.record small.yaml -d a.db
expect 0 '.*' '' "$NARROWS" record --help
expect 0 '.*' '.*' "$NARROWS" run small.yaml -d other.db
expect 2 '' "did you mean" "$NARROWS" record export a.record smal.yaml -d other.db
expect 2 '' 'run 1, point 0: was trained by another trainer, or as the scenario no longer has it' \
    "$NARROWS" record export a.record longer.yaml -d other.db
sqlite3 other.db 'DELETE FROM run_end'
expect 2 '' 'other.db: holds no run of dct-small-test that came to its end here' \
    "$NARROWS" record export a.record small.yaml -d other.db
expect 2 '' 'expected a scenario with a training' \
    "$NARROWS" record export a.record "$sweep" -d other.db
[ ! -e a.record ] || failed "a refused export left a file"

# From here to there: known as a record, not taken for computed.
expect 0 '.*' '.*' "$NARROWS" run small.yaml -d a.db
expect 0 '' 'a.record: 1 runs, 2 training runs, [0-9]* bytes' "$NARROWS" record export a.record small.yaml -d a.db
expect 0 '' 'a.record: 2 training runs, recorded 20[0-9-]* on .* at [^;]*$' "$NARROWS" record import a.record -d b.db
expect 0 '' '' "$NARROWS" record import a.record -d b.db
expect 0 'dct-small-test +2 +20[0-9-]* .* fresh +a.record, ' '' "$NARROWS" record list -d b.db
[ "$(n b.db 'record_state WHERE stale OR stale_time OR paper <> "dct"')" = 0 ] || failed "its own record is stale"
expect 0 '.*' '2 trained, 0 already there' "$NARROWS" run small.yaml -d b.db
[ "$(n b.db training)" = 4 ] || failed "trained here and there: $(n b.db training), not 4"
sqlite3 b.db "UPDATE record SET trainer = 'x'"
expect 0 'stale' '' "$NARROWS" record list -d b.db
sed 's/^trainer ..../trainer 0000/' a.record >c.record
expect 2 '' 'c.record: is damaged' "$NARROWS" record import c.record -d other.db

# Those that ship: a paper's own, one that cannot be read keeps nothing else back.
mkdir -p home/scenarios/papers/dct home/results/records
ln -s "$NARROWS_HOME/plots" home/plots
cp "$NARROWS_HOME/scenarios/codec-rates.csv" home/scenarios
cp a.record home/results/records/dct-part.record
cp c.record home/results/records/3lc.record
export NARROWS_HOME=$PWD/home
expect 0 '.*' 'dct-part.record: 2 training runs, recorded' "$NARROWS" reproduce dct -d c.db -o figures
[ "$(n c.db run_record)" = 1 ] || failed "reproduce imported $(n c.db run_record) runs, not 1"
expect 0 '.*' '' "$NARROWS" record list -d c.db
expect 2 '' '3lc.record: is damaged' "$NARROWS" record import -d d.db
rm home/results/records/dct-part.record
cp c.record home/results/records/dct.record
expect 0 '.*' 'dct.record: is damaged' "$NARROWS" reproduce dct -d e.db -o figures
rm -r home/results
expect 0 '' '' "$NARROWS" record import -d e.db
expect 0 '' 'no records: narrows record import adds' "$NARROWS" record list -d e.db
NARROWS_HOME=$(cd "$here/../.." && pwd)

# Times of another simulator are simulated again, and are what they were.
mkdir -p timed/scenarios/training/a2dtwp timed/results
ln -s "$NARROWS_HOME"/scenarios/{methods,models,papers,platforms,timings,codec-rates.csv} timed/scenarios
ln -s "$NARROWS_HOME/plots" timed/plots
ln -s "$NARROWS_HOME"/scenarios/training/a2dtwp/{*.yaml,small} timed/scenarios/training/a2dtwp
ln -s "$NARROWS_HOME/results/records" timed/results
expect 0 '' 'a2dtwp.record: [0-9]+ training runs' \
    "$NARROWS" record import "$NARROWS_HOME/results/records/a2dtwp.record" -d timed.db
other=$(n timed.db 'record_state WHERE stale_time')
sqlite3 timed.db "UPDATE record SET simulator = 'x'"
times=$(n timed.db trace_timing)
expect 0 'stale times' '' "$NARROWS" record list -d timed.db
NARROWS_HOME=$PWD/timed "$NARROWS" reproduce a2dtwp -d timed.db -o figures -j 1 >timed.txt 2>&1
[ "$(n timed.db trace_timing)" = $((2 * times)) ] ||
    failed "$times times became $(n timed.db trace_timing): $(<timed.txt)"
[ "$(n timed.db 'record_state WHERE stale_time')" = 0 ] || failed "times are stale that were simulated here"
differ=$(n timed.db "trace_timing a JOIN trace_timing b USING (point_id, label)
    JOIN trace_timing_step x ON x.timing_id = a.id
    JOIN trace_timing_step y ON y.timing_id = b.id AND y.steps = x.steps WHERE a.id < b.id AND x.seconds <> y.seconds")
[ "$other" -gt 0 ] || [ "$differ" = 0 ] || failed "$differ times of this very simulator are others now"

# The papers' views of short training runs under the names of longer ones, and of their record, are the same, except for
# the losses of single steps and thresholds.
mkdir -p short/training
ln -s "$NARROWS_HOME"/scenarios/{methods,models,papers,platforms,timings} short
for paper in dct a2dtwp; do
    mkdir -p short/training/$paper/quick
    ln -s "$NARROWS_HOME/scenarios/training/$paper"/*.yaml short/training/$paper
    sed 's/^name: dct-quick/name: dct-small-table-1/; s/^name: a2dtwp-quick/name: a2dtwp-alexnet/' \
        "$NARROWS_HOME/scenarios/training/$paper/quick/quick.yaml" >short/training/$paper/quick/quick.yaml
done
expect 0 '.*' '.*' "$NARROWS" run short/training/dct/quick/quick.yaml short/training/a2dtwp/quick/quick.yaml -d whole.db
expect 0 '' 'q.record: 2 runs' \
    "$NARROWS" record export q.record short/training/dct/quick/quick.yaml short/training/a2dtwp/quick/quick.yaml \
    -d whole.db
sqlite3 whole.db 'VACUUM INTO "recorded.db"'
expect 0 '' 'q.record: 11 training runs' "$NARROWS" record import q.record -d recorded.db
"$same_views" whole.db recorded.db 1e-4 'trained_*' 'training_*' >before.txt
grep -q ' 0 say something else' before.txt &&
    failed "a record that comes next to runs changes nothing in what lists all"
sqlite3 recorded.db <"$here/unlist.sql"
"$same_views" whole.db recorded.db 1e-4 >same.txt || failed "the record says something else: $(<same.txt)"
grep -qE '^dct_.* apart' same.txt || failed "no threshold was rounded: $(<same.txt)"
finish
