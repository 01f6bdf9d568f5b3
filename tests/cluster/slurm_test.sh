#!/bin/bash
# A Slurm cluster of 4 nodes from nothing: an array sweep that is waited for, one with a task that is cancelled, and a
# sweep over srun's processes give the tables of a single process; an execution has a rank on each node.
here=$(cd "$(dirname "$0")" && pwd) || exit 1
. "$here/../cli/lib.sh"
need sqlite3 ip nsenter unshare
fresh_tmp
cd "$NARROWS_TEST_TMP" || exit 1
PATH=$PATH:/usr/sbin
# shellcheck source=tests/cluster/slurm_lab.sh
. "$here/slurm_lab.sh"
slurm_needed
trap 'slurm_down' EXIT
trap 'exit 1' INT TERM
slurm_up || { failed "no cluster"; finish; }

export NARROWS_QUIET=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_pml=ob1 OMPI_MCA_btl=tcp,self OMPI_MCA_btl_tcp_if_include=10.77.0.0/24
small=("$sweep" --sweep 'link.pcie.bandwidth=1..32 GB/s:log:9' --sweep 'method.bytes_per_weight=1..4:lin:7')
"$NARROWS" run --db whole.db "${small[@]}" >/dev/null 2>whole.err || failed "one process: $(tail -n 3 whole.err)"
table whole.db >whole.txt
points=$(value whole.db 'SELECT count(*) FROM run_point')
same_as_whole() { # database what
    table "$1" | cmp -s - whole.txt || failed "$2: other tables than one process makes"
}

expect 0 'stored in array\.db' "job [0-9]+: tasks 0-3.*0 simulated, $points already there" \
    inside sw timeout 60 "$NARROWS" run --db array.db "${small[@]}" --slurm-wait --slurm-tasks 4
same_as_whole array.db "an array job"
[ ! -e array.db.slurm ] || failed "files are left behind: $(ls array.db.slurm)"
[ "$(value array.db "SELECT count(*) FROM run WHERE command LIKE '%--part%'")" = 4 ] || failed "not four tasks computed"

# A task that never begins: the others' points are there, it is named, and alone is submitted again.
inside sw timeout 60 "$NARROWS" run --db cancelled.db "${small[@]}" --slurm-wait --slurm-tasks 4 \
    --slurm-option=--begin=now+3 >cancelled.out 2>cancelled.err &
waiting=$!
for ((i = 0; i < 100; i++)); do
    job=$(sed -n 's/^job \([0-9]*\):.*/\1/p' cancelled.err)
    [ -z "$job" ] || inside sw scancel "${job}_2" && [ -n "$job" ] && break
    sleep 0.1
done
wait "$waiting"
rc=$?
[ "$rc" = 1 ] || failed "a cancelled task: exit $rc, not 1: $(tail -n 3 cancelled.err)"
grep -qE "task ${job}_2 did not compute [0-9]+ points \\(2, 6, .*/cancelled\\.db\\.slurm/.*-${job}_2\\.log" \
    cancelled.err ||
    failed "a cancelled task: it is not named: $(cat cancelled.err)"
have=$(value cancelled.db 'SELECT count(*) FROM point')
[ "$have" -gt $((points / 2)) ] && [ "$have" -lt "$points" ] || failed "a cancelled task: $have of $points points"
expect 0 'stored' "tasks 2.*$points already there" \
    inside sw timeout 60 "$NARROWS" run --db cancelled.db "${small[@]}" --slurm-wait --slurm-tasks 4
same_as_whole cancelled.db "a cancelled task, again"

# One process on each node.
expect 0 'stored in srun\.db' "$points points: $points simulated" \
    inside sw timeout 60 srun --mpi=pmix -N4 "$NARROWS" run --db srun.db "${small[@]}"
same_as_whole srun.db "srun"

# An execution: a rank on each node, every value of the sum right, and the payloads went over the nodes' own links.
expect 0 "" "ring: executed" inside sw timeout 100 srun --mpi=pmix -N4 -n4 "$NARROWS" exec \
    "$NARROWS_HOME/tests/exec/data/allreduce.yaml" --variant ring --db exec.db -r 2
executed=$(value exec.db "SELECT variant, outcome, ranks, repetitions, wrong FROM executed")
[ "$executed" = "ring|done|4|2|0" ] || failed "srun, executed: $executed, not ring|done|4|2|0"
hosts=$(value exec.db "SELECT group_concat(rank || ' on ' || host, ', ') FROM (SELECT DISTINCT rank, host
    FROM executed_rank ORDER BY rank)")
[ "$(value exec.db "SELECT count(*) || ' of ' || count(DISTINCT host) || ' of ' || count(DISTINCT rank) FROM
    executed_rank WHERE host IN ('n1', 'n2', 'n3', 'n4')")" = "8 of 4 of 4" ] || failed "srun, ranks: $hosts"
few=$(value exec.db "SELECT count(*) FROM executed_rank WHERE link_sent_bytes < sent_bytes OR sent_bytes = 0")
[ "$few" = 0 ] || failed "srun: $few ranks sent less over their links than their payloads"
expect 2 "" "4 processes .* do not know each other: expected srun --mpi=pmix" \
    inside sw timeout 60 srun --mpi=none -N4 -n4 "$NARROWS" exec "$NARROWS_HOME/tests/exec/data/allreduce.yaml" \
    --variant ring --db alone.db

slurm_down
trap - EXIT
! ip netns list | grep -q "^$lab-" || failed "namespaces are left behind"
finish
