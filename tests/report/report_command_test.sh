#!/bin/bash
# narrows report of a scenario and narrows reproduce, from the command line: exit codes, what goes where, and that an
# error in one paper's scenarios keeps no other paper's tables back.
source "$NARROWS_HOME/tests/cli/lib.sh"
fresh_tmp
home=$NARROWS_TEST_TMP/home db=$NARROWS_TEST_TMP/n.db out_dir=$NARROWS_TEST_TMP/figures
export NARROWS_QUIET=1

n() { "$NARROWS" "$@"; }
at_home() { NARROWS_HOME=$home "$NARROWS" "$@"; }

# --- a scenario's sweep ---
n run where-it-pays --db "$db" --sweep 'method.gradients.density=0.001, 0.1' \
    --sweep 'link.eth.bandwidth=1..64 Gbit/s:log:3' >/dev/null 2>&1 || failed "no run"
expect 2 "" "one of --paper, --scenario, --bench, --summary and --validation" \
    n report --db "$db" --paper 3lc --scenario where-it-pays
expect 2 "" "one of --paper, --scenario, --bench, --summary and --validation" \
    n report --db "$db" --validation --summary
expect 1 "" "nothing in this database was held against predictions; first: narrows validate shaped" \
    n report --db "$db" --validation
expect 2 "" "expected --scenario" n report --db "$db" --x workers
expect 2 "" "narrows bench --csv" n report --db "$db" --bench --csv
expect 1 "" "no run of a scenario 'where-it-paid' in this database; there is where-it-pays\+changes" \
    n report --db "$db" --scenario where-it-paid
changed="changed:.*  narrows run where-it-pays --db .*--sweep"
expect 0 "^Run 1 of 20.*where-it-pays.yaml, $changed.*by workers and gradients density" "" \
    n report --db "$db" --scenario where-it-pays --no-figures
expect 2 "" "no key 'bandwith' of numbers is swept; there is .*platform\.link\.eth\.bandwidth" \
    n report --db "$db" --scenario where-it-pays+changes --x bandwith
expect 0 "by workers and gradients density.*eth bandwidth 8 Gbit/s.*3lc .* of 10 " "" \
    n report --db "$db" --scenario where-it-pays+changes --no-figures
expect 0 "^variant,.*method\.workers,.*step_ms,speedup,gain_pct" "" \
    n report --db "$db" --scenario where-it-pays+changes --csv --out "$out_dir"
expect 0 '^\[.*"variant":"8bit"' "" n report --db "$db" --scenario where-it-pays+changes --json --out "$out_dir"
[ ! -e "$out_dir" ] || failed "--csv or --json drew figures"
if command -v gnuplot >/dev/null; then
    expect 0 ".*" "figures in" n report --db "$db" --scenario where-it-pays+changes --out "$out_dir" \
        --x workers --y density
    [ -s "$out_dir/where-it-pays+changes-best-eth-bandwidth-1-Gbit-s.svg" ] ||
        failed "no map at 1 Gbit/s: $(ls "$out_dir")"
fi

# --- its points as if they had been executed in half the time, next to a validation of nothing ---
if command -v sqlite3 >/dev/null; then
    cp "$db" "$db.executed"
    sqlite3 -batch "$db.executed" "
        INSERT INTO validation_run SELECT max(id), 'shaped' FROM run;
        INSERT INTO execution SELECT position + 1, run_id, position, point_id, 's', 1 FROM run_point JOIN validation_run
            USING (run_id);
        INSERT INTO execution_end SELECT id, 2, 'done', NULL, '' FROM execution;
        INSERT INTO executed_point SELECT id, 2, 'model', 'own', 'MPI', '', '', 4000000, 0, 0, 1, 1 FROM execution;
        INSERT INTO executed_step SELECT id, 0, 2000000 FROM execution;"
    expect 0 'Error: median 100\.0 %.*Furthest off.*\+100\.0' ".*" \
        n report --db "$db.executed" --validation --out "$out_dir/validation"
    [ -s "$out_dir/validation/validation-points.tsv" ] || failed "no data of the validation's figure"
    expect 0 '^set_name,kind,.*,4,2,ms,1,0,1,done' "" n report --db "$db.executed" --validation --csv
    rm -r "$out_dir/validation"
