#!/bin/bash
# The tier of faults sees what it looks for, and finds nothing in a few cases of each kind.
. "$NARROWS_HOME/tests/cli/lib.sh"
need python3
fresh_tmp
cd "$NARROWS_TEST_TMP" || exit 1
export PYTHONDONTWRITEBYTECODE=1 TMPDIR=$NARROWS_TEST_TMP
faults=$NARROWS_HOME/tests/faults

python3 "$faults/selftest.py" || failed "the tier does not see what it looks for"
expect 2 "" "expected one of kills, .*, got 'floods'" \
    python3 "$faults/faults.py" --narrows "$NARROWS" --shim "$1" floods
expect 0 "fault +on +cases +lost +silent +crashed +hung.*kill -9 +sweep.*malloc fails.*a crowd.*bit flips.*clock" ".*" \
    python3 "$faults/faults.py" --narrows "$NARROWS" --shim "$1" --cases 6 --minutes 0.3 \
    --seed "${NARROWS_TEST_SEED:-1}"
echo "$out"
finish
