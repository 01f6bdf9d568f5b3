#!/bin/bash
# Executions whose processes die or hang while they run: ranks, the launcher and its daemons, narrows itself; at moments
# that are drawn. Each costs its point at most: the others are executed, nothing is left behind, and a second exec
# completes the sweep. deaths_test.sh [lab]: in a lab, where each machine has a daemon of its own.
# NARROWS_TEST_DEATHS: how many (default 6, or 2 in a lab); NARROWS_TEST_SEED: which.
. "$(dirname "$0")/../cli/lib.sh"
. "$(dirname "$0")/processes.sh"
where=${1:-host}
fresh_tmp
need sqlite3 mpirun
can_execute
deaths=${NARROWS_TEST_DEATHS:-6}
options=(--repetitions 20 --limit 3 --variant ring --variant tree --variant halving-doubling)
kinds=(kill-rank stop-rank kill-mpirun kill-parent int-parent kill-rank stop-mpirun kill-parent kill-mpirun stop-all)
points=3
if [ "$where" = lab ]; then
    can_lab
    deaths=${NARROWS_TEST_DEATHS:-2}
    options=(--repetitions 12 --limit 20 --variant ring --variant tree --set 'link.eth.bandwidth=10 Mbit/s' --lab)
    kinds=(kill-orted kill-rank kill-parent int-parent stop-orted kill-mpirun)
    points=2
fi
RANDOM=${NARROWS_TEST_SEED:-1}
scenario=$NARROWS_HOME/tests/exec/data/allreduce.yaml
db=$NARROWS_TEST_TMP/deaths.db said=$NARROWS_TEST_TMP/said

draw_target() { # kind: the process, and its rank
    rank=
    case $1 in
    *-rank)
        rank=$((RANDOM % 4))
        target=$(rank_of "$parent" "$rank")
        ;;
    *-mpirun) target=$(named "$parent" 'mpirun\|mpiexec\|orterun' | head -n 1) ;;
    *-orted) target=$(named "$parent" orted | shuf -n 1 --random-source=<(yes "$RANDOM")) ;;
    *-all) target=$(ranks_of "$parent") ;;
    *-parent) target=$parent ;;
    esac
}

die() { # kind
    local targets
    read -r -d '' -a targets <<<"$target"
    case $1 in
    kill-*) kill -KILL "${targets[@]}" ;;
    stop-*) kill -STOP "${targets[@]}" ;;
    int-*) kill -INT "${targets[@]}" ;;
    esac 2>/dev/null
}

ask() { # what
    sqlite3 "$db" "SELECT $1"
}

check_end() { # kind, exit code
    local n wrong
    n=$(ask "count(*) FROM executed WHERE outcome = 'failed'")
    case $1 in
    kill-parent)
        [ "$2" = 137 ] || [ "$2" = 0 ] || failed "$what: exit $2, not 137"
        return
        ;;
    int-parent)
        [ "$2" = 130 ] || [ "$2" = 0 ] || failed "$what: exit $2, not 130"
        return
        ;;
    esac
    [ "$2/$n" = 0/0 ] || [ "$2/$n" = 1/1 ] || failed "$what: exit $2, $n points failed: $(tail -n 5 "$said")"
    [ "$(ask "count(*) FROM executed")" = "$points" ] ||
        failed "$what: the sweep did not go on: $(tail -n 5 "$said")"
    [ -z "$(ask "1 FROM executed WHERE outcome = 'failed' AND reason = ''")" ] || failed "$what: no reason"
    wrong=$(ask "failed_rank, reason FROM executed WHERE outcome = 'failed' AND failed_rank IS NOT ${rank:-0}")
    [ -z "$rank" ] || [ -z "$wrong" ] || failed "$what: another rank failed: $wrong"
}

check_database() { # when
    local answer
    answer=$(sqlite3 "$db" "PRAGMA integrity_check")
    [ "$answer" = ok ] || failed "$1: integrity_check says $answer"
}

check_resumed() {
    for _ in 1 2 3 4; do
        "$NARROWS" exec "$scenario" --db "$db" "${options[@]}" 2>"$said" && break
        too_busy "$said" || break
    done
    too_busy "$said" && { echo "skipped: $(<"$said")"; exit 77; }
    [ "$(ask "count(DISTINCT variant) FROM executed WHERE outcome = 'done'")" = "$points" ] ||
        failed "$what: the second exec did not complete the sweep: $(tail -n 5 "$said")"
    [ "$(ask "count(*) FROM executed WHERE outcome = 'done'")" = "$points" ] ||
        failed "$what: what was done was executed again"
}

hit=0
for ((i = 0; i < deaths; i++)); do
    kind=${kinds[i % ${#kinds[@]}]}
    for ((try = 0; try < 4; try++)); do
        rm -f "$db"*
        "$NARROWS" exec "$scenario" --db "$db" "${options[@]}" 2>"$said" &
        parent=$!
        [ "$where/$((RANDOM % 5))" = host/0 ] || wait_until_alive "$parent" # else while MPI starts
        too_busy "$said" || break
    done
    too_busy "$said" && { echo "skipped: $(<"$said")"; exit 77; }
    sleep "$(printf %d.%03d $((RANDOM % 2)) $((RANDOM % 1000)))"
    draw_target "$kind"
    what="death $i, $kind $rank ($target)"
    died=$(date +%s%N)
    [ -z "$target" ] || die "$kind"
    wait "$parent" 2>/dev/null
    code=$?
    [ "$code/$kind" = "0/${kind#stop}" ] || hit=$((hit + 1)) # else it was over already
    took=$((($(date +%s%N) - died) / 1000000))
    outcomes=$(ask "group_concat(coalesce(outcome, 'killed') || coalesce(' (rank ' || failed_rank || ')', ''), ', ')
        FROM executed" 2>/dev/null)
    echo "$what: exit $code after $took ms: $outcomes"
    nothing_left "$what" "$parent"
    check_database "$what"
    check_end "$kind" "$code"
    check_resumed
    check_database "$what, resumed"
    [ "$where" != lab ] || no_labs "$what" "$parent"
done
[ "$hit" -gt $((deaths / 2)) ] || failed "only $hit of $deaths found a process that lived"
echo "$hit deaths"
finish
