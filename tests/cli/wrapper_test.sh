#!/bin/bash
# The wrapper at the root, tried on a small project of its own in a folder with a blank in its name, with a dpkg-query,
# apt-get and sudo that only write down how they were called.
. "$(dirname "$0")/lib.sh"
need cmake ninja gcc flock
wrapper=$PWD/narrows
fresh_tmp
tree="$NARROWS_TEST_TMP/a tree" tools=$NARROWS_TEST_TMP/tools calls=$NARROWS_TEST_TMP/calls
mkdir -p "$tree" "$tools"
unset NARROWS_NO_INSTALL NARROWS_CMAKE
export ABSENT="" calls

plant() {
    rm -rf "$tree/build" "$calls"
    mkdir -p "$tree/cmake"
    cp "$wrapper" "$tree/narrows"
    cp "$(dirname "$wrapper")/cmake/uninstall.cmake" "$tree/cmake"
    cat >"$tree/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.25)
project(small C)
message(STATUS "CUDA: none")
add_executable(narrows main.c)
add_executable(answers EXCLUDE_FROM_ALL main.c)
add_custom_target(installable DEPENDS narrows)
install(TARGETS narrows DESTINATION bin)
END
    cat >"$tree/main.c" <<'END'
#include <stdio.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    char cwd[4096];
    printf("%s|%s|%d\n", getcwd(cwd, sizeof(cwd)), argc > 1 ? argv[1] : "", argc);
    return argc > 2 ? 7 : 0;
}
END
}

tool() { # name, its script from stdin
    { echo '#!/bin/sh'; cat; } >"$tools/$1"
    chmod +x "$tools/$1"
}

# Says that everything asked for is installed but what $ABSENT names, until apt-get was called.
tool dpkg-query <<'END'
echo "dpkg-query" >>"$calls"
shift 3
for p in "$@"; do
    case " $ABSENT " in
    *" $p "*) [ -e "$calls.installed" ] || { printf '|not-installed %s|' "$p"; continue; } ;;
    esac
    printf '|installed %s|' "$p"
done
END
tool apt-get <<'END'
echo "apt-get $*" >>"$calls"
case $* in *install*) : >"$calls.installed" ;; esac
END
tool sudo <<'END'
echo "sudo" >>"$calls"
exec "$@"
END
tool id <<'END'
echo 1000
END
PATH=$tools:$PATH

plant
expect 0 "^/\\|x\\|2$" "CUDA: none.*building the program" env -C / "$tree/narrows" x
grep -q '\] Building' "$tree/build/build.log" || failed "the first call builds nothing: this test would prove nothing"
rm -f "$calls"
expect 0 "^/tmp\\|\\|1$" "" env -C /tmp "$tree/narrows"
grep -q '\] Building' "$tree/build/build.log" && failed "the second call builds again"
[ ! -e "$calls" ] || failed "the second call asks dpkg again"
expect 7 "\\|3$" "" "$tree/narrows" x y
ln -s "$tree/narrows" "$NARROWS_TEST_TMP/link"
expect 0 "\\|x\\|2$" "" sh "$NARROWS_TEST_TMP/link" x
expect 0 "^$NARROWS_TEST_TMP\\|x\\|2$" "" env -C "$NARROWS_TEST_TMP" ./link x

# Changed sources are built, wrong ones are reported, mended ones are built again.
echo 'int broken = "text" 1;' >>"$tree/main.c"
expect 1 "" "main\\.c.*error: .*the build failed" "$tree/narrows" x
sed -i '$d' "$tree/main.c"
expect 0 "\\|x\\|2$" "building the program" "$tree/narrows" x
NARROWS_CMAKE=-DSMALL=1 expect 0 "\\|x\\|2$" "CUDA: none" "$tree/narrows" x
grep -q '^SMALL:.*=1$' "$tree/build/CMakeCache.txt" || failed "NARROWS_CMAKE does not reach cmake"
expect 0 "\\|x\\|2$" "" "$tree/narrows" x
NARROWS_CMAKE="" expect 0 "\\|x\\|2$" "CUDA: none" "$tree/narrows" x
grep -q '^SMALL:' "$tree/build/CMakeCache.txt" && failed "an empty NARROWS_CMAKE leaves the old arguments"