fi

# --- reproduce: a paper without a folder, one with an error ---
mkdir -p "$home/scenarios/papers/3lc"
cp -r "$NARROWS_HOME/plots" "$home"
cp -r "$NARROWS_HOME"/scenarios/{models,platforms,methods,timings,codec-rates.csv} "$home/scenarios"
cp -r "$NARROWS_HOME"/scenarios/papers/splitcnn "$home/scenarios/papers"
echo 'name: [' >"$home/scenarios/papers/3lc/broken.yaml"
board="Published cells.*Split-CNN +6 +0 +0 +7 +0 +0 +12 .*figure: $out_dir/index\.html"
expect 2 "$board" "broken\.yaml:" at_home reproduce --db "$db" --out "$out_dir"
[[ $out != *"Figure 11"* ]] || failed "whole tables, and nobody asked for them"
[ "$(wc -l <<<"$out")" -lt 40 ] || failed "more than a page"
expect 2 "Figure 11: speedup.*$board" "broken\.yaml:.*3lc is left out.*a2dtwp is left out.*dct is left out" \
    at_home reproduce --full --db "$db" --out "$out_dir"
rm -r "$home/scenarios/papers/3lc"
expect 0 "$board" ".*" at_home reproduce --db "$db" --out "$out_dir"
expect 1 "Published cells" "papers/dct: No such file" at_home reproduce dct --db "$db" --out "$out_dir"
expect 2 "" "expected a paper \(3lc, a2dtwp, dct, dynprec, splitcnn\), got 'dtc'" at_home reproduce dtc --db "$db"
expect 0 "$board" ".*" at_home reproduce splitcnn --db "$db" --out "$out_dir"
expect 0 "Figure 8.*VGG-19 +13 .*Cells: 2 predicted, 2 by assumption" "" \
    n report --db "$db" --paper splitcnn --table fig8
expect 0 "^paper,table_id.*,HMMS,HMMS,1\.3,0\.26" "" n report --db "$db" --paper splitcnn --table fig8 --format csv
expect 0 "HMMS .* predicted .*narrows run scenarios/papers/splitcnn/fig8-vgg-19\.yaml" "" \
    n report --db "$db" --paper splitcnn --table fig8 --cell 'VGG-19, HMMS'
expect 2 "" "paper splitcnn, table fig8: no cell 'VGG-19, none'" \
    n report --db "$db" --paper splitcnn --table fig8 --cell 'VGG-19, none'
expect 2 "" "paper splitcnn has no table 'fig99'" n report --db "$db" --paper splitcnn --table fig99
expect 2 "" "paper splitcnn has no figure 'fig99'" n report --db "$db" --paper splitcnn --figure fig99 --out "$out_dir"
expect 0 "## Figure 8.*\| VGG-19 \| 13 \| 12\.78" "" n report --db "$db" --paper splitcnn --table fig8 --format markdown
expect 2 "" "expected text, csv, json, markdown or html, got 'pdf'" n report --db "$db" --paper splitcnn --format pdf

# --- a figure that is not drawn is no failure; which, and why, is the last line ---
no_data="splitcnn-fig4, .*\(no run in this database has data for it\)"
expect 0 "$board" "not drawn: .*$no_data; splitcnn-fig1, .*\(gnuplot is not installed.*\)$" \
    env PATH=/nowhere NARROWS_HOME="$home" "$NARROWS" reproduce splitcnn --db "$db" --out "$out_dir"
if command -v gnuplot >/dev/null; then
    echo 'no command of its' >"$home/plots/timeline.gp"
    expect 0 "$board" "timeline\.gp: failed.*not drawn: .*; splitcnn-fig9 \(failed, see above\)$" \
        at_home reproduce splitcnn --db "$db" --out "$out_dir"
    [ -s "$out_dir/splitcnn-cliff.svg" ] || failed "one figure keeps others back"
fi
finish
