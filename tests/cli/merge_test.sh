#!/bin/bash
# narrows merge: parts of a sweep become the whole; refusals leave everything as it was.
. "$(dirname "$0")/lib.sh"
need sqlite3
fresh_tmp
cd "$NARROWS_TEST_TMP" || exit 1
export NARROWS_QUIET=1
small=("$sweep" --sweep 'link.pcie.bandwidth=1..32 GB/s:log:5' --sweep 'method.bytes_per_weight=1..4:lin:7')

facts() { # database: all points and measures, whichever run they are of
    value "$1" "SELECT p.key, m.name, hex(ieee754_to_blob(m.value)), m.unit FROM measure m JOIN point p ON
                p.id = m.point_id ORDER BY 1, 2"
}

# The parts have each point once, for any number of them, and together they are the whole.
"$NARROWS" run --db whole.db "${small[@]}" >whole.out 2>whole.err || failed "the whole: $(tail -n 3 whole.err)"
facts whole.db >whole.txt
points=$(value whole.db 'SELECT count(*) FROM point')
[ "$points" -ge 50 ] || failed "only $points points"
for n in 1 3 7 "$((points + 2))"; do
    parts=()
    for ((i = 0; i < n; i += 1)); do
        [ "$n" -le 7 ] || [ "$i" -lt 2 ] || [ "$i" -ge "$points" ] || continue
        "$NARROWS" run --db "$n-$i.db" --part "$i/$n" "${small[@]}" >/dev/null 2>part.err ||
            failed "part $i/$n: $(tail -n 3 part.err)"
        wrong=$(value "$n-$i.db" "SELECT count(*) FROM run_point WHERE position % $n <> $i")
        [ "$wrong" = 0 ] || failed "part $i/$n has $wrong points of others"
        parts+=("$n-$i.db")
    done
    [ "$n" -le 7 ] || { rm -f -- "$n"-*.db; continue; }
    listed=0
    for part in "${parts[@]}"; do
        listed=$((listed + $(value "$part" 'SELECT count(*) FROM run_point')))
    done
    [ "$listed" = "$points" ] || failed "$n parts have $listed points in place of $points"
    expect 0 '' "points added, 0 points already there" "$NARROWS" merge "of-$n.db" "${parts[@]}"
    facts "of-$n.db" | cmp -s - whole.txt || failed "$n parts are not the whole"
    before=$(value "of-$n.db" 'SELECT count(*), max(id) FROM run')
    expect 0 '' ": 0 runs and 0 points added" "$NARROWS" merge "of-$n.db" "${parts[@]}"
    [ "$(value "of-$n.db" 'SELECT count(*), max(id) FROM run')" = "$before" ] || failed "merging twice adds runs"
    expect 0 'stored' "0 simulated, $points already there" "$NARROWS" run --db "of-$n.db" "${small[@]}"
    table "of-$n.db" >now.txt
    table whole.db | cmp -s - now.txt || failed "a run over $n merged parts is not that of the whole"
done
expect 2 '' "--part: expected I/N with I in 0\\.\\.N-1, such as 2/4, got '3/3'" "$NARROWS" run --part 3/3 "$sweep"
for bad in -1/3 1 1/3x /3 1/ 0/0; do
    expect 2 '' '--part: expected I/N' "$NARROWS" run --part="$bad" "$sweep"
done

# A list of points, alone and as a part.
printf '%s\n' 3 8 9 >only.txt
expect 0 'stored' ' 3 points: 3 simulated' "$NARROWS" run --db only.db --only only.txt "${small[@]}"
[ "$(value only.db 'SELECT group_concat(position) FROM run_point')" = 3,8,9 ] || failed "--only takes other points"
expect 0 'stored' ' 1 points: 0 simulated, 1 already' \
    "$NARROWS" run --db only.db --only only.txt --part 0/4 "${small[@]}"
printf '%s\n' 3 3 >only.txt
expect 2 '' 'only\.txt:2: expected ascending numbers in 0\.\.' "$NARROWS" run --db only.db --only only.txt "${small[@]}"
printf '%s\n' 3 99999999 >only.txt
expect 2 '' 'only\.txt:2: expected' "$NARROWS" run --db only.db --only only.txt "${small[@]}"
expect 2 '' '--only: none\.txt: No such file' "$NARROWS" run --db only.db --only none.txt "${small[@]}"

# Two values of one measure: file, point, scenario, measure, both values; nothing is added, a new file is not made.
cp 3-0.db other.db
point=$(value other.db 'SELECT key FROM point ORDER BY id LIMIT 1')
"$NARROWS" merge 1.db 3-0.db 2>/dev/null || failed "one file"
value other.db "UPDATE measure SET value = 0.5 WHERE name = 'step_ms' AND point_id = (SELECT min(id) FROM point)"
facts 1.db >before.txt
said="other\\.db: point $point of 'bandwidth-by-bytes\\+changes', measure, name 'step_ms':"
said="$said value is 0\\.5, but [0-9.]+ in"
for into in 1.db new.db; do
    expect 1 '' "$said $into" \
        "$NARROWS" merge "$into" 3-1.db 3-0.db other.db
done
facts 1.db | cmp -s - before.txt || failed "a conflict changed the database"
[ ! -e new.db ] || failed "a conflict left a new database behind"

# Files that cannot be.
expect 2 '' "got 1\\.db and \\./1\\.db, which is the same" "$NARROWS" merge 1.db ./1.db
ln -s 3-1.db link.db
expect 2 '' "got 3-1\\.db and link\\.db, which is the same" "$NARROWS" merge 1.db 3-1.db link.db
expect 2 '' 'none\.db: no such file' "$NARROWS" merge 1.db none.db
expect 2 '' 'expected INTO\.db FROM\.db\.\.\., got one file' "$NARROWS" merge 1.db
echo 'a text, and long enough that it could be the head of a file' >text.db
expect 1 '' 'text\.db: is no database' "$NARROWS" merge new.db text.db
expect 1 '' 'text\.db: is no database' "$NARROWS" merge text.db 3-1.db
cp 3-1.db newer.db
value newer.db 'PRAGMA user_version = 4711'
expect 1 '' 'newer\.db: has schema version 4711, this program knows' "$NARROWS" merge 1.db newer.db
sqlite3 old.db ".read $NARROWS_HOME/tests/store/data/version-31.sql" >/dev/null
expect 0 '' 'old\.db: [1-9][0-9]* runs and' "$NARROWS" merge 1.db old.db
[ ! -e new.db ] || failed "a refused file left a new database behind"

# A full disk, played by a limit on the size of files.
(trap '' XFSZ; ulimit -f 1500; exec "$NARROWS" merge full.db 3-*.db) >/dev/null 2>full.err
rc=$?
size=$(stat -c %s of-3.db)
if [ "$size" -gt 1600000 ]; then
    [ "$rc" = 1 ] || failed "full disk: exit $rc, not 1"
    grep -q 'full\.db' full.err || failed "full disk: the message does not name the file: $(cat full.err)"
fi

# One that may not be written.
if [ "$(id -u)" != 0 ]; then
    chmod a-w 1.db
    expect 1 '' '1\.db: .*readonly' "$NARROWS" merge 1.db 3-1.db
elif command -v setpriv >/dev/null; then
    chmod a+rx . && chmod 644 1.db 3-1.db
    as_nobody() { setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; }
    if as_nobody test -r "$PWD/1.db" -a -x "$NARROWS"; then
        expect 1 '' '1\.db: .*(readonly|unable to open)' as_nobody "$NARROWS" merge "$PWD/1.db" "$PWD/3-1.db"
    fi
fi
finish
