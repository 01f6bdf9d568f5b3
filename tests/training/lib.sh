# lib.sh - for the tests of what runs under mpirun: source it after tests/cli/lib.sh.
# shellcheck shell=bash
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none
export NARROWS_QUIET=1

# ranks N COMMAND...: bounded, as what waits for a rank may wait for ever.
ranks() {
    local n=$1
    shift
    timeout -k 5 "${limit:-120}" mpirun -np "$n" "$@"
}

need_mpi() {
    need mpirun sqlite3
    ranks 2 true 2>mpirun.err && return
    echo "skipped: mpirun does not start: $(grep -v '^-*$' mpirun.err | head -n 1)"
    exit 77
}

# Of the newest run of a database: all that was stored, without what was measured.
everything() { # database
    sqlite3 -batch "$1" "
        CREATE TEMP TABLE p AS SELECT variant, position, point_id FROM run_point
         WHERE run_id = (SELECT max(id) FROM run);
        SELECT 'measure', position, name, hex(ieee754_to_blob(value))
          FROM p JOIN measure USING (point_id) ORDER BY 2, 3;
        SELECT 'step', position, step, hex(ieee754_to_blob(loss)), pushed_bytes, pulled_bytes, precision,
               precision_share, hex(ieee754_to_blob(ema)) FROM p JOIN trace_step USING (point_id) ORDER BY 2, 3;
        SELECT 'exchange', position, step, tensor, pull, bytes, zeros, hex(ieee754_to_blob(threshold))
          FROM p JOIN trace_exchange USING (point_id) ORDER BY 2, 3, 4, 5;
        SELECT 'bits', position, tensor, step, bits FROM p JOIN trace_bits USING (point_id) ORDER BY 2, 3, 4;
        SELECT 'threshold', position, step, dropped, hex(ieee754_to_blob(threshold))
          FROM p JOIN trace_threshold USING (point_id) ORDER BY 2, 3, 4;
        SELECT 'evaluation', position, after_steps, hex(ieee754_to_blob(loss)), hex(ieee754_to_blob(top1)), other
          FROM p JOIN trace_evaluation USING (point_id) ORDER BY 2, 3;"
}

# A process that has ended may wait for a parent that never asks.
alive() { # pid
    grep -q '^State:[[:space:]]*[^XZ[:space:]]' "/proc/$1/status" 2>/dev/null
}

# The launcher ends before those that it has killed: on a busy machine they need a moment.
gone() { # pid
    local i
    for ((i = 0; i < 200; i++)); do
        alive "$1" || return 0
        sleep 0.05
    done
    return 1
}

# The ranks below one of them that runs in the background.
ranks_of() { # pid of ranks()
    local pid=$1
    while [ -n "$pid" ] && [ "$(cat "/proc/$pid/comm" 2>/dev/null)" != mpirun ]; do
        pid=$(pgrep -P "$pid" | head -n 1)
    done
    [ -z "$pid" ] || pgrep -P "$pid"
}
