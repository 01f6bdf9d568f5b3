# lib.sh - what the tests of the sources share: source it, in the root of the repository.
# shellcheck shell=bash
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
rooms="kernels library python model sim train harness results_schema scenarios plots tests docs cmake .ci .github"
rooms="$rooms .githooks"

# Those of the repository's files that match the extended regex, sorted. Also where there is no git.
sources() {
    # shellcheck disable=SC2086 # a list
    { find . -maxdepth 1 -type f && find $rooms -type f; } 2>/dev/null | sed 's|^\./||' | grep -E "$1" | LC_ALL=C sort
}

need_many() { # count
    [ "$1" -ge 100 ] || { echo "only $1 files found in $PWD: this looks in the wrong place"; exit 1; }
}
