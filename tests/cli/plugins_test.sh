#!/bin/bash
# A codec of one's own: the template, built with the documented command against its header alone, in every command that
# knows codecs; and plug-ins that are refused, with the reason.
set -u
. "$(dirname "$0")/lib.sh"
need cc perl sqlite3
fresh_tmp
cd "$NARROWS_TEST_TMP" || exit 1
unset NARROWS_PLUGINS NARROWS_IMPL
mkdir library
cp "$NARROWS_HOME/library/narrows_plugin.h" library/
template=$NARROWS_HOME/library/plugin_template.c
documented=$(grep -m 1 '^cc .*mycodec.c' "$NARROWS_HOME/docs/CODECS.md")
[ -n "$documented" ] || failed "docs/CODECS.md: no line that builds mycodec.c"

# build NAME.so 'sed expression' [flag...]: the template, changed
build() {
    local object=$1 change=$2
    shift 2
    sed "s/four-bits/mycodec/; $change" "$template" >mycodec.c
    # shellcheck disable=SC2086 # words
    ${documented/mycodec.so/"$object"} "$@" 2>build.err || failed "$object: $(head -n 5 build.err)"
}

build mycodec.so '' -Wall -Wextra -Werror
export NARROWS_PLUGINS=./mycodec.so

# --- list: a further row, and its implementation is this very file
expect 0 'mycodec +codes of 4 bits.*block +values that share a scale.*at most 4.125 bits' '' "$NARROWS" list codecs
row=$(grep -o 'plugin-[0-9a-f]*' <<<"$out")
[ "$(grep -o 'plugin-[0-9a-f]*' <<<"$out" | wc -l)" = 1 ] || failed "list: expected one plug-in, got '$row'"
expect 0 'blockwise' '' env -u NARROWS_PLUGINS "$NARROWS" list codecs
[[ $out != *mycodec* ]] || failed "list: mycodec without its plug-in"

# --- compress, decompress, a state over steps
perl -e 'print pack("f<*", map { sin($_) / 100 } 1 .. 3000)' >in.f32
expect 0 '' '3000 values, 12000 bytes as fp32, 1612 as mycodec' "$NARROWS" compress mycodec in.f32 in.nws
expect 0 '' '3000 values from 1612 bytes of mycodec' "$NARROWS" decompress in.nws back.f32
expect 0 '' '1752 as mycodec' "$NARROWS" compress mycodec:block=64 in.f32 fine.nws
expect 2 '' 'block: expected a multiple of 2 from 2 to 65536, got 3' "$NARROWS" compress mycodec:block=3 in.f32 x.nws
expect 2 '' "did you mean 'mycodec'" "$NARROWS" compress mycodek in.f32 x.nws
expect 2 '' "a plug-in's that is not loaded" env -u NARROWS_PLUGINS "$NARROWS" decompress in.nws x.f32
perl -0777 -pe 'substr($_, 70, 1) ^= chr 1' in.nws >damaged.nws
expect 2 '' 'damaged' "$NARROWS" decompress damaged.nws x.f32
head -c 12000 /dev/zero >sum.f32
for step in 1 2 3 4; do
    "$NARROWS" compress mycodec in.f32 step.nws --state in.state 2>/dev/null || failed "compress, step $step"
    "$NARROWS" decompress step.nws sum.f32 --onto sum.f32 2>/dev/null || failed "decompress, step $step"
done
# What has arrived is off by what the last step left: half a code of a scale of about 0.01 / 7, not of four.
perl -e 'local $/; open A, "in.f32"; open B, "sum.f32"; @a = unpack("f<*", <A>); @b = unpack("f<*", <B>);
    $most = 0; for (0 .. 2999) { $d = abs(4 * $a[$_] - $b[$_]); $most = $d if $d > $most } print "$most\n";
    exit !($most > 0.0003 && $most < 0.0009)' >most || failed "four steps with a state: off by $(cat most)"

