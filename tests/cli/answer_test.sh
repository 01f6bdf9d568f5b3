#!/bin/bash
# What narrows run prints at its end: a line for each point, a sentence for each variant, what was not given, what does
# not fit, published cells; some points alone; nothing stored; the same as CSV and JSON. Where the rates of codecs come
# from.
. "$NARROWS_HOME/tests/cli/lib.sh"
need sqlite3
fresh_tmp
cd "$NARROWS_TEST_TMP" || exit 1
n() { NARROWS_QUIET=1 "$NARROWS" "$@"; }
answer=$NARROWS_HOME/tests/cli/data/answer.yaml
said() { # regex why
    [[ $out =~ $1 ]] || failed "$2: not like '$1':
$out"
}

# --- one place: every column, and from which bandwidth it pays ---
expect 0 "stored in n\.db: run 1, answer$" ".*" n run --db n.db "$answer"
said "^variant +step \(ms\) +speedup +samples/s +scaling +bound by +exposed \(ms\) +sent a step +memory" "the head"
said "fp32 .*baseline.* eth [0-9]+ % .* of 24 GB" "the baseline's line"
said "fp16: 1\.9[0-9]x; pays at least 5 % at any link\.eth\.bandwidth from 10 Mbit/s to 10 Tbit/s" \
    "a codec that always pays"
long='eight bits and a very long name'
below=$(n break-even "$answer" --vary link.eth.bandwidth --variant "$long" --target 1.05 --no-store \
    --format csv 2>/dev/null | awk -F, 'NR == 2 && $9 == "below" { printf "%.3g", 8e-9 * $10 }')
said "$long: 1\.[0-9]+x; pays at least 5 % below ${below:-?} Gbit/s of link\.eth\.bandwidth, which is 10 Gbit/s" \
    "the sentence"
said "slow: [0-9]+x slower; pays less than 5 % at any link\.eth\.bandwidth from 10 Mbit/s to 10 Tbit/s" \
    "a slowdown is a factor"
[[ ! $out =~ \ -[0-9.]+\ % ]] || failed "a negative share of time: $out"
widths=$(sed -n '1,/^$/p' "$NARROWS_TEST_TMP/out" | grep . | awk '{ print length($0) }' | sort -u | wc -l)
[ "$widths" = 1 ] || failed "the columns are broken: $out"

# --- nothing is free in silence ---
no_rates="no rates are given for method\.gradients"
assumed="assumed: passes over the GPU's memory at 800 GB/s"
said "! fp16: $no_rates: encode\.rate 533\.3 GB/s, decode\.rate 533\.3 GB/s, $assumed" \
    "a GPU's rate"
said "! $long: .*encode\.rate 9\.949 GB/s, decode\.rate 15\.16 GB/s, measured on one core of a Xeon" \
    "a CPU's rate"
said "! own: $no_rates, and nothing is known of the codec ratio on a CPU: it takes no time; give encode\.rate" \
    "no rate at all"
said "! not given: platform\.gpu\.efficiency\.fully_connected, so that" "a share left at 1"
[[ $out != *"! free"* && $out != *"! slow"* ]] || failed "what was given is said not to be: $out"
[[ $out != *"do nothing"* && $out != *"does not fit"* && $out != *"does not divide"* ]] || failed "without cause: $out"
expect 0 "method\.gradients\.encode\.rate = 1818 MB/s" "" \
    n show scenario "$answer" --point 2 --set platform.cpu.class=scalar
said "# method\.gradients\.encode\.rate is not given: measured on one core of a Xeon \(Sapphire Rapids\); scalar" \
    "show scenario"
expect 0 "encode\.rate = 533\.333[0-9]* GB/s" "" n show scenario "$answer" --point 1
expect 0 "encode\.rate = unlimited" "" n show scenario "$answer" --point 4
[[ $out != *"is not given"* ]] || failed "unlimited was asked for: $out"

# Where 1 is what is meant, nothing is said: from the command line, or in the file.
sed 's/efficiency: {memory: 0.8}/efficiency: {memory: 0.8, fully_connected: 1}/' "$answer" >one.yaml
expect 0 "baseline" ".*" n run --no-store one.yaml --variant free
[[ $out != *"not given"* ]] || failed "a share that is given: $out"
expect 0 "baseline" ".*" n run --no-store "$answer" --variant free --set gpu.efficiency.fully_connected=1
[[ $out != *"not given"* ]] || failed "a share that is set: $out"

