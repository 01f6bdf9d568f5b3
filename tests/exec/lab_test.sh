#!/bin/bash
# narrows exec in a lab: machines with links of their own. A dozen points, and their traffic by the kernel's counters.
. "$(dirname "$0")/../cli/lib.sh"
. "$(dirname "$0")/processes.sh"
fresh_tmp
need sqlite3 mpirun
can_execute
can_lab
tmp=$NARROWS_TEST_TMP
points=(ring ring-of-3 ring-of-2 one-bucket serial tree halving-doubling hierarchical bf16 8bit sparsify fp16-tree)
options=(--db "$tmp/lab.db" -r 1 --limit 40 --lab --set 'link.eth.bandwidth=10 Mbit/s')
for point in "${points[@]}"; do
    options+=(--variant "$point")
done
"$NARROWS" exec "$NARROWS_HOME/tests/exec/data/allreduce.yaml" "${options[@]}" 2>"$tmp/said" &
lab=$!
wait "$lab"
code=$?
for ((try = 0; try < 3 && code == 1; try++)); do
    too_busy "$tmp/said" || break
    "$NARROWS" exec "$NARROWS_HOME/tests/exec/data/allreduce.yaml" "${options[@]}" 2>"$tmp/said" &
    lab=$!
    wait "$lab"
    code=$?
done
[ "$code" != 3 ] || { echo "skipped: $(tail -n 1 "$tmp/said")"; exit 77; }
[ "$code" = 0 ] || ! too_busy "$tmp/said" || { echo "skipped: $(tail -n 1 "$tmp/said")"; exit 77; }
[ "$code" = 0 ] || failed "exit $code: $(tail -n 5 "$tmp/said")"
n=$(sqlite3 "$tmp/lab.db" "SELECT count(*) FROM executed WHERE outcome = 'done' AND coalesce(wrong, 0) = 0
    AND setting LIKE '%machines, 10 Mbit/s%'")
[ "$n" = "${#points[@]}" ] || failed "$n points were executed, not ${#points[@]}: $(tail -n 5 "$tmp/said")"
# In a namespace the counters see this execution alone: its payloads, and not much more.
n=$(sqlite3 "$tmp/lab.db" "SELECT count(*) FROM executed_rank WHERE link_sent_bytes < sent_bytes AND host LIKE 'of-%'
    AND execution_id NOT IN (SELECT execution_id FROM executed WHERE variant = 'hierarchical')")
[ "$n" = 0 ] || failed "$n ranks sent less over their links than their payloads"
no_labs "the end" "$lab"
nothing_left "the end" "$lab"
finish
