#!/bin/bash
# narrows plan as a person uses it: the table word for word (golden/plan-*.txt; NARROWS_UPDATE_GOLDEN=1 rewrites them),
# what it writes and draws, plans that are run, and what a person may get wrong, each refused with its reason and line.
. "$(dirname "$0")/lib.sh"
fresh_tmp
cd "$NARROWS_TEST_TMP" || exit 1
data=$NARROWS_HOME/tests/cli/data
plan=$data/plan.yaml
tiny=$data/plan-tiny.yaml
n() {
    "$NARROWS" "$@"
}
unset ARGP_HELP_FMT
ran="content       every use found what was written for it"

same_as_golden() { # name, of what $out holds
    if [ -n "${NARROWS_UPDATE_GOLDEN:-}" ]; then
        printf '%s\n' "$out" >"$NARROWS_HOME/tests/cli/golden/$1"
    elif ! diff -u "$NARROWS_HOME/tests/cli/golden/$1" <(printf '%s\n' "$out"); then
        failed "not as in tests/cli/golden/$1"
    fi
}

# --- what it prints ---------------------------------------------------------------------------------------------------

expect 0 "^resnet-18-cifar on round, batch 64: not split, schedule layer-wise, generated data stored, timing round" "" \
    n plan "$plan" --variant layer-wise --layers
same_as_golden plan-resnet-18-cifar.txt
expect 0 "^tiny on round, batch 6: 2x2 patches over 3 of 4 convolutions, schedule per-object" "" \
    n plan "$tiny" --variant split
same_as_golden plan-tiny.txt
split=$out

# --point, --variant and --set are three ways to the same plan.
expect 0 ".*" "" n plan "$tiny" --point 5
[ "$out" = "$split" ] || failed "--point 5 is not the variant 'split'"
expect 0 ".*" "" \
    n plan "$tiny" --set method.schedule=per-object --set method.split.depth=0.5 --set method.split.rows=2 \
    --set method.split.columns=2
[[ $out == *"point         0 of 0..5: variant 'keep-all'"* ]] || failed "--set: not point 0"
[ "${out/0 of 0..5: variant \'keep-all\'/}" = "${split/5 of 0..5: variant \'split\'/}" ] ||
    failed "--set does not make the variant 'split'"
expect 0 "batch 3530, the largest that fits: " "" n plan "$plan" --variant split --set method.fill=true
expect 0 "device +[0-9.]+ GB of 3\\.9 GB usable: DOES NOT FIT.*largest batch 780" "" n plan "$plan" --set batch=1000
expect 0 "largest batch 0" "" n plan "$plan" --set gpu.memory='10 MB'
# Many layers come on request alone, and behind the answer.
expect 0 "largest batch [0-9]+.layers +150 of them: --layers prints each\$" "" \
    n plan memory --set model=transformer-iwslt
expect 0 "largest batch [0-9]+.*layer +patches.*all  " "" n plan memory --set model=transformer-iwslt --layers
expect 0 "first-fit; .*, gap [0-9.]+ %" "" n plan "$plan" --variant layer-wise --set method.placement=first-fit
expect 0 "placed exact; .*, gap 0\\.00 % \\(optimal\\)" "" n plan "$plan" --variant layer-wise
expect 0 "of one of 16 GPUs, before their gradients are summed" "" n plan splitcnn/fig11-planned
for option in point variant set draw csv run real ops gpu link pool steps seed db; do
    expect 0 " --${option}[ =]" "" n plan --help
done

# Which point it is, what the sweep set, what the link carries and what stays.
printf 'include: %s\nname: swept\nsweep:\n  link.wire.bandwidth: [2 GB/s, 5 GB/s]\n' "$plan" >swept.yaml
bandwidth='platform\.link\.wire\.bandwidth'
speeds='5\.0 GB/s to the host, 5\.0 GB/s to the device'
expect 0 "point +9 of 0\\.\\.11: $bandwidth = 5 GB/s, variant 'clamped'.link +wire: $speeds.." "" \
    n plan swept.yaml --point 9
expect 0 "point +1 of 0\\.\\.11: $bandwidth = 2 GB/s, variant 'layer-wise'" "" \
    n plan swept.yaml --variant layer-wise
beyond="[0-9.]+ MB beyond what the link carries in forward, [0-9.]+ [kM]*B needed at once"
expect 0 "kept +[0-9.]+ MB of what backward needs: $beyond" "" n plan swept.yaml --variant per-object
expect 0 "kept +[0-9.]+ MB of what backward needs: 150\\.0 MB beyond the limit" "" \
    n plan "$plan" --variant per-object --set method.limit=0.5