# --- assumed rates follow the memory that they are assumed from, in a break-even too ---
followed=$(n break-even "$answer" --vary gpu.memory_bandwidth --from '1 GB/s' --to '2 GB/s' --scan 2 --variant fp16 \
    --no-store --format json 2>/dev/null | sed -n 's/^ "scan": \[{"value": 1000000000, "speedup": \([0-9.]*\)}.*/\1/p')
speedup() { # arguments of narrows run: of fp16, where the GPU's memory is slow
    n run --no-store "$answer" --set gpu.memory_bandwidth='1 GB/s' --variant fp16 --csv "$@" 2>/dev/null |
        sed -n 's/^fp16,[^,]*,[^,]*,\([^,]*\),.*/\1/p'
}
swept=$(speedup)
given=$(speedup --set 'method.gradients.encode.rate=533333333 B/s' --set 'method.gradients.decode.rate=533333333 B/s')
[ "${given:0:7}" = "${swept:0:7}" ] || failed "fp16 at 1 GB/s: $given with the rate given, $swept with the one assumed"
[ -n "$swept" ] && [ "$followed" = "$swept" ] || failed "fp16 at 1 GB/s: $followed by break-even, $swept by run"

# --- layouts ---
expect 0 "! 2 of 4 GPUs do nothing: method\.workers is 2" ".*" n run --no-store "$answer" --set method.workers=2
expect 0 "! batch 255 does not divide among 4 workers: 3 of them get 64 samples, the others 63" ".*" \
    n run --no-store "$answer" --set batch=255 --set method.level=flows
expect 0 "! fp16 does not fit: it needs 25[0-9.]* MB of a GPU that has 100 MB" ".*" \
    n run --no-store "$answer" --set gpu.memory='100 MB' --set gpu.memory_checked=false --variant fp16

# --- what does not fit is left out of a sweep, and alone refused ---
expect 0 "batch 256 +fp32" "6 of 12 points do not fit in a GPU's memory and are left out" \
    n run --no-store "$answer" --set gpu.memory='300 MB' --variant fp16 --sweep batch=256,65536
[[ $out != *"batch 65536"* ]] || failed "a point that does not fit: $out"
expect 2 "" "platform\.gpu\.memory: a GPU needs .*weights .*; no batch fits" \
    n run --no-store "$answer" --set gpu.memory='100 MB' --variant fp16
expect 2 "" "none of the points asked for can be computed" \
    n run --no-store "$answer" --set gpu.memory='300 MB' --sweep batch=256,65536 --point 6

# --- a sharded decoder is counted by other figures than layers ---
decoder=$(dirname "$answer")/decoder.yaml
expect 0 "! not given: platform\.gpu\.\{matrix\.share, attention\.share\}, so that the GPU" ".*" \
    n run --no-store "$decoder"
[[ $out != *efficiency* && $out != *profile* ]] || failed "figures that nothing depends on: $out"
expect 0 "! not given: platform\.gpu\.attention\.share, so" ".*" \
    n run --no-store "$decoder" --set gpu.matrix.share=0.8
expect 0 "batch 8, micro_batch 4 " "1 of 2 points does not fit in a GPU's memory and is left out" \
    n run --no-store "$decoder" --set gpu.memory='40 MB' --sweep 'zip:batch=8, 16' --sweep 'zip:method.micro_batch=4, 8'
[[ $out != *"batch 16"* ]] || failed "a step that does not fit: $out"

# --- some of it, stored nowhere ---
expect 0 "^variant.*fp16" "2 points" n run --no-store "$answer" --variant fp16
[[ $out != *"eight bits"* && $out != *"stored in"* ]] || failed "more than was asked for: $out"
[ ! -d out ] || failed "--no-store made a folder"
columns=variant,step_ms,samples_per_s,speedup,scaling,bound_by,bound_share,exposed_ms,wire_bytes
expect 0 "^$columns,memory_bytes,memory_limit_bytes,gpus,idle_gpus" \
    ".*" n run -d :memory: "$answer" --variant fp16 --variant own --csv
