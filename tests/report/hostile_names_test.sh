#!/bin/bash
# Names with quotes, line breaks, $() and what is special to gnuplot, SQL and HTML are drawn and printed; nothing runs.
. "$NARROWS_HOME/tests/cli/lib.sh"
need python3 gnuplot
fresh_tmp
cd "$NARROWS_TEST_TMP" || exit 1
python3 "$NARROWS_HOME/tests/report/hostile_names.py" "$NARROWS" "$NARROWS_HOME" ||
    failed "a name was not taken as text"
finish
