#!/bin/bash
# Another paper, by data alone: a folder of definitions and a scenario. It is reproduced, printed and counted like the
# shipped ones, and is gone when the database is opened without its definitions. A wrong definition leaves the database
# unchanged.
source "$NARROWS_HOME/tests/cli/lib.sh"
need sqlite3
fresh_tmp
export NARROWS_QUIET=1
data=$NARROWS_HOME/tests/report/data
db=$NARROWS_TEST_TMP/n.db out_dir=$NARROWS_TEST_TMP/page home=$NARROWS_TEST_TMP/home
mkdir -p "$home/scenarios/papers/sixth"
cp -r "$NARROWS_HOME/plots" "$home"
cp "$data/sixth.yaml" "$home/scenarios/papers/sixth/wire.yaml"
cp "$NARROWS_HOME/scenarios/codec-rates.csv" "$home/scenarios"
at_home() { NARROWS_HOME=$home "$NARROWS" "$@"; }

expect 0 "Sixth +2 .*index\.html" ".*" at_home reproduce sixth --define "$data/sixth" --db "$db" --out "$out_dir"
# Four cells speak: two speedups predicted and one chosen; both steps; one cell nobody covers.
row=$(value "$db" "SELECT predicted_pct, assumed, missing, claims, hold, fail FROM scoreboard WHERE paper = 'sixth'")
[ "$row" = "4|1|1|2|1|1" ] || failed "the scoreboard says $row"
[ "$(value "$db" "SELECT group_concat(verdict) FROM claim WHERE paper = 'sixth'")" = "holds,does not hold" ] ||
    failed "claims"
if command -v gnuplot >/dev/null; then
    [ -s "$out_dir/sixth-speedup.svg" ] || failed "no figure: $(ls "$out_dir")"
    grep -q 'id="figure-sixth-speedup"' "$out_dir/index.html" || failed "no figure on the page"
fi
for said in 'id="sixth"' 'id="sixth-table-1-1-gb-s-speedup"' 'id="sixth-claim-2"' \
    'Packing &lt;Weights&gt; &amp; Other Luggage' 'packed &lt;weights&gt;'; do
    grep -qF "$said" "$out_dir/index.html" || failed "the page does not say '$said'"
done
head="Sixth.*N\. Nobody: Packing <Weights>"
tables="Table 1: speedup by packing.*1 GB/s +1\.2 .*by assumption.*Table 2.*packed <weights>"
expect 0 "$head.*$tables.*holds \(n = 1\): Packing pays" "" \
    "$NARROWS" report --define "$data/sixth" --db "$db" --paper sixth --no-figures
expect 0 "^design,step\|paper,step\|ours" "" \
    "$NARROWS" report --define "$data/sixth" --db "$db" --paper sixth --table 2 --format csv
expect 0 "published.*1\.2.*wire\.yaml" "" \
    "$NARROWS" report --define "$data/sixth" --db "$db" --paper sixth --table 1 --cell '1 GB/s, speedup'

# Opened without them, it has this program's definitions, and the facts still.
expect 2 "" "expected a paper \(3lc, [^)]*splitcnn\), got 'sixth'" "$NARROWS" report --db "$db" --paper sixth
[ "$(value "$db" "SELECT count(*) FROM sqlite_schema WHERE name LIKE '%sixth%'")" = 0 ] ||
    failed "definitions were left"
[ "$(value "$db" "SELECT count(*) FROM cell WHERE paper = 'sixth'")" -gt 0 ] || failed "facts are gone"
[ "$(value "$db" "SELECT count(*) FROM paper WHERE paper = 'sixth'")" = 0 ] || failed "the paper was left"

# Wrong: the second file; a claim's part without an estimate; a folder without any.
before=$(value "$db" "SELECT name, sql FROM sqlite_schema ORDER BY name; SELECT * FROM definition")
mkdir "$NARROWS_TEST_TMP/faulty" "$NARROWS_TEST_TMP/empty"
echo "CREATE VIEW sixth_claim_part AS SELECT 'sixth' AS paper; CREATE TABLE half(x); INSERT INTO" \
    >"$NARROWS_TEST_TMP/faulty/a.sql"
expect 1 "" "n\.db: .*faulty/a\.sql: .*incomplete input" \
    "$NARROWS" report --define "$NARROWS_TEST_TMP/faulty" --db "$db" --paper sixth
[ "$(value "$db" "SELECT name, sql FROM sqlite_schema ORDER BY name; SELECT * FROM definition")" = "$before" ] ||
    failed "a faulty definition left something"
echo "CREATE VIEW sixth_claim_part AS SELECT 'sixth' AS paper" >"$NARROWS_TEST_TMP/faulty/a.sql"
expect 1 "" "faulty/a\.sql: no such column" \
    "$NARROWS" report --define "$NARROWS_TEST_TMP/faulty" --db "$db" --paper sixth
[ "$(value "$db" "SELECT name, sql FROM sqlite_schema ORDER BY name; SELECT * FROM definition")" = "$before" ] ||
    failed "a faulty claim left something"
expect 2 "" "--define .*empty: expected a folder with \*\.sql" \
    "$NARROWS" report --define "$NARROWS_TEST_TMP/empty" --db "$db" --paper sixth
# Of several files, those before the wrong one are undone, too.
cp "$data/sixth/paper.sql" "$NARROWS_TEST_TMP/faulty/0.sql"
expect 1 "" "faulty/a\.sql" "$NARROWS" report --define "$NARROWS_TEST_TMP/faulty" --db "$db" --paper sixth
expect 2 "" "got 'sixth'" "$NARROWS" report --db "$db" --paper sixth
finish
