# wheel.lib.sh - a wheel is built, and tried where it is installed; for wheel_test.sh and bare_root.sh, which set
# wheel_tmp, a folder that what is installed may write to.
# shellcheck shell=bash disable=SC2154
skip() {
    echo "skipped: $*"
    exit 77
}

# The first Python that builds wheels by scikit-build-core.
python_that_builds() {
    local python
    for python in ${NARROWS_PYTHON:-python3 /usr/bin/python3}; do
        "$python" -c 'import scikit_build_core.build, pip' >/dev/null 2>&1 && echo "$python" && return
    done
    return 1
}

# build_wheel PYTHON FOLDER: into FOLDER/dist, by what is there alone. What was built before in FOLDER/build is kept.
build_wheel() {
    rm -rf "$2/dist"
    CMAKE_BUILD_PARALLEL_LEVEL=${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc)} "$1" -m pip --disable-pip-version-check wheel \
        --no-index --no-build-isolation --no-deps -w "$2/dist" -C "build-dir=$2/build" -C cmake.define.NW_CUDA=OFF \
        "$NARROWS_HOME" >"$2/wheel.log" 2>&1 || { tail -n 20 "$2/wheel.log"; return 1; }
}

# The first five minutes of docs/CODECS.md, as in_it's python3 and narrows have them. The folders are in_it's: one with
# the page and its script, and one for what they write.
first_minutes() { # sources tmp
    expect 0 '^ok$' '' in_it sh -c "NARROWS=\$(command -v narrows) NARROWS_HOME=$1 NARROWS_TEST_TMP=$2 \
        exec bash $1/tests/python/first_minutes_test.sh \$(command -v python3)"
}

# What a wheel's user does, from /, as Python and as shell commands; "in_it COMMAND..." runs one where it is installed.
try_wheel() {
    expect 0 '^codecs.* 3lc ' '' in_it narrows list codecs
    expect 0 '^narrows [0-9.]+ ' '' in_it narrows --version
    expect 0 'home .*/narrows/share/narrows' '.*' in_it narrows doctor # hwloc misses /sys in a bare root
    expect 0 'fp16 .* baseline' '.*' in_it narrows run break-even --db "$wheel_tmp/results.db"
    expect 0 '^8bit 5003 True' '' in_it python3 -c '
import narrows, numpy as np
codec = narrows.Codec("8bit")
values = np.random.default_rng(1).standard_normal(5003).astype("f4")
back = codec.decode(codec.encode(values), values.size)
inside = narrows._library.lib._name.startswith(narrows.__path__[0])
print(codec.name, back.size, bool(abs(back - values).max() < 0.02 and inside))'
    expect 0 'fewest bits.*break-even' '' in_it python3 -c '
import narrows, numpy as np
gradients = {"weight": np.random.default_rng(1).standard_normal((99, 50)).astype("f4")}
table = narrows.compare(gradients, scenario="break-even", options=("--seconds", "0.001"))
print(table.attrs["answer"], table.attrs["scenario"])'
    expect 0 '[1-9]' '' in_it python3 -c "import narrows; print(len(narrows.results('$wheel_tmp/results.db')['gain']))"
}
