#!/bin/bash
# narrows validate with scenarios of one's own: calibrated, predicted, executed in a lab, and reported as the suite is.
. "$(dirname "$0")/../cli/lib.sh"
. "$(dirname "$0")/processes.sh"
fresh_tmp
need sqlite3 mpirun
can_execute
can_lab
cd "$NARROWS_TEST_TMP" || exit 1
cat >mine.yaml <<YAML
name: mine
platform: $NARROWS_HOME/scenarios/platforms/shaped-lab.yaml
model: $NARROWS_HOME/scenarios/models/one-matrix.yaml
batch: 16
method:
  kind: allreduce
  workers: 2
  device: cpu
  bucket: 100 MB
  steps: 2
  profile: {samples: 8, forward: 1 ms, backward: 1 ms}
variants:
  ring: {}
  tree: {method.algorithm: tree}
YAML
sed 's/workers: 2/workers: 20/' mine.yaml >large.yaml

# Before anything runs for minutes.
expect 2 '' 'large\.yaml:.*workers' "$NARROWS" validate shaped large.yaml --db none.db
expect 2 '' "no scenario's name has 'yours' in it" "$NARROWS" validate shaped mine.yaml --only yours --db none.db
expect 2 '' "expected shaped, public, .* got 'mine.yaml'" "$NARROWS" validate mine.yaml --db none.db
[ ! -e none.db ] || [ "$(sqlite3 none.db 'SELECT count(*) FROM run')" = 0 ] || failed "a refused scenario was run"

for ((try = 0; try < 3; try++)); do
    "$NARROWS" validate shaped mine.yaml -r 1 --limit 40 --db mine.db >out 2>err
    code=$?
    [ "$code" != 0 ] && too_busy err || break
done
[ "$code" = 0 ] || ! too_busy err || { echo "skipped: $(tail -n 1 err)"; exit 77; }
[ "$code" = 0 ] || failed "exit $code: $(tail -n 5 err)"
for like in '^2 points were simulated, and the predictions stored, before' 'one machine shapes: 2 done' \
    '^mine ring +1 ' '^mine tree +1 ' '^all +2 ' '^link.eth.efficiency.wire +[0-9]' '^network.message_latency +'; do
    grep -qE "$like" out || failed "no '$like' in: $(<out)"
done
grep -q '^2 points are predicted and stored; now they are executed' err || failed "not said: $(<err)"
n=$(sqlite3 mine.db "SELECT (SELECT max(run_id) FROM calibration) < min(run_id) FROM validation_run")
[ "$n" = 1 ] || failed "the predictions are older than what they are calibrated with"
no_labs "the end" ''
finish