[ "$(wc -l <out)" = 4 ] || failed "not three lines under a head: $out"
[ ! -e :memory: ] || failed "a file called :memory:"
expect 0 '"variant": "own".*"speedup": [0-9.]+,.*"bound_by": "eth"' ".*" n run --no-store "$answer" --point 3 --json
[ "$(sqlite3 :memory: "SELECT json_array_length(readfile('out'))")" = 2 ] || failed "not two objects: $out"
expect 2 "" "expected one of fp32, fp16, .*, got 'fp17'" n run --no-store "$answer" --variant fp17
expect 2 "" "--point: expected 0\.\.5, got 6" n run --no-store "$answer" --point 6
expect 2 "" "--csv and --json print one scenario" n run --no-store --csv "$answer" "$answer"
[ "$(sqlite3 n.db 'SELECT count(*) FROM run')" = 1 ] || failed "something was stored"

# --- a sweep: compact, in four digits; full ones in the CSV ---
expect 0 "bandwidth 2\.1544 Gbit/s +fp32 .*fp16: [0-9.]+x to [0-9.]+x; pays at least 5 % at 4 of 4 places" ".*" \
    n run --db n.db "$answer" --variant fp16 --sweep 'link.eth.bandwidth=1..10 Gbit/s:log:4'
[[ $out != *"sent a step"* ]] || failed "not compact: $out"
said "stored in n\.db: run 2, answer\+changes" "the name of a changed run"
expect 0 "fp16,2\.15443469003[0-9]* Gbit/s," ".*" \
    n run --no-store "$answer" --sweep 'link.eth.bandwidth=1..10 Gbit/s:log:4' --csv

# --- report takes the newest, and says which ---
expect 0 "^Run 2 of .*answer\.yaml, changed:.*--sweep.*Speedup over fp32" "" \
    n report --db n.db --scenario answer --no-figures
expect 0 "stored" ".*" n run --db n.db "$answer"
expect 0 "^Run 3 of [^,]*, [^,]*answer\.yaml.What a run answers..variant +step.*fp16: 1\.9[0-9]x" "nothing to draw" \
    n report --db n.db --scenario answer
expect 0 "^variant,step_ms" "" n report --db n.db --scenario answer --csv

# --- next to a published cell ---
expect 0 "3lc 1, 3LC \(s=1\.75\), 10 Mbit/s +3LC \(s=1\.75\) +speedup +22\.8 +[0-9.]+ +[+-][0-9.]+ %" ".*" \
    n run --no-store 3lc/table-1 --point 7 --variant '3LC (s=1.75)' --set platform.cpu.codec_speed=0.2 \
    --set gpu.efficiency.convolution=0.5 --set method.barrier_time=0.3s --set network.message_bytes=0B
[ "$(grep -c '^3lc 1' out)" = 1 ] || failed "not the cell of that place alone: $out"

# --- break-even without a database that can be written ---
mkdir closed && chmod 555 closed
if [ ! -w closed ]; then
    expect 0 "pays below" "closed/n\.db cannot be written here, so nothing is kept" \
        n break-even "$answer" --vary link.eth.bandwidth --variant fp16 --db closed/n.db
fi
expect 0 "pays nowhere" "varying" n break-even "$answer" --vary link.eth.bandwidth --variant slow --no-store
chmod 755 closed
[ ! -d out ] && [ ! -e closed/n.db ] || failed "break-even stored something"

# --- the rates of processors are those of results/ ---
awk -F, 'NR == FNR { sub(/^"[^"]*"/, "x"); if ($7 == "") rate[$5 "," $6] = sprintf("%.4g", 4e-6 * $9 / $11); next }
    FNR > 1 && $1 != "gpu" {
        encode = rate[$2 "," $1]; decode = rate[$2 " back," $1]; rows++
        if ($3 != encode || $4 != decode) { print $0 ": measured are " encode ", " decode; bad = 1 } }
    END { exit bad || rows != 26 }' "$NARROWS_HOME/results/xeon-2-cores/codec.csv" \
    "$NARROWS_HOME/scenarios/codec-rates.csv" ||
    failed "scenarios/codec-rates.csv is not what results/ says"
finish
