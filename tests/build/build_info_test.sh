#!/bin/bash
# cmake/build_info.cmake: the simulator's digest follows the code of model/ and sim/ and nothing else, the trainer's
# that of what it is made of; comments, layout and moves change neither. The header is rewritten only when it
# changes, and a tree without a repository has no commit.
set -u
: "${NARROWS_TEST_TMP:?}"
script=$PWD/cmake/build_info.cmake
tree=$NARROWS_TEST_TMP/tree header=$NARROWS_TEST_TMP/narrows_build.h
failures=0
rm -rf "$NARROWS_TEST_TMP"
mkdir -p "$tree"/{kernels/k,train/t,harness/{data,run},model/graph,sim/method}
echo 'int a;' >"$tree/sim/a.c"
echo 'int b;' >"$tree/sim/b.h"

failed() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# Leaves the digests in $digest and $train and the commit in $commit.
write() {
    cmake -DSOURCE_DIR="$tree" -DVERSION=1.2.3 -DOUTPUT="$header" -P "$script" || failed "build_info.cmake fails"
    digest=$(sed -n 's/^#define NW_SIM_DIGEST "\(.*\)"$/\1/p' "$header")
    train=$(sed -n 's/^#define NW_TRAIN_DIGEST "\(.*\)"$/\1/p' "$header")
    commit=$(sed -n 's/^#define NARROWS_COMMIT "\(.*\)"$/\1/p' "$header")
}

write
first=$digest
[[ $first =~ ^[0-9a-f]{16}$ ]] || failed "the digest is '$first'"
[ "$commit" = unknown ] || failed "a commit without a repository: '$commit'"
grep -q '^#define NARROWS_VERSION "1.2.3"$' "$header" || failed "the version is missing"

[[ $train =~ ^[0-9a-f]{16}$ ]] || failed "the trainer's digest is '$train'"
for file in train/t/a.c train/t/a.h train/b.cu kernels/k/a.c kernels/k/lane.cuh harness/data/a.c model/model.h \
    model/graph/a.c; do
    before=$train
    echo "int d_${file//[^a-z]/_};" >"$tree/$file"
    write
    [ "$train" != "$before" ] || failed "$file leaves the trainer's digest as it was"
done
for file in sim/method/a.c sim/engine.c harness/run/a.c train/CMakeLists.txt; do
    before=$train
    echo 'int d;' >"$tree/$file"
    write
    [ "$train" = "$before" ] || failed "$file changes the trainer's digest"
done

first=$digest
touch -d '2001-01-01' "$header"
echo '# c' >"$tree/harness/run/c.c"
write
[ "$digest" = "$first" ] || failed "the harness changes the simulator's digest"
[ "$(date -r "$header" +%Y)" = 2001 ] || failed "the header is rewritten though it says the same"

echo 'int c;' >"$tree/kernels/c.c"
write
[ "$digest" = "$first" ] || failed "a kernel changes the simulator's digest"

# edited TEXT: sim/a.c with this text, and the digest it gives.
edited() {
    printf '%s\n' "$1" >"$tree/sim/a.c"
    write
}

edited 'int a = 1;'
[ "$digest" != "$first" ] || failed "an edit of sim/a.c leaves the digest as it was"
edited 'int a;'
[ "$digest" = "$first" ] || failed "the old contents do not give the old digest"
edited $'/* why */\nint\n  a; /* what; [it] is */'
[ "$digest" = "$first" ] || failed "comments or layout change the digest"
edited $'int a; /* an end */ int b; /* another */'
[ "$digest" != "$first" ] || failed "code between two comments does not count"
edited $'#ifndef NARROWS_SIM_A_H\n#define NARROWS_SIM_A_H\n#include "sim/b/c.h"\nint a;\n#endif'
moved=$digest
edited $'#ifndef NARROWS_MODEL_A_H\n#define NARROWS_MODEL_A_H\n#include "model/c.h"\nint a;\n#endif'
[ "$digest" = "$moved" ] || failed "a moved header changes the digest"
edited $'#ifndef NARROWS_MODEL_A_H\n#define NARROWS_MODEL_A_H\n#include "model/d.h"\nint a;\n#endif'
[ "$digest" != "$moved" ] || failed "another included header leaves the digest as it was"
edited 'int a;'
mkdir "$tree/sim/b" && mv "$tree/sim/b.h" "$tree/sim/b/b.h"
write
[ "$digest" = "$first" ] || failed "a moved file changes the digest"
rm "$tree/sim/b/b.h"
write
[ "$digest" != "$first" ] || failed "a file less leaves the digest as it was"

if command -v git >/dev/null; then
    git -C "$tree" init -q && git -C "$tree" add . &&
        git -C "$tree" -c user.name=n -c user.email=n@example.org commit -qm one || failed "git"
    write
    [ "$commit" = "$(git -C "$tree" rev-parse --short HEAD)" ] || failed "the commit is '$commit'"
    echo 'int dirty;' >>"$tree/sim/a.c"
    write
    [[ $commit == *-dirty ]] || failed "an edited tree is not called dirty: '$commit'"
fi
[ "$failures" -eq 0 ] && echo ok
exit "$((failures > 0))"
