#!/bin/bash
# The page in a real browser: it loads at 1280 and 390 pixels without a message on the console, asks nothing of any
# network, is no wider than the window, and its scoreboard has the database's figures. Skips (77) where there is no
# Chromium.
. "$NARROWS_HOME/tests/cli/lib.sh"

browser=
for name in chromium chromium-browser google-chrome; do
    if command -v "$name" >/dev/null; then
        browser=$name
        break
    fi
done
[ -n "$browser" ] || { echo "skipped: no Chromium here (Debian: apt-get install chromium)"; exit 77; }
need sqlite3 gnuplot

out=$NARROWS_TEST_TMP/page
rm -rf "$out"
mkdir -p "$out/home"
export HOME="$out/home" # its profile, cache and crash reports

"$NARROWS" run -d "$out/page.db" "$NARROWS_HOME/scenarios/papers/3lc/table-1.yaml" >/dev/null 2>&1 ||
    failed "run: exit $?"
"$NARROWS" report --html --db "$out/page.db" --out "$out" >/dev/null 2>"$out/report.err" ||
    failed "report: exit $? $(cat "$out/report.err")"
page=$out/index.html
[ "$(stat -c %s "$page")" -lt 10485760 ] || failed "the page is larger than 10 MiB"

# The page in a frame of so many pixels: a window cannot be as narrow as a phone. The frame has the origin of the page
# around it, which may therefore look inside and report what it finds.
framed() { # width
    printf '%s' '<!DOCTYPE html><meta charset="utf-8"><link rel="icon" href="data:,"><pre id="found"></pre>'
    printf '<iframe id="frame" style="border:0;width:%spx;height:800px" srcdoc="' "$1"
    sed 's/&/\&amp;/g; s/"/\&quot;/g' "$page"
    cat <<'SCRIPT'
"></iframe><script>
frame.onload = () => {
  const d = frame.contentDocument, rows = [...d.querySelectorAll('#scoreboard ~ .scroll tbody tr')];
  const ids = [...d.querySelectorAll('[id]')].map(e => e.id);
  const dead = [...d.querySelectorAll('a[href^="#"]')].filter(a => !d.getElementById(a.getAttribute('href').slice(1)));
  const width = d.documentElement.scrollWidth;
  found.textContent = ['width ' + (width <= d.documentElement.clientWidth ? 'fits' : width),
    'requests ' + frame.contentWindow.performance.getEntriesByType('resource').length,
    'ids ' + (new Set(ids).size == ids.length ? 'unique' :
      ids.filter((x, i) => ids.indexOf(x) != i).slice(0, 3).join(' ')),
    'links ' + (dead.length ? dead.map(a => a.getAttribute('href')).slice(0, 3).join(' ') : 'whole'),
    'figures ' + d.querySelectorAll('figure svg').length,
    ...rows.map(r => 'row ' + [...r.children].map(c => c.textContent).join('|'))].join('\n');
};
</script>
SCRIPT
}

for width in 1280 390; do
    framed $width >"$out/framed-$width.html"
    "$browser" --headless --no-sandbox --disable-gpu --window-size=1400,900 --enable-logging=stderr \
        --host-resolver-rules="MAP * ~NOTFOUND" --disable-background-networking --disable-component-update \
        --no-first-run --virtual-time-budget=5000 --dump-dom "file://$out/framed-$width.html" \
        >"$out/dom-$width.html" 2>"$out/browser-$width.err" ||
        failed "the browser ended with $?"
    if grep 'CONSOLE' "$out/browser-$width.err"; then
        failed "$width pixels: the page has messages on the console"
    fi
    sed -n '/<pre id="found">/,/<\/pre>/p' "$out/dom-$width.html" |
        sed 's/.*<pre id="found">//; s/<\/pre>.*//' >"$out/found-$width"
    for want in "width fits" "requests 0" "ids unique" "links whole"; do
        grep -qx "$want" "$out/found-$width" ||
            failed "$width pixels: expected '$want', got: $(head -5 "$out/found-$width")"
    done
    grep -q '^figures [1-9]' "$out/found-$width" || failed "$width pixels: no figure on the page"
done

# The scoreboard's two tables from the page, and the same worked out by the database.
n=$(sqlite3 "$out/page.db" 'SELECT count(*) FROM paper')
grep '^row ' "$out/found-390" | sed 's/^row //' >"$out/rows"
{ head -n "$n" "$out/rows" | cut -d'|' -f1-2 && head -n $((2 * n)) "$out/rows" | tail -n "$n"; } >"$out/scoreboard-page"
sqlite3 "$out/page.db" 'SELECT label, predicted_pct FROM scoreboard ORDER BY place;
    SELECT label, predicted, replayed, computed, assumed, calibrated, scaled, missing, input
    FROM scoreboard ORDER BY place' >"$out/scoreboard-db"
cmp "$out/scoreboard-page" "$out/scoreboard-db" ||
    failed "the page's scoreboard is not the database's: $(diff "$out/scoreboard-page" "$out/scoreboard-db")"
finish
