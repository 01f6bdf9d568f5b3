#!/bin/bash
# A sweep of 10,000 points killed with SIGKILL at 20 random moments and resumed ends in the table that an undisturbed
# run makes, and so does one stopped by SIGINT, one that ran out of disk, and two at once on one file.
. "$(dirname "$0")/lib.sh"
need sqlite3
fresh_tmp
cd "$NARROWS_TEST_TMP" || exit 1
RANDOM=${NARROWS_TEST_SEED:=$$}
echo "seed $NARROWS_TEST_SEED (repeat with NARROWS_TEST_SEED=$NARROWS_TEST_SEED)"

run_sweep() { # database
    "$NARROWS" run --db "$1" --jobs 2 "$sweep" >"$1.out" 2>"$1.err"
}

same_as_whole() { # database what
    table "$1" >now.txt
    if ! cmp -s whole.txt now.txt; then
        failed "$2: another table than the undisturbed run's"
        diff whole.txt now.txt | head -n 5
    fi
    [ "$(value "$1" 'PRAGMA integrity_check')" = ok ] || failed "$2: integrity check"
    [ "$(value "$1" 'SELECT count(*) FROM point')" = "$points" ] || failed "$2: not $points points stored"
}

began=$(date +%s%N)
run_sweep whole.db || { cat whole.db.err; failed "the undisturbed run fails"; finish; }
whole_ms=$((($(date +%s%N) - began) / 1000000))
table whole.db >whole.txt
points=$(value whole.db 'SELECT count(*) FROM point')
listed=$(value whole.db 'SELECT count(*) FROM run_point WHERE run_id = (SELECT max(id) FROM run)')
[ "$listed" -ge 10000 ] || failed "only $listed points in the sweep"

# Each life is short enough that 20 of them seldom finish the sweep; where one does, the next begins again.
kills=0 tries=0 kept=0
while [ "$kills" -lt 20 ] && [ "$tries" -lt 200 ]; do
    tries=$((tries + 1))
    (exec "$NARROWS" run --db killed.db --jobs 2 "$sweep" >killed.db.out 2>killed.db.err) &
    life_ms=$((RANDOM % (whole_ms / 12 + 10)))
    sleep "$((life_ms / 1000)).$(printf %03d $((life_ms % 1000)))"
    kill -KILL $! 2>/dev/null
    wait $! 2>/dev/null
    [ $? = 137 ] && kills=$((kills + 1))
    if [ -s killed.db ]; then
        now=$(value killed.db 'SELECT count(*) FROM point' 2>/dev/null || echo 0)
        [ "${now:-0}" -ge "$kept" ] || failed "points were lost: $now after $kept"
        kept=${now:-0}
    fi
    if [ "$kept" = "$points" ] && [ "$kills" -lt 20 ]; then
        rm -f killed.db killed.db-wal killed.db-shm
        kept=0
    fi
done
[ "$kills" = 20 ] || failed "only $kills kills met a running sweep"
echo "killed $kills times, $kept of $points points were kept"
run_sweep killed.db || failed "the resumed run fails: $(tail -n 3 killed.db.err)"
same_as_whole killed.db "killed and resumed"
run_sweep killed.db || failed "running a finished sweep again fails"
same_as_whole killed.db "run again"

# SIGINT: exit 130, what was finished is stored, the rest is resumed. (A shell's background job ignores SIGINT; env
# gives it back.)
env --default-signal=INT "$NARROWS" run --db stopped.db --jobs 2 "$sweep" >stopped.out 2>stopped.err &
sleep "$(printf '0.%03d' $((whole_ms / 3 < 999 ? whole_ms / 3 : 999)))"
kill -INT $!
wait $!
rc=$?
[ "$rc" = 130 ] || failed "SIGINT: exit $rc, not 130"
run_sweep stopped.db || failed "resuming after SIGINT fails"
same_as_whole stopped.db "stopped by SIGINT and resumed"

# A full disk, played by a limit on the size of files.
(trap '' XFSZ; ulimit -f 600; run_sweep full.db)
rc=$?
[ "$rc" = 1 ] || failed "full disk: exit $rc, not 1"
grep -q 'full\.db' full.db.err || failed "full disk: the message does not name the file: $(tail -n 2 full.db.err)"
run_sweep full.db || failed "resuming after a full disk fails: $(tail -n 3 full.db.err)"
same_as_whole full.db "out of disk and resumed"

# Two processes on one file.
"$NARROWS" run --db two.db --jobs 1 "$sweep" >/dev/null 2>two.err &
run_sweep two.db || failed "two at once: the second fails: $(tail -n 3 two.db.err)"
wait $! || failed "two at once: the first fails: $(tail -n 3 two.err)"
same_as_whole two.db "two at once"

[ "$failures" -gt 0 ] || rm -f -- *.db *.db-wal *.db-shm
finish
