#!/bin/bash
# bare_root.sh BUILD [MORE...] - the Debian package on a bare Debian 12, as somebody without the sources has it: made by
# cpack in BUILD, installed by apt in a root from debootstrap, used from /, compiled against, purged. MORE are programs
# that are called with the root's folder after the installation: tests of what else is shipped.
# It downloads some 100 MB, so it runs where it is asked for: NARROWS_TEST_BARE=1, as root.
#   NARROWS_MIRROR  another mirror of Debian
. "$(dirname "$0")/../cli/lib.sh"
skip() {
    echo "skipped: $*"
    exit 77
}
[ "${NARROWS_TEST_BARE:-0}" = 1 ] || skip "a bare root downloads 100 MB: NARROWS_TEST_BARE=1 asks for it"
[ "$EUID" = 0 ] || skip "only root may change its root"
need debootstrap cpack dpkg-shlibdeps file chroot
build=$1 source=$NARROWS_HOME mirror=${NARROWS_MIRROR:-http://deb.debian.org/debian}
shift
root=$NARROWS_TEST_TMP/root
away() { # what is mounted has to go before anything is removed
    for place in "$root/proc" "$root/dev/null"; do
        ! mountpoint -q "$place" || umount "$place"
    done
    ! mountpoint -q "$root/proc" || exit 1
    rm -rf "$root"
}
away
fresh_tmp
trap away EXIT

say() {
    echo "bare root: $*"
}

# Run in the bare root, from /, with nothing of this environment.
bare() {
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive chroot "$root" "$@"
}
apt() {
    bare apt-get -q -y --no-install-recommends "$@" >>"$NARROWS_TEST_TMP/apt.log" 2>&1 </dev/null
}

files() { # of the root, without what runs and what apt and dpkg keep for themselves
    (cd "$root" && find . -xdev \( -path ./proc -o -path ./dev -o -path ./tmp -o -path ./var/lib/apt -o \
        -path ./var/lib/dpkg -o -path ./var/cache -o -path ./var/log \) -prune -o -print) | LC_ALL=C sort
}

(cd "$NARROWS_TEST_TMP" && cpack --config "$build/CPackConfig.cmake" -G DEB -B "$NARROWS_TEST_TMP/package") \
    >"$NARROWS_TEST_TMP/cpack.log" 2>&1 || { tail -n 5 "$NARROWS_TEST_TMP/cpack.log"; failed "cpack"; finish; }
package=$(echo "$NARROWS_TEST_TMP"/package/narrows_*.deb)
say "$(basename "$package"), $(stat -c %s "$package") bytes, needs$(dpkg-deb -f "$package" Depends | sed 's/^/ /')"

debootstrap --variant=minbase bookworm "$root" "$mirror" >"$NARROWS_TEST_TMP/debootstrap.log" 2>&1 ||
    { tail -n 3 "$NARROWS_TEST_TMP/debootstrap.log"; skip "no Debian to be had from $mirror"; }
cp -L /etc/resolv.conf /etc/hosts "$root/etc/"
rules=/etc/apt/apt.conf.d/99artifact-registry # of a mirror that stands between
[ ! -f $rules ] || cp $rules "$root$rules"
mount -t proc proc "$root/proc" || skip "proc cannot be mounted"
apt update || { tail -n 5 "$NARROWS_TEST_TMP/apt.log"; skip "no Debian to be had from $mirror"; }
cp "$package" "$root/tmp/narrows.deb"

files >"$NARROWS_TEST_TMP/before.txt"
apt install /tmp/narrows.deb || { tail -n 5 "$NARROWS_TEST_TMP/apt.log"; failed "apt-get install"; finish; }
expect 0 "
home +/usr/share/narrows"$'\n' '.*' bare narrows doctor
expect 0 '^codecs.* 3lc ' '' bare narrows list codecs
expect 0 'fp16 .* baseline' '.*' bare narrows run break-even --db /tmp/results.db
expect 0 '.*' '.*' bare narrows record import --db /tmp/records.db
expect 0 '3lc' '' bare narrows record list --db /tmp/records.db
expect 0 '^# ' '' bare narrows help library
[ ! -e "$root$source" ] || failed "the sources are in the bare root: nothing was shown"

apt install gcc libc6-dev pkg-config || failed "apt-get install gcc"
example=/usr/share/doc/narrows/examples/example.c
expect 0 '' '' bare sh -c "cc -Wall -Werror -o /tmp/example $example \$(pkg-config --cflags --libs narrows) -lm"
expect 0 '^step 1: .*3lc by' '' bare /tmp/example
expect 0 '8bit by' '' bare /tmp/example int8
for more in "$@"; do
    "$more" "$root" || failed "$more"
done

apt purge narrows || failed "apt-get purge"
apt autoremove --purge || failed "apt-get autoremove"
left=$(grep -i narrows < <(files))
[ -z "$left" ] || failed "purged, and yet there is: $left"
apt purge gcc libc6-dev pkg-config && apt autoremove --purge
left=$(LC_ALL=C comm -13 "$NARROWS_TEST_TMP/before.txt" <(files) | grep -vE '^\./(etc/ld.so.cache|etc/apt/|etc/g?shadow-|etc/(group|passwd)-|run/)')
[ -z "$left" ] || failed "purged with what it needed, and yet there is: $left"
finish
