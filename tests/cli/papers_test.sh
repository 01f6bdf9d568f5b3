#!/bin/bash
# The cluster papers, as 'narrows reproduce' runs them: how close the predicted cells come, held to what they are known to
# reach. Nothing that a constant was fitted to counts.
set -u
: "${NARROWS:?}" "${NARROWS_HOME:?}" "${NARROWS_TEST_TMP:?}"
command -v sqlite3 >/dev/null || { echo "skipped: sqlite3 is not installed"; exit 77; }
db=$NARROWS_TEST_TMP/papers.db
faults=0
export NARROWS_QUIET=1
rm -f "$db" "$db-wal" "$db-shm"

"$NARROWS" run --db "$db" scenarios/papers/{3lc,dct,splitcnn}/*.yaml >"$NARROWS_TEST_TMP/run.txt" 2>&1 ||
    { cat "$NARROWS_TEST_TMP/run.txt"; exit 1; }

# holds WHAT 'SQL condition over what the database says': prints the figures in it when it does not hold
holds() {
    local answer
    answer=$(sqlite3 -batch "$db" "SELECT coalesce(($2), 0)") || exit 1
    [ "$answer" = 1 ] && return
    echo "does not hold: $1"
    echo "  $(sqlite3 -batch -separator ' ' "$db" "$3" | head -n 40 | tr '\n' ';')"
    faults=$((faults + 1))
}

table1="FROM cell_error WHERE paper = '3lc' AND table_id = '1'"
holds "3LC, Table 1: 24 cells predicted, 6 calibrated, of two designs" \
    "SELECT count(*) FILTER (WHERE kind = 'predicted') = 24 AND count(*) FILTER (WHERE kind = 'calibrated') = 6
        AND count(DISTINCT row_key) FILTER (WHERE kind = 'calibrated') = 2 $table1" \
    "SELECT row_key, column_key, kind $table1"
holds "3LC, Table 1: mean absolute error <= 5 %, worst <= 15 %" \
    "SELECT avg(abs(error_pct)) <= 5 AND max(abs(error_pct)) <= 15 $table1 AND kind = 'predicted'" \
    "SELECT row_key, column_key, round(error_pct, 1) $table1 AND kind = 'predicted'"
holds "3LC: the one-bit codec is slower than 8 bits at 1 Gbit/s, with eight times fewer bytes" \
    "SELECT (SELECT ours $table1 AND row_key = 'MQE 1-bit int' AND column_key = '1 Gbit/s') <
            (SELECT ours $table1 AND row_key = '8-bit int' AND column_key = '1 Gbit/s')" \
    "SELECT row_key, ours $table1 AND column_key = '1 Gbit/s'"

dct="FROM comparison WHERE paper = 'dct'"
holds "DCT: at most four cells calibrated" "SELECT count(*) BETWEEN 3 AND 4 $dct AND kind = 'calibrated'" "SELECT * $dct"
holds "DCT: Table 5's other gains and the hybrid's within 2 points" \
    "SELECT count(*) = 3 AND max(abs(ours - published)) <= 2 $dct AND kind = 'predicted' AND table_id IN ('5', 'text')" \
    "SELECT table_id, row_key, published, ours $dct"
holds "DCT: exact thresholds at every step cost more than they save, a thousand steps' life does not" \
    "SELECT (SELECT ours $dct AND row_key = 'L=1') < 0 AND (SELECT ours $dct AND row_key = 'L=1000') > 20
        AND abs((SELECT ours $dct AND row_key = 'L=10000') - (SELECT ours $dct AND row_key = 'L=1000')) < 1" \
    "SELECT row_key, ours $dct AND table_id = 'fig7a'"
curve="FROM gain g JOIN newest_run n USING (run_id) JOIN point_param p USING (run_id, position)
       WHERE n.scenario = 'dct-figure-7c' AND g.variant = 'DCT-DP'"
holds "DCT, Figure 7c: the gain grows with sparsity and flattens past 95 %" \
    "SELECT (SELECT gain_pct $curve AND p.value = 0.05) - (SELECT gain_pct $curve AND p.value = 0.25) >
            2 * ((SELECT gain_pct $curve AND p.value = 0.005) - (SELECT gain_pct $curve AND p.value = 0.05))
        AND (SELECT gain_pct $curve AND p.value = 0.005) > (SELECT gain_pct $curve AND p.value = 0.05)" \
    "SELECT p.text, g.gain_pct $curve"

curve="FROM closed_form c JOIN newest_run n USING (run_id) JOIN gain g USING (run_id, position)
       JOIN point_param p USING (run_id, position) WHERE n.scenario = 'splitcnn-fig11' AND c.variant = 'Split-CNN'"
for pair in 32:0.985 16:1.436 10:2.100 4:4.440 1:5.491 0.5:5.732; do
    holds "Split-CNN, Figure 11: ${pair#*:} at ${pair%:*} Gbit/s in closed form, events within 1 %" \
        "SELECT abs(c.speedup - ${pair#*:}) < 0.0006 AND abs(g.speedup / c.speedup - 1) < 0.01
         $curve AND p.text = '${pair%:*} Gbit/s'" \
        "SELECT p.text, c.speedup, g.speedup $curve"
done
[ "$faults" = 0 ] && echo "$(sqlite3 "$db" "SELECT count(*) FROM comparison") cells"
exit $((faults > 0))
