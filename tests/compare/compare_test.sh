#!/bin/bash
# narrows compress without an output: what it takes for codecs and for steps, what it refuses, the formats, and the same
# numbers on any number of threads.
set -u
. "$NARROWS_HOME/tests/cli/lib.sh"
need perl python3
fresh_tmp
cd "$NARROWS_TEST_TMP" || exit 1

# A step of numbers a b c ... as raw fp32.
step() { # file numbers...
    local file=$1
    shift
    perl -e 'print pack("f<*", @ARGV)' -- "$@" >"$file"
}
# compress, as quick as it can be
compare() {
    "$NARROWS" compress --seconds 0 "$@"
}

# Three steps of two files whose order by letters is 1 10 9: with two local steps what 1 and 9 have has arrived, and
# that of 10 has not.
mkdir steps
step steps/s-1.f32 3 4
step steps/s-9.f32 1 2
step steps/s-10.f32 2 0
for inputs in steps 'steps/*' 'steps/s-10.f32 steps/s-9.f32 steps/s-1.f32'; do
    # shellcheck disable=SC2086 # several files
    expect 0 '.*' '' compare --csv local:k=2 $inputs
    [ "$(awk -F, 'NR == 2 { print $1, $5, $7, $10, $19 }' <<<"$out")" = "whole 3 6 8 0.98058067569092033" ] ||
        failed "steps in another order: $inputs: $out"
done
mkdir folders folders/a folders/b
step folders/a/conv.f32 1 2 3
step folders/a/bias.f32 4
cp folders/a/* folders/b
expect 0 '2 steps of 2 tensors, 4 values \(16 B as fp32\) a step, from folders' '' compare fp32 folders
expect 0 '1 step of 3 tensors, 6 values' '' compare fp32 steps --one-step

[[ $out != *"cosine, all"* && $out == *"largest error"* ]] || failed "a column of all steps of one step: $out"

# Which are codecs?
expect 0 'Of 2 codecs' '' compare 1bit fp16 steps
expect 0 'Of 2 codecs' '' compare --codec 1bit --codec int8 steps
expect 0 'Of 2 codecs' '' compare steps 1bit fp16
expect 0 'Of 1 codec, fp32 keeps' '' "$NARROWS" compress fp32 steps/s-1.f32 --seconds 0
expect 0 '' '2 values' "$NARROWS" compress fp32 steps/s-1.f32 out.nws
[ -s out.nws ] || failed "CODEC IN OUT no longer writes OUT"
cp steps/s-1.f32 fp16 # a file comes before a codec
expect 0 'from fp16.*Of 1 codec, fp32' '' compare --raw fp32 fp16
rm fp16
expect 0 'shipped examples.*Of 1 codec, fp16.*After 6 steps' '' compare fp16

# Refused, with a reason.
step short.f32 1 2 3
cp steps/s-1.f32 steps.npy
mkdir -p other more mixed/a no-tensors other/a more/a
cp folders/a/conv.f32 other/a/a.f32
cp folders/a/* more/a
cp short.f32 more/a/d.f32
cp short.f32 mixed/a
cp short.f32 mixed
echo text >no-tensors/README
while IFS='|' read -r what want arguments; do
    [ -n "$what" ] || continue
    # shellcheck disable=SC2086 # several arguments
    eval "set -- $arguments"
    expect 2 '' "$want" "$NARROWS" compress "$@"
    [ -z "$out" ] || failed "$what: something was printed: $out"
done <<'END'
no such codec|3cl: no such file, and no codec is called '3cl'; did you mean '3lc'|3cl steps
no such option of one|3lc has no parameter 'z'|3lc:z=1 steps
no such option of one, by --codec|3lc has no parameter 'z'|--codec 3lc:z=1 steps
no file|none.npy: no such file or folder|none.npy
no match|expected a pattern that files or folders match, got none|'none*.npy'
no tensors in it|expected files \*.npy, \*.npz, \*.safetensors or \*.f32 in the folder|no-tensors
other sizes|in every step, got 'short' of 3 \(3 values\) in short.f32, but 's-1' of 2|steps/s-1.f32 short.f32
other tensors|got 'bias' of 1 \(1 value\) in folders/a, but 'a' of 3|folders other
one more|nothing more in folders/a, but 'd' of 3|folders more
both|expected a file a step or a folder a step, got both|mixed
a file of tensors as OUT|expected a stream's name for OUT, got that of a file of tensors|fp32 steps/s-1.f32 steps.npy
a state|--state goes with CODEC IN OUT|--compare steps --state x.state
a cosine|expected a number from -1 to 1, got '2'|steps --cosine 2
seconds|expected a number of seconds|steps --seconds -1
a setting of nothing|go with --scenario|steps --set a=b
no gradients in it|method.kind: expected allreduce or parameter-server, where gradients|--compare --scenario memory
only trained|training: expected a method, whose step can be simulated|--compare --scenario resnet-8-3lc
no arguments|which codec|
a codec alone|which file of tensors|3lc
no gradient|got text|no-tensors/README
END
[ "$(stat -c %s steps.npy)" = 8 ] || failed "the file of tensors was overwritten"

# NaN and infinity are counted and said.
step odd.f32 nan 1 inf 2
expect 0 '1 of 4 values are NaN and 1 infinite' '' compare fp16 odd.f32

step zero.f32 0 0
expect 0 '"cosine": null, "relative_l2": 0, "energy": null' '' compare --json fp32 zero.f32
expect 0 'no codec has a cosine' '' compare fp32 zero.f32

# The formats, and the sentence against the rows it speaks of; two threads as one, but for times.
OMP_NUM_THREADS=1 compare --compare --csv --each-tensor >all.csv || failed "--csv"
OMP_NUM_THREADS=3 compare --compare --csv --each-tensor >threads.csv || failed "--csv on three threads"
compare --compare --json --html page.html --cosine 0.95 --scenario break-even --set method.workers=4 --set batch=256 \
    --db typed.db >all.json || failed "--json"
python3 "$NARROWS_HOME/tests/compare/check_files.py" all.csv threads.csv all.json page.html ||
    failed "a format is wrong"

# The numbers of the best, typed in.
compare --scenario gather-or-scatter fp16 steps >said || failed "--scenario"
line=$(grep '^The same typed in: ' said)
eval "set -- ${line#The same typed in: }"
[ $# = 20 ] || failed "what is to be typed in: $line"
"$NARROWS" trace gather-or-scatter "$@" --output trace.json 2>typed || failed "typed in: $(<typed)"
# 75414.7 and 75415 are the same: the sentence has four digits, or whole ms; the trace six digits.
python3 - typed said <<'END' || failed "the forecast is not the run: $(<typed) $(grep shortest said)"
import re, sys
from decimal import Decimal
typed, said = (Decimal(re.search(words, open(file).read())[1]) for file, words in
               zip(sys.argv[1:], (r"a step takes (\S+) ms", r"shortest with fp16, (\S+) ms")))
rounded = sum(Decimal(5).scaleb(number.as_tuple().exponent - 1) for number in (typed, said))
sys.exit(abs(typed - said) > rounded)
END

finish
