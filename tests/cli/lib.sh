# lib.sh - shared by the command-line tests: source it first. ctest sets NARROWS, NARROWS_HOME and NARROWS_TEST_TMP.
# shellcheck shell=bash
set -u
: "${NARROWS:?the program to test}" "${NARROWS_HOME:?}" "${NARROWS_TEST_TMP:?a folder for this test}"
# shellcheck disable=SC2034 # for those who source this
sweep=$NARROWS_HOME/scenarios/examples/bandwidth-by-bytes.yaml
failures=0

need() { # command...
    for tool in "$@"; do
        command -v "$tool" >/dev/null || { echo "skipped: $tool is not installed"; exit 77; }
    done
}

fresh_tmp() {
    rm -rf "$NARROWS_TEST_TMP"
    mkdir -p "$NARROWS_TEST_TMP"
}

failed() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

finish() {
    [ "$failures" -eq 0 ] || { echo "$failures checks failed"; exit 1; }
    echo "ok"
}

# expect EXIT 'regex of stdout' 'regex of stderr' COMMAND...   An empty regex means: nothing may be printed there; '.*'
# means that it does not matter. Leaves the outputs in $out and $err.
expect() {
    local want=$1 want_out=$2 want_err=$3 got
    shift 3
    "$@" >"$NARROWS_TEST_TMP/out" 2>"$NARROWS_TEST_TMP/err" </dev/null
    got=$?
    out=$(<"$NARROWS_TEST_TMP/out") err=$(<"$NARROWS_TEST_TMP/err")
    [ "$got" = "$want" ] || failed "$*: exit $got, not $want; stderr: ${err:0:300}"
    matches "$out" "$want_out" || failed "$*: stdout is not like '$want_out': '${out:0:300}'"
    matches "$err" "$want_err" || failed "$*: stderr is not like '$want_err': '${err:0:300}'"
}

matches() { # text regex
    if [ -z "$2" ]; then
        [ -z "$1" ]
    else
        [[ $1 =~ $2 ]]
    fi
}

# All that the newest run of a database says: what each place of the sweep is and every measure's bit pattern.
table() { # database
    sqlite3 -batch "$1" "
        SELECT 'param', position, path, text, quote(value), unit FROM point_param
         WHERE run_id = (SELECT max(id) FROM run) ORDER BY position, path;
        SELECT 'point', r.position, r.combination, r.variant, p.key FROM run_point r JOIN point p ON p.id = r.point_id
         WHERE r.run_id = (SELECT max(id) FROM run) ORDER BY r.position;
        SELECT 'measure', p.key, m.name, hex(ieee754_to_blob(m.value)), m.unit
          FROM measure m JOIN point p ON p.id = m.point_id ORDER BY p.key, m.name;"
}

value() { # database query
    sqlite3 -batch "$1" "$2"
}

# holds WHAT 'SQL condition' ['query of the figures in it, printed when it does not hold']: of the script's database $db
holds() {
    # shellcheck disable=SC2154 # the script sets it
    [ "$(value "$db" "SELECT coalesce(($2), 0)")" = 1 ] && return
    failed "$1: $(value "$db" "${3:-SELECT ($2)}" | head -n 40 | tr '\n' ';')"
}
