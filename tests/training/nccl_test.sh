#!/bin/bash
# narrows run --nccl, without GPUs: messages and training runs by a stand-in for NCCL are those of MPI, bit for bit;
# what NCCL runs into ends all ranks with its text; and where it cannot be used all end before anything is trained.
# use: nccl_test.sh LINK_TEST NARROWS_STAND_IN NEW OLD (folders of the stand-in for libnccl.so.2, and of one too old)
. "$(dirname "$0")/../cli/lib.sh"
. "$(dirname "$0")/lib.sh"
link_test=$1 program=$2 new=$3 old=$4
fresh_tmp
cd "$NARROWS_TEST_TMP" || exit 1
need_mpi
if grep -q 'without MPI' <(ranks 2 "$NARROWS" run --db none.db none.yaml 2>&1); then
    echo "skipped: this program was built without MPI"
    exit 77
fi

cat >small.yaml <<'YAML'
name: small
model:
  name: tiny
  input: {channels: 3, height: 8, width: 8}
  classes: 10
  layers:
    - {kind: conv, channels: 8, kernel: 3, pad: 1, bias: false}
    - {kind: batchnorm}
    - {kind: relu}
    - {kind: avgpool, kernel: 2}
    - {kind: classifier}
    - {kind: softmax}
training:
  data: {kind: images, train: 640, test: 64}
  workers: 4
  batch: 8
  steps: 12
  exchange: {min_values: 100}
  learning_rate: {from: 0.05}
  evaluate: {every: 10}
  trace: {every: 7}
  checkpoint: {every: 5}
baseline: fp32
variants:
  fp32: {}
  3lc: {exchange.push: "3lc:s=1.5", exchange.pull: "3lc:s=1.5"}
  awp: {exchange.pull_of: weights, awp.interval: 5, awp.threshold: 0.5}
YAML

# nccl N COMMAND...: with the stand-in, and a GPU for each of up to 8 ranks.
nccl() {
    ranks "$1" -x LD_LIBRARY_PATH="$new" -x CUDA_VISIBLE_DEVICES=0,1,2,3,4,5,6,7 "${@:2}"
}

# ends EXIT 'regex of stderr' WHAT COMMAND...: soon, and the regex stands there once. Where a rank ends all, Open MPI's
# mpirun now and then crashes or hangs itself on a busy machine: then once more.
ends() {
    local want=$1 like=$2 what=$3 limit=40 code try
    shift 3
    for ((try = 0; try < 3; try++)); do
        "$@" >out 2>err
        code=$?
        [ "$code" -ge 124 ] && [ "$want" != 0 ] || break
    done
    [ "$code" = "$want" ] || failed "$what: exit $code, not $want: $(head -n 5 err)"
    [ "$(grep -cE "$like" err)" = 1 ] || failed "$what: not once '$like': $(head -n 20 err)"
}

# All lengths and words, and what is too long.
for n in 2 3 5; do
    ends 0 "^narrows: $n ranks exchange by NCCL 2\.28\.9, .* rank 0's is GPU 0 of the stand-in\$" \
        "messages of $n ranks" nccl "$n" "$link_test" nccl
done
ends 1 'gather: rank 1 announces 1000 bytes, expected at most 999' "a message that is too long" \
    nccl 2 "$link_test" long

