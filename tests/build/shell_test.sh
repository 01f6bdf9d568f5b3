#!/bin/bash
# Every shell script passes shellcheck, as .shellcheckrc has it.
set -u
if ! command -v shellcheck >/dev/null; then
    echo "skipped: shellcheck is not installed"
    exit 77
fi
mapfile -t scripts < <(find . \( -path ./build -o -path ./out -o -path ./.git \) -prune -o -type f -print |
    LC_ALL=C sort | xargs -d '\n' grep -lIE '^#!/bin/(ba)?sh|^# shellcheck shell=')
if [ "${#scripts[@]}" -lt 10 ]; then
    echo "only ${#scripts[@]} scripts found in $PWD: this looks in the wrong place"
    exit 1
fi
shellcheck "${scripts[@]}" || exit 1
echo "${#scripts[@]} scripts pass shellcheck"
