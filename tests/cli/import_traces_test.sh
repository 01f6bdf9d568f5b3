#!/bin/bash
# narrows import of what was measured elsewhere: each kind's file goes on to where narrows reads it.
set -u
. "$(dirname "$0")/lib.sh"
fresh_tmp
cd "$NARROWS_TEST_TMP" || exit 1
data=$NARROWS_HOME/tests/import/data

# Times of layers: into a scenario, whose step then takes what the trace says.
cat >small.yaml <<'END'
name: small
input: {channels: 3, height: 16, width: 16}
classes: 10
layers:
  - {kind: conv, channels: 8, kernel: 3, pad: 1}
  - {kind: batchnorm}
  - {kind: relu}
  - {kind: maxpool, kernel: 2}
  - {kind: conv, channels: 16, kernel: 3, pad: 1}
  - {kind: relu}
  - {kind: classifier}
END
cat >run.yaml <<END
name: imported
include: times.yaml
platform:
  name: one
  cpu: {sockets: 1, cores_per_socket: 1, peak: 1 TFlop/s, memory_bandwidth: 100 GB/s}
model: small.yaml
batch: 32
method: {kind: allreduce, workers: 1, algorithm: ring, level: analytic, device: cpu}
END
expect 0 '' '8 layers by modules.*2 steps.*forward.*backward.*7 of the model.s 7 layers.*samples: 16' \
    "$NARROWS" import kineto "$data/cpu.json.gz" --model small.yaml --output times.yaml
grep -q '  - {layer: "classifier1", forward: 102.496 us, backward: 130.026 us}' times.yaml ||
    failed "another row of the classifier: $(grep classifier1 times.yaml)"
"$NARROWS" trace run.yaml --output run.json 2>err || failed "the scenario does not take the times: $(<err)"
# 32 samples take twice as long as the trace's 16; what no layer has is shared by FLOPs, some us to the classifier.
for us in 102.496 130.026; do
    tr '{' '\n' <run.json | awk -v want="$us" '
        /"name": *"compute classifier1"/ && match($0, /"dur": *[0-9.]+/) {
            us = substr($0, RSTART, RLENGTH)
            sub(/.*: */, "", us)
            found += us >= 2 * want && us < 2 * want + 16
        }
        END { exit !found }' || failed "no task of the classifier takes twice $us us"
done
sed -i 's/"conv1"/"conv7"/' times.yaml
expect 2 '' 'times.yaml:9:.*method.profile.layers\[0\].layer: expected a layer of small, got .conv7.' \
    "$NARROWS" check run.yaml
expect 0 '    samples: 4.*#  - .layer: "conv2d"' 'by operators' \
    "$NARROWS" import kineto --by operators --samples 4 "$data/gpu.json"
expect 2 '' 'import kineto: --by: expected modules, annotations or operators, got .x.' \
    "$NARROWS" import kineto --by x "$data/gpu.json"
gzip -dc "$data/cpu.json.gz" | head -c 20000 >cut.json
expect 2 '' 'cut.json: byte [0-9]+: expected .*got the end of the file' "$NARROWS" import kineto cut.json
head -c 5000 "$data/cpu.json.gz" >cut.json.gz
expect 1 '' 'cut.json.gz: unexpected end of file' "$NARROWS" import kineto cut.json.gz
expect 1 '' 'none.json: No such file' "$NARROWS" import kineto none.json

# Collectives: into a platform, whose algorithm 'measured' then takes them.
cat >all_reduce_perf.log <<'END'
#  Rank  0 Group  0 Pid 7 on node device  0 [0x07] NVIDIA A100
#  Rank  1 Group  0 Pid 7 on node device  1 [0x0f] NVIDIA A100
#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong
#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)
        1024           256     float     sum      -1    20.00    0.05    0.05      0    18.00    0.05    0.05      0
        3072           768     float     sum      -1    40.00    0.05    0.05      0    19.00    0.05    0.05      0