# A failure is named, and nobody waits for ever.
fails() { # CALL:RANK:N ['what fails' [EXIT [VARIABLE=VALUE]]]
    local call=${1%%:*} rank=${1#*:}
    rank=${rank%%:*}
    ends "${3:-1}" "${2:-$call} on rank $rank: a system call of the stand-in failed: as wanted" "$1 fails" \
        nccl 3 -x NARROWS_NCCL_FAILS="$1" ${4:+-x "$4"} "$link_test" nccl
}
fails ncclSend:1:3
fails ncclRecv:0:4
fails ncclGroupStart:0:2
fails ncclGroupEnd:0:2
fails ncclBroadcast:2:3
fails ncclBroadcast:0:1
fails ncclCommGetAsyncError:1:5 'what NCCL had begun' 1 NARROWS_GPU_STUCK=1
fails ncclCommInitRank:2:1 '' 3
fails ncclGetUniqueId:0:1 '' 3

# What a training stores is what a single process does, whatever carries it; each rank has taken a GPU of its own.
expect 0 'variant' '.*' "$NARROWS" run --jobs 2 --db one.db small.yaml
everything one.db >whole.txt
[ "$(grep -c '^step' whole.txt)" = 36 ] || failed "not 3 training runs of 12 steps: $(grep -c '^step' whole.txt)"
for n in 2 3 5; do
    ends 0 "narrows: $n ranks exchange by NCCL 2\.28\.9" "a training on $n ranks" \
        nccl "$n" "$program" run --nccl --jobs 2 --db "$n.db" small.yaml
    everything "$n.db" >now.txt
    cmp -s whole.txt now.txt ||
        failed "$n ranks: not what a single process stores: $(diff whole.txt now.txt | head -n 5)"
done
[ "$(value 3.db "SELECT sum(sent_bytes) = sum(received_bytes) AND sum(push_ns) > 0 FROM training_rank_time")" = 1 ] ||
    failed "not all that was sent was received"
[ "$(value 3.db "SELECT count(*) FROM training_rank_time")" = $((36 * 3)) ] || failed "times of other steps than 36 x 3"

# In the middle of a training, on rank 0 and on another.
for rank in 0 2; do
    ends 1 "ncclBroadcast on rank $rank: a system call of the stand-in failed" "rank $rank fails in a training" \
        nccl 3 -x NARROWS_NCCL_FAILS=ncclBroadcast:$rank:9 "$program" run --nccl --jobs 2 --db failed.db small.yaml
done

# Refused before anything is trained, by all ranks, and said once.
refused() { # 'regex' WHAT ARGUMENT OF mpirun...
    ends 3 "^narrows run --nccl: $1" "$2" timeout -k 5 60 mpirun "${@:3}"
    [ ! -e refused.db ] || failed "$2: has left a database"
}
run=("$program" run --nccl --db refused.db small.yaml)
at() { # RANKS FOLDER GPUS: arguments of mpirun
    printf '%s\n' -np "$1" -x LD_LIBRARY_PATH="$2" -x CUDA_VISIBLE_DEVICES="$3"
}
mapfile -t fine < <(at 2 "$new" 0,1)
mapfile -t aged < <(at 1 "$old" 2)
mapfile -t blind < <(at 1 "$new" '')
mapfile -t first < <(at 1 "$new" 0)
mapfile -t few < <(at 3 "$new" 0,1)
mapfile -t mixed < <(at 1 "$new" 2)
refused 'rank 2 has no NCCL: expected libnccl.so.2 of 2.7 or later, got .libnccl.so.2: lacks ncclSend' "an old NCCL" \
    "${fine[@]}" "${run[@]}" : "${aged[@]}" "${run[@]}"
refused "rank 2 has no GPU: expected one for each rank, got 'no device'" "no GPU on rank 2" \
    "${fine[@]}" "${run[@]}" : "${blind[@]}" "${run[@]}"
refused 'ranks 0 and 2 share GPU 0 of the stand-in: expected a GPU for each rank, got 2 for 3 ranks' "two GPUs for 3" \
    "${few[@]}" "${run[@]}"
refused 'ranks 0 and 1 share GPU 0 of the stand-in: .* got 1 for 2 ranks' "the same GPU by the launcher" \
    "${first[@]}" "${run[@]}" : "${first[@]}" "${run[@]}"
refused 'rank 2 has another NCCL: expected 2.28.9, as rank 0 has, got 2.18.3' "another NCCL on rank 2" \
    "${fine[@]}" "${run[@]}" : "${mixed[@]}" -x NARROWS_NCCL_VERSION=21803 "${run[@]}"
# The program itself: it may have been built without CUDA, or finds no GPU.
refused 'rank 0 has no (NCCL|GPU): expected .*, got ' "no GPU anywhere" \
    -np 2 -x CUDA_VISIBLE_DEVICES= "$NARROWS" run --nccl --db refused.db small.yaml

# Each rank with a list of its own keeps it.
mapfile -t second < <(at 1 "$new" 5)
ends 0 'narrows: 2 ranks exchange by NCCL' "a GPU for each rank by the launcher" timeout -k 5 60 mpirun \
    "${first[@]}" "$link_test" nccl : "${second[@]}" "$link_test" nccl

# Misused.
misuse='narrows run --nccl: expected several ranks, .* got one process'
ends 2 "$misuse" "no mpirun" "$NARROWS" run --nccl --db refused.db small.yaml
ends 2 "$misuse" "one rank" ranks 1 "$NARROWS" run --nccl --db refused.db small.yaml
ends 2 'narrows run --nccl: expected scenarios that are trained, got .*\.yaml, which is simulated' "a sweep" \
    ranks 2 "$NARROWS" run --nccl --db refused.db "$sweep"
ends 2 'nccl is for ranks of one training' "Slurm" "$NARROWS" run --nccl --slurm --db refused.db small.yaml
[ ! -e refused.db ] || failed "what was refused has left a database"
finish
