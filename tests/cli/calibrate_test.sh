#!/bin/bash
# narrows calibrate network as a person uses it, over shared memory: columns, the platform file, facts, exit codes.
. "$(dirname "$0")/lib.sh"
fresh_tmp
cd "$NARROWS_TEST_TMP" || exit 1
export ASAN_OPTIONS=detect_leaks=0 # those of the MPI library

# What is wrong is said before anything is launched.
expect 2 '' "calibrate what\? 'network'" "$NARROWS" calibrate
expect 2 '' "expected 'network', got 'disk'" "$NARROWS" calibrate disk
expect 2 '' "--sizes: expected whole bytes up to 1 GiB.*got 'many'" "$NARROWS" calibrate network --sizes 1,many
expect 2 '' "--sizes: expected ascending sizes" "$NARROWS" calibrate network --sizes 2,1
expect 2 '' "--repetitions: expected" "$NARROWS" calibrate network --repetitions 1
expect 2 '' "--csv and --json exclude each other" "$NARROWS" calibrate network --csv --json
expect 2 '' "--from goes with --output" "$NARROWS" calibrate network --from x86-k80
expect 2 '' "shipped platform .*got 'h100'" "$NARROWS" calibrate network --from h100 --output x.yaml

"$NARROWS" doctor | grep -q '^mpi .*not compiled in' && {
    expect 3 '' 'built without MPI' "$NARROWS" calibrate network
    [ "$failures" -eq 0 ] || finish
    echo "skipped: built without MPI"
    exit 77
}
need mpirun timeout
root=()
[ "$(id -u)" != 0 ] || root=(--allow-run-as-root)
mpirun --version | grep -q 'Open MPI' || { echo "skipped: mpirun is not Open MPI's"; exit 77; }
ranks() { # N ARGUMENTS...
    local n=$1
    shift
    timeout 100 mpirun "${root[@]}" --oversubscribe --bind-to none -np "$n" "$NARROWS" calibrate network "$@"
}
timeout 60 mpirun "${root[@]}" --oversubscribe -np 2 true ||
    { echo "skipped: mpirun cannot start two processes"; exit 77; }
few=(--seconds 2 --sizes "0,1,1KiB,64KiB" --repetitions 5)


# Two ranks: all tables, a file that is a platform, and facts.
expect 0 '^2 ranks on 1 machine, .*so not over a network' 'the platform is in two\.yaml' \
    ranks 2 "${few[@]}" --db facts.db --output two.yaml
for like in 'bytes +repetitions +time\(us\) +least +most +alpha\(us\)' \
    'pattern +flows +message\(B\) +MB/s +Mbit/s +least +most +seconds +within' \
    'collective +size\(B\) +count +type +redop +time\(us\) +algbw\(GB/s\) +busbw\(GB/s\) +#wrong' \
    'one-way +1 +1048576 ' 'two-way +2 +32768 ' 'allreduce +1024 +256 +float +sum ' 'all-to-all +65536 ' \
    'efficiency_two_way +[0-9.]+ of' 'ranks leave a barrier +[0-9.]+ us median'; do
    matches "$out" "$like" || failed "two ranks: no '$like' in: $out"
done
awk '$4 == "float" && $NF != 0 { exit 1 }' <<<"$out" || failed "wrong elements: $out"
expect 0 'two.yaml: ok, a platform' '' "$NARROWS" check two.yaml
expect 0 'two: 2 ranks of one machine, measured over.*machines +2.*star.*link eth' '' "$NARROWS" show platform two.yaml
if command -v sqlite3 >/dev/null; then
    db=facts.db
    # shellcheck disable=SC2034 # holds() reads it
    holds "every pattern is stored" "SELECT count(DISTINCT pattern) = 9 FROM network_median" \
        "SELECT DISTINCT pattern FROM network_median"
    holds "a message was repeated" \
        "SELECT reps BETWEEN 3 AND 5 FROM network_median WHERE pattern = 'ping-pong' AND bytes = 1024"
    holds "the median is one of the repetitions" "SELECT count(*) > 0 FROM network_sample s JOIN network_median m
           USING (run_id, pattern, bytes)
         WHERE pattern = 'ping-pong' AND bytes = 1024 AND abs(s.elapsed_ns - 1000 * m.median_us) < 0.5"
    holds "nothing is wrong" "SELECT sum(wrong) = 0 FROM network_sample"
    holds "the ranks and the library" "SELECT (SELECT count(*) FROM network_rank) = 2
           AND (SELECT value FROM network_setting WHERE name = 'library') LIKE 'Open MPI%'"
    holds "the run is finished" "SELECT count(*) = 1 FROM run_end"
