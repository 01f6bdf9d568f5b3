#!/bin/bash
# narrows run --slurm with programs that stand for Slurm's (tests/cluster/ has a real one): what is submitted, what is
# collected, what a failed task leaves.
. "$(dirname "$0")/lib.sh"
need sqlite3
fresh_tmp
cd "$NARROWS_TEST_TMP" || exit 1
export NARROWS_QUIET=1 FAKE_LOG=$NARROWS_TEST_TMP/submitted
small=("$sweep" --sweep 'link.pcie.bandwidth=1..32 GB/s:log:5' --sweep 'method.bytes_per_weight=1..4:lin:7')
mkdir empty bin
expect 3 '' '^narrows: --slurm: there is no sbatch in PATH: .*slurm-client\)$' \
    env PATH="$PWD/empty" "$NARROWS" run --slurm "${small[@]}"
for name in sbatch squeue; do
    cp "$NARROWS_HOME/tests/cli/fake_slurm.sh" "bin/$name"
    chmod +x "bin/$name"
done
PATH=$PWD/bin:$PATH

"$NARROWS" run --db whole.db "${small[@]}" >/dev/null 2>&1
table whole.db >whole.txt
points=$(value whole.db 'SELECT count(*) FROM run_point')
same_as_whole() { # database what
    table "$1" | cmp -s - whole.txt || failed "$2: other tables than one process makes"
    [ ! -e "$1.slurm" ] || failed "$2: left files behind: $(ls "$1.slurm")"
}

# Waited for: one command does all, and what sbatch gets is what was asked for.
expect 0 'stored in wait\.db' "tasks 0-4.*$points already there" \
    "$NARROWS" run --db wait.db "${small[@]}" --slurm-wait --slurm-tasks 5 \
    --slurm-option=--partition=short --slurm-option --time=5
same_as_whole wait.db "waited for"
grep -qE -- '--array 0-4 --wait --partition=short --time=5 /.*\.sh$' "$FAKE_LOG" ||
    failed "sbatch got $(cat "$FAKE_LOG")"

# Submitted, and collected by the same command.
expect 0 "job [0-9]+: tasks 0-2 for $points points.*this collects them: narrows run --db later" '' \
    "$NARROWS" run --db later.db "${small[@]}" --slurm --slurm-tasks 3
[ "$(value later.db 'SELECT count(*) FROM point')" = 0 ] || failed "--slurm does not return at once"
expect 0 'stored in later\.db' "$points already there" \
    "$NARROWS" run --db later.db "${small[@]}" --slurm --slurm-tasks 3
same_as_whole later.db "collected"
submitted=$(wc -l <"$FAKE_LOG")
expect 0 'stored in later\.db' "0 simulated, $points already" "$NARROWS" run --db later.db "${small[@]}" --slurm-wait
[ "$(wc -l <"$FAKE_LOG")" = "$submitted" ] || failed "a complete sweep is submitted again"

