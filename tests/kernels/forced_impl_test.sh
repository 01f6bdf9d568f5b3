#!/bin/bash
# NARROWS_IMPL forces one implementation, in tests and in the bench; a name that nothing answers to skips a test and is
# an error of the bench.
# use: forced_impl_test.sh TEST-PROGRAM
. "$NARROWS_HOME/tests/cli/lib.sh"
fresh_tmp
test=$1

out=$(NARROWS_IMPL=scalar "$test" 2>&1) || failed "NARROWS_IMPL=scalar $test: exit $?"
out=$(NARROWS_IMPL=nothing "$test" 2>&1)
[ $? = 77 ] || failed "NARROWS_IMPL=nothing $test: not skipped"
[[ $out == *"no implementation called nothing"* ]] || failed "skipped without the reason: $out"

bench() {
    "$NARROWS" bench copy --size 1000 --reps 1 --db "$NARROWS_TEST_TMP/forced.db" "$@" 2>&1
}
out=$(NARROWS_IMPL=memcpy bench) || failed "bench: exit $?"
[[ $out == *"memcpy "* && $out != *nt_sse2* ]] || failed "NARROWS_IMPL=memcpy: bench timed something else: $out"
out=$(NARROWS_IMPL=memcpy bench --impl scalar) || failed "bench --impl: exit $?"
[[ $out != *"memcpy "* ]] || failed "--impl does not win over NARROWS_IMPL: $out"
out=$(NARROWS_IMPL=nothing bench) && failed "NARROWS_IMPL=nothing: bench timed something: $out"
finish
