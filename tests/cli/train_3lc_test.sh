#!/bin/bash
# What 3LC claims of its codecs and a training run of seconds can show: how much each design sends, and that zero-run
# encoding loses nothing. The shipped training runs of the paper are read; those that need CIFAR-10, up to the files.
. "$(dirname "$0")/lib.sh"
need sqlite3
fresh_tmp
folder=$NARROWS_HOME/scenarios/training/3lc
db=$NARROWS_TEST_TMP/n.db
export NARROWS_QUIET=1

n() { "$NARROWS" "$@"; }

for file in "$folder"/{quick,small}/*.yaml; do
    expect 0 "$file: ok, [0-9]+ points" "" n check "$file"
done
for file in "$folder"/paper/*.yaml; do
    [ ! -e "$NARROWS_HOME/data/cifar-10" ] || continue
    expect 2 "" "training\.data\.path: expected the path of .*No such file.*data/cifar-10" n check "$file"
done
# On the files themselves the small ones need no more than their size.
mkdir "$NARROWS_TEST_TMP/cifar-10"
for name in data_batch_{1..5} test_batch; do
    head -c 30730000 /dev/zero >"$NARROWS_TEST_TMP/cifar-10/$name.bin"
done
expect 0 "[0-9]+ points" "" n run --dry-run "$folder/small/table-1.yaml" --set training.data.kind=cifar10 \
    --set training.data.path="$NARROWS_TEST_TMP/cifar-10" --set model.input.height=32 --set model.input.width=32
rm -r "$NARROWS_TEST_TMP/cifar-10"

expect 0 ".*" ".*" n run "$folder/quick/quick.yaml" --db "$db" --set training.steps=12 --set training.data.train=120 \
    --set training.data.test=40 --sweep training.seed=3
of() { # VARIANT MEASURE
    sqlite3 "$db" "SELECT value FROM run_point JOIN measure USING (point_id) WHERE variant = '$1' AND name = '$2'"
}
plain=$(of "3LC (no ZRE)" bits_per_value)
one=$(of "3LC (s=1.00)" bits_per_value)
more=$(of "3LC (s=1.75)" bits_per_value)
holds "five values in a byte, and few bytes of headers" "$plain BETWEEN 1.6 AND 1.61"
holds "stochastic quantization sends as much" "$(of "Stoch 3-value + QE" bits_per_value) BETWEEN 1.6 AND 1.61"
holds "zero-run encoding sends less" "$one < $plain"
holds "with s=1.75 still less" "$more < $one"
holds "a thirtieth of 32-bit float" "$(of "3LC (s=1.75)" compression_ratio) > 30"
holds "zero-run encoding loses nothing" "(SELECT count(*) = 12 AND sum(a.loss <> b.loss) = 0 FROM trace_step a
    JOIN trace_step b USING (step) WHERE a.point_id = (SELECT point_id FROM run_point WHERE variant = '3LC (no ZRE)')
    AND b.point_id = (SELECT point_id FROM run_point WHERE variant = '3LC (s=1.00)'))"
holds "other designs train otherwise" "(SELECT count(DISTINCT loss) = 4 FROM trace_step WHERE step = 11)"
finish
