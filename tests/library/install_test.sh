#!/bin/bash
# install_test.sh BUILD - what cmake --install leaves, used as others use it: from a prefix that was moved, in C, in
# C++, by pkg-config, by CMake, as a shared and as a static library. And that uninstalling leaves nothing.
. "$(dirname "$0")/../cli/lib.sh"
need cmake cc pkg-config ninja
build=$1 source=$NARROWS_HOME
fresh_tmp
cd "$NARROWS_TEST_TMP" || exit 1
unset NARROWS_HOME DESTDIR

# The list of what was installed last is the user's: it is put back.
manifest=$build/install_manifest.txt
[ ! -f "$manifest" ] || mv "$manifest" kept
put_back() {
    rm -f "$manifest"
    [ ! -f kept ] || mv kept "$manifest"
}
trap put_back EXIT
install_to() { # PREFIX MANIFEST
    cmake --install "$build" --prefix "$NARROWS_TEST_TMP/$1" >install.log 2>&1 ||
        { tail -n 3 install.log; echo "FAILED: cmake --install"; exit 1; }
    mv "$manifest" "$2"
}

install_to first first.txt
missing=0
while IFS= read -r file; do
    [ -e "$file" ] || missing=$((missing + 1))
done <first.txt
[ "$missing" = 0 ] || failed "$missing files of the list are not there"
mv first moved
moved=$NARROWS_TEST_TMP/moved

# The program: by its own data, from anywhere.
cd / || exit 1
program=$moved/bin/narrows
expect 0 "
home +$moved/share/narrows"$'\n' '' "$program" doctor
expect 0 '^codecs.* 3lc ' '' "$program" list codecs
expect 0 'fp16 .* baseline' '.*' "$program" run break-even --db "$NARROWS_TEST_TMP/results.db"
expect 0 'resnet-50' '' "$program" list models
expect 0 '# ' '' "$program" help metrics
cd "$NARROWS_TEST_TMP" || exit 1
if command -v readelf >/dev/null; then
    for file in "$program" "$moved"/lib/libnarrows.so; do
        # That of the CUDA toolkit may be there, from which cuBLAS is loaded.
        readelf -d "$file" | grep -E 'RPATH|RUNPATH' | grep -F -e "$build" -e "$source" -e "$NARROWS_TEST_TMP" &&
            failed "$file looks for libraries in a folder of the build"
    done
fi
grep -rlF -e "$source" -e "$NARROWS_TEST_TMP" "$moved"/lib/pkgconfig "$moved"/lib/cmake "$moved"/include &&
    failed "a path of this machine is in what is installed"

# The library.
export PKG_CONFIG_PATH=$moved/lib/pkgconfig LD_LIBRARY_PATH=$moved/lib
expect 0 "^$(sed -n 's/^project(narrows VERSION \([0-9.]*\).*/\1/p' "$source/CMakeLists.txt")$" '' \
    pkg-config --modversion narrows
example=$moved/share/doc/narrows/examples/example.c
read -ra flags <<<"$(pkg-config --cflags --libs narrows)"
read -ra static_flags <<<"$(pkg-config --cflags --static --libs narrows)"
strict=(-Wall -Wextra -Werror)
uses() { # PROGRAM: says the same by whatever way it was linked
    expect 0 '^step 1: [0-9]+ bytes.*narrows [0-9.]+, 3lc by .* of the energy is missing$' '' "./$1"
    expect 0 '8bit by' '' "./$1" int8
    expect 1 '' "no codec is called '9bit'" "./$1" 9bit
}
expect 0 '' '' cc -std=c11 "${strict[@]}" -o in_c "$example" "${flags[@]}" -lm
uses in_c
ldd in_c | grep -q "$moved/lib/libnarrows.so.0" || failed "in_c is not linked with libnarrows.so.0"
static_flags=("${static_flags[@]/-lnarrows/-l:libnarrows.a}")
expect 0 '' '' cc "${strict[@]}" -o in_one "$example" "${static_flags[@]}" -lm
uses in_one
ldd in_one | grep -q libnarrows && failed "in_one is linked with a shared library"
if command -v c++ >/dev/null; then
    expect 0 '' '' c++ -std=c++11 "${strict[@]}" -o in_cpp -x c++ "$example" -x none "${flags[@]}"
    uses in_cpp
fi

mkdir project
cat >project/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.16)
project(user C)
find_package(Narrows 0.2 REQUIRED)
add_executable(by_cmake ${EXAMPLE})
target_link_libraries(by_cmake narrows::narrows m)
add_executable(by_cmake_static ${EXAMPLE})
target_link_libraries(by_cmake_static narrows::static)
END
expect 0 '.*' '' cmake -G Ninja -S project -B project/build -DCMAKE_PREFIX_PATH="$moved" -DEXAMPLE="$example"
expect 0 '.*' '' cmake --build project/build
uses project/build/by_cmake
uses project/build/by_cmake_static
sed -i 's/Narrows 0.2/Narrows 0.9/' project/CMakeLists.txt
expect 1 '.*' 'requested version "0.9"' cmake -G Ninja -S project -B project/later -DCMAKE_PREFIX_PATH="$moved" \
    -DEXAMPLE="$example"

# Manual pages, where there is something to read them with.
for page in man1/narrows.1.gz man3/libnarrows.3.gz; do
    gzip -dc "$moved/share/man/$page" >text || failed "$page is not compressed text"
    ! command -v groff >/dev/null || expect 0 '' '' groff -man -Tutf8 -ww -z text
done

# Nothing of a second installation is left, and what was there before is.
mkdir -p second/share/doc/other
: >second/share/doc/other/file
install_to second second.txt
cmake -DMANIFEST=second.txt -P "$source/cmake/uninstall.cmake" >/dev/null || failed "uninstall.cmake"
left=$(find second ! -type d)
[ "$left" = second/share/doc/other/file ] || failed "uninstalling leaves: $left"
left=$(find second -mindepth 1 -type d | LC_ALL=C sort | tr '\n' ' ')
[ "$left" = "second/share second/share/doc second/share/doc/other " ] || failed "uninstalling leaves folders: $left"
expect 1 '' 'nothing was installed from this build' cmake -DMANIFEST=second.txt -P "$source/cmake/uninstall.cmake"
finish
