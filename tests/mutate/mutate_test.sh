#!/bin/bash
# narrows mutate on a small project of its own: which mutants there are, which of them are killed, live, give the same
# object or do not compile; a run that was cut short goes on; what is known to change nothing, and what is stale.
. "$(dirname "$0")/../cli/lib.sh"
need python3 cmake ninja gcc ctest readelf prlimit
mutate=$PWD/tests/mutate/mutate.py
fresh_tmp
tree="$NARROWS_TEST_TMP/a tree" scratch=$NARROWS_TEST_TMP/scratch
mkdir -p "$tree/tests/mutate" "$tree/part"
cat >"$tree/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.25)
project(small C)
enable_testing()
add_library(small STATIC part/small.c)
add_executable(small_test small_test.c)
target_link_libraries(small_test PRIVATE small)
add_test(NAME small_test COMMAND small_test)
END
cat >"$tree/part/small.c" <<'END'
/* 1 < 2 in a comment */
#include <stdio.h>
#define LESS(a, b) ((a) < (b))
enum { MOST = 5 };
static const char *const text = "1 < 2";

int clamped(int n);
int total(const int *v, int n);

static int at(const int *v, int i)
{
    return v[i];
}

int clamped(int n)
{
    return n > MOST ? MOST /* not 1 < 2 */ : n; // nor 3 + 4
}

int total(const int *v, int n)
{
    int sum = 0;

    if (n < 0)
        return -1;
    for (int i = 0; i < n; i++)
        sum += at(v, i);
    if (sum && n == 99)
        printf("%s: %d of %d\n", text, sum + 1, n);
    return sum;
}
END
cp "$tree/part/small.c" "$NARROWS_TEST_TMP/before"
cat >"$tree/small_test.c" <<'END'
int clamped(int n);
int total(const int *v, int n);
int main(void)
{
    static const int v[] = { 1, 2, 4, 8 };
    return clamped(9) != 5 || clamped(2) != 2 || total(v, 3) != 7;
}
END
of() { python3 "$mutate" --root "$tree" --scratch "$scratch" --sample 0 -j 1 "$@"; }

cat >"$NARROWS_TEST_TMP/wanted" <<'END'
part/small.c:4: constant: 5 -> (5 + 1)
part/small.c:17: compare: > -> <=
part/small.c:17: compare: > -> >=
part/small.c:22: constant: 0 -> (0 + 1)
part/small.c:24: compare: < -> <=
part/small.c:24: compare: < -> >=
part/small.c:24: constant: 0 -> (0 + 1)
part/small.c:24: negate: n < 0 -> !(n < 0)
part/small.c:25: constant: 1 -> (1 + 1)
part/small.c:26: compare: < -> <=
part/small.c:26: compare: < -> >=
part/small.c:26: constant: 0 -> (0 + 1)
part/small.c:27: arithmetic: += -> -=
part/small.c:27: delete: sum += at(v, i)
part/small.c:27: swap: v, i -> i, v
part/small.c:28: compare: == -> !=
part/small.c:28: constant: 99 -> (99 + 1)
part/small.c:28: logic: && -> ||
part/small.c:28: negate: sum && n == 99 -> !(sum && n == 99)
END
of --list part | LC_ALL=C sort -t: -k2n -k3 >"$NARROWS_TEST_TMP/listed"
LC_ALL=C sort -t: -k2n -k3 "$NARROWS_TEST_TMP/wanted" | diff - "$NARROWS_TEST_TMP/listed" ||
    failed "these are not the mutants of small.c"
[ "$(of --list --sample 4 part | wc -l)" = 4 ] || failed "a sample of four has not four"
cmp -s <(of --list --sample 4 --seed 3 part) <(of --list --sample 4 --seed 3 part) || failed "a seed draws twice"
cmp -s <(of --list --sample 9 --seed 3 part) <(of --list --sample 9 --seed 4 part) && failed "a seed changes nothing"

# The compiler sees that n >= MOST is the same, and refuses a number for a pointer.
expect 1 'part +19 +10 +7 +0 +1 +1 +0 +58.8' '.*' of part
living=$(grep -E '^part/small.c:[0-9]+:' <<<"$out")
for change in '24: compare: < -> <=' '24: constant: 0 -> \(0 \+ 1\)' '25: constant: 1 -> \(1 \+ 1\)' \
    '28: compare: == -> !=' '28: constant: 99 -> \(99 \+ 1\)' '28: logic: && -> \|\|' \
    '28: negate: sum && n == 99 -> .*'; do
    grep -qE "^part/small.c:$change\$" <<<"$living" || failed "killed, though no test looks: $change"
done
cmp -s "$tree/part/small.c" "$NARROWS_TEST_TMP/before" || failed "the tree itself was changed"

# Nothing is done twice; a row that was cut short is no row.
expect 1 'part +19 +10 +7 ' '' of part
[ "$(grep -c . <<<"$living")" = 7 ] || failed "expected seven that live: $living"
head -c -30 "$scratch/results.csv" >"$NARROWS_TEST_TMP/cut"
cp "$NARROWS_TEST_TMP/cut" "$scratch/results.csv"
expect 1 'part +19 +10 +7 ' '(killed|living) ' of part
[ "$(grep -cE '^(killed|living|same|refused) ' <<<"$err")" = 1 ] || failed "more than what was cut off: $err"

# What changes nothing is listed with its reason; one that is no mutant any more is reported.
cat >"$tree/tests/mutate/known.txt" <<'END'
# reasons

file: part/small.c
line: if (n < 0)
change: compare: < -> <=
why: no values sum up to 0 either way

file: part/small.c
line: if (n < 7)
change: compare: < -> <=
why: gone
END
expect 1 'part +19 +10 +6 +1 .*known.txt: part/small.c: no such mutant any more: compare: < -> <=' '' of part

# A test that looks kills what lived, when asked again.
sed -i 's/ != 7;/ != 7 || total(v, -1) != -1;/' "$tree/small_test.c"
expect 1 'part +19 +11 +5 +1 ' '.*' of --again part
expect 2 '' 'nowhere: expected a folder' of nowhere
finish