expect 0 "wire: 4\\.0 GB/s to the host, 10\\.0 GB/s to the device, 3 us for each copy, one way at a time" "" \
    n plan "$plan" --variant clamped --set link.wire.efficiency.to_device=0.5 --set platform.cpu.dma_write='4 GB/s' \
    --set link.wire.latency='3 us' --set link.wire.duplex=half
n plan "$plan" | grep -q '^kept' && failed "a plan that keeps all has nothing to explain"

# The same figures as narrows run stores.
if command -v sqlite3 >/dev/null; then
    expect 0 ".*" ".*" n run --db a.db "$plan"
    for variant in keep-all layer-wise algorithm-1 clamped per-object split; do
        expect 0 ".*" "" n plan "$plan" --variant "$variant" --csv "$variant.csv"
        value a.db "SELECT printf('%.3f', step_ms.value), largest.value
            FROM run_point p JOIN measure step_ms USING (point_id) JOIN measure largest USING (point_id)
            WHERE p.variant = '$variant' AND step_ms.name = 'step_ms' AND largest.name = 'batch'" | tr '|' ' ' >stored
        read -r step_ms batch <stored
        [[ $out == *"step          $step_ms ms:"* && $out == *"batch ${batch%.0}:"* ]] ||
            failed "$variant: $step_ms ms in the database, not printed"
        # What lies where comes back as it was planned: no two buffers overlap, and the height is the pool's.
        expect 0 "keep apart, height [0-9]+, " "" n place --check "$variant.csv"
        height=${out#*height } height=${height%%,*}
        [ "$(value a.db "SELECT value = $height FROM run_point JOIN measure USING (point_id)
            WHERE variant = '$variant' AND name = 'peak_bytes'")" = 1 ] ||
            failed "$variant: --csv is $height bytes high, the database says otherwise"
    done
    [ "$(value a.db "SELECT max(live_bytes) =
            (SELECT value FROM measure m WHERE m.point_id = s.point_id AND name = 'live_bytes')
        FROM plan_step s JOIN run_point USING (point_id) WHERE variant = 'split'")" = 1 ] ||
        failed "the most that is alive in one step is not live_bytes"
fi
expect 0 ".*" "" n plan "$plan" --variant per-object --csv offloaded.csv
[ "$(head -1 offloaded.csv)" = id,lower,upper,size,offset ] || failed "--csv begins with '$(head -1 offloaded.csv)'"
grep -q "^t[0-9]*'," offloaded.csv && grep -q "^w[0-9]*," offloaded.csv ||
    failed "--csv has nothing that comes back, or no workspace"
# What is printed does not get into what is written.
expect 0 "^id,lower,upper,size,offset" "^tiny on .*largest batch [0-9]+" n plan "$tiny" --variant split --csv -
printf '%s\n' "$out" >piped.csv
expect 0 "keep apart" "" n place --check piped.csv
expect 0 "^id,lower,upper,size,offset[^a-z]*t[0-9]+,[^:]*$" "run +stamped contents.*$ran" n plan "$tiny" --csv - --run
mkfifo pipe
(cat pipe >through) &
expect 0 "^tiny" "" n plan "$tiny" --csv pipe
wait
[ -p pipe ] && [ "$(head -1 through)" = id,lower,upper,size,offset ] || failed "--csv replaced a pipe"

# --- what it draws ----------------------------------------------------------------------------------------------------

drawn() { # directory: the data of its three figures
    for figure in generated live timeline; do
        [ "$(wc -l <"$1/$figure.tsv")" -gt 20 ] || failed "$1/$figure.tsv: too little in it"
    done
    awk -F '\t' 'NR > 1 { if (NF != 5 || $4 < last) bad++; last = $4 } END { exit bad > 0 }' "$1/generated.tsv" ||
        failed "$1/generated.tsv"
    awk -F '\t' 'NR > 1 { if (NF != 2 || $1 < last || $2 <= 0) bad++; last = $1 } END { exit bad > 0 }' "$1/live.tsv" ||
        failed "$1/live.tsv"
    awk -F '\t' 'NR > 1 { line[$1]++; if (NF != 3 || $3 < $2) bad++ }
        END { exit bad > 0 || !line[0] || !line[1] || !line[2] }' "$1/timeline.tsv" ||
        failed "$1/timeline.tsv: not computing, copying there and back"
}

# Without gnuplot the data are left, and the rest of what was asked for.
expect 3 "^tiny" "gnuplot is not installed; the data are in undrawn" env PATH=/nowhere \
    "$NARROWS" plan "$tiny" --variant split --draw undrawn --csv also.csv
drawn undrawn
[ -s also.csv ] || failed "without gnuplot no --csv"
if command -v gnuplot >/dev/null; then
    expect 0 "^tiny" "drawn in figures/of/tiny, as SVG and PNG with their data" \
        n plan "$tiny" --variant split --draw figures/of/tiny
    drawn figures/of/tiny
    for figure in generated live timeline; do
        cmp -s "undrawn/$figure.tsv" "figures/of/tiny/$figure.tsv" || failed "$figure.tsv differs where gnuplot is"
        for format in png svg; do
            [ "$(wc -c <"figures/of/tiny/$figure.$format")" -gt 5000 ] || failed "$figure.$format is next to nothing"
        done
    done
fi

# --- what it runs -----------------------------------------------------------------------------------------------------

for variant in keep-all layer-wise algorithm-1 clamped per-object split; do
    pool="pool +general ([0-9.]+ MB), highest byte written: [0-9.]+ MB"
    expect 0 "stamped contents on threads: 1 step.$pool.copied .*$ran" "" \
        n plan "$plan" --variant $variant --run --link '1 TB/s'
    [[ $out =~ general\ ([0-9.]+\ MB),\ highest\ byte\ written:\ ${BASH_REMATCH[1]} ]] ||
        failed "$variant: not written to the top: ${out##*general}"
    [[ $out == *"copied        0 B to the host, 0 B back"* ]] && copied=no || copied=yes
    [ "$copied" = "$([ $variant = keep-all ] && echo no || echo yes)" ] || failed "$variant: ${out##*copied}"
done

# The threads' link is the platform's: nothing is faster than predicted. A machine that has other work may be slower.
as_slow_as_predicted() { # what the prediction is at least, in ms; arguments of narrows plan
    expect 0 "measured +[0-9.]+ ms a step.*; predicted $1[0-9.]* ms.*$ran" "" \
        n plan "$plan" --variant layer-wise --run "${@:2}"
    measured=${out##*measured } predicted=${out##*predicted }
    awk -v m="${measured%% ms*}" -v p="${predicted%% ms*}" 'BEGIN { exit !(m >= 0.9 * p) }' ||
        failed "${*:2}: measured ${measured%% ms*} ms, predicted ${predicted%% ms*} ms"
}
as_slow_as_predicted 59 --link '20 GB/s'
as_slow_as_predicted 174 --set link.wire.efficiency.to_device=0.1
as_slow_as_predicted 68 --set link.wire.efficiency.to_host=0.2
as_slow_as_predicted 174 --set platform.cpu.dma_read='2 GB/s'
as_slow_as_predicted 68 --set platform.cpu.dma_write='4 GB/s'
as_slow_as_predicted 178 --set link.wire.latency='2 ms'

# The results do not depend on when data is copied, where it is placed or what is computed again. They do depend on how
# the network is split.
gradients() { # arguments: the digest that narrows plan prints, into $digest
    expect 0 "loss +[0-9.]+; digest of all gradients [0-9a-f]{16}.*$ran" "" n plan "$tiny" --run --real "$@"
    digest=${out##*all gradients } digest=${digest%%[^0-9a-f]*}
    loss=${out##*loss } loss=${loss%%;*}
}
gradients
best=$digest
for variant in layer-wise algorithm-1 clamped per-object; do
    gradients --variant $variant
    [ "$digest" = "$best" ] || failed "$variant: other gradients than keep-all"
done
for split in keep-all split; do
    gradients --variant $split --ops reference
    reference=$digest
    for set in placement=first-fit in_place=false share_sums=false recompute_norm=true generated=outputs \
        workspace.factor=0 keep_last=-1; do
        gradients --variant $split --ops reference --set method.$set
        [ "$digest" = "$reference" ] || failed "$split, $set: other gradients"
    done
    gradients --variant $split --ops reference --seed 2
    [ "$digest" != "$reference" ] || failed "$split: the same gradients by another seed"
    [ $split = keep-all ] && whole=$reference
done
[ "$reference" != "$whole" ] || failed "patches that know nothing of each other have the gradients of the whole"
pool="pool +general [0-9.]+ kB, highest byte written: [0-9.]+ kB"
expect 0 "$pool; weights and gradients [0-9.]+ kB; 0 B besides by reference" "" \
    n plan "$tiny" --run --real --ops reference
expect 0 "weights and gradients [0-9.]+ kB; [0-9.]+ [kM]B besides by gemm" "" n plan "$tiny" --run --real --ops gemm
expect 0 "highest byte written: not measured.*content       not checked" "" n plan "$tiny" --profile
expect 0 "3 steps.*$ran" "" n plan "$tiny" --run --real --steps 3 --ops reference --variant per-object

# k < s: rows that no window reads part the patches, so that they lose nothing.
cat >natural.yaml <<K
include: $plan
name: natural
model:
  name: natural
  input: {channels: 3, height: 24, width: 24}
  classes: 5
  layers:
    - {kind: conv, channels: 8, kernel: 1, stride: 2}
    - {kind: relu}
    - {kind: conv, channels: 8, kernel: 2, stride: 3}
    - {kind: maxpool, kernel: 1, stride: 2}
    - {kind: classifier}
    - {kind: softmax}
batch: 3
K
tiny=natural.yaml
gradients --ops reference
unsplit=$loss
for rows in 1 2 4; do
    gradients --ops reference --set method.split.depth=1 --set method.split.rows=$rows --set method.split.columns=2
    [ "$loss" = "$unsplit" ] || failed "kernel < stride: $rows x 2 patches lose $loss, the whole $unsplit"
done
tiny=$data/plan-tiny.yaml

# Numbers lie at multiples of 4 bytes.
expect 2 ".*" "at byte [0-9]+ of the pool, expected a multiple of 4 \\(alignment\\)" \
    n plan "$tiny" --run --real --set method.alignment='1 B' --set method.workspace.factor=0.333
gradients --ops reference --set method.alignment='4 B' --set method.workspace.factor=0.333
[ "$digest" = "$whole" ] || failed "alignment 4: other gradients"

# What the device that is planned for could not hold can be run here all the same, and that is said.
expect 0 "of 1\\.9 MB usable: DOES NOT FIT.*$ran" \
    "the device that is planned for could not run this: [0-9.]+ MB of 1\\.9 MB usable" \
    n plan "$plan" --set gpu.memory='2 MB' --run

# More than the machine has is refused before any of it is taken.
expect 3 ".*" \
    "--run: batch 16777216 takes [0-9.]+ TB of this machine's memory, [0-9.]+ [GT]B are available; without --real" \
    n plan "$plan" --set batch=16777216 --run --real --set method.largest=false
expect 3 ".*" "--run: batch 16777216 takes [0-9.]+ TB of this machine's memory" \
    n plan "$plan" --set batch=16777216 --run
expect 2 ".*" "needs a pool of [0-9]+ bytes, 1000000 are allowed" n plan "$plan" --run --pool '1 MB'
expect 2 ".*" "needs a pool of [0-9]+ bytes, 1000 are allowed" n plan "$tiny" --run --real --pool '1 kB'
expect 0 "$ran" "" n plan "$plan" --run --pool '1 GB'
expect 3 ".*" "no backend of operations nonsense" n plan "$tiny" --run --real --ops nonsense
n plan "$tiny" --run --gpu >/dev/null 2>&1 && gpu=yes || gpu=no
if [ "$gpu" = no ]; then
    expect 3 ".*" "offload: |CUDA" n plan "$tiny" --run --gpu
    expect 3 ".*" "executor: no backend of operations" n plan "$tiny" --run --real --gpu
    expect 3 ".*" "no backend of operations cuda" n plan "$tiny" --run --real --ops cuda
else
    gradients --gpu --variant per-object
fi

# --- what a person may get wrong --------------------------------------------------------------------------------------

# wrong LINE 'regex of the reason' 'YAML that stands below the include, its first line being line 3'
wrong() {
    printf 'include: %s\nname: wrong\n%s\n' "$plan" "$3" >wrong.yaml
    expect 2 "" "wrong\\.yaml:$1:[0-9]+: $2" n plan wrong.yaml
    expect 2 "" "wrong\\.yaml:$1:[0-9]+: $2" n run --db wrong.db wrong.yaml
    [ ! -e wrong.db ] || failed "narrows run made a database of: $3"
}
method=$'method:\n  '
wrong 4 "method\\.split\\.depth: expected a number in 0\\.\\.1, got '1\\.5'" "${method}split: {depth: 1.5}"
wrong 4 "method\\.split\\.depth: expected a number in 0\\.\\.1, got '-0\\.1'" "${method}split: {depth: -0.1}"
wrong 4 "method\\.split\\.rows: 64 patches of the 4 rows that layer add8 puts out: 4 would do" \
    "${method}split: {depth: 1, rows: 64}"
wrong 5 "method\\.split\\.columns: 5 patches of the 4 columns that layer add8 puts out: 4 would do" \
    "${method}split: {depth: 1, rows: 4,
     columns: 5}"
wrong 4 "method\\.split\\.rows: expected a whole number in 1\\.\\.4096, got '0'" "${method}split: {rows: 0}"
wrong 4 "method\\.split\\.wiggle: expected a number in 0\\.\\.0\\.499, got '0\\.5'" "${method}split: {wiggle: 0.5}"
wrong 5 "batch: 100000 samples need 480 GB of device memory, 3\\.88 GB are usable; 780 would fit" \
    "${method}strict: true"$'\nbatch: 100000'
wrong 4 "method\\.fill: one sample needs 0\\.139 GB of device memory, 0\\.0097 GB are usable" \
    "${method}fill: true"$'\nplatform:\n  gpu:\n    memory: 10 MB'
wrong 5 "$bandwidth: .*above 0, got '0 GB/s'" $'platform:\n  link:\n    wire: {bandwidth: 0 GB/s}'
wrong 5 "$bandwidth: .*above 0, got '-1 GB/s'" $'platform:\n  link:\n    wire: {bandwidth: -1 GB/s}'
wrong 5 "platform\\.gpu\\.link: expected the name of a link \\(wire\\), got 'none'" $'platform:\n  gpu:\n    link: none'
wrong 3 "batch: expected a whole number in 1\\.\\.16777216, got '0'" "batch: 0"
wrong 3 "batch: expected a whole number in 1\\.\\.16777216, got '-3'" "batch: -3"
wrong 4 "method\\.limit: expected a number in 0\\.\\.1, got '\\.nan'" "${method}limit: .nan"
wrong 4 "method\\.workspace\\.factor: expected a number in 0\\.\\.1000, got '-1'" "${method}workspace: {factor: -1}"
wrong 4 "method\\.keep_last: expected a whole number in -1\\.\\." "${method}keep_last: -2"
wrong 4 "method\\.usable: expected a number in \\(0, 1\\], got '0'" "${method}usable: 0"
wrong 4 "method\\.alignment: .* in 1\\.\\.1073741824" "${method}alignment: 0 B"
wrong 4 "method\\.streams: expected a whole number in 1\\.\\.1024, got '0'" "${method}streams: 0"
wrong 4 "method\\.placement: expected one of first-fit, greedy-by-size, exact, got 'best'" "${method}placement: best"
wrong 4 "method\\.workers: 4 workers need 4 GPUs, the platform has 1" "${method}workers: 4"
wrong 4 "method\\.recompute_norm: the definition 'cudnn' keeps what would be dropped" \
    "${method}recompute_norm: true"$'\n  generated: cudnn'
layer="block3\\.conv1 \\(kernel 3, stride 2, plane 16, 64 to 128 channels\\)"
wrong 4 "method\\.timing\\.rates: expected a row that fits layer $layer, got none" \
    "${method}timing: {name: few, rates: [{kernel: 3, stride: 1, efficiency: 1}]}"
wrong 4 "method\\.timing: expected a file, got 'nowhere\\.yaml': No such file" "${method}timing: nowhere.yaml"
printf 'name: few\nrates:\n  - {kernel: 7, efficiency: 1}\n' >few.yaml
printf 'include: %s\nname: wrong\nmethod:\n  timing: few.yaml\n' "$plan" >wrong.yaml
rates="method\\.timing\\.rates: expected a row that fits layer conv1"
expect 2 "" "few\\.yaml:[0-9]+:[0-9]+: $rates|wrong\\.yaml:4:[0-9]+: method\\.timing" n plan wrong.yaml

# Beyond reason, and yet it has an answer.
expect 0 "not split" "" n plan "$plan" --set method.split.depth=0 --set method.split.rows=2
expect 0 "2x2 patches over 20 of 20 convolutions" "" \
    n plan "$plan" --set method.split.depth=1 --set method.split.rows=2 --set method.split.columns=2
expect 0 "DOES NOT FIT" "" n plan "$plan" --set batch=16777216
expect 0 "of 0 B usable: DOES NOT FIT" "" n plan "$plan" --set method.usable=1e-300
expect 0 "host +0 B pinned for 0 offloaded objects" "" \
    n plan "$plan" --variant layer-wise --set link.wire.bandwidth='1 B/s'
expect 2 "" "method: the step takes longer than 106 days" \
    n plan "$plan" --set 'method.timing.rates[0].efficiency=1e-300'
expect 2 "" "method: the step takes longer than 106 days" \
    n plan "$plan" --variant layer-wise --set link.wire.bandwidth='1 B/s' --set method.limit_by_link=false

expect 2 "" "expected a file or the name of a shipped scenario .narrows list scenarios., got 'nowhere'" n plan nowhere
expect 2 "" "needs the method 'memory-plan'" n plan flows
expect 2 "" "--point: expected 0\\.\\.5, got 6" n plan "$plan" --point 6
expect 2 "" "--point: expected a whole number" n plan "$plan" --point -1
expect 2 "" "expected one of the variants keep-all, .*, got 'none'" n plan "$plan" --variant none
expect 2 "" "expected the path of a key, got 'method.nonsense'" n plan "$plan" --set method.nonsense=1
expect 2 "" "narrows plan: which SCENARIO" n plan
expect 2 "" "Usage: narrows plan" n plan "$plan" "$tiny"
expect 2 "" "--nonsense" n plan --nonsense "$plan"
expect 2 "" "--steps: expected a whole number" n plan "$plan" --run --steps 0
expect 2 "" "--seed: expected a whole number" n plan "$plan" --run --seed -1
for size in much 0 '0.5 B' '-1 MB' '1e30 GB' '2e18 B'; do
    expect 2 "" "--pool: expected a size, such as '4 GB', from 1 B to 1e18, got '$size'" \
        n plan "$plan" --run --pool "$size"
done
for rate in fast '0 GB/s' '1e-12 B/s' '-1 GB/s' '1e300 GB/s'; do
    expect 2 "" "--link: expected a rate, such as '12 GB/s', from 1 B/s to 1e18, got '$rate'" \
        n plan "$plan" --run --link "$rate"
done
for option in --draw --csv --db; do
    expect 2 "" "$option: expected a path, got none" n plan "$tiny" $option ''
done
expect 2 "" "--ops goes with --real" n plan "$tiny" --run --ops reference
expect 2 "" "--link goes without --gpu" n plan "$tiny" --run --gpu --link '1 GB/s'
expect 2 "" "--link goes without --gpu" n plan "$tiny" --run --real --gpu --link '1 GB/s'
for option in --real --gpu '--ops dnnl' '--steps 3' '--seed 2' '--pool 1GB' '--link 1GB/s'; do
    # shellcheck disable=SC2086
    expect 2 "" "go with --run|--(pool|link): expected" n plan "$plan" $option
done
expect 1 "^tiny" "nowhere/x\\.csv" n plan "$tiny" --csv nowhere/x.csv
expect 1 "^tiny" "natural\\.yaml/below: Not a directory" n plan "$tiny" --draw natural.yaml/below
n plan "$plan" >/dev/full 2>full.err
[ $? = 1 ] || failed "a full disk is no failure: $(<full.err)"

# --- the other commands -----------------------------------------------------------------------------------------------

if command -v sqlite3 >/dev/null; then
    printf 'include: %s\nname: limits\nsweep:\n  method.limit: [0.1, 0.2, 0.4, 0.8]\n' "$plan" >limits.yaml
    expect 0 ".*" ".*" n run --db l.db limits.yaml
    [ "$(value l.db "SELECT count(*), min(value), max(value) FROM measure WHERE name = 'fits'")" = "24|1.0|1.0" ] ||
        failed "limits.yaml: not 24 points that fit"
    expect 0 "limit" ".*" n report --scenario limits --db l.db --out drawn
    [ "$(ls drawn 2>/dev/null | wc -l)" -gt 0 ] || ! command -v gnuplot >/dev/null ||
        failed "narrows report drew nothing: $out $err"
fi
expect 0 "" "spans in plan.json" n trace "$plan" --variant split --output plan.json
expect 0 "split over keep-all" ".*" n break-even "$plan" --variant split --vary link.wire.bandwidth --scan 5 --db b.db
expect 0 "of them are refused, as .*: method\\.fill: one sample needs" ".*" \
    n break-even "$plan" --variant split --vary gpu.memory --scan 9 --db b.db --set method.fill=true
expect 0 "method\\.split\\.depth = 0\\.5" "" n show scenario "$plan" --point 5
expect 0 "ok, 6 points" "" n check "$plan"
finish
