#!/bin/bash
# The training runs of DCT: those that can run here are valid, those that need Criteo's data report so. In some steps of
# the quick one, what must hold whatever is learnt: how much is dropped, what is traced, what is sent.
. "$(dirname "$0")/lib.sh"
need sqlite3
fresh_tmp
export NARROWS_QUIET=1
folder=$NARROWS_HOME/scenarios/training/dct
db=$NARROWS_TEST_TMP/n.db

for file in "$folder"/{small,quick}/*.yaml "$folder/paper/table-4.yaml"; do
    expect 0 "$file: ok, [0-9]+ points?" "" "$NARROWS" check "$file"
done
for file in "$folder"/paper/{table-[123],figure-2,figure-7b}.yaml; do
    [ -e "$NARROWS_HOME/data/criteo/train.txt" ] ||
        expect 2 "" "dlrm-criteo\\.yaml:.*training\\.data\\.path: expected the path of a file.*criteo/train\\.txt" \
            "$NARROWS" check "$file"
done
expect 0 "dct/small/table-1 +[0-9]+ points" "" "$NARROWS" list scenarios

expect 0 ".*" "8 trained" "$NARROWS" run "$folder/quick/quick.yaml" --db "$db" --set training.steps=20 \
    --set training.data.train=2560 --set training.data.test=500 --set training.evaluate.training=500 \
    --set training.trace.every=5

watched="FROM trace_threshold t JOIN training_place p USING (point_id)"
holds "activations are watched in every fifth step of all eight training runs, for three shares" \
    "SELECT count(*) = 8 * 4 * 3 AND min(layer = 'bottom2.relu') $watched" \
        "SELECT variant, step, dropped, threshold $watched"
holds "the more would be dropped, the higher the threshold" \
    "SELECT count(*) > 0 AND min(threshold > lesser)
        FROM (SELECT threshold, lag(threshold) OVER (PARTITION BY point_id, step ORDER BY dropped) AS lesser $watched)
        WHERE lesser IS NOT NULL" "SELECT variant, step, dropped, threshold $watched"
holds "watching is of what comes, before anything is dropped: in the first step it is the same for all" \
    "SELECT count(*) = 3 FROM (SELECT DISTINCT dropped, threshold $watched WHERE step = 0)" \
        "SELECT variant, dropped, threshold $watched WHERE step = 0"
holds "dropped activations change what is learnt, and so do sparse gradients" \
    "SELECT count(DISTINCT value) = 8 FROM measure WHERE name = 'test_loss'" \
        "SELECT value FROM measure WHERE name = 'test_loss'"
sent="FROM trace_exchange x JOIN trace_tensor n USING (point_id, tensor) JOIN training_place p USING (point_id)
      WHERE n.compressed AND n.nvalues >= 1000 AND NOT x.pull AND p.variant LIKE 'DP%'"
dropped="CAST(replace(substr(variant, 4), '%', '') AS REAL) / 100"
holds "of n values floor(n s) - 1 are not sent, in every step, where the threshold is found again" \
    "SELECT count(*) > 0 AND min(zeros = CAST(nvalues * $dropped AS INTEGER) - 1) $sent" \
        "SELECT variant, name, nvalues, zeros $sent"
holds "indices or a bitmap, and the values: fewer bytes the more is dropped" \
    "SELECT count(*) = 3 AND min(bytes < lesser)
        FROM (SELECT sum(bytes) AS bytes, lag(sum(bytes)) OVER (ORDER BY variant) AS lesser
            $sent GROUP BY variant) WHERE lesser IS NOT NULL" "SELECT variant, sum(bytes) $sent GROUP BY variant"
holds "training samples are evaluated, too" \
    "SELECT count(*) = 16 AND min(value > 0) FROM measure WHERE name IN ('train_loss', 'train_accuracy')" \
        "SELECT name, value FROM measure"

# Split after six ReLUs, of each of which the share is dropped, and in production's hybrid the gradients as well.
expect 0 ".*" "5 trained" "$NARROWS" run "$folder/small/table-5.yaml" --db "$NARROWS_TEST_TMP/five.db" \
    --set training.steps=5 --set training.data.train=640 --set training.data.test=100 --set training.seed=1 \
    --set training.evaluate.training=100 --set training.evaluate.batch=100
db=$NARROWS_TEST_TMP/five.db
holds "activations are watched at six splits" \
    "SELECT count(DISTINCT layer) = 6 $watched" "SELECT DISTINCT layer $watched"
pushed="SELECT variant, sum(s.pushed_bytes) AS bytes, max(sum(s.pushed_bytes)) OVER () AS most
    FROM trace_step s JOIN training_place p USING (point_id) GROUP BY variant"
holds "the hybrid alone sends fewer bytes" \
    "SELECT count(*) = 5 AND min(CASE variant WHEN 'hybrid' THEN 20 * bytes < most ELSE bytes = most END)
        FROM ($pushed)" "$pushed"
finish
