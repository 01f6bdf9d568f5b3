#!/bin/bash
# The wheel on a bare Debian 12, as somebody without the sources and without a compiler has it: installed by pip in a
# root from debootstrap with Python, numpy and PyTorch, used from /, uninstalled.
# It downloads some 300 MB, so it runs where it is asked for: NARROWS_TEST_BARE=1, as root.
#   NARROWS_MIRROR  another mirror of Debian
#   NARROWS_WHEEL   a wheel that was built before
. "$(dirname "$0")/../cli/lib.sh"
. "$(dirname "$0")/wheel.lib.sh"
[ "${NARROWS_TEST_BARE:-0}" = 1 ] || skip "a bare root downloads 300 MB: NARROWS_TEST_BARE=1 asks for it"
[ "$EUID" = 0 ] || skip "only root may change its root"
need debootstrap chroot
tmp=$NARROWS_TEST_TMP root=$NARROWS_TEST_TMP/root mirror=${NARROWS_MIRROR:-http://deb.debian.org/debian}
away() { # what is mounted has to go before anything is removed
    ! mountpoint -q "$root/proc" || umount "$root/proc" || exit 1
    rm -rf "$root"
}
away
trap away EXIT
wheel=${NARROWS_WHEEL:-}
if [ -z "$wheel" ]; then
    python=$(python_that_builds) || skip "no Python has pip and scikit-build-core (pip install scikit-build-core)"
    build_wheel "$python" "$tmp" || { failed "pip wheel"; finish; }
    wheel=$(echo "$tmp"/dist/narrows-*.whl)
fi

debootstrap --variant=minbase --include=python3,python3-pip,python3-numpy,python3-torch bookworm "$root" "$mirror" \
    >"$tmp/debootstrap.log" 2>&1 || { tail -n 3 "$tmp/debootstrap.log"; skip "no Debian to be had from $mirror"; }
mount -t proc proc "$root/proc" || skip "proc cannot be mounted"
cp "$wheel" "$root/tmp/"
wheel_tmp=/tmp
in_it() { # from /, with nothing of this environment
    env -i PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 PYTHONDONTWRITEBYTECODE=1 \
        chroot "$root" "$@"
}
files() {
    (cd "$root" && find . -xdev \( -path ./proc -o -path ./dev -o -path ./tmp \) -prune -o -print) | LC_ALL=C sort
}
pip() {
    in_it python3 -m pip --disable-pip-version-check -q "$@" >>"$tmp/pip.log" 2>&1
}

files >"$tmp/before.txt"
pip install --no-index --break-system-packages "/tmp/$(basename "$wheel")" ||
    { tail -n 5 "$tmp/pip.log"; failed "pip install"; finish; }
try_wheel
for file in docs/CODECS.md tests/cli/lib.sh tests/python/first_minutes_test.sh; do # which come with the sources
    install -D "$NARROWS_HOME/$file" "$root/tmp/first/$file"
done
first_minutes /tmp/first /tmp/first/out
[ ! -e "$root$NARROWS_HOME" ] || failed "the sources are in the bare root: nothing was shown"
pip uninstall -y --break-system-packages narrows || { tail -n 5 "$tmp/pip.log"; failed "pip uninstall"; }
left=$(LC_ALL=C comm -13 "$tmp/before.txt" <(files) | grep -v '^\./\(root/\.cache\|run/\)')
[ -z "$left" ] || failed "uninstalled, and yet there is: $left"
finish
