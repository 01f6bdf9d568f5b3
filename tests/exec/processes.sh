# shellcheck shell=bash
# processes.sh - what tests of executions share: may there be any here, and the processes of one.

# What an MPI library has not freed is its own, and its plugins are unloaded before the end, so that nobody can tell
# whose it was. Leaks of narrows are looked for where there is no MPI: exec_execution_test, exec_parts_test.
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0

can_execute() {
    "$NARROWS" exec "$NARROWS_HOME/tests/exec/data/allreduce.yaml" --variant ring-of-2 -r 1 \
        --db "$NARROWS_TEST_TMP/can.db" 2>"$NARROWS_TEST_TMP/can" || {
        [ $? = 3 ] || { cat "$NARROWS_TEST_TMP/can"; exit 1; }
        echo "skipped: $(tail -n 1 "$NARROWS_TEST_TMP/can")"
        exit 77
    }
}

# Labs of other tests are not disturbed, nor they by these.
can_lab() {
    local way=(unshare --user --map-root-user)
    export NARROWS_LAB_DIR=$NARROWS_TEST_TMP/labs
    need ip tc
    [ "$(id -u)" != 0 ] || way=(unshare)
    "${way[@]}" --net --mount true 2>"$NARROWS_TEST_TMP/can" || {
        echo "skipped: no network namespaces: $(<"$NARROWS_TEST_TMP/can")"
        exit 77
    }
}

# A lab whose links do not carry their rate is refused: that says nothing about what is tested.
too_busy() { # what was said
    grep -qs "wait until it is less busy" "$1"
}

# Every process that the launch of this one has started.
launched_by() { # pid
    grep -lsaz "^NARROWS_EXEC=$1\\." /proc/[0-9]*/environ 2>/dev/null | cut -d / -f 3
}

named() { # pid, names
    local one
    for one in $(launched_by "$1"); do
        grep -qsx "$2" "/proc/$one/comm" && echo "$one"
    done
}

ranks_of() { # pid
    local one
    for one in $(launched_by "$1"); do
        grep -qsaz "^\\(OMPI_COMM_WORLD\\|PMI\\|PMIX\\)_RANK=" "/proc/$one/environ" && echo "$one"
    done
}

rank_of() { # pid, rank
    local one
    for one in $(launched_by "$1"); do
        grep -qsaz "^\\(OMPI_COMM_WORLD\\|PMI\\)_RANK=$2\$" "/proc/$one/environ" && echo "$one"
    done | head -n 1
}

wait_until_alive() { # pid
    local i
    for ((i = 0; i < 1200; i++)); do
        compgen -G "/dev/shm/narrows-exec-$1-*/alive" >/dev/null && return
        compgen -G "${TMPDIR:-/tmp}/narrows-exec-$1-*/alive" >/dev/null && return
        kill -0 "$1" 2>/dev/null || return
        sleep 0.05
    done
}

# The guard of a process that was killed needs a moment.
nothing_left() { # when, pid
    local i left
    for ((i = 0; i < 200; i++)); do
        left=$(
            launched_by "$2"
            compgen -G "/dev/shm/narrows-exec-$2-*"
            compgen -G "${TMPDIR:-/tmp}/narrows-exec-$2-*"
        )
        [ -n "$left" ] || return 0
        sleep 0.05
    done
    failed "$1: left: $left $(for i in $(launched_by "$2"); do tr '\0' ' ' <"/proc/$i/cmdline"; done)"
}

no_labs() { # when, pid
    local left
    left=$(
        ip netns list 2>/dev/null | grep "^nwlab-of-$2-"
        ip -o link 2>/dev/null | grep "nwlab-of-$2-"
        find "$NARROWS_LAB_DIR" -name '*.lab' 2>/dev/null
    )
    [ -z "$left" ] || failed "$1: of labs: $left"
}
