#!/bin/bash
# The first five minutes of docs/CODECS.md as a user has them: its Python files, and its commands in their order.
# use: first_minutes_test.sh PYTHON    with the package narrows where it looks, and the program as $NARROWS
. "$(dirname "$0")/../cli/lib.sh"
python=$1 page=$NARROWS_HOME/docs/CODECS.md
fresh_tmp
cd "$NARROWS_TEST_TMP" || exit 1
export NARROWS_QUIET=1 OMP_NUM_THREADS=1
unset NARROWS_HOME # the program finds its data by itself

# blocks 'info string': the lines of all fenced blocks with it.
blocks() {
    awk -v want="\`\`\`$1" '/^```/ { inside = !inside && $0 == want; next } inside' "$page"
}
blocks python | awk '/^# [a-z]+\.py: / { name = substr($2, 1, length($2) - 1) } name { print >name }'

while IFS= read -r line; do
    bash -c "narrows() { \"$NARROWS\" \"\$@\"; }; python3() { command \"$python\" \"\$@\"; }; $line" \
        </dev/null >>said.txt 2>err.txt || failed "exit $? of: $line: $(tail -n 3 err.txt)"
done < <(blocks 'sh first')
said() { # extended regex
    grep -qE -- "$1" said.txt || failed "expected a line like '$1', got: $(cat said.txt)"
}
said '^3 steps of 6 tensors, 42442 values'
said '^codec +bits +ratio +cosine .* step \(ms\)'
said '^8bit +8\.0'
said '^Of 4 codecs, .* keeps a cosine of 0\.9 in the fewest bits'
said '^A step of break-even takes [0-9.]+ ms with fp32'
said '^8bit: loss [0-9.]+, 3\.[0-9]+ times fewer bytes'
said '^3lc:s=1.75: loss [0-9.]+, [0-9.]+ times fewer bytes'
finish
