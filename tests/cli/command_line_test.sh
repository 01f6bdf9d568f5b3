#!/bin/bash
# The command line: exit codes, what goes to stdout and what to stderr, the help texts word for word (golden/), messages
# for what a person may get wrong. Rewrite the golden files with NARROWS_UPDATE_GOLDEN=1, and read the difference.
. "$(dirname "$0")/lib.sh"
fresh_tmp
golden=$NARROWS_HOME/tests/cli/golden
tmp=$NARROWS_TEST_TMP
commands="reproduce run exec break-even trace validate report bench calibrate show list check schema record import lab"
commands="$commands merge doctor"
n() {
    "$NARROWS" "$@"
}
unset ARGP_HELP_FMT
cd "$tmp" || exit 1

same_as_golden() { # name, of what $out holds
    if [ -n "${NARROWS_UPDATE_GOLDEN:-}" ]; then
        mkdir -p "$golden"
        printf '%s\n' "$out" >"$golden/$1"
    elif ! diff -u "$golden/$1" <(printf '%s\n' "$out"); then
        failed "not as in tests/cli/golden/$1"
    fi
}

# Help goes to stdout when asked for and to stderr when misused; it names every command.
expect 0 "usage: narrows COMMAND" "" n --help
same_as_golden help.txt
help=$out
for command in $commands; do
    [[ $help == *"  $command "* ]] || failed "narrows --help does not name $command"
    expect 0 "^Usage: narrows $command" "" n "$command" --help
    same_as_golden "$command.txt"
    expect 2 "" "narrows $command.*--nonsense" n "$command" --nonsense
done
expect 0 "usage: narrows COMMAND" "" n help
expect 2 "" "usage: narrows COMMAND" n
expect 0 "^narrows [0-9]+\\.[0-9]+\\.[0-9]+ \\([^)]+\\), (gcc|clang) [0-9.]+, .*-ffp-contract=off" "" n --version

# A slip of the finger is guessed at, nonsense is not.
expect 2 "" "unknown command 'rnu'; did you mean 'run'\\?" n rnu
expect 2 "" "unknown command 'reprodcue'; did you mean 'reproduce'\\?" n reprodcue x y
expect 2 "" "unknown command 'zzzzzzzz'" n zzzzzzzz
[[ $err != *"did you mean"* ]] || failed "a suggestion for 'zzzzzzzz': $err"

# The same where a name is expected: the nearest one is suggested, or all of them where they are few. The files in the
# current directory count, too.
expect 2 "" "got 'bandwidth-by-byte'; did you mean 'bandwidth-by-bytes'\\?" n check bandwidth-by-byte
expect 2 "" "got '3lc/table1'; did you mean '3lc/table-1'\\?" n run -n 3lc/table1
cp "$sweep" my-sweep.yaml
expect 2 "" "got 'my-swepe'; did you mean 'my-sweep.yaml'\\?" n check my-swepe
expect 2 "" "got 'my-swepe.yaml'; did you mean 'my-sweep.yaml'\\?" n check my-swepe.yaml
expect 2 "" "shipped platform \\(narrows list platforms\\), got 'x86-k8'; did you mean 'x86-k80'" n show platform x86-k8
printf 'name: x\nplatform: power8-p100\nmodel: vgg-a\nbatch: 8\nmethod: {kind: memory-plan, timing: fast}\n' >timed.yaml
expect 2 "" "shipped timing \\(p100-deepbench, p100-winograd\\), got 'fast'" n check timed.yaml
expect 2 "" "shipped model \\(narrows list models\\), got 'resnet50'; did you mean 'resnet-50'" n show model resnet50
expect 2 "" "--set:1:7: model: .*\\(narrows list models\\), got 'resnet50'; did you mean 'resnet-50'" \
    n check --set model=resnet50 "$sweep"
expect 2 "" "expected one of copy, .*, got 'codex'; did you mean 'codec'" n bench codex
expect 2 "" "'topk' is a codec: the group 'codec' times each" n bench topk
expect 2 "" "got 'modle'; did you mean 'model'" n schema modle
expect 2 "" "got 'modle'; did you mean 'model'" n show modle vgg-a
expect 2 "" "got 'codcs'; did you mean 'codecs'" n list codcs
for plural in "show models vgg-a" "list model" "schema scenarios" "list codec"; do
    # shellcheck disable=SC2086
    expect 0 "." "" n $plural
