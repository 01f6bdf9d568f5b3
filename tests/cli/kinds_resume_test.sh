#!/bin/bash
# A sweep of every kind of method on a cluster gives the same database on one and two threads, and again after it was
# killed with SIGKILL at random moments and resumed: measures as bit patterns, and the flows' ends.
. "$(dirname "$0")/lib.sh"
need sqlite3
fresh_tmp
cd "$NARROWS_TEST_TMP" || exit 1
RANDOM=${NARROWS_TEST_SEED:=$$}
echo "seed $NARROWS_TEST_SEED (repeat with NARROWS_TEST_SEED=$NARROWS_TEST_SEED)"
data=$NARROWS_HOME/tests/build/data
bandwidths='link.eth.bandwidth=1..40 Gbit/s:log:8'

run_kind() { # database jobs kind
    "$NARROWS" run --db "$1" --jobs "$2" --sweep "$bandwidths" "$data/$3.yaml" >"$1.out" 2>"$1.err"
}

all_of() { # database
    table "$1"
    sqlite3 -batch "$1" "SELECT 'flow', p.key, t.place, t.id, t.name, t.track, t.start_ps, t.end_ps, t.bytes
                           FROM task t JOIN point p ON p.id = t.point_id ORDER BY p.key, t.place;"
}

same() { # kind database what
    all_of "$2" >now.txt
    if ! cmp -s "$1.txt" now.txt; then
        failed "$1, $3: another table than the undisturbed run's"
        diff "$1.txt" now.txt | head -n 5
    fi
    [ "$(value "$2" 'PRAGMA integrity_check')" = ok ] || failed "$1, $3: integrity check"
}

for kind in parameter-server allreduce model-parallel flows; do
    began=$(date +%s%N)
    run_kind "$kind.db" 2 "$kind" || { cat "$kind.db.err"; failed "$kind: the undisturbed run fails"; continue; }
    whole_ms=$((($(date +%s%N) - began) / 1000000))
    all_of "$kind.db" >"$kind.txt"
    points=$(value "$kind.db" 'SELECT count(*) FROM point')
    [ "$points" -ge 40 ] || failed "$kind: only $points points"
    run_kind one.db 1 "$kind" || failed "$kind: one thread fails: $(tail -n 3 one.db.err)"
    same "$kind" one.db "on one thread"

    # Each life is short enough that few of them finish the sweep; the first one that does ends this part.
    kills=0 kept=0
    while [ "$kills" -lt 5 ] && [ "$kept" -lt "$points" ]; do
        (exec "$NARROWS" run --db killed.db --jobs 2 --sweep "$bandwidths" "$data/$kind.yaml" \
            >killed.db.out 2>killed.db.err) &
        life_ms=$((RANDOM % (whole_ms / 4 + 10)))
        sleep "$((life_ms / 1000)).$(printf %03d $((life_ms % 1000)))"
        kill -KILL $! 2>/dev/null
        wait $! 2>/dev/null
        kills=$((kills + 1))
        now=0
        [ ! -s killed.db ] || now=$(value killed.db 'SELECT count(*) FROM point' 2>/dev/null || echo 0)
        [ "${now:-0}" -ge "$kept" ] || failed "$kind: points were lost: $now after $kept"
        kept=${now:-0}
    done
    echo "$kind: $points points in $whole_ms ms; killed $kills times, $kept were kept"
    run_kind killed.db 2 "$kind" || failed "$kind: the resumed run fails: $(tail -n 3 killed.db.err)"
    grep -q "$kept already there" killed.db.err ||
        failed "$kind: $kept points were kept, but the resumed run says: $(<killed.db.err)"
    same "$kind" killed.db "killed and resumed"
    rm -f -- *.db *.db-wal *.db-shm
done
finish