# A job at work is not submitted a second time; what its tasks have is taken.
FAKE_LATER=1 expect 0 'tasks 0-2' '' "$NARROWS" run --db busy.db "${small[@]}" --slurm --slurm-tasks 3
SLURM_ARRAY_TASK_ID=1 bash busy.db.slurm/*.sh >/dev/null 2>&1 || failed "the script of a task"
submitted=$(wc -l <"$FAKE_LOG")
FAKE_BUSY=1 expect 0 'points are missing; when job [0-9]+ has ended, this collects' '' \
    "$NARROWS" run --db busy.db "${small[@]}" --slurm --slurm-tasks 3
[ "$(wc -l <"$FAKE_LOG")" = "$submitted" ] || failed "a job is submitted again while it is at work"
have=$(value busy.db 'SELECT count(*) FROM point')
[ "$have" -gt 0 ] && [ "$have" -lt "$points" ] || failed "$have points of one task"
expect 0 'stored' 'did not compute' "$NARROWS" run --db busy.db "${small[@]}" --slurm-wait --slurm-tasks 3
tail -n 1 "$FAKE_LOG" | grep -q -- '--array 0,2 ' ||
    failed "not only what is missing is submitted: $(tail -n 1 "$FAKE_LOG")"
same_as_whole busy.db "a job at work"

# Failed tasks: named with their points and their log, the others' points are there, and only theirs are submitted
# again.
FAKE_FAIL='1 3' expect 1 '' 'task [0-9]+_1 did not compute [0-9]+ points \(1, 6, .*_1\.log.*task [0-9]+_3 did not' \
    "$NARROWS" run --db failed.db "${small[@]}" --slurm-wait --slurm-tasks 5
log=$(sed -n 's/.*: \(\/.*_1\.log\)$/\1/p' <<<"$err")
[ "$(cat "$log")" = "node failed" ] || failed "the log of a failed task is not at '$log'"
have=$(value failed.db 'SELECT count(*) FROM point')
[ "$have" -gt $((points / 2)) ] && [ "$have" -lt "$points" ] || failed "$have of $points points next to failed tasks"
expect 0 'stored' 'tasks 1,3' "$NARROWS" run --db failed.db "${small[@]}" --slurm-wait --slurm-tasks 5
same_as_whole failed.db "failed tasks"

# A part of it was there before: only the rest is submitted. A choice of points stays one.
"$NARROWS" run --db rest.db --part 1/2 "${small[@]}" >/dev/null 2>&1
expect 0 'stored' 'tasks 0,2.*already there' "$NARROWS" run --db rest.db "${small[@]}" --slurm-wait --slurm-tasks 4
tail -n 1 "$FAKE_LOG" | grep -q -- '--array 0,2 ' || failed "what is there is submitted: $(tail -n 1 "$FAKE_LOG")"
same_as_whole rest.db "the rest"
expect 0 'stored' ' 2 points: 0 simulated, 2 already' "$NARROWS" run --db two.db "${small[@]}" --point 3 --slurm-wait

# A folder on a network filesystem: tasks compute in one of their own and put a whole database there, also what an
# interrupted one had; nothing is written to there as a database, but a whole one may be read.
if [ -n "${REMOTE_STATFS:-}" ]; then
    mkdir remote
    remote=(env LD_PRELOAD="$REMOTE_STATFS" "$NARROWS")
    expect 1 '' 'remote/n\.db: lies on a network filesystem \(NFS\)' "${remote[@]}" run --db "$PWD/remote/n.db" "$sweep"
    FAKE_FAIL=2 expect 1 '' 'task [0-9]+_2 did not compute' "${remote[@]}" run --db far.db "${small[@]}" --slurm-wait \
        --slurm-tasks 3 --slurm-dir remote/jobs
    grep -q 'work=' remote/jobs/*.sh || failed "tasks write to a network filesystem: $(cat remote/jobs/*.sh)"
    [ -z "$(find remote -name '*-wal' -o -name '*.new')" ] || failed "half a database on a network filesystem"
    expect 0 'stored' "$points already there" "${remote[@]}" run --db far.db "${small[@]}" --slurm-wait \
        --slurm-tasks 3 --slurm-dir remote/jobs
    table far.db | cmp -s - whole.txt || failed "a network filesystem: other tables"
    [ ! -e remote/jobs ] || failed "a network filesystem: left files behind: $(ls remote/jobs)"
    cp whole.db remote/whole.db
    expect 0 '' 'remote/whole\.db: 1 runs' "${remote[@]}" merge far2.db "$PWD/remote/whole.db"
    : >remote/whole.db-wal
    expect 1 '' 'lies on a network filesystem' "${remote[@]}" merge far3.db "$PWD/remote/whole.db"
fi

# Names that a shell would take apart.
mkdir "it's a \$place"
sed "s#\.\./#$NARROWS_HOME/scenarios/#" "$sweep" >"it's a \$place/x.yaml"
expect 0 'stored' ' 2 points: 0 simulated, 2 already' "$NARROWS" run --slurm-wait \
    --db "it's a \$place/n.db" --set 'link.pcie.bandwidth=3 GB/s' --point 1 "it's a \$place/x.yaml"

# Refusals.
expect 2 '' "expected given rates, got 'measured'" "$NARROWS" run --db m.db --slurm my-cluster
[ ! -e m.db.slurm ] || failed "a refused scenario left a folder behind"
expect 1 '' 'invalid partition.*sbatch gave no job' \
    "$NARROWS" run --db r.db "${small[@]}" --slurm --slurm-option=--refuse
expect 2 '' '--slurm is for one scenario' "$NARROWS" run --slurm "$sweep" "$sweep"
expect 2 '' '--slurm is for one scenario' "$NARROWS" run --slurm --part 0/2 "$sweep"
expect 2 '' 'expected a database and a scenario in files' "$NARROWS" run --slurm --no-store "$sweep"
expect 2 '' 'are of --slurm or --slurm-wait' "$NARROWS" run --slurm-tasks 3 "$sweep"
finish