done

# A file of another kind is one error, whatever its keys are.
expect 2 "" "^$sweep: expected a platform, got a scenario: narrows show scenario\$" n show platform "$sweep"
expect 2 "" "expected a scenario, got a model" n run -n "$NARROWS_HOME/scenarios/models/vgg-a.yaml"

# The example in README is found from any directory, its model next to it or among the shipped ones, by path or by name.
cp "$NARROWS_HOME/scenarios/examples/my-cluster.yaml" cluster.yaml
# shellcheck disable=SC2088 # the program expands it
for model in scenarios/models/resnet-34.yaml resnet-34 '~/mine.yaml'; do
    sed "s#^model: .*#model: $model#" cluster.yaml >moved.yaml
    mkdir -p home
    cp "$NARROWS_HOME/scenarios/models/resnet-34.yaml" home/mine.yaml
    HOME=$tmp/home expect 0 "moved\\.yaml: ok, [0-9]+ points" "" n check moved.yaml
done
expect 0 "vgg-a" "" n show model scenarios/models/vgg-a.yaml
# shellcheck disable=SC2088
HOME=$tmp/home expect 0 "ResNet-34" "" n show model '~/mine.yaml'
cp moved.yaml home/cluster.yaml
# shellcheck disable=SC2088
HOME=$tmp/home expect 0 "'?step" ".*" n run '~/cluster.yaml' '--db=~/own.db'
[ -e home/own.db ] && [ ! -e '~' ] || failed "--db=~/own.db is not in the home folder"

# An error is reported once, however many points of a sweep have it. A batch that does not divide among the workers is
# noted.
refused="batch: 44 more points are refused for the same reason, the last of them point 44, variant sparse, batch=15"
expect 2 "" "^--sweep:1:7: batch: 1 samples are fewer than the 16 workers.*$refused" \
    n check --sweep batch=1..15:lin:15 break-even
[[ $err != *"fewer than"*"fewer than"* ]] || failed "an error is reported for each point: $err"
expect 0 "ok, 3 points" \
    "^--set:1:7: batch: note: 255 samples do not divide among 16 workers: each of 15 takes 16, each other 15" \
    n check --set batch=255 break-even
expect 0 "ok, 3 points" "" n check --set batch=256 break-even

# So is a layout whose ranks cannot be folded: three GPUs of a machine share its NIC.
sharing=(--set platform.machines=2 --set platform.gpu.count=3 --set batch=192)
expect 0 "ok, 60 points" ":13:1: method.play: note: every rank is played, .* that is no power of two .point 0," \
    n check "${sharing[@]}" ddp-4090
expect 0 "ok, 60 points" "" n check "${sharing[@]}" --set method.play=whole ddp-4090
expect 0 "ok, 60 points" "" n check ddp-4090

# The platform that a training run is timed by is next to its file, or is shipped.
mkdir -p training
sed 's#^model: .*#model: resnet-34#' cluster.yaml >training/near.yaml
for scenario in near.yaml break-even examples/break-even.yaml; do
    cat >training/mine.yaml <<END
name: mine
model: resnet-20-cifar
training: {data: {kind: images}, workers: 2, batch: 8, steps: 2, learning_rate: {from: 0.1}}
variants: {fp32: {}}
time: [{scenario: $scenario}]
END
    expect 0 "ok, 1 point" "" n check training/mine.yaml
done

# Codecs have the aliases that the list tells, wherever one is named.
expect 0 "dct .*also +topk, top-k" "" n list codecs
expect 0 "ok, [0-9]+ point" "" n check dlrm-small --set exchange.push=int8
expect 2 "" "exchange\\.push: .*'itn8'.*did you mean '[a-z0-9-]+'" n check dlrm-small --set exchange.push=itn8
expect 0 "int8[[:space:]]+for[[:space:]]+8bit" "" n compress --help
expect 0 "cpu\\.peak = not given.*eth\\.latency = 10 us.*encode\\.latency = 5 us" "" \
    n show scenario break-even --point 2
expect 0 "gradients\\.encode\\.rate = 300 GB/s.*select_rate = unlimited" "" n show scenario break-even --point 1
expect 0 "point +variant.*bandwidth 2\\.1544 Gbit/s +" ".*" n run --db short.db break-even \
    --sweep 'link.eth.bandwidth=1..10 Gbit/s:log:4'
