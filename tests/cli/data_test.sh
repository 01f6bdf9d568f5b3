#!/bin/bash
# Real data in a user's folder: narrows data says what is there, narrows run --data-dir trains on it, and the model
# takes its size and classes. The files are made here, in the form in which they are distributed.
. "$(dirname "$0")/lib.sh"
need sqlite3
fresh_tmp
cd "$NARROWS_TEST_TMP" || exit 1
unset NARROWS_DATA

cat >small.yaml <<'YAML'
name: small
model:
  name: tiny
  input: {channels: 3, height: 8, width: 8}
  classes: 4
  layers:
    - {kind: conv, channels: 2, kernel: 3, pad: 1}
    - {kind: avgpool}
    - {kind: classifier}
    - {kind: softmax}
training:
  data: {kind: images, train: 64, test: 20}
  batch: 8
  steps: 2
  learning_rate: {from: 0.05}
YAML

# A record is a label and 3072 bytes: ten of them, one of each class, a thousand times over.
cifar10() { # folder
    mkdir -p "$1"
    for label in 0 1 2 3 4 5 6 7 8 9; do
        printf '%b' "\\x0$label"
        head -c 3072 /dev/zero | tr '\0' "\\$((label + 101))"
    done >ten
    for _ in 10 100 1000; do
        cat ten ten ten ten ten ten ten ten ten ten >tenfold
        mv tenfold ten
    done
    for file in data_batch_1 data_batch_2 data_batch_3 data_batch_4 data_batch_5 test_batch; do
        ln -f ten "$1/$file.bin"
    done
}

run() { "$NARROWS" run --db data.db "$@"; }
last() { sqlite3 data.db "SELECT $1 FROM training ORDER BY point_id DESC LIMIT 1"; }

expect 0 "CIFAR-10: not here.*place +DIR/cifar-10-batches-bin.*c32a1d4ab5d03f1284b67883e8d87530.*No folder" "" \
    "$NARROWS" data
mkdir empty
expect 0 "CIFAR-10: not here.*Tiny ImageNet: not here.*Criteo Kaggle: not here" "" "$NARROWS" data empty
expect 2 "" "expected one folder" "$NARROWS" data empty empty
expect 0 "small: 1 points" "no real data for it in empty: stays with synthetic images" run --dry-run --data-dir empty \
    small.yaml

cifar10 "my data/cifar-10-batches-bin"
expect 0 "CIFAR-10: here" "" "$NARROWS" data "my data"
expect 0 "CIFAR-10: here" "" env NARROWS_DATA="my data" "$NARROWS" data
expect 0 "stored in data.db: run 1, small.changes" "on CIFAR-10 in place of synthetic images: .*model.classes=10" \
    run --data-dir "my data" small.yaml
[ "$(last "data || real_data")" = "CIFAR-101" ] || failed "trained on: $(last "data || real_data")"
export NARROWS_DATA="$PWD/my data"
expect 0 "stored in data.db" "trained on CIFAR-10" run small.yaml
unset NARROWS_DATA
expect 0 "small: 1 points" "" run --dry-run --data-dir "my data" --set training.data.kind=images small.yaml
expect 2 "" "in 3 classes for tiny, got cifar10" run --data-dir "my data" --set model.classes=3 small.yaml
expect 0 "stored in data.db: run 3, small" ".*" run small.yaml
[ "$(last real_data)" = 0 ] || failed "without a folder the data are real"
# shellcheck disable=SC2016 # expanded by the inner shell
expect 2 "" "read twice" bash -c '"$NARROWS" run --data-dir "my data" - <small.yaml'

# IWSLT'14 with as many sentences as it has. Few words come often enough for a vocabulary of 8: nearly all are unknown.
cat >sentences.yaml <<'YAML'
name: sentences
model:
  name: translator
  layers:
    - {kind: tokens, name: source, rows: 8, dim: 8, positions: 6}
    - {kind: tokens, name: target, stream: target, rows: 8, dim: 8, positions: 6}
    - {kind: attention, name: cross, heads: 1, memory: source}
    - {kind: layernorm, name: norm}
    - {kind: linear, name: words, units: 8, bias: false}
    - {kind: softmax}
training:
  data: {kind: translation, train: 64, test: 20}
  batch: 32
  steps: 60
  learning_rate: {from: 0.01}
YAML

iwslt() { # folder
    local name
    mkdir -p "$1"
    awk 'BEGIN {
        print "<url>x</url>"
        for (i = 0; i < 171721; i++) print "w" i % 500, "w" i % 499, "w" i % 491, "w" i % 487, "w" i % 479
    }' >"$1/train.tags.de-en.de"
    ln -f "$1/train.tags.de-en.de" "$1/train.tags.de-en.en"
    for name in TED.dev2010 TEDX.dev2012 TED.tst2010 TED.tst2011 TED.tst2012; do
        {
            echo "<mteval>"
            head -n 1351 "$1/train.tags.de-en.de" | tail -n 1350 | sed 's|.*|<seg id="1"> & </seg>|'
            echo "</mteval>"
        } >"$1/IWSLT14.$name.de-en.de.xml"
        ln -f "$1/IWSLT14.$name.de-en.de.xml" "$1/IWSLT14.$name.de-en.en.xml"
    done
}

expect 0 "sentences: 1 points" "no real data for it in empty: stays with synthetic translation" run --dry-run \
    --data-dir empty sentences.yaml
iwslt "my data/iwslt14/de-en"
expect 0 "IWSLT'14 German-English: here.*BY-NC-ND" "" "$NARROWS" data "my data"
expect 0 "stored in data.db" "on IWSLT'14 German-English in place of synthetic translation: .*data.train=0" \
    run --data-dir "my data" sentences.yaml
[ "$(last "data || real_data")" = "IWSLT'14 German-English1" ] || failed "trained on: $(last "data || real_data")"
measured() { sqlite3 data.db "SELECT value FROM measure WHERE name = '$1' ORDER BY point_id DESC LIMIT 1"; }
[ "$(sqlite3 data.db "SELECT $(measured accuracy) > 50")" = 1 ] ||
    failed "unknown words are not learnt: $(measured accuracy) % right"
[ "$(measured bleu)" = 0.0 ] || failed "unknown words count as right: BLEU $(measured bleu)"
expect 2 "" "train: expected 0 to 171721, got 171722" run --data-dir "my data" --set training.data.train=171722 \
    sentences.yaml
sed -i '$d' "my data/iwslt14/de-en/train.tags.de-en.de"
expect 2 "" "expected 171720 sentences, as many as in .*, got 171721" run --data-dir "my data" sentences.yaml

head -c 3073 /dev/zero >short
ln -f short "my data/cifar-10-batches-bin/test_batch.bin"
expect 1 "CIFAR-10: here, but not as it is distributed.*expected 30730000 bytes, got 3073" "" "$NARROWS" data "my data"
expect 2 "" "test_batch.bin: expected 30730000 bytes, got 3073" run --data-dir "my data" small.yaml
finish
