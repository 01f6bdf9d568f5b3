#!/bin/bash
# The shipped gradients can be made again: other steps of the same training have the same tensors, and are no zeros.
# use: gradients_test.sh WRITE_GRADIENTS
set -u
. "$NARROWS_HOME/tests/cli/lib.sh"
write_gradients=$1
fresh_tmp
cd "$NARROWS_TEST_TMP" || exit 1

"$write_gradients" "$NARROWS_HOME/tests/compare/gradients.yaml" . 1 2 >/dev/null || failed "write_gradients"
expect 0 '8 steps of 16 tensors, 10960 values.*Of 1 codec, fp32 keeps a cosine of 0.9' '' \
    "$NARROWS" compress --seconds 0 fp32 step-1.safetensors step-2.safetensors \
    "$NARROWS_HOME/scenarios/examples/gradients"
expect 0 'Of 1 codec, fp32 keeps a cosine of 0.9' '' "$NARROWS" compress --seconds 0 fp32 step-1.safetensors
cmp -s step-1.safetensors step-2.safetensors && failed "two steps have the same gradient"
finish
