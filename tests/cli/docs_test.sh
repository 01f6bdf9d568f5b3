#!/bin/bash
# The examples of README.md and docs/: every yaml block with a name is a file, and every command of a "sh" block
# succeeds, in the order in which a page has them. Blocks marked "sh slow" train, run for minutes or need files that the
# reader has; only their options are checked. 'narrows help TOPIC' prints every page.
. "$(dirname "$0")/lib.sh"
need sqlite3
fresh_tmp
mkdir "$NARROWS_TEST_TMP/work" && cd "$NARROWS_TEST_TMP/work" || exit 1
export NARROWS_QUIET=1

# blocks PAGE 'info string': the lines of all fenced blocks with it.
blocks() {
    awk -v want="\`\`\`$2" '/^```/ { inside = !inside && $0 == want; next } inside' "$1"
}

# A yaml block begins with "# NAME.yaml: what it is".
files() { # page
    blocks "$1" yaml | awk '/^# [a-z-]+\.yaml: / { name = substr($2, 1, length($2) - 1) } name { print >name }'
}

ran=0
commands() { # page
    local line
    while IFS= read -r line; do
        [ -n "${line%%#*}" ] || continue
        [[ $line == narrows\ * ]] || { failed "$1: expected a command of narrows, got: $line"; continue; }
        ran=$((ran + 1))
        bash -c "narrows() { \"$NARROWS\" \"\$@\"; }; $line" >out.txt 2>&1 </dev/null ||
            failed "$1: exit $? of: $line: $(tail -n 3 out.txt)"
    done < <(blocks "$1" sh)
}

# The long options of commands that are not run are those of their help.
options() { # page
    local line command option
    while IFS= read -r line; do
        [[ $line == narrows\ * ]] || continue
        command=$(awk '{ print $2 }' <<<"$line")
        "$NARROWS" "$command" --help >help.txt 2>&1 || failed "$1: no command '$command': $line"
        while IFS= read -r option; do
            grep -q -- "$option" help.txt || failed "$1: $command has no option $option: $line"
        done < <(grep -oE -- ' --[a-z-]+' <<<"${line%%#*}" | tr -d ' ')
    done < <(blocks "$1" 'sh slow')
}

for page in "$NARROWS_HOME"/README.md "$NARROWS_HOME"/docs/*.md; do
    files "$page"
    commands "$page"
    options "$page"
done
[ "$ran" -ge 12 ] || failed "only $ran commands were found"

for page in "$NARROWS_HOME"/docs/*.md; do
    topic=$(basename "$page" .md)
    "$NARROWS" help "${topic,,}" | cmp -s - "$page" || failed "narrows help ${topic,,} does not print $page"
done
expect 2 '' "got 'metrisc'; did you mean 'metrics'" "$NARROWS" help metrisc
expect 0 'Usage: narrows run' '' "$NARROWS" help run

# Every measure that a point can have is explained.
while IFS= read -r name; do
    grep -qE "\`${name//./\\.}(KIND|NAME)?\`" "$NARROWS_HOME/docs/METRICS.md" ||
        failed "METRICS.md says nothing of '$name'"
done < <(sed -n '/_readings\[\]/,/NULL/s/^ *"\([a-z0-9_.]*\)",.*/\1/p' "$NARROWS_HOME/sim/method/method.c" \
    "$NARROWS_HOME/harness/training/readings.c")

# Links between pages lead somewhere.
for page in "$NARROWS_HOME"/*.md "$NARROWS_HOME"/docs/*.md; do
    while IFS= read -r link; do
        case $link in http*) continue ;; esac
        [ -e "$(dirname "$page")/${link%%#*}" ] || failed "$page: nothing at $link"
    done < <(grep -oE '\]\([^)]+\)' "$page" | sed 's/^](\(.*\))$/\1/')
done
finish