# --- bench
expect 0 "mycodec +$row.* 4\.[0-9]+ " '.*' "$NARROWS" bench codec --size 1024,4096,16384 --impl "$row" --reps 3 -t 1 \
    --db bench.db
expect 2 '' "is a codec: the group 'codec' times" "$NARROWS" bench mycodec

# --- training: pushed and pulled through it; a key depends on the file
cat >tiny.yaml <<'END'
name: tiny
input: {channels: 3, height: 8, width: 8}
classes: 4
layers: [{kind: conv, name: c, channels: 4, kernel: 3}, {kind: relu}, {kind: classifier, name: f}, {kind: softmax}]
END
cat >trained.yaml <<'END'
name: trained
title: a plug-in in training
model: tiny.yaml
training:
  data: {kind: images, train: 64, test: 16}
  workers: 2
  batch: 8
  steps: 6
  learning_rate: {from: 0.05}
variants: {fp32: {}, mine: {exchange.push: mycodec, exchange.pull: "mycodec:block=64"}}
baseline: fp32
END
expect 0 'mine: .* 808 B a step and worker, 7\.355x fewer' '2 trained, 0 already there' \
    "$NARROWS" run trained.yaml --db trained.db
expect 0 '.*' '0 trained, 2 already there' "$NARROWS" run trained.yaml --db trained.db
build other.so 's/MOST = 7,/MOST = 6,/'
expect 0 '.*' '1 trained, 1 already there' env NARROWS_PLUGINS=other.so "$NARROWS" run trained.yaml --db trained.db
expect 2 '' "training.exchange.push: expected a codec.*no codec is called 'mycodec'" \
    env -u NARROWS_PLUGINS "$NARROWS" run trained.yaml --db trained.db

# --- a scenario: its bytes are asked from the codec
cat >simulated.yaml <<'END'
name: simulated
title: a plug-in on the wire
model: tiny.yaml
platform: PLATFORM
batch: 8
method:
  kind: parameter-server
  workers: 4
  push: {place: cpu, encode: {rate: 1 GB/s}, decode: {rate: 2 GB/s}}
variants: {fp32: {}, mine: {push.format: mycodec}, fine: {push.format: "mycodec:block=64"}}
baseline: fp32
END
sed -i "s|PLATFORM|$NARROWS_HOME/scenarios/platforms/ddlbench-2080ti.yaml|" simulated.yaml
expect 0 'fine' '3 simulated, 0 already there' "$NARROWS" run simulated.yaml --db s.db
bytes() { # variant measure
    value s.db "SELECT CAST(m.value AS INT) FROM run_point r JOIN measure m ON m.point_id = r.point_id
        WHERE r.run_id = (SELECT max(id) FROM run) AND r.variant = '$1' AND m.name = '$2'"
}
overhead=$(($(bytes fp32 push_bytes) - 4 * 692)) # of four messages
# Tensors of 108 and 4, and of 576 and 4 values, 692 in all: by hand, with blocks of 256 and of 64, and a header of 64.
biases=$((2 * (64 + 4 + 2)))
for variant in "mine $((64 + 4 + 54 + biases + 64 + 3 * 4 + 288))" \
    "fine $((64 + 2 * 4 + 54 + biases + 64 + 9 * 4 + 288))"; do
    read -r variant want <<<"$variant"
    sent=$(($(bytes "$variant" push_bytes) - overhead)) state=$(bytes "$variant" state_bytes)
    [ "$sent" = "$want" ] || failed "$variant: pushes $sent bytes, expected $want"
    [ "$state" = $((4 * 692)) ] || failed "$variant: $state bytes of state, expected 4 of each value"
done
expect 0 'fine' '0 simulated, 3 already there' "$NARROWS" run simulated.yaml --db s.db
expect 0 'fine' '2 simulated, 1 already there' env NARROWS_PLUGINS=other.so "$NARROWS" run simulated.yaml --db s.db
expect 0 'method.push.format = mycodec:block=64' '' "$NARROWS" show scenario simulated.yaml --point 2
for wrong in "mycodec:block=3|multiple of 2" "mycodec:lock=4|no parameter 'lock'" "mycodek|did you mean 'mycodec'" \
    "8bit:x=1|8bit has keys of its own" "asked|expected one of none"; do
    expect 2 '' "${wrong#*|}" "$NARROWS" check simulated.yaml --set "method.push.format=${wrong%%|*}"
