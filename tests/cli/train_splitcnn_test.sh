#!/bin/bash
# The training runs of Split-CNN: those that can run here are valid, those that need CIFAR-10 or ImageNet report so. In
# some steps of the small ones, what must hold whatever is learnt: how deep networks are split, and what a split alters.
. "$(dirname "$0")/lib.sh"
need sqlite3
fresh_tmp
export NARROWS_QUIET=1
folder=$NARROWS_HOME/scenarios/training/splitcnn
db=$NARROWS_TEST_TMP/n.db

for file in "$folder"/{small,quick}/*.yaml; do
    expect 0 "$file: ok, [0-9]+ points" "" "$NARROWS" check "$file"
done
for data in "vgg-19 cifar-10" "resnet-18 cifar-10" "alexnet imagenet" "resnet-50 imagenet"; do
    read -r name place <<<"$data"
    [ -e "$NARROWS_HOME/data/$place" ] ||
        expect 2 "" "training\\.data\\.path: expected the path of .*No such file.*data/$place" \
            "$NARROWS" check "$folder/paper/$name.yaml"
done
# On CIFAR-10's files the small ones need no more than their size.
mkdir "$NARROWS_TEST_TMP/cifar-10"
for name in data_batch_{1..5} test_batch; do
    truncate -s 30730000 "$NARROWS_TEST_TMP/cifar-10/$name.bin"
done
expect 0 "[0-9]+ points" "" "$NARROWS" run --dry-run "$folder/small/vgg-19.yaml" --set training.data.kind=cifar10 \
    --set training.data.path="$NARROWS_TEST_TMP/cifar-10" --set model.input.height=32 --set model.input.width=32
rm -r "$NARROWS_TEST_TMP/cifar-10"

few=(--set training.steps=3 --set training.batch=16 --set training.data.train=64 --set training.data.test=32
    --set training.evaluate.every=3 --set training.seed=7)
for name in vgg-19 resnet-18 resnet-50 alexnet; do
    expect 0 ".*" "trained" "$NARROWS" run "$folder/small/$name.yaml" --db "$db" "${few[@]}"
done

point="(SELECT substr(n.scenario, 16, length(n.scenario) - 23) AS network, r.variant, r.point_id FROM run n
       JOIN run_point r ON r.run_id = n.id)" # of splitcnn-small-NETWORK+changes
depth="SELECT p.network, p.variant, round(m.value, 1) AS pct FROM $point p JOIN measure m USING (point_id)
       WHERE m.name = 'split_pct'"
reached() { # NETWORK VARIANT PER_CENT
    holds "$1, $2: $3 % of the convolutions" \
        "SELECT pct = $3 FROM ($depth) WHERE network = '$1' AND variant = '$2'" "$depth"
}
reached vgg-19 "12.5 %" 12.5
reached vgg-19 "25 %, 9 patches" 25
reached vgg-19 "50 %, stochastic" 50
reached resnet-18 "12.5 %" 7.7
reached resnet-18 "25 %" 23.1
reached resnet-18 "37.5 %" 38.5
reached resnet-18 "50 %" 53.8
reached resnet-50 "81.2 %, stochastic" 81
reached alexnet "60 %" 60
holds "no share of unsplit networks" "SELECT count(*) = 10 + 10 + 2 + 2 FROM ($depth)" "$depth"

losses="SELECT network, variant, group_concat(loss) AS losses
        FROM (SELECT p.*, printf('%.17g', t.loss) AS loss
              FROM $point p JOIN trace_step t USING (point_id) ORDER BY t.step)
        GROUP BY network, variant"
holds "every split trains otherwise than the others and the unsplit network" \
    "SELECT count(*) = 11 + 11 + 3 + 3 AND count(DISTINCT losses) = 10 + 10 + 3 + 3 FROM ($losses)" "$losses"
tested="SELECT p.network, p.variant, e.loss
    FROM $point p JOIN trace_evaluation e USING (point_id) WHERE e.after_steps = 3"
pair="SELECT s.network, s.losses = c.losses AS trained_alike, a.loss = b.loss AS tested_alike FROM ($losses) s
      JOIN ($losses) c ON c.network = s.network AND c.variant = '50 %, evaluated unsplit'
      JOIN ($tested) a ON a.network = s.network AND a.variant = s.variant
      JOIN ($tested) b ON b.network = s.network AND b.variant = c.variant WHERE s.variant = '50 %'"
holds "whether it is evaluated in patches alters the evaluation, and no step" \
    "SELECT count(*) = 2 AND min(trained_alike AND NOT tested_alike) FROM ($pair)" "$pair"
finish
