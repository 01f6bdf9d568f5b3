#!/bin/bash
# narrows.export(), where Debian's or another PyTorch is there.
. "$(dirname "$0")/../cli/lib.sh"
need python3
fresh_tmp
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$NARROWS_HOME/python python3 "$NARROWS_HOME/tests/import/export_test.py"
