#!/bin/bash
# narrows place as a person uses it: what it prints, what it writes and checks, when it fails.
set -u
. "$(dirname "$0")/lib.sh"
fresh_tmp
cd "$NARROWS_TEST_TMP" || exit 1
plans=$NARROWS_HOME/tests/model/data/plans
hard=$plans/ResNet-18_layer_ws2.25.csv

# The instance that every heuristic misses by a fifth. --nodes makes the search one of inputs alone.
methods="first-fit +[0-9]+ +1\.1962 +19\.[0-9]+ %.*greedy-by-size +[0-9]+ +1\.1962.*exact +203840 +1\.0000 +proven"
expect 0 "149 buffers, bound 203840.*$methods" '' \
    "$NARROWS" place --nodes 10000 "$hard"
expect 0 'exact' '' "$NARROWS" place -m exact "$hard"
[[ $out == *first-fit* || $out == *greedy* ]] && failed "--method exact places by others too: $out"
expect 0 'ws0.csv: .*ws1.0.csv: ' '' \
    "$NARROWS" place "$plans"/VGG-19_split_fifo_ws0.csv "$plans"/VGG-19_split_fifo_ws1.0.csv
expect 0 'standard input: 149 buffers' '' bash -c "'$NARROWS' place - <'$hard'"

# What is written can be checked, and placed again.
expect 0 'exact' '' "$NARROWS" place --output placed.csv "$hard"
[ "$(head -1 placed.csv)" = id,lower,upper,size,offset ] || failed "another header: $(head -1 placed.csv)"
[ "$(wc -l <placed.csv)" = "$(wc -l <"$hard")" ] || failed "other rows were written"
[ "$(cut -d, -f1-4 placed.csv)" = "$(tr -d '\r' <"$hard")" ] || failed "the buffers changed on the way"
expect 0 'placed.csv: 149 buffers keep apart, height 203840, 1.0000 of the bound 203840' '' \
    "$NARROWS" place --check placed.csv
expect 0 'bound 203840' '' "$NARROWS" place -m first-fit placed.csv
expect 0 '^id,lower,upper,size,offset' 'exact +203840' "$NARROWS" place -o - "$hard"
"$NARROWS" place -o - "$hard" 2>/dev/null | "$NARROWS" place --check - >piped ||
    failed "what is written to a pipe is not read there"
grep -q 'standard input: 149 buffers keep apart' piped || failed "a check of standard input says '$(cat piped)'"

# Broken on purpose: line 3 onto line 2, alive at the same time.
printf 'id,lower,upper,size,offset\na,0,4,8,0\nb,2,6,8,4\nc,4,6,4,0\n' >broken.csv
expect 1 "broken.csv:2: 'a' at \[0, 8\) overlaps 'b' of line 3 at \[4, 12\), both alive at 2" '' \
    "$NARROWS" place --check broken.csv
printf 'id,lower,upper,size,offset\na,0,4,8,0\nb,2,6,8,8\nc,4,6,4,0\n' >sound.csv
expect 0 'sound.csv: 3 buffers keep apart, height 16, 1.0000' '' "$NARROWS" place --check sound.csv
expect 1 "sound.csv:3: 'b' lies at 8, which is no multiple of 16" '' "$NARROWS" place --check --align 16 sound.csv
expect 1 "broken.csv:2.*sound.csv: 3 buffers" '' "$NARROWS" place --check broken.csv sound.csv
expect 2 '' "expected a column 'offset'" "$NARROWS" place --check "$hard"

# Capacity and alignment.
expect 0 'exact' '' "$NARROWS" place --capacity 203840 "$hard"
expect 1 'exact' 'does not fit into 203839 bytes: the lowest placement needs 1 more, and none fits' \
    "$NARROWS" place --capacity 203839 "$hard"
expect 1 'first-fit' 'not proved that none fits' "$NARROWS" place -m first-fit --capacity 203840 "$hard"
expect 0 'exact' '' "$NARROWS" place --capacity '204 kB' "$hard"
expect 0 'bound 512' '' "$NARROWS" place --align 256 sound.csv

# Gaps and alignments as minimalloc has them: honoured by all, kept in what is written, and checked.
cat >gaps.csv <<'END'
id,lower,upper,size,alignment,gaps
weights,0,40,1000,512,
activation,3,37,700,512,6-31
workspace,6,9,600,256,
lean,0,40,300,1,5-30@0:100 30-35
END
expect 0 'bound 2000.*first-fit +2236 .*greedy-by-size +2024 .*exact +2024 ' '' "$NARROWS" place gaps.csv
expect 0 exact '' "$NARROWS" place -o gaps_placed.csv gaps.csv
[ "$(cut -d, -f1-6 gaps_placed.csv)" = "$(<gaps.csv)" ] || failed "gaps changed on the way: $(<gaps_placed.csv)"
[ "$(head -1 gaps_placed.csv)" = id,lower,upper,size,alignment,gaps,offset ] || failed "$(head -1 gaps_placed.csv)"
expect 0 'gaps_placed.csv: 4 buffers keep apart, height 2024, ' '' "$NARROWS" place --check gaps_placed.csv
printf 'id,lower,upper,size,gaps,offset\na,0,9,8,2-5,0\nb,3,7,8,,4\nc,2,5,4,,0\n' >broken_gaps.csv
expect 1 "broken_gaps.csv:2: 'a' at \[0, 8\) overlaps 'b' of line 3 at \[4, 12\), both alive at 5" '' \
    "$NARROWS" place --check broken_gaps.csv
