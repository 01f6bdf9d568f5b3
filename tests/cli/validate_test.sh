#!/bin/bash
# narrows validate on measured rows, as a person uses it: the page's example, rows of her own, what is stored, and what
# is refused with which words. validate_public_test.sh has the published sets.
. "$(dirname "$0")/lib.sh"
need sqlite3
fresh_tmp
cd "$NARROWS_TEST_TMP" || exit 1
n() {
    "$NARROWS" "$@"
}
awk '/^```/ { inside = !inside && $0 == "```yaml"; next } inside' "$NARROWS_HOME/docs/VALIDATION.md" |
    awk '/^# [a-z-]+\.yaml: / { name = substr($2, 1, length($2) - 1) } name { print >name }'

# The example: what calibrates is met and not counted, what is predicted comes close, and two runs say the same.
expect 0 "a validation of 8 rows, 2 of them calibrate" "" n check my-rows.yaml
expect 0 "over Ethernet  3 .*met.*Constants that were fitted.*link.pcie.bandwidth" ".*" \
    n validate my-rows.yaml --db a.db
rows="SELECT row_key, kind, hex(ieee754_to_blob(predicted)), hex(ieee754_to_blob(measured)) FROM measured_row
    WHERE run_id = (SELECT max(run_id) FROM measured_row) ORDER BY place"
sqlite3 a.db "$rows" >first.txt
expect 0 ".*" ".*" env OMP_NUM_THREADS=1 "$NARROWS" validate my-rows.yaml --db a.db
sqlite3 a.db "$rows" | cmp -s - first.txt || failed "the second run predicts otherwise"
[ "$(value a.db "SELECT group_concat(kind || n) FROM (SELECT kind, count(*) AS n FROM measured_row WHERE run_id = 1
    GROUP BY kind ORDER BY kind)")" = calibrated2,predicted6 ] || failed "rows: $(<first.txt)"
[ "$(value a.db "SELECT max(abs(predicted / measured - 1)) < 1e-4 FROM measured_row
    WHERE kind = 'calibrated'")" = 1 ] || failed "what calibrates is not met"
[ "$(value a.db "SELECT max(mean) < 5 AND min(mean) > 0.1 FROM measured_by_set")" = 1 ] ||
    failed "errors: $(value a.db 'SELECT group_concat(mean) FROM measured_by_set')"
# The errors are those of the rows; the closed form's, too.
[ "$(value a.db "SELECT abs(s.mean - avg(100 * abs(r.predicted / r.measured - 1))) < 1e-9
        AND abs(s.form_mean - avg(100 * abs(r.closed_form / r.measured - 1))) < 1e-9
    FROM measured_by_set s JOIN measured_row r USING (run_id, set_name)
    WHERE s.set_name = 'over Ethernet' AND r.kind = 'predicted'")" = 1 ] || failed "a mean is no mean"
# The furthest off come first, not the first of the file.
worst="SELECT group_concat(round(abs(\"off, %|error\"), 6)) FROM \"/measured-worst\""
[ "$(value a.db "$worst")" = "$(value a.db "SELECT group_concat(size)
    FROM (SELECT round(size, 6) AS size FROM measured_error ORDER BY size DESC)")" ] ||
    failed "furthest off: $(value a.db "$worst")"