expect 0 "method\\.gradients\\.format = 8bit" "" n show scenario break-even --set gradients.format=int8

# Misuse is 2, says what was wrong, and leaves nothing behind.
expect 2 "" "narrows run: which SCENARIO\\?" n run
expect 2 "" "no-such\\.yaml" n run --db new.db no-such.yaml
expect 2 "" "--jobs.*'?none" n run --db new.db --jobs none "$sweep"
expect 2 "" "--jobs" n run --db new.db --jobs 0 "$sweep"
expect 2 "" "method\\.codecc.*did you mean.*codec" n run --db new.db --set method.codecc=none "$sweep"
expect 2 "" "nowhere" n run --db new.db --sweep nowhere=1,2 "$sweep"
printf 'name: x\nnme: y\n' >bad.yaml
expect 2 "" "bad\\.yaml:2:1: .*did you mean.*name" n run --db new.db "$sweep" bad.yaml
expect 2 ".*" "bad\\.yaml:2:1:" n check bad.yaml
[ ! -e new.db ] || failed "a misused 'narrows run' made a database"
expect 2 "" "--set:1:7: batch: 1 samples are fewer than the [0-9]+ GPUs" n run --db new.db --set batch=1 "$sweep"
expect 2 "" "--set:1:7: batch: 1 samples are fewer than the [0-9]+ GPUs" n check --set batch=1 "$sweep"
[ ! -e new.db ] || failed "a scenario that the simulator refuses made a database"
expect 2 "" "flows\\.yaml:[0-9]+:1: method: the step takes longer than 106 days" \
    n run --db late.db --set 'link.eth.bandwidth=0.001 B/s' flows
expect 2 "" "--set:1:13: method\\.file: expected the path of a file, got '/dev/zero'" \
    n check --set method.file=/dev/zero flows
expect 2 "" "expected a file" n run --db :nowhere: "$sweep"
expect 2 "" "expected a file" n run --db "" "$sweep"
expect 2 "" "--threads" n bench --threads 100000
for groups in "sim copy" "copy sim" "train copy" "sim train" "hook copy"; do
    # shellcheck disable=SC2086
    expect 2 "" "'sim', 'train' and 'hook' stand alone" n bench $groups
done
expect 2 "" "with 'hook' go --reps and --threads" n bench hook --gpu
expect 3 "" "no Python here imports torch, numpy and narrows" env PYTHONHOME="$tmp/none" "$NARROWS" bench hook
expect 2 "" "--all goes with 'sim'" n bench --all
expect 2 "" "--case with 'sim' or 'train'" n bench --case dlrm
expect 2 "" \
    "--case: expected one of ring ring-nics ring-sym.*play-resnet-152, with a size as in ring:1000.*, got 'dlrm'" \
    n bench --case dlrm sim
expect 0 "ring-symmetric +1000 ranks" ".*" n bench sim --case ring-symmetric --reps 1 --db bench.db
[ "$(grep -c "ranks\|flows\|points\|patches" <<<"$out")" = 1 ] ||
    failed "bench sim --case times more than the case: $out"
expect 2 "" "--case: expected one of resnet-20 dlrm-mlps dlrm .*, got 'vgg'" n bench train --case vgg
expect 2 "" "'ops' goes with --model" n bench ops
expect 2 "" "--classes goes with a model" n show platform x86-k80 --classes 10
expect 2 "" "--point and --set with a scenario" n show model vgg-a --point 1
expect 2 "" "--split goes with a model" n show platform x86-k80 --split 0.5,2x2
expect 2 "" "--wiggle goes with --split" n show model vgg-a --wiggle 0.2
expect 2 "" "--seed with --wiggle" n show model vgg-a --split 0.5,2x2 --seed 1
for split in 0.5 0.5,2 0.5,2x2x2 2x2 half,2x2 0.5,2x99999999999999999999; do
    expect 2 "" "--split: expected DEPTH,ROWSxCOLUMNS as in 0.75,2x2, got '$split'" n show model vgg-a --split "$split"
done
expect 2 "" "--split: depth: .*0\\.\\.1, got 1\\.5" n show model vgg-a --split 1.5,2x2
expect 2 "" "--split: rows: expected 1 patch or more, got 0" n show model vgg-a --split 0.5,0x2
expect 2 "" "--split: columns: 60 patches of the 14 columns that layer conv8 puts out: 14 would do" \
    n show model vgg-a --split 1,2x60
