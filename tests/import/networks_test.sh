#!/bin/bash
# Networks of torchvision and transformers, exported by PyTorch 2.15 with nothing folded and then without their weights:
# as many parameters as the framework counts (torch's sum of numel() over parameters()), and for those that are shipped
# as models, too, the same layers one by one.
. "$(dirname "$0")/../cli/lib.sh"
fresh_tmp
cd "$NARROWS_TEST_TMP" || exit 1
"${CMAKE:-cmake}" -E tar xf "$NARROWS_HOME/tests/import/data/networks.tar.xz" || exit 1

# Kinds, shapes and counts, without names, and without dropouts, which a network that was exported to be used lacks.
layers() { # model
    "$NARROWS" show model "$1" |
        awk '/^layer / { on = 1; next } !NF { on = 0 } on && $2 != "dropout" { $1 = ""; print }'
}

# network, layers, the framework's parameters, the shipped model with the same layers
while read -r network n parameters shipped; do
    expect 0 '' "$network: $n layers, $parameters parameters; the file has $parameters, as many" \
        "$NARROWS" import onnx "networks/$network.onnx" -o "$network.yaml"
    expect 0 'ok, a model' '' "$NARROWS" check "$network.yaml" --as model
    [ "$shipped" = - ] ||
        diff <(layers "$NARROWS_HOME/scenarios/models/$shipped.yaml") <(layers "$network.yaml") >diff.txt ||
        failed "$network: not the layers of $shipped: $(head -n 4 diff.txt)"
done <<'END'
alexnet 19 61100840 alexnet
vgg-19 43 143667240 vgg-19
resnet-18 69 11689512 resnet-18
resnet-50 175 25557032 resnet-50-v1.5
mobilenet-v2 153 3504872 mobilenet-v2
vit-b-16 104 86567656 vit-b-16
bert-base 128 109482240 -
bert-default 103 109482240 -
gpt-2 126 124439808 gpt
END

# What no count says: the heads of each attention, and whether a position sees those behind it.
while read -r network attention; do
    [ "$(grep -o 'kind: attention.*' "$network.yaml" | sort -u)" = "kind: attention, $attention}" ] ||
        failed "$network: expected attention with '$attention', got $(grep -m 1 'kind: attention' "$network.yaml")"
done <<'END'
vit-b-16 heads: 12
bert-base heads: 12
bert-default heads: 12
gpt-2 heads: 12, causal: true
END

# Standard input and output, a name, a dimension; a message that names the file; nothing is written where it is refused.
from_pipe() { "$NARROWS" import onnx - --name net --batch 4 <networks/alexnet.onnx; }
expect 0 '^name: net' '61100840 parameters' from_pipe
head -c 1000 networks/alexnet.onnx >cut.onnx
expect 2 '' '^cut.onnx: expected an ONNX model, got 1000 bytes' "$NARROWS" import onnx cut.onnx -o cut.yaml
[ ! -e cut.yaml ] || failed "a refused file was written"
expect 1 '' 'none.onnx: No such file' "$NARROWS" import onnx none.onnx
expect 2 '' "expected NAME=N, got 'batch'" "$NARROWS" import onnx networks/alexnet.onnx --dim batch
expect 2 '' "got 'onx'; did you mean 'onnx'" "$NARROWS" import onx
finish
