#!/bin/bash
# Run a test of python/narrows with the first Python that has what it imports.
# use: run.sh LIBRARY TEST.py|TEST.sh MODULE...    a shell script gets the Python as its argument
set -eu
library=$1 script=$2
shift 2
lacks=
for python in ${NARROWS_PYTHON:-python3 /usr/bin/python3}; do
    for module in "$@"; do
        "$python" -c "import $module" >/dev/null 2>&1 || { lacks="$lacks $python: $module;" && continue 2; }
    done
    export NARROWS_LIBRARY=$library PYTHONPATH=$NARROWS_HOME/python PYTHONDONTWRITEBYTECODE=1
    case $script in
    *.sh) "$NARROWS_HOME/tests/python/$script" "$python" ;;
    *) "$python" "$NARROWS_HOME/tests/python/$script" ;;
    esac
    exit
done
echo "skipped: no Python with $* (Debian: python3-numpy, python3-torch);$lacks"
exit 77
