#!/bin/bash
# docs/PAPERS.md has what 'narrows report --summary' prints: every table, figure and claim of the papers, and for each
# that nothing is compared with a reason. Its numbers are those of the records and of 'narrows reproduce' on the day
# that it was made:
#   tests/report/summary_test.sh --write DB    makes it again from a database that has both
if [ "${1:-}" = --write ]; then
    root=$(cd "$(dirname "$0")/../.." && pwd)
    "${NARROWS:-$root/build/narrows}" report --summary --format markdown --db "$2" >"$root/docs/PAPERS.md.new" || exit 1
    awk -v new="$root/docs/PAPERS.md.new" '
        /^<!-- report --summary -->$/ { print; print ""; while ((getline line < new) > 0) print line; inside = 1 }
        /^<!-- end of it -->$/ { inside = 0 }
        !inside { print }' "$root/docs/PAPERS.md" >"$root/docs/PAPERS.md.whole" &&
        mv "$root/docs/PAPERS.md.whole" "$root/docs/PAPERS.md" && rm "$root/docs/PAPERS.md.new"
    exit
fi
. "$(dirname "$0")/../cli/lib.sh"
need sqlite3
fresh_tmp
db=$NARROWS_TEST_TMP/n.db
export NARROWS_QUIET=1
"$NARROWS" run --db "$db" "$NARROWS_HOME/tests/cli/data/plan-networks.yaml" >/dev/null || failed "no database"
expect 0 "^### Every table and figure.*^### Every claim" "" "$NARROWS" report --summary --format markdown --db "$db"
expect 0 "Every claim" "" "$NARROWS" report --summary --db "$db"
expect 2 "" "--summary: expected --format text or markdown" "$NARROWS" report --summary --format csv --db "$db"

# The first columns of each row: those of the database are those of the page, in its order.
sed -n '/^<!-- report --summary -->$/,/^<!-- end of it -->$/p' "$NARROWS_HOME/docs/PAPERS.md" >"$NARROWS_TEST_TMP/page"
value "$db" 'SELECT paper || " | " || item FROM "/items"' >"$NARROWS_TEST_TMP/items"
value "$db" 'SELECT paper || " | " || claim || " | " || "it says" FROM "/verdicts"' >"$NARROWS_TEST_TMP/claims"
sed -n '/^### Every table/,/^### Claims/s/^| \([^|]* | [^|]*\) |.*/\1/p' "$NARROWS_TEST_TMP/page" | sed 1,2d |
    diff "$NARROWS_TEST_TMP/items" - >"$NARROWS_TEST_TMP/diff" ||
    failed "items: $(head -n 5 "$NARROWS_TEST_TMP/diff")"
sed -n '/^### Every claim/,$s/^| \([^|]* | [^|]* | [^|]*\) |.*/\1/p' "$NARROWS_TEST_TMP/page" | sed 1,2d |
    diff "$NARROWS_TEST_TMP/claims" - >"$NARROWS_TEST_TMP/diff" ||
    failed "claims: $(head -n 5 "$NARROWS_TEST_TMP/diff")"
# Whatever has no cell, or lacks one, says why.
awk -F' *[|] *' '/^### Claims/ { exit } /^[|] [^-]/ && ($4 == "" || $4 ~ /missing/) && $7 == ""' \
    "$NARROWS_TEST_TMP/page" >"$NARROWS_TEST_TMP/silent"
[ ! -s "$NARROWS_TEST_TMP/silent" ] || failed "no reason: $(cat "$NARROWS_TEST_TMP/silent")"
of_no_item=$(value "$db" "SELECT count(*) FROM paper_value v
    WHERE NOT EXISTS (SELECT 1 FROM paper_item i WHERE i.paper = v.paper AND i.table_id = v.table_id)
      AND NOT EXISTS (SELECT 1 FROM paper_input p WHERE p.paper = v.paper AND p.table_id = v.table_id)")
[ "$of_no_item" = 0 ] || failed "$of_no_item published values are of no item"
finish
