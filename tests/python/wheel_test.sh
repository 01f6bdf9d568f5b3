#!/bin/bash
# The Python wheel: built from the source tree, installed in a fresh virtual environment, used from /, uninstalled. What
# it needs of the machine is glibc alone.
. "$(dirname "$0")/../cli/lib.sh"
. "$(dirname "$0")/wheel.lib.sh"
need cmake ninja objdump ldd
tmp=$NARROWS_TEST_TMP
python=$(python_that_builds) || skip "no Python has pip and scikit-build-core (pip install scikit-build-core)"
"$python" -c 'import numpy' 2>/dev/null || skip "$python has no numpy"
build_wheel "$python" "$tmp" || { failed "pip wheel"; finish; }
wheel=$(echo "$tmp"/dist/narrows-*-py3-none-linux_*.whl)
[ -f "$wheel" ] || { failed "no wheel of that name: $(ls "$tmp/dist")"; finish; }

rm -rf "$tmp/venv" "$tmp/results.db"*
"$python" -m venv "$tmp/venv" || skip "$python makes no virtual environment"
pip() {
    "$tmp/venv/bin/python" -m pip --disable-pip-version-check -q "$@"
}
files() {
    (cd "$tmp/venv" && find . -name __pycache__ -prune -o -print | LC_ALL=C sort)
}
site=$(echo "$tmp"/venv/lib/python3*/site-packages)
files >"$tmp/before.txt"
pip install --no-index --no-deps "$wheel" || { failed "pip install"; finish; }
# Nothing is downloaded: numpy, the one dependency, and PyTorch, if it is there, are those of the Python that builds.
"$python" -c 'import sysconfig; print(*{sysconfig.get_path(p) for p in ("purelib", "platlib")}, sep="\n")' \
    >"$site/builder.pth"
wheel_tmp=$tmp
in_it() {
    (cd / && env -i PATH="$tmp/venv/bin:/usr/bin:/bin" HOME="$tmp" PYTHONDONTWRITEBYTECODE=1 "$@")
}
try_wheel
if in_it python3 -c 'import torch' 2>/dev/null; then
    first_minutes "$NARROWS_HOME" "$tmp/first"
else
    echo "without the first five minutes: $python has no torch"
fi

for file in "$site"/narrows/bin/narrows "$site"/narrows/lib/*; do
    others=$(env -i ldd "$file" | sed -nE 's/^\t([^ ]+) => (.*) \(.*/\1 \2/p' |
        grep -vE "^(libc|libm|libdl|libpthread|librt|libgcc_s)\.so|$site/narrows/bin/\.\./lib/" |
        grep -vE "^lib(narrows|gomp|z|crypto|bz2|udev)\.so") # found by those that load them
    [[ $file != */bin/narrows ]] || [ -z "$others" ] || failed "the program loads what is not in the wheel: $others"
done
echo "$(basename "$wheel"), $(stat -c %s "$wheel") bytes, needs $(objdump -T "$site"/narrows/{bin/narrows,lib/*} |
    grep -oE 'GLIBC_[0-9.]+' | sort -uV | tail -n 1)"

rm -f "$site/builder.pth"
pip uninstall -y narrows || failed "pip uninstall"
left=$(diff "$tmp/before.txt" <(files))
[ -z "$left" ] || failed "uninstalled, and yet there is: $left"
finish