fi

# Four ranks: those that need more than two members; another platform's GPUs.
expect 0 '^4 ranks on 1 machine' 'the platform is in four\.yaml' \
    ranks 4 "${few[@]}" --db facts.db --from x86-k80 --output four.yaml
for like in 'member +time' 'ring +4 +' 'many-to-one +3 +' 'one-to-many +3 ' 'all-gather +1024 +64 '; do
    matches "$out" "$like" || failed "four ranks: no '$like' in: $out"
done
expect 0 'machines +4.*4 x GK210.*link pcie.*link eth' '' "$NARROWS" show platform four.yaml
expect 0 'four.yaml: ok, a platform' '' "$NARROWS" check four.yaml

# A collective that gives something wrong is counted, and makes it a failure.
if [ -n "${NARROWS_SPOILED_MPI:-}" ]; then
    expect 1 'allreduce +1024 +256 +float +sum +[0-9.]+ +[0-9.e-]+ +[0-9.e-]+ +1'$'\n' \
        'narrows calibrate: [1-9] elements that collectives gave are wrong' \
        timeout 100 mpirun "${root[@]}" --oversubscribe --bind-to none -np 2 -x LD_PRELOAD="$NARROWS_SPOILED_MPI" \
        "$NARROWS" calibrate network "${few[@]}" --db facts.db --output wrong.yaml
    [ ! -e wrong.yaml ] || failed "a platform was written though collectives are wrong"
fi

# For other programs.
expect 0 '^pattern,ranks,flows,peer,bytes,message_bytes,repetitions,time_us,.*,spread,wrong' '' \
    ranks 2 "${few[@]}" --db facts.db --csv
awk -F, 'NF != 15 { exit 1 }' <<<"$out" || failed "rows of other lengths: $out"
matches "$out" 'ping-pong,2,1,1,1024,0,[345],[0-9.]+' || failed "no ping-pong in the CSV: $out"
expect 0 '^\{.*"rows": \[.*"message_time": .*"efficiency_two_way": [0-9.]+.*\}$' '' \
    ranks 2 "${few[@]}" --db facts.db --json
if command -v python3 >/dev/null; then
    python3 -m json.tool out >/dev/null || failed "no JSON: $out"
fi

# Without a launcher two ranks are started here; one alone has nobody to measure with.
expect 0 '^2 ranks on 1 machine' 'two ranks on this machine; for others: mpirun' \
    timeout 100 "$NARROWS" calibrate network "${few[@]}" --db facts.db
expect 2 '' 'expected 2 ranks or more, got 1' ranks 1 "${few[@]}" --db facts.db

# What cannot be stored is said before it is measured.
expect 1 '' 'there is no folder far/away' ranks 2 "${few[@]}" --db far/away/x.db
printf 'name: bad\n' >bad.yaml
expect 2 '' 'bad\.yaml:1:1: cpu' ranks 2 "${few[@]}" --db facts.db --from bad.yaml --output x.yaml

# A signal ends it, the ranks too, and leaves no file.
timeout 100 "$NARROWS" calibrate network --seconds 60 --db late.db --output late.yaml >signalled 2>&1 &
pid=$! begun=$SECONDS
sleep 2
kill -TERM "$(pgrep -P $pid)"
wait $pid
got=$?
[ "$got" = 130 ] || failed "after a signal: exit $got, not 130: $(<signalled)"
[ $((SECONDS - begun)) -lt 30 ] || failed "it went on for $((SECONDS - begun)) s after a signal"
[ ! -e late.yaml ] && [ ! -e late.yaml.new ] || failed "a file was written though it was interrupted"
pgrep -f "^[^ ]*narrows calibrate network --seconds 60 --db late.db" && failed "ranks are left behind"
finish
