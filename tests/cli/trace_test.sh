#!/bin/bash
# narrows trace: files that a JSON parser reads, with spans that do not overlap on any thread, for every kind of
# method there is an example of; a window, a limit, the database, and refusals that leave no file.
. "$(dirname "$0")/lib.sh"
fresh_tmp
cd "$NARROWS_TEST_TMP" || exit 1
n() {
    "$NARROWS" "$@"
}

# What a viewer relies on: the object form, known phases, every thread named once, no two spans of a thread at one time.
cat >judge.py <<'END'
import json, sys
from decimal import Decimal
def no_twins(pairs):
    assert len(dict(pairs)) == len(pairs), "a key twice"
    return dict(pairs)
t = json.load(open(sys.argv[1]), parse_float=Decimal, object_pairs_hook=no_twins)
events, notes = t["traceEvents"], t["otherData"]
named, spans = {}, {}
for e in events:
    assert e["ph"] in ("M", "X", "C", "s", "f"), e
    if e["ph"] == "M" and e["name"] == "thread_name":
        assert (e["pid"], e["tid"]) not in named, e
        named[e["pid"], e["tid"]] = e["args"]["name"]
    if e["ph"] == "X":
        assert e["dur"] > 0 and e["ts"] >= 0 and e["name"], e
        spans.setdefault((e["pid"], e["tid"]), []).append((e["ts"], e["ts"] + e["dur"]))
assert len(set(named.values())) == len(named), "two threads of one name"
assert set(spans) <= set(named), "a thread without a name"
for thread, list_ in spans.items():
    list_.sort()
    for a, b in zip(list_, list_[1:]):
        assert a[1] <= b[0], (named[thread], a, b)
# An arrow leaves within a span and arrives where one begins, no sooner than it left.
leave = {e["id"]: e for e in events if e["ph"] == "s"}
arrive = {e["id"]: e for e in events if e["ph"] == "f"}
assert set(leave) == set(arrive) and len(leave) == sum(e["ph"] == "s" for e in events), "half an arrow"
for i, a in leave.items():
    b = arrive[i]
    assert any(s[0] <= a["ts"] < s[1] for s in spans[a["pid"], a["tid"]]), a
    assert any(s[0] == b["ts"] for s in spans[b["pid"], b["tid"]]) and a["ts"] < b["ts"] and b["bp"] == "e", (a, b)
# The critical path: one span after the other, up to the last end.
path = sorted((e["ts"], e["ts"] + e["dur"]) for e in events if e.get("cat") == "critical")
assert all(a[1] <= b[0] for a, b in zip(path, path[1:])), "two critical spans at one time"
live = [e["args"]["GB"] for e in events if e["ph"] == "C" and e["name"] == "live memory"]
n = sum(map(len, spans.values()))
assert n == notes["spans"], (n, notes)
begin = min([s[0] for l in spans.values() for s in l], default=0)
end = max([s[1] for l in spans.values() for s in l], default=0)
print(n, notes["spans_left_out"], len(named), begin, end, notes.get("variant", "-").replace(" ", "_"), notes["step_ms"],
      sum(e["ph"] == "C" for e in events), len(leave), max((p[1] for p in path), default=0), max(live, default=0))
END

judged() { # file: leaves the figures that judge.py prints in variables
    if command -v python3 >/dev/null; then
        # shellcheck disable=SC2034 # all that it prints, by name
        read -r spans left threads begin_us end_us variant step_ms counters arrows path_us live_GB \
            < <(python3 judge.py "$1" 2>judge.err)
        [ ! -s judge.err ] || failed "$1: $(tail -n 1 judge.err)"
        spans=${spans:-0}
    else # the braces at least
        [ "$(tr -cd '{' <"$1" | wc -c)" = "$(tr -cd '}' <"$1" | wc -c)" ] || failed "$1: braces do not match"
        spans=$(grep -c '"ph":"X"' "$1")
        left=$(sed -n 's/.*"spans_left_out":\([0-9]*\).*/\1/p' "$1")
    fi
}

less() { # a b
    awk -v a="$1" -v b="$2" 'BEGIN { exit !(a < b) }'
}

expect 0 "" "a step takes [0-9.]+ ms; [0-9]+ spans in all\\.json" n trace break-even --variant sparse --output all.json
judged all.json
all=$spans
[ "$all" -gt 100 ] || failed "only $all spans"
[ "${left:-0}" = 0 ] || failed "$left left out of a short trace"
[ "${variant:-sparse}" = sparse ] || failed "variant $variant"
if command -v python3 >/dev/null; then
    [ "$arrows" -gt $((all / 2)) ] || failed "only $arrows arrows between $all spans"
    [ "$path_us" = "$end_us" ] || failed "the critical path ends at $path_us us, the step at $end_us"
fi
expect 0 "" "spans" n trace break-even --variant sparse --no-arrows --output plain.json
grep -q '"ph":"s"' plain.json && failed "--no-arrows: arrows"
grep -q '"name":"gpu 15"' all.json || failed "no track for the last GPU"
grep -q '"bytes":[0-9]*,"GB/s":' all.json || failed "no transfer says its bytes and its rate"