# Arguments that cmake refuses do not stick: the next call starts afresh.
NARROWS_CMAKE=-DCMAKE_C_COMPILER=no-such-compiler expect 1 "" "cmake failed" "$tree/narrows" x
NARROWS_CMAKE="" expect 0 "\\|x\\|2$" "CUDA: none" "$tree/narrows" x

# Installed, anywhere, and removed again.
expect 0 "" "usage: ./narrows install" "$tree/narrows" install --help
expect 2 "" "expected --prefix DIR, got '--perfix'" "$tree/narrows" install --perfix x
expect 2 "" "--prefix: expected a folder" "$tree/narrows" install --prefix
expect 1 "" "nothing was installed from here" "$tree/narrows" uninstall
expect 1 "" "cannot write to /dev/null/x" "$tree/narrows" install --prefix /dev/null/x
expect 0 "" "installed in $NARROWS_TEST_TMP/a prefix" \
    env -C "$NARROWS_TEST_TMP" "$tree/narrows" install --prefix "a prefix"
expect 0 "\\|x\\|2$" "" "$NARROWS_TEST_TMP/a prefix/bin/narrows" x
expect 2 "" "expected nothing more, got 'x'" "$tree/narrows" uninstall x
echo /nowhere/bin/narrows >"$tree/build/install_manifest.txt" # what packaging leaves
expect 0 "" ".*" "$tree/narrows" uninstall
[ -z "$(ls -A "$NARROWS_TEST_TMP/a prefix")" ] || failed "uninstall leaves $(ls -R "$NARROWS_TEST_TMP/a prefix")"
expect 0 "" "usage: ./narrows package" "$tree/narrows" package --help
expect 1 "" "expected a folder that can be written to, got '/no/such'" "$tree/narrows" package /no/such

# A folder that cannot be written to: what was built before is run, and without it the reason is given. Root may write
# anywhere, so another user is needed to see it.
if [ "$EUID" = 0 ] && command -v setpriv >/dev/null; then
    chmod -R go+rX "$NARROWS_TEST_TMP" 2>/dev/null
    as_nobody=(env -C / setpriv --reuid=65534 --regid=65534 --clear-groups)
    if "${as_nobody[@]}" test -x "$tree/narrows"; then
        expect 0 "\\|x\\|2$" "" "${as_nobody[@]}" "$tree/narrows" x
        rm "$tree/build/narrows"
        expect 1 "" "cannot write to" "${as_nobody[@]}" "$tree/narrows" x
    fi
fi

# Four at once on a tree that was never built.
plant
for i in 1 2 3 4; do
    "$tree/narrows" "$i" >"$NARROWS_TEST_TMP/at-once.$i" 2>&1 &
done
wait
for i in 1 2 3 4; do
    grep -q "|$i|2$" "$NARROWS_TEST_TMP/at-once.$i" ||
        failed "four at once: number $i: $(tail -n 3 "$NARROWS_TEST_TMP/at-once.$i")"
done

# Missing packages: refused with their names, or installed with what was said.
plant
ABSENT="libyaml-dev gnuplot-nox gnuplot-qt gnuplot-x11 pkg-config"
NARROWS_NO_INSTALL=1 expect 3 "" "NARROWS_NO_INSTALL is set: libyaml-dev gnuplot-nox" "$tree/narrows" x
[[ $err != *pkg-config* ]] || failed "pkgconf stands in for pkg-config, and yet that is called missing"
grep -q apt-get "$calls" && failed "NARROWS_NO_INSTALL calls apt-get"
[ ! -e "$tree/build/build.ninja" ] || failed "NARROWS_NO_INSTALL configures without its packages"
expect 0 "\\|x\\|2$" "installing with apt: libyaml-dev gnuplot-nox" "$tree/narrows" x
grep -q 'apt-get .*install .*--no-install-recommends libyaml-dev gnuplot-nox' "$calls" || failed "apt-get: $(<"$calls")"
grep -q sudo "$calls" || failed "not root, and yet apt-get runs without sudo"
rm -f "$calls.installed"
ABSENT=libcmocka-dev
NARROWS_NO_INSTALL=1 expect 3 "" "libcmocka-dev" "$tree/narrows" test
tool apt-get <<'END'
echo "E: no such thing"
exit 100
END
expect 3 "" "E: no such thing.*apt-get failed" "$tree/narrows" test
finish