done
expect 2 '' "expected one of none.*got 'mycodec'" env -u NARROWS_PLUGINS "$NARROWS" run simulated.yaml --db s.db

# --- measured: of this file the bench knows the rates, and a newer bench is of another
export NARROWS_PLUGINS=./other.so
other=$("$NARROWS" list codecs | grep -o 'plugin-[0-9a-f]*')
expect 0 "mycodec +$other" '.*' "$NARROWS" bench codec --size 1024,4096,16384 --impl "$other" --reps 3 -t 1 \
    --db bench.db
export NARROWS_PLUGINS=./mycodec.so
expect 0 'mine' "codec mycodec: .*measured here before .$row" "$NARROWS" run simulated.yaml --db bench.db \
    --set method.push.timing=measured --variant mine

# --- one whose sums are made part by part: the template with a reduction
cat >reduce.c <<'END'
static size_t work_bytes(size_t n, const double *param)
{
    return (size_t)(8 + 0 * param[0]) * n;
}

static size_t expected_bytes(size_t n, const double *param)
{
    return n / 8 + (size_t)(0 * param[0]);
}

static int reduce(void *payload, size_t *nsum, const void *payloads, size_t stride, size_t nbytes, size_t count,
                  size_t n, const double *param, void *work)
{
    float *sum = work, *state = sum + n;
    int error = NARROWS_PLUGIN_OK;

    for (size_t i = 0; i < count TERMS && !error; i++)
        error = decode(sum, n, i > 0, (const unsigned char *)payloads + i * stride, nbytes, param, NULL);
    memset(state, 0, 4 * n);
    if (!error)
        encode(payload, nsum, sum, n, param, state, NULL);
    return error;
}
END
sed 's/TERMS/- 1/' reduce.c >half.c
sed -i 's/TERMS//' reduce.c
scattered='s/NARROWS_PLUGIN_GATHERED/NARROWS_PLUGIN_SCATTERED, .reduce = reduce, .work_bytes = work_bytes/'
scattered+='; s/\.decode = decode,/& .expected_bytes = expected_bytes,/'
build scattered.so "$scattered; /^const/i#include \"reduce.c\""
expect 0 'an owner of each part reduces it' '' env NARROWS_PLUGINS=scattered.so "$NARROWS" list codecs
row=$(grep -o 'plugin-[0-9a-f]*' <<<"$out")
expect 0 "reduce +$row +mycodec " '.*' env NARROWS_PLUGINS=scattered.so "$NARROWS" bench reduce --size 1024 \
    --impl "$row" --reps 3 -t 1 --db bench.db
expect 0 'mine: .* 808 B a step and worker' '1 trained, 1 already there' \
    env NARROWS_PLUGINS=scattered.so "$NARROWS" run trained.yaml --db trained.db
expect 0 'fine' '2 simulated, 1 already there' env NARROWS_PLUGINS=scattered.so "$NARROWS" run simulated.yaml --db s.db
sent=$(($(bytes mine push_bytes) - overhead))
[ "$sent" = $((4 * 64 + 13 + 72)) ] || failed "expected_bytes: $sent bytes counted, not an eighth of each value"

# --- refusals: what is changed in the template, and the reason
while IFS='|' read -r change why; do
    [ -n "$change" ] || continue
    build bad.so "$change" -O0 -Wno-unused "-DHALF=.reduce = reduce, .work_bytes = work_bytes"
    expect 2 '' "bad\.so: not a plug-in that can be loaded: .*$why" \
        env NARROWS_PLUGINS=./bad.so "$NARROWS" list codecs