END
expect 0 '' '2 rows of 1 run as 2' "$NARROWS" import nccl-tests all_reduce_perf.log -o table.csv
cat >collective.yaml <<'END'
name: imported-table
platform:
  name: two
  machines: 2
  cpu: {sockets: 1, cores_per_socket: 1, peak: 1 TFlop/s, memory_bandwidth: 100 GB/s}
  link: {eth: {bandwidth: 1.25 GB/s}}
  network: {topology: star, link: eth}
  collective: {table: table.csv}
method: {kind: collective, algorithm: measured, ranks: 2, bytes: 2048 B}
END
expect 0 '30' '.*' "$NARROWS" run collective.yaml --db results.db
sed -i 's/0    18.00/9    18.00/' all_reduce_perf.log
expect 2 '' "all_reduce_perf.log:5: expected no wrong values, got '9'" "$NARROWS" import nccl-tests all_reduce_perf.log

# Buffers: into narrows place, which finds the real offsets sound.
expect 0 '' 'device 0: 16 buffers of 22 allocations and frees.*2 were there before.*8 are alive' \
    "$NARROWS" import pytorch-memory "$data/small.pickle" -o buffers.csv
expect 0 'buffers.csv: 16 buffers keep apart' '' "$NARROWS" place --check buffers.csv
printf '\x80\x02cos\nsystem\nU\x02ls\x85R.' >evil.pickle
expect 2 '' 'evil.pickle: byte 2: expected plain data.*got GLOBAL, which makes an object' \
    "$NARROWS" import pytorch-memory evil.pickle

# Tasks: a simulated step as Chakra traces, which play as long on the same platform. The three flows of the example end
# at 16.01 ms, and so they do again.
expect 0 '' 'step.3.et: machine 3, on machine 3' "$NARROWS" trace flows --output step.et
expect 0 '' '^4 ranks, 10 nodes as 10 flows: 4 metadata, 3 sends, 3 receives, 0 collectives$' \
    "$NARROWS" import chakra 'step.%d.et' --output flows.csv
sed "/^method:/d" "$NARROWS_HOME/scenarios/examples/flows.yaml" >again.yaml
echo 'method: {kind: flows, file: flows.csv}' >>again.yaml
expect 0 '16[.]01' '.*' "$NARROWS" run again.yaml --db results.db
expect 0 'ok, 1 point' '' "$NARROWS" check again.yaml
expect 1 '' 'to execute: expected flows that leave at their start' "$NARROWS" trace again.yaml -o o.et
sed -i 's/,,0.000000000000$/,9,0/' flows.csv
expect 2 '' 'again.yaml:.*line [0-9]+: after: expected flows that end before it starts' \
    "$NARROWS" run again.yaml --db results.db
# One trace of all ranks; ranks as GPUs; a rank without its file; a format that is none.
expect 2 '' 'comm_dst|expected a receive|expected ranks|message from rank' "$NARROWS" import chakra step.0.et --ranks 2
expect 0 'id,src,dst,bytes,start_s,after,delay_s.*1[.]gpu1' '.*' "$NARROWS" import chakra 'step.%d.et' --gpus 2
expect 2 '' '.--flops: expected a rate as in .120 TFlop/s., got .7.' "$NARROWS" import chakra step.0.et -f 7
expect 1 '' 'step.4.et: No such file' "$NARROWS" import chakra 'step.%d.et' --ranks 5
expect 1 '' 'none.et: No such file' "$NARROWS" import chakra none.et
expect 2 '' 'run.json: byte [0-9]+: expected ' "$NARROWS" import chakra run.json
expect 2 '' '.--format: expected chrome or chakra, got .pdf.' "$NARROWS" trace flows --format pdf
expect 2 '' 'expected --output FILE' "$NARROWS" trace flows --format chakra
expect 2 '' 'expected a Chakra trace of the whole step, without --window' "$NARROWS" trace flows --load -o step.et
finish
