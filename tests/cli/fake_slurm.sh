#!/bin/bash
# Stands for sbatch and squeue (by the name that it is started with): runs an array job's tasks at once, one after
# another. FAKE_FAIL: tasks that end before they begin. FAKE_LATER: tasks are only noted in the file of this name.
set -u
case ${0##*/} in
squeue)
    [ -z "${FAKE_BUSY:-}" ] || echo RUNNING
    exit 0
    ;;
esac
job=$((RANDOM % 1000 + 100))
printf '%s\n' "$*" >>"$FAKE_LOG"
while [ $# -gt 1 ]; do
    case $1 in
    --array) array=$2 ;;
    --output) pattern=$2 ;;
    --refuse) echo "sbatch: error: invalid partition" >&2; exit 1 ;;
    esac
    shift
done
script=$1
echo "$job;cluster"
[ -z "${FAKE_LATER:-}" ] || exit 0
for range in ${array//,/ }; do
    for task in $(seq "${range%-*}" "${range#*-}"); do
        log=${pattern//%A/$job}
        log=${log//%a/$task}
        if [[ " ${FAKE_FAIL:-} " == *" $task "* ]]; then
            echo "node failed" >"$log"
        else
            SLURM_ARRAY_TASK_ID=$task bash "$script" >"$log" 2>&1
        fi
    done
done
[ -z "${FAKE_FAIL:-}" ]
