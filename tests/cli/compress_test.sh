#!/bin/bash
# narrows compress and decompress as a person uses them: every codec there and back, a state carried over steps, and
# refusals that leave the output as it was.
set -u
. "$(dirname "$0")/lib.sh"
need perl
fresh_tmp
cd "$NARROWS_TEST_TMP" || exit 1

run() { # arguments: leaves $code and $err
    err=$("$NARROWS" "$@" 2>&1 >/dev/null)
    code=$?
}

head -c 400000 /dev/urandom | od -An -v -tu2 -w2 | awk '{ print ($1 - 32768) / 3276800 }' >numbers.txt
perl -e 'while (<>) { print pack("f<", $_) }' numbers.txt >in.f32
n=$(wc -l <numbers.txt)

for codec in $("$NARROWS" list codecs | awk '/^  [^ ]/ { print $1 }'); do
    run compress "$codec" in.f32 "$codec.nws"
    [ "$code" = 0 ] || failed "compress $codec: exit $code: $err"
    [[ $err == *"$n values"* ]] || failed "compress $codec does not say how many values: $err"
    run decompress "$codec.nws" "$codec.f32"
    [ "$code" = 0 ] || failed "decompress $codec: exit $code: $err"
    [ "$(stat -c %s "$codec.f32")" = $((4 * n)) ] || failed "$codec: $(stat -c %s "$codec.f32") bytes came back"
    run compress "$codec" in.f32 scalar.nws --impl scalar
    cmp -s "$codec.nws" scalar.nws || failed "$codec: the scalar row writes another stream"
done
cmp -s in.f32 fp32.f32 || failed "fp32: other values came back"

# The size alone would praise a codec that sends nothing. By hand: the leading bytes of 1.5, 1 and 4 are 0.5, 0.5 and 2.
arrives() { # words expected, codec, file
    run compress "$2" "$3" out.nws
    [[ $err == *"what arrives in this step: $1"* ]] || failed "$2: expected 'what arrives in this step: $1', got: $err"
}
perl -e 'print pack("f<3", 1.5, 1, 4)' >three.f32
arrives 'cosine 1, relative l2 error 0, 0 % of the values are 0' fp32 three.f32
arrives 'cosine 0.9938, relative l2 error 0.5222, 0 % of the values are 0' adt:keep=1 three.f32
arrives 'cosine 0, relative l2 error 1, 100 % of the values are 0' local three.f32

# Two local steps: nothing, then the sum of both.
run compress local:k=2 in.f32 one.nws --state two.state
[ "$(stat -c %s one.nws)" = 64 ] || failed "local: the first step sent something"
run compress local:k=2 in.f32 two.nws --state two.state
[ "$(stat -c %s two.nws)" = $((64 + 4 * n)) ] || failed "local: the second step did not send the sum"

# Onto other values: in + in.
run decompress fp32.nws sum.f32 --onto in.f32
perl -e 'while (<>) { my $x = unpack("f<", pack("f<", $_)); print pack("f<", $x + $x) }' numbers.txt >want.f32
cmp -s sum.f32 want.f32 || failed "--onto did not add"

