#!/bin/bash
# narrows exec on this host, without shaped links: every method, by itself and by hand; what it stores, resumes,
# refuses.
. "$(dirname "$0")/../cli/lib.sh"
. "$(dirname "$0")/processes.sh"
fresh_tmp
need sqlite3 mpirun
can_execute
data=$NARROWS_HOME/tests/exec/data
tmp=$NARROWS_TEST_TMP
n() {
    timeout 150 "$NARROWS" exec "$@"
}
ask() { # database, what
    sqlite3 "$tmp/$1.db" "$2"
}
same() { # what, got, expected
    [ "$2" = "$3" ] || failed "$1: $2, not $3"
}

# Every point of every method, predicted before it was executed, and right where that is known.
for file in allreduce servers flows; do
    expect 0 "" "executed .* simulated" n "$data/$file.yaml" --db "$tmp/all.db" -r 1
done
done_points=$(ask all "SELECT count(*) FROM executed WHERE outcome = 'done'")
[ "$done_points" -ge 44 ] || failed "expected all 44 points, $done_points are done"
same "values that are wrong" "$(ask all "SELECT coalesce(sum(wrong), 0) FROM executed")" 0
[ "$(ask all "SELECT count(*) FROM executed WHERE wrong = 0")" -ge 17 ] ||
    failed "too few points whose values are known"
same "executed before they were predicted" "$(ask all "
    SELECT count(*) FROM execution e JOIN run r ON r.id = e.run_id LEFT JOIN measure m ON m.point_id = e.point_id
     WHERE e.begun_ns < r.started_ns OR m.point_id IS NULL")" 0
same "ranks" "$(ask all "SELECT count(*) FROM executed x WHERE x.ranks * x.repetitions <>
    (SELECT count(*) FROM executed_rank r WHERE r.execution_id = x.execution_id)")" 0

# The last of four workers sends the most: all payloads but that of the first, the smallest. The one before it sends all
# but the largest.
same "who sends most, who least" "$(ask all "
    SELECT group_concat(rank, ' ') FROM (SELECT r.rank, r.sent_bytes, max(r.sent_bytes) OVER () most,
               min(r.sent_bytes) OVER () least FROM executed_rank r JOIN executed x USING (execution_id)
         WHERE x.variant = 'uneven' ORDER BY r.sent_bytes DESC) WHERE sent_bytes IN (most, least)")" "3 2"

# Speedups over the baseline, and which variant of a pair is the faster one.
same "speedups" "$(ask all "
    SELECT (SELECT printf('%g %g', executed, simulated) FROM executed_speedup WHERE variant = 'ring') || ' '
           || (SELECT count(*) FROM executed_speedup s JOIN executed x USING (variant, step_ms)
                WHERE abs(s.executed * x.step_ms - (SELECT step_ms FROM executed WHERE variant = 'ring')) < 1e-6)
           || ' ' || (SELECT sum(pairs) > 0 AND sum(as_simulated) <= sum(pairs) FROM executed_order)")" "1 1 32 1"

# What was done is not done again, but in another setting, or when that is asked for.
one=("$data/servers.yaml" --variant sync --db "$tmp/one.db")
expect 0 "" "sync: executed" n "${one[@]}" -r 2
expect 0 "" "" n "${one[@]}" -r 2
expect 0 "" "sync: executed" n "${one[@]}" -r 1
expect 0 "" "sync: executed" n "${one[@]}" -r 1 --again --limit 30
same "executions" "$(ask one "SELECT count(*) FROM executed WHERE outcome = 'done'")" 3

# By hand it is the same; too few ranks are refused.
root=()
[ "$(id -u)" != 0 ] || ! mpirun --version | grep -q "Open MPI" || root=(--allow-run-as-root)
mpirun --version | grep -q "Open MPI" && root+=(--oversubscribe)
expect 0 ".*" "sync: executed" timeout 100 mpirun "${root[@]}" -np 4 "$NARROWS" exec "$data/servers.yaml" \
    --variant sync --db "$tmp/hand.db" -r 2