# The furthest off comes first.
[ "$(value a.db "SELECT abs(abs((SELECT \"off, %|error\" FROM \"/measured-worst\" LIMIT 1)) - max(worst)) < 1e-9
    FROM measured_by_set")" = 1 ] || failed "first: $(value a.db 'SELECT "row" FROM "/measured-worst" LIMIT 1')"

# Rows of one's own: the file's calibrate, hers are predicted, and nothing of hers changes a constant.
cat >mine.csv <<'END'
# on the same machines
network,model,batch_per_gpu,gpus,samples_per_s,std
10GbE,resnet-50,64,16,2428.07,5.69
10GbE,resnet-50,64,24,3500,
END
expect 0 "my-rows\+data .* 2 " ".*" n validate my-rows.yaml --data mine.csv --db b.db
[ "$(value b.db "SELECT group_concat(row_key || kind, ';') FROM measured_row WHERE kind = 'predicted'")" = \
    "resnet-50, 16 GPUs, 10GbEpredicted;resnet-50, 24 GPUs, 10GbEpredicted" ] || failed "predicted of mine.csv: $(
    value b.db "SELECT group_concat(row_key || kind, ';') FROM measured_row")"
[ "$(value b.db "SELECT group_concat(value) FROM measured_fit")" = "$(value a.db "SELECT group_concat(value)
    FROM measured_fit WHERE run_id = 1")" ] || failed "rows of one's own changed a constant"

# A constant that calibrates twice, left out once: the mean is another.
sed "s/gpus = 8 AND model = 'bert-large'}/\"gpus IN (8, 16) AND model = 'bert-large'\"}/" my-rows.yaml >two.yaml
expect 0 "With a calibrating row left out" ".*" n validate two.yaml --db c.db
[ "$(value c.db "SELECT count(*) || ' ' || (max(mean) > min(mean)) FROM measured_without")" = "4 1" ] ||
    failed "left out: $(value c.db "SELECT group_concat(mean) FROM measured_without")"

# Constants from the other groups: each number of GPUs is predicted without its own row, and none is given away.
sed "s/{keys: link.eth.efficiency.wire, .*/{keys: link.eth.efficiency.wire, per: gpus, among: \"'all'\", $(
    )rows: gpus > 4 AND model = 'bert-large'}/" my-rows.yaml >among.yaml
expect 0 "over Ethernet  4 " ".*" n validate among.yaml --db e.db
[ "$(value e.db "SELECT count(*) || ' ' || sum(kind = 'predicted') FROM measured_row")" = "8 7" ] ||
    failed "among: $(value e.db "SELECT group_concat(row_key || kind) FROM measured_row")"
[ "$(value e.db "SELECT group_concat(nrows) FROM (SELECT nrows FROM measured_fit WHERE constant LIKE '%wire'
    ORDER BY CAST(group_name AS INTEGER))")" = "3,2,2,2" ] ||
    failed "among: $(value e.db "SELECT group_concat(group_name || ':' || nrows) FROM measured_fit")"

# What is wrong is said with its place, and nothing is stored.
refused() { # 'sed expression' 'regex of the error'
    sed "$1" my-rows.yaml >wrong.yaml
    cmp -s my-rows.yaml wrong.yaml && failed "'$1' changes nothing"
    expect 2 '' "$2" n validate wrong.yaml --db d.db
    [ ! -e d.db ] || [ "$(value d.db 'SELECT count(*) FROM run')" = 0 ] || failed "$1: something was stored"
}
refused 's/^label: model/label: modle/' \
    "wrong.yaml:[0-9]+:[0-9]+: label: expected an SQL expression .*no such column: modle"
refused 's/^where: gpus > 1/where: gpus >/' "where: expected a condition in SQL"
refused "s/rows: gpus = 4 AND/rows: gpus = 5 AND/" "fit\[0\].rows: expected rows that calibrate, got none"
refused 's/keys: link.pcie.bandwidth/keys: link.pci.bandwidth/' "link.pci.bandwidth"
refused 's/^  method.workers: gpus/  method.workers: gpus + 0.5/' \
    "expected a whole number from 1 to 1.04858e\+06, got 4.5"
refused 's/^measured: {value: samples_per_s/measured: {value: network/' \
    "measured.value: expected a number above 0 for every row"
refused 's/^reading: .*/reading: speed/' "the scenario has no reading 'speed'"
refused 's/^sets:/sests:/' "expected"
refused 's/^  resnet-50,  64, 10GbE,    4,/  resnet-50,  64, 10GbE,/' \
    "my-rows:3: expected 6 fields as in the header, got 5"
refused 's/^scenario: .*/scenario: none.yaml/' "none.yaml"
expect 2 '' "--data: not of narrows validate shaped" n validate shaped --data mine.csv --db d.db
expect 2 '' "expected one validation with it" n validate my-rows.yaml two.yaml --data mine.csv --db d.db
expect 2 '' "expected shaped, public, a shipped validation .narrows list validations. or a file of one, got 'nothing'" \
    n validate nothing --db d.db
expect 1 '' "nothing.csv" n validate my-rows.yaml --data nothing.csv --db d.db

finish