expect 2 "" "--split: depth: there is no convolution" n show model dlrm-criteo-kaggle --split 0.5,2x2
expect 2 "" "--wiggle: expected 0 or more and less than 0.5, got 0.5" n show model vgg-a --split 0.5,2x2 --wiggle 0.5
expect 2 "" "--wiggle: expected a number, got 'much'" n show model vgg-a --split 0.5,2x2 --wiggle much
expect 2 "" "--seed: expected a whole number" n show model vgg-a --split 0.5,2x2 --wiggle 0.2 --seed -1
expect 2 "" "no-such" n check no-such
expect 0 "table-ii\\.yaml: ok, 2 points" "" n check a2dtwp/table-ii
n list models >/dev/full 2>full.err
[ $? = 1 ] || failed "a full standard output is no failure"
grep -q 'standard output' full.err || failed "a full standard output is not named: $(cat full.err)"
expect 2 "" "no-such" n show model no-such
expect 2 "" "no-such" n show platform no-such
expect 2 "" "model, platform or scenario" n show nothing vgg-a
expect 2 "" "no-such" n list no-such
expect 2 "" "no-such" n schema no-such
expect 2 "" "Usage: narrows doctor" n doctor now

# What is asked for goes to stdout.
expect 0 "vgg-a" "" n list models
expect 0 "x86-k80" "" n list platforms
expect 0 "p100-winograd +assumed.*" "" n list timings
expect 0 "p100-winograd\\.yaml: ok, a timing" "" n check "$NARROWS_HOME/scenarios/timings/p100-winograd.yaml"
expect 0 "^name.*rates\\[0\\]\\.kernel" "" n schema timing
expect 0 "scalar" "" n list codecs
expect 0 "129[.,]?6" "" n show model vgg-a
expect 0 "1\\.22" "" n show platform x86-k80
for what in "platform x86-k80" "platform 3lc-gtx980-cluster" "platform dct-production" "platform dgx-a100" \
    "model dlrm-criteo-kaggle" "model transformer-small" "model inception-small"; do
    # shellcheck disable=SC2086
    expect 0 "." "" n show $what
    out=${out//$NARROWS_HOME/HOME}
    same_as_golden "show-${what// /-}.txt"
done
expect 0 "not split" "" n show model vgg-19 --split 0,2x2
expect 0 "not split" "" n show model vgg-19 --split 1,1x1
expect 0 "16 of 16 convolutions" "" n show model vgg-19 --split 1,2x2
expect 0 "12 of 16 convolutions" "" n show model vgg-19 --split 0.75,2x2
same_as_golden show-split-vgg-19.txt
expect 0 "stochastic: wiggle 0\\.2, seed 7" "" n show model alexnet-a2dtwp --split 1,3x1 --wiggle 0.2 --seed 7
same_as_golden show-split-alexnet.txt
expect 0 "its shortcut +1/2 " "" n show model resnet-34 --split 0.25,4x3
same_as_golden show-split-resnet-34.txt

k="## kind:"
expect 0 "$k host-sgd.*$k parameter-server.*$k allreduce.*$k model-parallel.*$k flows.*$k memory-plan.*$k collective" \
    "" n schema method
expect 0 "^data.*learning_rate\\.from.*exchange\\.push" "" n schema training

# Every shipped scenario is one that the simulator takes, and can be shown; together they are of every kind.
kinds=
for file in "$NARROWS_HOME"/scenarios/{papers/*,examples}/*.yaml; do
    expect 0 "$file: ok, [0-9]+ points?" "" n check "$file"
    expect 0 "method\\.kind = " "" n show scenario "$file"
    kind=${out##*method.kind = }
    kinds="$kinds ${kind%%$'\n'*}"
done
for kind in host-sgd parameter-server allreduce model-parallel flows memory-plan collective; do
    [[ "$kinds " == *" $kind "* ]] || failed "no shipped scenario is of kind $kind:$kinds"
done

# So is every one that trains; none of them says on what it would be simulated.
for file in "$NARROWS_HOME"/scenarios/training/*.yaml; do
    expect 0 "$file: ok, [0-9]+ points?" "" n check "$file"
    expect 0 "training\\.data\\.kind = " "" n show scenario "$file"
    [[ $out != *platform* ]] || failed "$file has a platform"
    name=$(basename "$file" .yaml)
    expect 0 "$name +[0-9]+ points" "" n list scenarios
    expect 0 "points" "" n run --dry-run "$name"
    expect 2 "" "narrows break-even needs a method" n break-even "$name" --vary training.steps
    expect 1 "" "method: expected one, since there is nothing else to simulate" n trace "$name" -o trace.json
done

# The doctor finds what is there and names what a missing tool switches off.
expect 0 "program .*build .*cpu .*topology .*memory .*adt kernels .*scalar.*cuda .*libraries .*gnuplot" "" n doctor
NARROWS_HOME=/else/where expect 0 "home +/else/where" "" n doctor
PATH=/nonexistent expect 0 "gnuplot +not found.*switched off: figures" "" "$NARROWS" doctor

# Files that are no results database are refused by name, and left as they are.
echo "these are notes, not a database, and long enough to be distinguished from one" >notes.txt
cp notes.txt before.txt
expect 1 ".*" "notes\\.txt" n run --db notes.txt "$sweep"
cmp -s notes.txt before.txt || failed "narrows run changed a file that is no database"
mkdir -p folder.db
expect 1 ".*" "folder\\.db" n run --db folder.db "$sweep"
expect 1 ".*" "/proc/no-such/x\\.db" n run --db /proc/no-such/x.db "$sweep"
expect 1 ".*" "there is no folder far/away: make it first" n run --db far/away/x.db "$sweep"
[ ! -e far ] || failed "a mistyped path made folders"
expect 1 "" "missing\\.db" n report --db missing.db --paper a2dtwp
[ ! -e missing.db ] || failed "narrows report made a database"
expect 0 ".*" ".*" n run --db newer.db "$NARROWS_HOME/scenarios/papers/a2dtwp/table-ii.yaml"
expect 2 "" "no-such" n report --db newer.db --paper no-such
expect 2 "" "no-such" n report --db newer.db no-such
expect 0 ".*" ".*" n report --db newer.db --no-figures --paper a2dtwp
named=$out
expect 0 ".*" ".*" n report --db newer.db --no-figures a2dtwp
[ "$out" = "$named" ] || failed "report a2dtwp is not report --paper a2dtwp"
expect 2 "" "expected one paper, got 'a2dtwp' and '3lc'" n report --db newer.db a2dtwp 3lc
expect 2 "" "expected one of --paper, --scenario, --bench, --summary and --validation" \
    n report --db newer.db 3lc --bench

# Two files of the same name are distinguished.
mkdir -p twin
sed 's#^model: .*#model: resnet-34#' cluster.yaml >one.yaml
sed 's#^batch: .*#batch: 512#' one.yaml >twin/two.yaml
for file in one.yaml twin/two.yaml ./one.yaml; do
    expect 0 ".*" ".*" n run --db twins.db "$file"
done
name=$(sed -n 's/^name: //p' one.yaml)
expect 0 ".*" "several files; this is $tmp/one\\.yaml, run last, and not $tmp/twin/two\\.yaml" \
    n report --db twins.db --scenario "$name" --no-figures
if command -v sqlite3 >/dev/null; then
    sqlite3 newer.db 'PRAGMA user_version = 4711'
    expect 1 ".*" "newer\\.db.*4711" n run --db newer.db "$sweep"
    sqlite3 foreign.db 'CREATE TABLE diary (day)'
    expect 1 ".*" "foreign\\.db" n run --db foreign.db "$sweep"
fi

# Threads wait briefly for each other, unless the environment says otherwise. GNU OpenMP prints how long.
waits() { # the last count of rounds that this environment leads to
    env -u OMP_WAIT_POLICY -u GOMP_SPINCOUNT OMP_DISPLAY_ENV=VERBOSE "$@" "$NARROWS" list models 2>&1 |
        sed -n "s/.*GOMP_SPINCOUNT = '\(.*\)'/\1/p" | tail -n 1
}
if [ -n "$(waits OMP_WAIT_POLICY=passive)" ]; then
    [ "$(waits)" = 4000 ] || failed "threads wait $(waits) rounds, not 4000"
    [ "$(waits GOMP_SPINCOUNT=7)" = 7 ] || failed "GOMP_SPINCOUNT is not respected"
    [ "$(waits OMP_WAIT_POLICY=passive)" = 0 ] || failed "OMP_WAIT_POLICY is not respected"
fi
finish