what="SELECT variant, outcome, ranks, wrong, simulated_ms, repetitions, setting FROM executed LIMIT 1"
same "by hand" "$(ask hand "$what")" "$(ask one "$what")"
expect 2 ".*" "expected 4 ranks.*, got 2" timeout 100 mpirun "${root[@]}" -np 2 "$NARROWS" exec "$data/servers.yaml" \
    --variant sync --db "$tmp/hand.db" -r 1
same "too few" "$(ask hand "SELECT outcome FROM executed ORDER BY execution_id DESC LIMIT 1")" failed

# A timeline with what was executed next to what was simulated.
expect 0 "" "sync: executed" n "${one[@]}" -r 1 --again --timeline "$tmp/t.json"
same "valid JSON" "$(sqlite3 :memory: "SELECT json_valid(readfile('$tmp/t.json'))")" 1
for how in executed simulated; do
    grep -q "worker 0[^\"]*$how" "$tmp/t.json" || failed "no track of what was $how"
done

# The library's own allreduce is another setting.
peer=("$data/allreduce.yaml" --variant ring --db "$tmp/peer.db" -r 1)
expect 0 "" "ring: executed" n "${peer[@]}"
expect 0 "" "ring: executed" n "${peer[@]}" --collective native
same "settings" "$(ask peer "SELECT count(DISTINCT setting) FROM executed WHERE outcome = 'done' AND wrong = 0")" 2

# A scenario cannot know how well gradients compress: it is said, and only of a codec for which it matters.
expect 0 "" "3lc: executed.*; these gradients, encoded, had 0\.[0-9]+ of the simulated bytes" n "$data/allreduce.yaml" \
    --variant 3lc --db "$tmp/sizes.db" -r 1
"$NARROWS" exec "$data/allreduce.yaml" --variant 8bit --db "$tmp/sizes.db" -r 1 2>&1 | grep -q "these gradients" &&
    failed "8bit: said of a codec whose payloads have one size"

# Refused before anything is started.
cat >"$tmp/ratio.yaml" <<END
include: $data/servers.yaml
platform: $NARROWS_HOME/scenarios/platforms/shaped-lab.yaml
model: $data/odd.yaml
variants:
  ratio: {method.push.format: ratio, method.push.ratio: 4, method.push.place: cpu}
END
refused=$tmp/refused.db
expect 2 "" "method.push.format: expected a codec with a kernel.*got ratio" n "$tmp/ratio.yaml" --variant ratio \
    --db "$refused"
expect 2 "" "native|MPI_Iallreduce|allreduce" n "$data/servers.yaml" --variant sync --collective native --db "$refused"
SLURM_STEP_NUM_TASKS=4 expect 2 "" "4 processes .* do not know each other: expected srun --mpi=pmix" n \
    "$data/servers.yaml" --db "$refused"
expect 2 "" "expected a file" n "$data/servers.yaml" --db :memory:
expect 2 "" "method.workerz" n "$data/servers.yaml" --set method.workerz=3 --db "$refused"
expect 2 "" "execute" n "$sweep" --db "$refused"
[ ! -e "$refused" ] || same "what was refused" "$(ask refused "SELECT count(*) FROM execution")" 0

# What others left in the environment changes nothing; a rank whose starter has ended does nothing.
NARROWS_EXEC_POINTS=77 NARROWS_EXEC_RUN=99 NARROWS_EXEC=1.1 expect 0 "" "sync: executed" n "${one[@]}" -r 1 --again
NARROWS_EXEC_POINTS=0 NARROWS_EXEC_RUN=1 NARROWS_EXEC=999999.1 OMPI_COMM_WORLD_RANK=0 \
    expect 1 "" "has ended" n "${one[@]}" -r 1 --again
compgen -G "/dev/shm/narrows-exec-*" | while read -r left; do
    pid=${left##*exec-}
    [ -e "/proc/${pid%%-*}" ] || echo "$left"
done >"$tmp/left"
[ ! -s "$tmp/left" ] || failed "left: $(<"$tmp/left")"
finish