printf 'id,lower,upper,size,alignment,offset\na,0,9,8,16,8\n' >unaligned.csv
expect 1 "unaligned.csv:2: 'a' lies at 8, which is no multiple of 16" '' "$NARROWS" place --check unaligned.csv
expect 2 '' "bad.csv:2:11: gaps: expected a gap within the lifetime, got '7-12'" \
    bash -c "printf 'id,lower,upper,size,gaps\na,0,9,800,7-12\n' >bad.csv; '$NARROWS' place bad.csv"

# A search that is ended says how far it may be from the least, and says it again.
random_buffers() { # seed, number of buffers, steps, longest life
    awk -v seed="$1" -v n="$2" -v steps="$3" -v life="$4" 'BEGIN { srand(seed); print "id,lower,upper,size"
        for (i = 0; i < n; i++) {
            a = int(rand() * steps)
            print i "," a "," a + 1 + int(rand() * life) "," 1 + int(rand() * 100000) } }'
}
random_buffers 1 400 500 150 >random.csv
expect 0 'exact' '' "$NARROWS" place -m exact --nodes 500 random.csv
first=$(awk '/exact/ { print $2, $3, $4, $5 }' <<<"$out")
expect 0 'exact' '' "$NARROWS" place -m exact --nodes 500 random.csv
[ "$first" = "$(awk '/exact/ { print $2, $3, $4, $5 }' <<<"$out")" ] ||
    failed "the same search ends otherwise: $first; $out"
expect 0 'exact +[0-9]+ +1\.[0-9]+ +[0-9.]+ %' '' "$NARROWS" place -m exact --time 0 random.csv

# What takes long can be ended by a signal: a heuristic has nothing to show then, the search what it has found.
random_buffers 2 300000 300000 30000 >many.csv
ended() { # EXIT 'regex of stdout' ARGUMENTS...: after a signal, once the placing has begun
    local want=$1 like=$2 pid got begun=$SECONDS
    shift 2
    : >signalled # what the call before said is not this one's
    "$NARROWS" place "$@" >signalled 2>&1 &
    pid=$!
    until grep -q bound signalled || [ $((SECONDS - begun)) -gt 200 ]; do sleep 0.1; done
    [[ "$*" != *exact* ]] || sleep 0.5 # from the head of its table to the search itself
    begun=$SECONDS
    kill -TERM "$pid"
    wait "$pid"
    got=$?
    [ "$got" = "$want" ] || failed "place $* after a signal: exit $got, not $want"
    [ $((SECONDS - begun)) -lt 60 ] || failed "place $* went on for $((SECONDS - begun)) s after a signal"
    matches "$(<signalled)" "$like" || failed "place $* after a signal says '$(<signalled)', not like '$like'"
}
ended 130 'ms$' -m greedy-by-size -o never.csv many.csv
[ -e never.csv ] && failed "a placement was written though there was none"
ended 130 'exact +[0-9]+ ' -m exact --time 1000 many.csv
expect 0 'exact +[0-9]+ ' '' timeout 200 "$NARROWS" place -m exact --time 0.5 many.csv

# Nothing has begun while standard input is read.
mkfifo never
"$NARROWS" place - <>never >signalled 2>&1 &
pid=$! begun=$SECONDS
sleep 1
kill -TERM "$pid"
wait "$pid"
[ $((SECONDS - begun)) -lt 60 ] || failed "one signal does not end the reading of standard input"

# Refusals.
printf 'id,lower,upper,size\na,3,2,8\n' >wrong.csv
expect 2 '' 'wrong.csv:2:5: upper: expected no less than lower, 3, got .2.' "$NARROWS" place wrong.csv
printf 'id,lower,upper,size\na,0,1,4611686018427387904\nb,0,1,1\n' >much.csv
expect 2 '' 'add up to 2.62' "$NARROWS" place much.csv
expect 1 '' 'No such file' "$NARROWS" place nowhere.csv
expect 2 'exact' 'wrong.csv' "$NARROWS" place wrong.csv sound.csv
expect 2 '' 'first-fit, greedy-by-size or exact' "$NARROWS" place -m best sound.csv
expect 2 '' 'expected one FILE' "$NARROWS" place -o x.csv sound.csv sound.csv
expect 2 '' 'expected bytes above zero' "$NARROWS" place -c lots sound.csv
expect 2 '' 'expected seconds' "$NARROWS" place -t soon sound.csv
expect 2 '' 'expected a whole number' "$NARROWS" place -n -4 sound.csv
expect 2 '' 'narrows place: which FILE' "$NARROWS" place
expect 1 ".*" "^nowhere/x\.csv: No such file" "$NARROWS" place -o nowhere/x.csv sound.csv
expect 0 'Place buffers with known lifetimes.*--capacity.*Examples' '' "$NARROWS" place --help
expect 0 'place ' '' "$NARROWS" --help
finish