# The same on the standard output, the same twice.
n trace break-even --variant sparse >again.json 2>/dev/null || failed "to the standard output: exit $?"
cmp -s all.json again.json || failed "two traces of one point differ"
n trace break-even --point 2 --output - >again.json 2>/dev/null
cmp -s all.json again.json || failed "--point 2 is another than --variant sparse"
n trace break-even --point 1 --output other.json 2>/dev/null
judged other.json
[ "${variant:-fp16}" = fp16 ] || failed "--point 1 is $variant"

# A limit keeps the first spans and says what is gone, in the file too.
expect 0 "" "$((all - 50)) later spans are left out" n trace break-even --variant sparse --most 50 --output few.json
judged few.json
[ "$spans $left" = "50 $((all - 50))" ] || failed "--most 50: $spans spans, $left left out of $all"

# A window keeps what touches it.
expect 0 "" "spans" n trace break-even --variant sparse --window '10..20.5 ms' --output window.json
judged window.json
[ "$spans" -gt 0 ] && [ "$spans" -lt "$all" ] || failed "--window: $spans spans of $all"
less "${begin_us:-0}" 20500 || failed "--window 10..20.5 ms begins at $begin_us us"
less 10000 "${end_us:-20000}" || failed "--window 10..20.5 ms ends at $end_us us"
grep -q '"window":"10..20.5 ms"' window.json || failed "the file does not say its window"
n trace break-even --variant sparse --window '10000 us..20.5ms' >same.json 2>/dev/null
expect 2 "" "--window: expected two times" n trace break-even --window '20 ms..10 ms'
expect 2 "" "--window: expected two times" n trace break-even --window '20..30'
expect 2 "" "--window: expected two times" n trace break-even --window 'soon'

n trace break-even --variant sparse --load --output load.json 2>/dev/null || failed "--load: exit $?"
judged load.json
[ "$spans" = "$all" ] || failed "--load changes the spans"
[ "${counters:-1}" -gt 0 ] || failed "--load writes no counter"

# Serial steps on a platform with fitted constants, and a pool.
expect 0 "" "spans" n trace a2dtwp/table-ii --variant A2DTWP --db fitted.db --output sgd.json
judged sgd.json
[ "$spans" -gt 50 ] || failed "host-sgd: $spans spans"
expect 0 "" "spans" n trace overlap --set batch=64 --db fitted.db --output overlap.json
judged overlap.json

# Operations and copies of a memory plan, by layer.
expect 0 "" "spans" n trace memory --point 14 --output plan.json
judged plan.json
[ "$spans" -gt 200 ] || failed "memory-plan: $spans spans"
peak=$(n plan memory --point 14 2>/dev/null | sed -n 's/.*most alive at once \([0-9.]*\) GB.*/\1/p')
[ "$(printf '%.1f' "${live_GB:-$peak}")" = "$peak" ] || failed "memory-plan: at most $live_GB GB are alive, not $peak"
for name in 'conv1 \[0,0\]' 'conv16 backward' 'offload conv1 \[1,1\]' 'prefetch conv1 \[1,1\]'; do
    grep -q "\"name\":\"$name\"" plan.json || failed "memory-plan: no span is called $name"
done

# Texts that JSON must not take literally.
mkdir -p 'a "b"'
sed 's/^name: .*/name: "q\\"uo\\\\te"/' "$NARROWS_HOME/tests/run/data/tiny.yaml" >odd.yaml
expect 0 "" "spans" n trace odd.yaml --output 'a "b"/odd.json'
judged 'a "b"/odd.json'
grep -q '"scenario":"q\\"uo\\\\te"' 'a "b"/odd.json' || failed "the scenario's name is not escaped"

# The database is opened only where something comes from it or goes into it.
[ ! -e out/narrows.db ] || failed "a trace without --store made a database"
expect 0 "" "spans" n trace break-even --variant sparse --store --db kept.db --output kept.json
cmp -s all.json kept.json || failed "--store changes the trace"
if command -v sqlite3 >/dev/null; then
    [ "$(value kept.db 'SELECT count(*) FROM task')" = "$all" ] ||
        failed "--store: $(value kept.db 'SELECT count(*) FROM task') tasks of $all"
    [ "$(value kept.db 'SELECT scenario FROM run')" = break-even+trace ] || failed "--store: another run"
fi

# Refusals leave no file.
expect 2 "" "no-such" n trace no-such --output none.json
expect 2 "" "expected one of the variants fp32, fp16, sparse, got 'no-such'" \
    n trace break-even --variant no-such --output none.json
expect 2 "" "--point: expected 0\\.\\.2" n trace break-even --point 3 --output none.json
expect 2 "" "--flows goes with the method" n trace break-even --flows ends.csv --output none.json
expect 1 "" "method\\.workers|workers" n trace break-even --set method.workers=17 --output none.json
[ ! -e none.json ] || failed "a refused trace left a file"
expect 1 "" "no/such/folder" n trace break-even --output no/such/folder/x.json
n trace break-even >/dev/full 2>full.err
[ $? = 1 ] || failed "a full standard output is no failure"
finish
