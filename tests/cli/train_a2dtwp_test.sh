#!/bin/bash
# The training runs of A2DTWP: those that can run here are valid, those that need ImageNet report so. In some steps of
# the quick one, what must hold whatever is learnt: bytes of each format, that AWP only adds bits, that times follow the
# bytes.
. "$(dirname "$0")/lib.sh"
need sqlite3
fresh_tmp
export NARROWS_QUIET=1
folder=$NARROWS_HOME/scenarios/training/a2dtwp
db=$NARROWS_TEST_TMP/n.db

for file in "$folder"/{small,quick}/*.yaml; do
    expect 0 "$file: ok, [0-9]+ points?" "" "$NARROWS" check "$file"
done
for file in "$folder"/paper/*.yaml; do
    [ -e "$NARROWS_HOME/data/imagenet-200" ] || [ -e "$NARROWS_HOME/data/imagenet-1000" ] ||
        expect 2 "" "training\\.data\\.path: expected the path of a file or a folder.*No such file" \
            "$NARROWS" check "$file"
done

# Ten steps, a threshold that every one is below, and an interval of 4.
sed "s|\.\./|$folder/|g; s|epochs: 4|epochs: 1|; s|awp.interval: 8|awp.interval: 4, awp.threshold: 1|" \
    "$folder/quick/quick.yaml" > "$NARROWS_TEST_TMP/some.yaml"
expect 0 ".*" "3 trained" "$NARROWS" run "$NARROWS_TEST_TMP/some.yaml" --db "$db" \
    --set training.data.train=640 --set training.data.test=64 --set training.evaluate.every=5

bytes="FROM measure m JOIN training_place p USING (point_id) WHERE m.name = 'bytes_per_weight'"
holds "a format that stays sends its bytes" \
    "SELECT count(*) = 2 AND min(abs(m.value - iif(p.variant = '16-bit', 2, 4)) < 1e-9)
        $bytes AND p.variant <> 'A2DTWP'" "SELECT p.variant, m.value $bytes"
width="FROM trace_width w JOIN training_place p USING (point_id) WHERE p.variant = 'A2DTWP'"
holds "the first step has nothing before it: four count until the fifth, and four more" \
    "SELECT count(*) = 3 * 8 AND min((w.bits, w.from_step) IN ((8, 0), (16, 5), (24, 9))) $width" \
        "SELECT w.name, w.from_step, w.bits $width"
holds "what AWP sends is what its bits say, of the next step, as a step ends with the pull" \
    "SELECT abs(value - (4 * 1 + 4 * 2 + 2 * 3) / 10.0) < 1e-6 $bytes AND p.variant = 'A2DTWP'" \
        "SELECT p.variant, m.value $bytes"
holds "norms were watched" "SELECT count(*) = 1 FROM measure WHERE name = 'norm_change'" \
    "SELECT value FROM measure WHERE name = 'norm_change'"
time="FROM trace_time t JOIN training_place p USING (point_id) WHERE t.steps = 10 AND t.label = 'x86-k80, 64'"
holds "more bytes take longer, and packing takes time" \
    "SELECT group_concat(variant) = 'A2DTWP,16-bit,32-bit FP' FROM (SELECT p.variant $time ORDER BY t.seconds)" \
    "SELECT p.variant, t.seconds $time"

finish
