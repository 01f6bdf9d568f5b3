#!/bin/bash
# The simulator gives the same bits from the program under test (gcc -O3, if nothing else was asked for) and from
# clang -O0, which differs from it in both, on one and two threads: every measure and every fitted constant of a
# paper's scenarios, of overlapped steps, and of each kind of method on a machine whose figures are odd (data/),
# compared as IEEE 754 bit patterns; every task and every operation of a memory plan. At night from clang -O3 and
# gcc -O0, too, and from the program under test twice in the same way.
set -u
: "${NARROWS_TEST_TMP:?}" "${NARROWS_HOME:?}" "${NARROWS:?}"
for tool in gcc clang sqlite3; do
    command -v "$tool" >/dev/null || { echo "skipped: $tool is not installed"; exit 77; }
done
scenarios=(scenarios/papers/a2dtwp/*.yaml scenarios/examples/overlap.yaml
    tests/build/data/{parameter-server,allreduce,model-parallel,flows,memory-plan}.yaml
    tests/run/data/keys/collective.yaml)
# Where the figures come from: built by each compiler. The rest, most of the program, is that of the program under test.
libraries=(sim/libsim.a model/libmodel.a harness/run/librun.a harness/scenario/libscenario.a harness/flows/libflows.a
    harness/store/libstore.a harness/buffers/libbuffers.a)
targets=(sim model run scenario flows store buffers)
whole=$(dirname "$NARROWS")
[ -f "$whole/build.ninja" ] || { echo "skipped: $NARROWS was not built by ninja"; exit 77; }
first=

dump() { # database
    sqlite3 -batch "$1" "
        SELECT 'point', p.key, m.name, hex(ieee754_to_blob(m.value)), m.unit
          FROM measure m JOIN point p ON p.id = m.point_id ORDER BY 2, 3;
        SELECT 'flow', p.key, t.place, t.id, t.track, t.start_ps, t.end_ps, t.bytes
          FROM task t JOIN point p ON p.id = t.point_id ORDER BY 2, 3;
        SELECT 'plan', p.key, s.step, s.name, s.layer, s.backward, s.duration_ps,
            s.generated_bytes, s.offloadable_bytes,
               s.offloaded_bytes, s.live_bytes
          FROM plan_step s JOIN point p ON p.id = s.point_id ORDER BY 2, 3;
        SELECT DISTINCT 'fit', platform, constant, hex(ieee754_to_blob(value)), paper, table_id, row_key, column_key
          FROM calibration ORDER BY 2, 3, 4, 5, 6, 7, 8;"
}

build() { # compiler level directory
    local dir=$3
    if [ ! -f "$dir/build.ninja" ]; then
        # Optimized dependencies: a library is compiled without those that it is linked with.
        cmake -S . -B "$dir" -G Ninja -DCMAKE_C_COMPILER="$1" -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS="-$2" \
            -DCMAKE_OPTIMIZE_DEPENDENCIES=ON -DNW_CUDA=OFF -DNW_TESTS=OFF >"$dir.log" 2>&1 ||
            { tail -n 20 "$dir.log"; return 1; }
    fi
    cmake --build "$dir" --target "${targets[@]}" -j2 >"$dir.log" 2>&1 || { tail -n 20 "$dir.log"; return 1; }
}

# The program under test, but with the libraries of another build that figures come from.
link() { # directory
    local command library
    command=$(ninja -C "$whole" -t commands narrows | tail -n 1)
    for library in "${libraries[@]}"; do
        [[ $command == *" $library"* ]] || { echo "narrows is not linked with $library"; return 1; }
        command=${command//" $library"/" $1/$library"}
    done
    command=${command/" -o narrows "/" -o $1/narrows "}
    (cd "$whole" && eval "$command") >"$1.log" 2>&1 || { tail -n 20 "$1.log"; return 1; }
}

compare() { # name program directory runs
    local what jobs repeat now db=$3/result.db
    for jobs in 1 2; do
        for repeat in $(seq "$4"); do
            what="$1, $jobs threads, run $repeat"
            now=$3/jobs$jobs-run$repeat.txt
            rm -f "$db" "$db-wal" "$db-shm"
            "$2" run --db "$db" --jobs "$jobs" "${scenarios[@]}" >/dev/null 2>"$3/stderr.txt" ||
                { echo "$what: narrows run failed"; tail -n 5 "$3/stderr.txt"; exit 1; }
            dump "$db" >"$now" || exit 1
            if [ -z "$first" ]; then
                first=$now first_what=$what
                lines=$(wc -l <"$now")
                [ "$lines" -ge 25000 ] || { echo "only $lines figures to compare"; exit 1; }
            elif ! cmp -s "$first" "$now"; then
                echo "'$what' differs from '$first_what':"
                diff "$first" "$now" | head -n 10
                exit 1
            fi
        done
    done
}

others=("clang O0") runs=1
[ -z "${NARROWS_TEST_NIGHTLY:-}" ] || { others+=("clang O3" "gcc O0") runs=2; }
mkdir -p "$NARROWS_TEST_TMP/tested"
compare "the program under test" "$NARROWS" "$NARROWS_TEST_TMP/tested" "$runs"
for how in "${others[@]}"; do
    read -r compiler level <<<"$how"
    dir=$NARROWS_TEST_TMP/$compiler-$level
    mkdir -p "$dir"
    build "$compiler" "$level" "$dir" && link "$dir" || { echo "$compiler -$level does not build"; exit 1; }
    compare "$compiler -$level" "$dir/narrows" "$dir" 1
done
echo "$lines figures are the same bits in $((1 + ${#others[@]})) builds, on 1 and 2 threads"