refused() { # what, words expected, arguments...
    local what=$1 words=$2
    shift 2
    echo untouched >out.f32
    run "$@"
    [ "$code" = 2 ] || failed "$what: exit $code"
    [[ $err == *"$words"* ]] || failed "$what: stderr is '$err'"
    [ "$(cat out.f32)" = untouched ] || failed "$what: the output was changed"
}
head -c 1000 3lc.nws >cut.nws
refused "a stream cut off" "ends before" decompress cut.nws out.f32
cp 3lc.nws damaged.nws
printf '\x5a\xa5\x5a' | dd of=damaged.nws bs=1 seek=200 conv=notrunc status=none
refused "a damaged stream" "damaged on the way" decompress damaged.nws out.f32
refused "a foreign file" "not a compressed stream" decompress in.f32 out.f32
refused "an empty file" "ends before" decompress /dev/null out.f32
: >nothing.f32
refused "values of another count" "expected $n values" decompress 3lc.nws out.f32 --onto nothing.f32
run compress 3lc in.f32 nowhere/out.nws
[ "$err" = "nowhere/out.nws: No such file or directory" ] || failed "a folder that is not there: $err"
run compress int8 in.f32 alias.nws
cmp -s alias.nws 8bit.nws || failed "int8 is not 8bit: $err"
run compress topk:dropped=0.5,lifespan=1 in.f32 alias.nws
run compress dct:dropped=0.5,lifespan=1 in.f32 dct.nws
cmp -s alias.nws dct.nws || failed "topk is not dct: $err"
[[ $err =~ "median of "[0-9]+ ]] || failed "the time is that of one call: $err"
# The same values from other files, and back into one.
npy() { # descr, shape: the header of a .npy file
    printf '\x93NUMPY\x01\x00\x76\x00%-117s\n' "{'descr': '$1', 'fortran_order': False, 'shape': $2, }"
}
{ npy '<f4' "($((n / 4)), 4)"; cat in.f32; } >in.npy
run compress fp16 in.npy array.nws
cmp -s array.nws fp16.nws || failed "values of in.npy give another stream: $err"
cp in.f32 unnamed
run compress fp16 unnamed raw.nws --raw
cmp -s raw.nws fp16.nws || failed "--raw: another stream: $err"
refused "raw values that nothing announces" "with --raw or named *.f32" compress fp16 unnamed out.f32
"$NARROWS" compress fp16 - - --raw <in.f32 >piped.nws 2>/dev/null
cmp -s piped.nws fp16.nws || failed "standard input gives another stream"
run decompress fp32.nws back.npy
{ npy '<f4' "($n,)"; cat in.f32; } >want.npy
cmp -s back.npy want.npy || failed "decompress does not write the array: $err"
run decompress fp32.nws sum.npy --onto in.npy
{ npy '<f4' "($((n / 4)), 4)"; cat want.f32; } >want.npy
cmp -s sum.npy want.npy || failed "--onto an array does not give its shape: $err"
{ npy '<f8' '(2,)'; printf '\x9a\x99\x99\x99\x99\x99\xb9\x3f\x3c\xe4\x37\x7e\x75\x3c\x37\x7e'; } >double.npy
refused "float64" "got float64 (--round rounds it to float32)" compress fp32 double.npy out.f32
run compress fp32 double.npy double.nws --round
[ "$(tail -c 8 double.nws | od -An -tx1 | tr -d ' ')" = cdcccc3d0000807f ] || failed "--round does not round: $err"
[[ $err == *"1 of them are finite as float64 and beyond fp32"* ]] || failed "an overflow is not reported: $err"
model=$NARROWS_HOME/tests/tensor/data/stored.npz
refused "a file of several tensors" "got 2; --tensor NAME chooses one: layer/0.weight, bias" \
    compress fp16 "$model" out.f32
refused "a tensor that is not there" "no tensor 'bais'; did you mean 'bias'?" \
    compress fp16 "$model" out.f32 --tensor bais
run compress fp16 "$model" bias.nws --tensor bias
[[ $err == "3 values"* ]] || failed "--tensor does not choose: $err"
printf 'PK\x03\x04....' >model.pt
refused "an archive" "expected a ZIP archive" compress fp16 model.pt out.f32
{ printf '\x00\x00\xc0\x7f\x00\x00\x80\xff\x00\x00\x80\x7f'; head -c 40 in.f32; } >odd.f32
run compress fp16 odd.f32 odd.nws
[[ $err == "odd.f32: 1 of 13 values are NaN, 2 infinite"* ]] || failed "NaN and infinities are not reported: $err"
# The state that is kept is that of one step, however often it is timed.
run compress 3lc in.f32 step.nws --state step.state
run decompress step.nws step.f32
run compress 3lc in.f32 again.nws --state step.state
run compress 3lc in.f32 first.nws
cmp -s step.nws first.nws || failed "a step from nothing is not the first one"
cmp -s again.nws first.nws && failed "the second step is the first one again"
refused "half a value" "4 bytes each, got 3 bytes" compress 3lc <(printf abc) out.f32 --raw
refused "no such codec" "did you mean '3lc'" compress 3lx in.f32 out.f32
refused "no such parameter" "3lc has no parameter 'z'; it has s" compress 3lc:z=1 in.f32 out.f32
refused "a parameter out of range" "from 1 to" compress 3lc:s=2.5 in.f32 out.f32
refused "a parameter that is no number" "expected a number, got 'x'" compress 3lc:s=x in.f32 out.f32
refused "no such implementation" "there are:" compress 3lc in.f32 out.f32 --impl z80
refused "the state of another tensor" "not the state of this tensor" compress 3lc in.f32 out.f32 --state two.state
refused "a stream for a state" "not the state of this tensor" compress 3lc in.f32 out.f32 --state 3lc.nws

finish
