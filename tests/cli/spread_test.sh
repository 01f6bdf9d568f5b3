#!/bin/bash
# mpirun narrows run: the tables and the answer of a single process; what is stored survives a killed rank.
. "$(dirname "$0")/lib.sh"
need sqlite3 mpirun pgrep
"$NARROWS" doctor 2>/dev/null | grep -qi 'MPI.*not' && { echo "skipped: built without MPI"; exit 77; }
fresh_tmp
cd "$NARROWS_TEST_TMP" || exit 1
export NARROWS_QUIET=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export TMPDIR=/tmp # Open MPI's sockets need a short path
small=("$sweep" --sweep 'link.pcie.bandwidth=1..32 GB/s:log:9' --sweep 'method.bytes_per_weight=1..4:lin:7')

ranks() { # number arguments of narrows...
    local n=$1
    shift
    timeout 100 mpirun --oversubscribe --bind-to none -np "$n" "$NARROWS" "$@"
}

everything() { # database: the newest run's tables, and what is stored with them
    table "$1"
    value "$1" 'SELECT count(*), max(id) FROM run; SELECT count(*) FROM run_end; SELECT run_id, position, paper,
        table_id, row_key, column_key, measure FROM cell ORDER BY 1, 2, 3, 4, 5, 6; SELECT platform, constant, value,
        reached FROM calibration ORDER BY 1, 2; SELECT key, place, value FROM fit ORDER BY 1, 2;
        SELECT run_id FROM point GROUP BY 1'
}

"$NARROWS" run --db one.db "${small[@]}" >one.out 2>one.err || failed "one process: $(tail -n 3 one.err)"
everything one.db >one.txt
points=$(value one.db 'SELECT count(*) FROM run_point')
for n in 1 2 4; do
    ranks "$n" run --db "many-$n.db" "${small[@]}" >many.out 2>many.err || failed "$n ranks: $(tail -n 3 many.err)"
    everything "many-$n.db" | cmp -s one.txt - ||
        failed "$n ranks: other tables: $(everything "many-$n.db" | diff one.txt - | head -n 5)"
    sed 's/many-[0-9]*\.db/one.db/' many.out | diff one.out - >diff.txt ||
        failed "$n ranks: another answer: $(head -n 5 diff.txt)"
    [ "$(grep -c "$points points: $points simulated, 0 already there" many.err)" = 1 ] ||
        failed "$n ranks: not summed up once: $(cat many.err)"
done

# Only what is missing is computed; with more ranks than points, too.
"$NARROWS" run --db rest.db --part 1/3 "${small[@]}" >/dev/null 2>&1
stored=$(value rest.db 'SELECT count(*) FROM point')
ranks 3 run --db rest.db "${small[@]}" >/dev/null 2>rest.err || failed "the rest: $(tail -n 3 rest.err)"
grep -q "$((points - stored)) simulated, $stored already there" rest.err || failed "the rest: $(cat rest.err)"
table rest.db | cmp -s <(table one.db) - || failed "the rest: other tables"
expect 0 'stored' "2 points: 2 simulated" ranks 4 run --db two.db --point 3 "${small[@]}"

# What is wrong is said once, and is the exit code.
expect 2 '' "got 'nonsense'" ranks 2 run --db x.db nonsense
[ "$(grep -c "got 'nonsense'" <<<"$err")" = 1 ] || failed "an error is said by every rank: $err"
expect 1 '' 'there is no folder none' ranks 2 run --db none/x.db "${small[@]}"
expect 0 '^bandwidth-by-bytes: [0-9]+ points$' '' ranks 2 run --dry-run "${small[@]}"
expect 0 'speedup' '.*' ranks 2 run --no-store --point 3 "${small[@]}"

# A rank is killed in the middle: mpirun ends the others; what was stored stays, and the next run goes on.
"$NARROWS" run --db whole.db "$sweep" >/dev/null 2>&1
all=$(value whole.db 'SELECT count(*) FROM point')
for ((try = 0, kept = 0; try < 8 && (kept == 0 || kept == all); try++)); do
    rm -f killed.db killed.db-*
    ranks 3 run --db killed.db --jobs 1 "$sweep" >killed.out 2>killed.err &
    launcher=$!
    while kill -0 "$launcher" 2>/dev/null; do
        now=$(value killed.db 'SELECT count(*) FROM point' 2>/dev/null)
        [ "${now:-0}" -lt 200 ] || break
        sleep 0.05
    done
    victims=$(pgrep -f -- "^$NARROWS run --db killed.db" | sort -n)
    victim=$(sed -n "$((try % 3 + 1))p" <<<"$victims")
    [ -z "$victim" ] || kill -KILL "$victim"
    wait "$launcher"
    rc=$?
    kept=$(value killed.db 'SELECT count(*) FROM point')
    [ "$kept" = "$all" ] || [ "$rc" != 0 ] || failed "a killed rank: exit 0"
done
[ "$kept" -gt 0 ] && [ "$kept" -lt "$all" ] || failed "no rank was killed in the middle: $kept of $all points"
[ "$(value killed.db 'PRAGMA integrity_check')" = ok ] || failed "a killed rank: integrity check"
ranks 2 run --db killed.db "$sweep" >/dev/null 2>again.err || failed "after a killed rank: $(tail -n 3 again.err)"
grep -q "$((all - kept)) simulated, $kept already there" again.err || failed "after a killed rank: $(cat again.err)"
table killed.db | cmp -s <(table whole.db) - || failed "after a killed rank: other tables"
for ((i = 0; i < 50; i++)); do
    pgrep -f -- "^$NARROWS run --db killed.db" >/dev/null || break
    sleep 0.1
done
[ "$i" -lt 50 ] || failed "ranks are left behind"
[ -z "$(find . -name '*.slurm' -o -name '*part*')" ] || failed "files are left behind"

[ "$failures" -gt 0 ] || rm -f -- *.db *.db-wal *.db-shm
finish
