#!/bin/bash
# Training in several precisions, on a short run: the controller follows its losses, the arithmetic is the requested
# one, multiply-adds are counted by their purpose. And the counts of the paper's own networks, for one image each.
. "$(dirname "$0")/lib.sh"
need sqlite3
fresh_tmp
db=$NARROWS_TEST_TMP/dynprec.db
export NARROWS_QUIET=1

"$NARROWS" run --db "$db" tests/cli/data/dynprec.yaml scenarios/training/dynprec/quick/mix.yaml \
    >"$NARROWS_TEST_TMP/run.txt" 2>&1 ||
    { cat "$NARROWS_TEST_TMP/run.txt"; exit 1; }
sqlite3 -batch "$db" "
    CREATE VIEW m AS SELECT r.scenario, p.variant, x.name, x.value
        FROM run r JOIN run_point p ON p.run_id = r.id JOIN measure x USING (point_id);
    CREATE VIEW s AS SELECT p.variant, t.*
        FROM run r JOIN run_point p ON p.run_id = r.id JOIN trace_step t USING (point_id)
        WHERE r.scenario = 'dynprec-test';"

# The shipped scenarios are right; those with the paper's own networks lack but the images.
"$NARROWS" check scenarios/training/dynprec/{small,quick}/*.yaml >"$NARROWS_TEST_TMP/check.txt" 2>&1 ||
    { failed "the shipped scenarios are right"; cat "$NARROWS_TEST_TMP/check.txt"; }
for file in scenarios/training/dynprec/paper/*.yaml; do
    [ -e data/imagenet-200 ] && break
    said=$("$NARROWS" check "$file" 2>&1) && failed "$file: right without images"
    [[ $said == *"training.data.path: expected the path of a file or a folder"*"imagenet-2"* &&
        $(grep -c expected <<<"$said") = 1 ]] ||
        failed "$file: images are all that is missing: $said"
done

# Algorithm 1 once more, from the losses alone: an average of weight 2/3, looked at after 2 steps in MP and 10 in BF16.
sqlite3 -batch -separator ' ' "$db" \
    "SELECT step, loss, precision, ema FROM s WHERE variant = 'Dynamic' ORDER BY step" >"$NARROWS_TEST_TMP/steps.txt"
awk 'BEGIN { mode = "mp" }
    { if ($3 != mode) { print "step " $1 " in " $3 ", not in " mode; exit 1 }
      ema = NR == 1 ? $2 : ema + 2 / 3 * ($2 - ema)
      if (NR == 1) before = ema
      if ((ema - $4) ^ 2 > 1e-20) { print "step " $1 ": an average of " $4 ", not of " ema; exit 1 }
      seen[$3]++
      if (++n < (mode == "mp" ? 2 : 10)) next
      mode = (before - ema) / before > 0.04 ? "bf16" : "mp"; before = ema; n = 0 }
    END { if (seen["mp"] < 4 || seen["bf16"] < 20) {
            print "hardly any switch: " seen["mp"] " steps in MP"
            exit 1 } }' \
    "$NARROWS_TEST_TMP/steps.txt" || failed "the controller does what the paper's algorithm does"

fmas="FROM (SELECT variant, max(value) FILTER (WHERE name = 'fma_forward') AS forward,
    max(value) FILTER (WHERE name = 'fma_backward_data') AS errors,
    max(value) FILTER (WHERE name = 'fma_backward_weights') AS gradients,
    max(value) FILTER (WHERE name = 'fma_norms') AS norms,
    max(value) FILTER (WHERE name = 'fma_update') AS updates, max(value) FILTER (WHERE name = 'bf16_fma_pct') AS pct
    FROM m WHERE scenario"
holds "as many multiply-adds in every precision; no errors for the images" \
    "SELECT count(*) = 4 AND min(forward) = max(forward) AND min(gradients) = max(forward)
        AND max(errors) < min(forward)
        AND min(norms) = max(norms) AND min(norms) > 0 AND min(updates) > 0 $fmas = 'dynprec-test' GROUP BY variant)" \
    "SELECT * $fmas = 'dynprec-test' GROUP BY variant)"
holds "all but norms and the update in BF16, of dynamic precision its steps' share" \
    "SELECT min(abs(pct - 100 * (forward + errors + gradients) / (forward + errors + gradients + norms + updates) *
            (SELECT avg(precision = 'bf16') FROM s WHERE s.variant = f.variant)) < 1e-9)
        $fmas = 'dynprec-test' GROUP BY variant) f" \
    "SELECT variant, pct $fmas = 'dynprec-test' GROUP BY variant)"
first="FROM s WHERE step = 0 AND variant"
holds "one step apart by roundings: of sums in bf16 more than of products" \
    "SELECT abs((SELECT loss $first = 'MP') / (SELECT loss $first = 'FP32') - 1) BETWEEN 1e-9 AND 0.01
        AND abs((SELECT loss $first = 'BF16') / (SELECT loss $first = 'FP32') - 1) BETWEEN 1e-9 AND 0.05
        AND (SELECT loss $first = 'BF16') <> (SELECT loss $first = 'MP')
        AND (SELECT loss $first = 'Dynamic') = (SELECT loss $first = 'MP')" \
    "SELECT variant, loss FROM s WHERE step = 0"
holds "all of them learn" "SELECT min(late < 0.9 * early) FROM (SELECT avg(loss) FILTER (WHERE step < 10) AS early,
    avg(loss) FILTER (WHERE step >= 110) AS late FROM s GROUP BY variant)" \
    "SELECT variant, step, loss FROM s WHERE step % 30 = 0"

holds "the paper's networks: 0.72, 2.03 and 3.86 billion forward" \
    "SELECT count(*) = 3 AND min(abs(forward / CASE variant WHEN 'AlexNet' THEN 0.7211e9
        WHEN 'Inception' THEN 2.032e9 ELSE 3.856e9 END - 1) < 0.001)
        $fmas = 'dynprec-mix' GROUP BY variant)" "SELECT variant, forward $fmas = 'dynprec-mix' GROUP BY variant)"
holds "their FMAs are within 10 % of those that Figure 2a's instructions make" \
    "SELECT count(*) = 3 AND max(abs(ours / published - 1)) < 0.1 FROM comparison
        WHERE paper = 'dynprec' AND table_id = 'fig2a' AND kind = 'computed'" \
    "SELECT row_key, published, ours FROM comparison WHERE table_id = 'fig2a'"
finish