done <<'END'
s/NARROWS_PLUGIN_HEAD/.abi = 2, .bytes = sizeof(struct narrows_plugin)/|ABI 1, got one of ABI 2
s/NARROWS_PLUGIN_HEAD/.abi = 1, .bytes = 24/|bytes, got 24
s/= narrows_plugin_codec/= x/; s/narrows_plugin_codec = /other = /|expected the symbol narrows_plugin_codec
s/"mycodec"/"8bit"/|narrows has a codec '8bit' of its own
s/"mycodec"/"int8"/|'int8' has a meaning of its own
s/"mycodec"/"ratio"/|'ratio' has a meaning of its own
s/"mycodec"/"My Codec"/|name: expected at most 23 of a-z
s/\.what = .*/.what = "",/|what: expected a line
/\.encode = /d|expected the function encode, got none
/\.decode = /d|expected the function decode, got none
/\.payload_bound = /d|expected the function payload_bound, got none
s/NARROWS_PLUGIN_GATHERED/(enum narrows_plugin_class)1/|adds: expected a value of enum narrows_plugin_class, got 1
s/NARROWS_PLUGIN_GATHERED/NARROWS_PLUGIN_SCATTERED/|reduce: expected it of NARROWS_PLUGIN_SCATTERED
s/2, 65536, 256, 2 }/2, 65536, 1, 0 }/|block: expected the preset within its range, got 1
s/2, 65536, 256, 2 }/2, 65536, 255, 2 }/|block: expected the preset a multiple of 2, got 255
s/2, 65536, 256, 2 }/2, 65536, NAN, 2 }/|block: expected numbers within 2\^53
s/2, 65536, 256, 2 }/2, INFINITY, 256, 2 }/|block: expected numbers within 2\^53
s/2, 65536, 256, 2 }/2, 65536, 256, -1 }/|multiple: expected 0 or more, got -1
s/{ "block"/{ "Block"/|params\[0\]: expected a name
s/.params = { /.params = { { 0 }, /|expected those in use first, got 'block'
s/\(2, 65536, 256, 2 }\)/\1, { "block", "", "twice", 0, 1, 0 }/|block: expected it once
s/2, 65536, 256, 2 }/0, 65536, 256, 2 }/|payload_bound of 0 values, with the parameters 0
s/    return 4 \* n;/    return 400 * n;/|state_bytes of 1000 values.*expected at most 64 n
s/bytes(rest) : 0);/bytes(rest) : 0) - (n > 0);/|1 values: encode reports more bytes than payload_bound
s/    return 4 \* n;/    return 2 * n;/|1 values: encode writes outside of payload, state and work
s/(add ? values\[i + k\] : 0)/0/|something else than the values plus
s/return NARROWS_PLUGIN_OK;/return NARROWS_PLUGIN_CONTENT;/|decode refuses what encode wrote
s/\*nbytes = /if (n == 2) __builtin_trap(); *nbytes = /|encode and decode of 2 values
s/NARROWS_PLUGIN_GATHERED/NARROWS_PLUGIN_SCATTERED, HALF/; /^const/i#include "half.c"|reduce gives another payload
END
echo 'no object' >text.so
for file in "none.so|No such file" "text.so|not a plug-in that can be loaded" ".|Is a directory" \
    "mycodec.so:./mycodec.so|mycodec.so: .*another plug-in has a codec 'mycodec' too"; do
    expect 2 '' "${file#*|}" env NARROWS_PLUGINS="${file%%|*}" "$NARROWS" list codecs
done
expect 0 'mycodec' '' env NARROWS_PLUGINS=:mycodec.so: "$NARROWS" list codecs

# One that writes too much only later, of a large tensor: the program ends before it reads what is not there.
build late.so 's/\*nbytes = (size_t)/*nbytes = (n > 2000 ? n : 0) + (size_t)/'
expect 1 '' 'plug-in mycodec: a payload of 3000 values has 4548 bytes, more than its payload_bound of 1548' \
    env NARROWS_PLUGINS=late.so "$NARROWS" compress mycodec in.f32 x.nws
finish
